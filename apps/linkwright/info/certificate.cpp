#include "info/certificate.hpp"

#include <fmt/format.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/model/names.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

std::vector<std::string> independent_names(const System& system, const Mobility& found) {
  std::vector<std::string> names;
  for (const int i : found.independent.entries)
    names.push_back(system.velocity_names()[static_cast<std::size_t>(i)]);
  return names;
}

std::vector<std::string> redundant_names(const Mobility& found) {
  std::vector<std::string> names;
  for (const Mobility::Redundant& one : found.redundant) names.push_back(one.closure);
  return names;
}

Json idle_json(const Mobility& found) {
  Json list = Json::array();
  for (const Mobility::Idle& idle : found.idle)
    list.push_back({{"bodies", idle.bodies}, {"joints", idle.joints}});
  return list;
}

std::string idle_text(const Mobility::Idle& idle) {
  return fmt::format("idle freedom: {} can move between {} without moving anything else\n",
                     list_in_quotes(idle.bodies), list_in_quotes(idle.joints));
}

std::string redundant_text(const Mobility& found) {
  std::vector<std::string> parts;
  for (const Mobility::Redundant& one : found.redundant)
    parts.push_back(fmt::format("{} ({} of its rows)", in_quotes(one.closure), one.rows));
  return fmt::format("{} of {} rows repeat what the others say: {}\n", found.rows - found.rank,
                     found.rows, fmt::join(parts, ", "));
}

/// Each set of multipliers that balance as a force per closure.
std::vector<std::vector<Force>> internal_forces(ClosedWorkspace& work, const Eigen::VectorXd& q,
                                                const Mobility& found) {
  compute_worst_closure(work, q);  // places all bodies
  const auto& pose = work.tree().scratch().pose;
  const auto rows = static_cast<std::size_t>(found.rows);
  std::vector<std::vector<Force>> all;
  for (std::size_t first = 0; first < found.internal_forces.size(); first += rows) {
    const double* lambda = found.internal_forces.data() + first;
    std::vector<Force>& forces = all.emplace_back();
    for (const ClosurePlace& c : work.system().closures()) {
      closure::Meeting<double> m;
      Force& sum = forces.emplace_back();
      if (c.kind == PairKind::gear) {
        sum.moment.z = lambda[c.row];
        continue;
      }
      m.X = closure::relative_pose(c, pose[static_cast<std::size_t>(c.node_a)],
                                   pose[static_cast<std::size_t>(c.node_b)]);
      for (int i = 0; i < c.rows; ++i) sum += lambda[c.row + i] * closure::row_of(c, m, i).W;
    }
  }
  return all;
}

Json internal_json(const System& system, const std::vector<std::vector<Force>>& internal) {
  Json list = Json::array();
  for (const std::vector<Force>& forces : internal) {
    Json one = Json::object();
    for (std::size_t c = 0; c < forces.size(); ++c) {
      const Force& f = forces[c];
      one[system.closures()[c].name] = {f.moment.x, f.moment.y, f.moment.z,
                                        f.force.x,  f.force.y,  f.force.z};
    }
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

Certificate certify(const System& system) {
  Certificate certificate;
  ClosedWorkspace work(system);
  Eigen::VectorXd q = initial_state(system).q;
  const Assembly result = assemble(work, {.hold = system.model().initial.hold}, q);
  certificate.assembled = result.assembled;
  if (!result.assembled) {
    certificate.trouble = describe(system, result);
    return certificate;
  }
  certificate.mobility = compute_mobility(work, q);
  certificate.internal = internal_forces(work, q, certificate.mobility);
  return certificate;
}

void add_certificate(Json& info, const System& system, const Certificate& certificate) {
  const Mobility& found = certificate.mobility;
  info["assembled"] = certificate.assembled;
  info["loops"] = system.closures().size();
  if (!certificate.assembled) {
    info["mobility"] = nullptr;
    return;
  }
  info["mobility"] = found.mobility;
  info["grubler"] = found.grubler;
  info["rank"] = found.rank;
  info["rows"] = found.rows;
  info["redundant_constraints"] = redundant_names(found);
  info["internal_forces"] = internal_json(system, certificate.internal);
  info["idle_freedoms"] = idle_json(found);
  info["independent"] = independent_names(system, found);
  info["conditioning"] = found.independent.conditioning;
  info["clusters"] = found.clusters;
  info["singular"] = found.singular;
  info["nearby_rank"] = found.nearby_rank;
  info["locked"] = found.locked;
  info["gained"] = found.gained;
  info["smallest_singular_value"] = found.smallest_kept;
  info["largest_dropped_singular_value"] = found.largest_dropped;
}

std::string certificate_text(const System& system, const Certificate& certificate) {
  if (!certificate.assembled)
    return fmt::format("not assembled: {}; mobility is not known\n", certificate.trouble);
  const Mobility& found = certificate.mobility;
  std::string text =
      fmt::format("mobility {} ({} in the joints, {} independent rows of {}; Grübler {})\n",
                  found.mobility, system.nv(), found.rank, found.rows, found.grubler);
  text +=
      fmt::format("independent coordinates: {} (conditioning {:.2g})\n",
                  list_in_quotes(independent_names(system, found)), found.independent.conditioning);
  if (!found.redundant.empty()) text += redundant_text(found);
  for (const Mobility::Idle& idle : found.idle) text += idle_text(idle);
  if (found.singular) {
    text += fmt::format("singular here: nearby positions have {} independent rows\n",
                        found.nearby_rank);
    if (!found.locked.empty())
      text += fmt::format("  locked here: {}\n", list_in_quotes(found.locked));
    if (!found.gained.empty())
      text += fmt::format("  free here only: {}\n", list_in_quotes(found.gained));
  }
  return text + fmt::format("smallest singular value {:.2g} of the largest\n", found.smallest_kept);
}

std::vector<std::string> certificate_warnings(const Certificate& certificate) {
  std::vector<std::string> warnings;
  if (!certificate.assembled)
    warnings.push_back("the mechanism cannot be closed from the file's state: " +
                       certificate.trouble + ". `linkwright assemble` tries other starts");
  if (certificate.mobility.singular)
    warnings.emplace_back("the position is singular: more motions are possible here than nearby");
  return warnings;
}

}  // namespace linkwright::app
