#include "grasp/report.hpp"

#include <fmt/format.h>
#include <cmath>

#include "linkwright/model/names.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

using manipulator::ClosureVerdict;
using manipulator::GraspAnalysis;
using manipulator::GraspContact;
using manipulator::LoadSharing;
using manipulator::Matrix;
using manipulator::SharedContact;
using manipulator::SharedEffort;
using manipulator::SharingRule;

std::vector<double> row_of(const Matrix& A, Eigen::Index i) {
  std::vector<double> row;
  for (Eigen::Index j = 0; j < A.cols(); ++j) row.push_back(A(i, j));
  return row;
}
Json rows_of(const Matrix& A) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < A.rows(); ++i) rows.push_back(row_of(A, i));
  return rows;
}
/// Column after column: one vector each.
Json vectors_of(const Matrix& A) { return rows_of(Matrix(A.view().transpose())); }

/// JSON has no infinity: null is a bound that does not exist.
Json bounded(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json contacts_json(const GraspAnalysis& found) {
  Json list = Json::array();
  for (const GraspContact& contact : found.map.contacts) {
    Json one{{"name", contact.name}, {"contact", contact.kind}, {"rows", contact.size}};
    if (contact.friction) one["friction"] = *contact.friction;
    if (contact.torsion) one["torsion"] = *contact.torsion;
    list.push_back(std::move(one));
  }
  return list;
}

/// By contact: what is left of each under the load.
Json margins_json(const GraspAnalysis& found, const LoadSharing& sharing) {
  Json contacts = Json::object();
  for (const GraspContact& contact : found.map.contacts)
    for (const SharedContact& shared : sharing.contacts)
      if (shared.name == contact.name) contacts[contact.name] = bounded(shared.margin);
  return contacts;
}

Json object_json(const ObjectReport& object, const LoadSharing& sharing) {
  const GraspAnalysis& found = object.analysis;
  Json defective = Json::array();
  for (const auto& hand : found.defective)
    defective.push_back({{"contact", hand.contact}, {"directions", hand.directions}});
  return {{"object", found.map.object},
          {"force_closure", found.force_closure.holds},
          {"form_closure", found.form_closure.holds},
          {"force_closure_reason", found.force_closure.reason},
          {"form_closure_reason", found.form_closure.reason},
          {"force_closure_margin", bounded(found.force_closure.margin)},
          {"form_closure_margin", bounded(found.form_closure.margin)},
          {"carry_nothing", found.force_closure.idle},
          {"grasp_rank", found.rank},
          {"freedoms", found.map.freedoms},
          {"contacts", contacts_json(found)},
          {"columns", found.map.columns},
          {"grasp_map", rows_of(found.map.G)},
          {"hand_freedoms", found.map.hand_freedoms},
          {"hand_jacobian", rows_of(found.map.hand_jacobian)},
          {"internal_basis", vectors_of(found.internal)},
          {"internal",
           {{"by_motors", found.by_motors},
            {"structural", found.structural},
            {"not_held", found.not_held}}},
          {"squeeze", found.force_closure.squeeze},
          {"escape", found.force_closure.escape},
          {"loose_motions", found.loose_motions},
          {"defective", std::move(defective)},
          {"redundant_hand_motions", found.redundant},
          {"smallest_singular_value", found.smallest_kept},
          {"inertia", rows_of(object.impedance.inertia)},
          {"damping", rows_of(object.impedance.damping)},
          {"stiffness", rows_of(object.impedance.stiffness)},
          {"inertia_rank", object.impedance.rank},
          {"immovable", object.impedance.immovable},
          {"margins", margins_json(found, sharing)}};
}

Json sharing_json(const GraspReport& report) {
  const LoadSharing& sharing = report.sharing;
  Json json{{"feasible", sharing.feasible}, {"rule", std::string(to_string(report.rule))}};
  Json contacts = Json::array(), motors = Json::array();
  for (const SharedContact& c : sharing.contacts)
    contacts.push_back({{"name", c.name},
                        {"forces", c.forces},
                        {"force", c.force},
                        {"moment", c.moment},
                        {"normal", c.normal},
                        {"tangential", c.tangential},
                        {"twist", c.twist},
                        {"margin", bounded(c.margin)}});
  for (const SharedEffort& m : sharing.motors)
    motors.push_back({{"name", m.name}, {"effort", m.effort}, {"limit", bounded(m.limit)}});
  json["contacts"] = std::move(contacts), json["motors"] = std::move(motors);
  json["cost"] = sharing.cost, json["residual"] = sharing.residual;
  json["optimality"] = sharing.optimality;
  json["approximate"] = sharing.approximate;
  if (!sharing.feasible) {
    json["reason"] = sharing.reason, json["blocking"] = sharing.blocking;
    json["shortage"] = sharing.shortage;
  }
  return json;
}

std::string verdict_text(const ClosureVerdict& verdict) {
  if (!verdict.holds) return "no: " + verdict.reason;
  if (!std::isfinite(verdict.margin)) return "yes, by contacts that hold both ways";
  return fmt::format("yes, margin {:.3g} of a normal force of 1", verdict.margin);
}

std::string contact_text(const GraspContact& contact) {
  std::string text = fmt::format("{} ({}", in_quotes(contact.name), contact.kind);
  if (contact.friction) text += fmt::format(", friction {:g}", *contact.friction);
  if (contact.torsion) text += fmt::format(", torsion {:g} m", *contact.torsion);
  return text + ")";
}

std::string internal_text(const GraspAnalysis& found) {
  if (found.internal.cols() == 0) return "none";
  std::vector<std::string> parts;
  if (found.by_motors > 0) parts.push_back(fmt::format("{} made by motors", found.by_motors));
  if (found.structural > 0)
    parts.push_back(fmt::format("{} that no motor feels", found.structural));
  if (found.not_held > 0)
    parts.push_back(fmt::format("{} that joints without a motor do not hold", found.not_held));
  return fmt::format("{} independent: {}", found.internal.cols(), fmt::join(parts, ", "));
}

/// Rounding of numbers of that size is nothing to a reader.
double tidy(double value, double size) { return std::abs(value) < 1e-9 * size ? 0.0 : value; }

/// "(a, b, c) kg m² and (d, e, f) kg": the diagonal of what the object feels like.
std::string diagonal_text(const Matrix& A, const char* turning, const char* moving) {
  const auto three = [&A](Eigen::Index first) {
    const Eigen::VectorXd x = A.view().diagonal().segment(first, 3);
    // Of an object that cannot turn, or not move, all three are rounding.
    const double size = std::max(x.cwiseAbs().maxCoeff(), 1e-6 * A.view().cwiseAbs().maxCoeff());
    return fmt::format("({:.3g}, {:.3g}, {:.3g})", tidy(x[0], size), tidy(x[1], size),
                       tidy(x[2], size));
  };
  return fmt::format("{} {} and {} {}", three(0), turning, three(3), moving);
}

std::string object_lines(const ObjectReport& object) {
  const GraspAnalysis& found = object.analysis;
  std::vector<std::string> contacts;
  for (const GraspContact& contact : found.map.contacts) contacts.push_back(contact_text(contact));
  std::string text = fmt::format("{} held by {}\n", bold(printable(found.map.object)),
                                 printable(fmt::format("{}", fmt::join(contacts, ", "))));
  const auto line = [&text](const char* title, const std::string& words) {
    text += fmt::format("  {:<16}{}\n", title, words);
  };
  line("force closure", verdict_text(found.force_closure));
  line("form closure", verdict_text(found.form_closure));
  for (const std::string& name : found.force_closure.idle)
    line("carries nothing", fmt::format("no squeeze loads {}", in_quotes(name)));
  line("grasp map", fmt::format("{} freedoms, {} contact directions, rank {}", found.map.G.rows(),
                                found.map.G.cols(), found.rank));
  line("squeeze forces", internal_text(found));
  for (const std::string& motion : found.loose_motions)
    line("loose", motion + ", while the motors stand still");
  for (const auto& hand : found.defective)
    line("bears only", fmt::format("hand at {} cannot move in {} of its contact's directions",
                                   in_quotes(hand.contact), hand.directions));
  if (found.redundant > 0)
    line("redundant", counted(static_cast<std::size_t>(found.redundant), "motion", "motions") +
                          " of the hands move no contact");
  line("felt inertia", diagonal_text(object.impedance.inertia, "kg m²", "kg"));
  if (object.impedance.stiffness.view().norm() > 0)
    line("felt stiffness", diagonal_text(object.impedance.stiffness, "N m/rad", "N/m"));
  for (const std::string& motion : object.impedance.immovable) line("cannot move", motion);
  return text;
}

std::string sharing_lines(const GraspReport& report) {
  const LoadSharing& sharing = report.sharing;
  std::string text =
      fmt::format("\n{}\n", bold(fmt::format("the load, shared by {}", to_string(report.rule))));
  if (!sharing.feasible && sharing.contacts.empty()) return text + "  " + sharing.reason + "\n";
  if (!sharing.feasible) text += "  " + sharing.reason + "; what comes nearest:\n";
  if (sharing.approximate)
    text += fmt::format("  approximately: the solver stopped {:.2g} of the load's gradient short\n",
                        sharing.optimality);
  text += fmt::format("  {:<20}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "contact", "force N", "normal N",
                      "along N", "moment N m", "margin N");
  double largest = 0;
  for (const SharedContact& c : sharing.contacts) largest = std::max(largest, c.force);
  for (const SharedContact& c : sharing.contacts) {
    const auto number = [largest](double value) {
      return fmt::format("{:.4g}", tidy(value, largest));
    };
    const bool rigid = c.forces.size() == 6;  // it has no normal
    text += fmt::format("  {:<20}{:>12}{:>12}{:>12}{:>12}{:>12}\n", printable(c.name),
                        number(c.force), rigid ? "-" : number(c.normal),
                        rigid ? "-" : number(c.tangential), number(c.moment),
                        std::isfinite(c.margin) ? number(c.margin) : std::string("-"));
  }
  if (sharing.motors.empty()) return text;
  text += fmt::format("  {:<20}{:>12}{:>12}\n", "motor", "effort", "limit");
  double most = 0;
  for (const SharedEffort& m : sharing.motors) most = std::max(most, std::abs(m.effort));
  for (const SharedEffort& m : sharing.motors) {
    const std::string limit =
        std::isfinite(m.limit) ? fmt::format("{:.4g}", m.limit) : std::string("-");
    text +=
        fmt::format("  {:<20}{:>12.4g}{:>12}\n", printable(m.name), tidy(m.effort, most), limit);
  }
  return text;
}

}  // namespace

std::string_view to_string(SharingRule rule) {
  switch (rule) {
    case SharingRule::least_squares:
      return "least-squares";
    case SharingRule::weighted:
      return "weighted";
    case SharingRule::least_torque:
      break;
  }
  return "least-torque";
}

Json to_json(const GraspReport& report) {
  Json json{{"file", report.file}};
  if (report.objects.size() == 1) {
    json.update(object_json(report.objects.front(), report.sharing));
    json["sharing"] = sharing_json(report);
    return json;
  }
  // The verdicts of all together; ranks and squeezes by object.
  json["force_closure"] = json["form_closure"] = true;
  json["grasp_rank"] = json["internal_basis"] = json["margins"] = Json::object();
  json["objects"] = Json::array();
  for (const ObjectReport& object : report.objects) {
    const std::string& name = object.analysis.map.object;
    Json one = object_json(object, report.sharing);
    for (const char* verdict : {"force_closure", "form_closure"})
      json[verdict] = json[verdict].get<bool>() && one[verdict].get<bool>();
    for (const char* key : {"grasp_rank", "internal_basis"}) json[key][name] = one[key];
    json["margins"].update(one["margins"]);
    json["objects"].push_back(std::move(one));
  }
  json["sharing"] = sharing_json(report);
  return json;
}

std::string to_lines(const GraspReport& report) {
  std::string text;
  for (const ObjectReport& object : report.objects) text += object_lines(object);
  return text + sharing_lines(report);
}

}  // namespace linkwright::app
