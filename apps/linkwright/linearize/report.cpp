#include "linearize/report.hpp"

#include <fmt/format.h>
#include <cmath>

#include "linkwright/io/mat_file.hpp"
#include "linkwright/model/names.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

using linear::Analysis;
using linear::LinearModel;
using linear::Matrix;
using linear::Mode;

Json rows_of(const Matrix& A) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < A.cols(); ++j) row.push_back(A(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

/// NaN has no place in JSON: null.
Json number_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json list_of(const Eigen::VectorXd& x) {
  return std::vector<double>(x.data(), x.data() + x.size());
}

Json modes_to_json(const std::vector<Mode>& modes) {
  Json out = Json::array();
  for (const Mode& mode : modes)
    out.push_back(
        {{"eigenvalue", {mode.eigenvalue.real(), mode.eigenvalue.imag()}}, {"state", mode.state}});
  return out;
}

Json complex_to_json(const std::vector<std::complex<double>>& values) {
  Json out = Json::array();
  for (const std::complex<double> x : values) out.push_back({x.real(), x.imag()});
  return out;
}

Json transfer_to_json(const std::vector<linear::TransferFunction>& functions) {
  Json out = Json::array();
  for (const linear::TransferFunction& g : functions)
    out.push_back({{"input", g.input},
                   {"output", g.output},
                   {"gain", g.gain},
                   {"zeros", complex_to_json(g.zeros)},
                   {"poles", complex_to_json(g.poles)},
                   {"left_out", g.left_out}});
  return out;
}

bool is_at_rest(const LinearReport& report) {
  const auto drift = report.model.drift.view();
  return drift.size() == 0 || drift.cwiseAbs().maxCoeff() <= 1e-8;
}

Json point_to_json(const LinearReport& report) {
  const LinearModel& model = report.model;
  const Analysis& found = report.analysis;
  Json json{{"q", list_of(report.point.state.q)},
            {"v", list_of(report.point.state.v)},
            {"tau", report.point.tau}};
  if (!report.point.motor_inputs.empty()) json["motor_inputs"] = report.point.motor_inputs;
  if (!report.point.motor_states.empty()) json["motor_states"] = report.point.motor_states;
  if (report.equilibrium)
    json["equilibrium"] = {{"found", report.equilibrium->found},
                           {"steps", report.equilibrium->steps},
                           {"residual", report.equilibrium->residual},
                           {"moved", report.equilibrium->moved}};
  json["at_rest"] = is_at_rest(report);
  for (const auto& [key, matrix] : {std::pair<const char*, const Matrix*>{"A", &model.A},
                                    {"B", &model.B},
                                    {"C", &model.C},
                                    {"D", &model.D}})
    json[key] = rows_of(*matrix);
  Json drift = Json::array();
  for (Eigen::Index i = 0; i < model.drift.rows(); ++i) drift.push_back(model.drift(i, 0));
  json["drift"] = drift;
  Json eigenvalues = Json::array(), frequencies = Json::array(), ratios = Json::array();
  for (const Mode& mode : found.modes) {
    eigenvalues.push_back({mode.eigenvalue.real(), mode.eigenvalue.imag()});
    frequencies.push_back(mode.frequency);
    ratios.push_back(number_or_null(mode.damping_ratio));
  }
  json["eigenvalues"] = eigenvalues;
  json["natural_frequencies"] = frequencies;
  json["damping_ratios"] = ratios;
  json["unstable"] = modes_to_json(found.unstable);
  json["undecided"] = modes_to_json(found.undecided);
  json["controllability_rank"] = found.controllability_rank;
  json["uncontrollable"] = modes_to_json(found.controllability.missed);
  json["observability_rank"] = found.observability_rank;
  json["unobservable"] = modes_to_json(found.observability.missed);
  if (!report.transfer_functions.empty())
    json["transfer_functions"] = transfer_to_json(report.transfer_functions);
  return json;
}

std::string complex_text(std::complex<double> x) {
  if (x.imag() == 0) return fmt::format("{:.6g}", x.real());
  return fmt::format("{:.6g} {} {:.6g}i", x.real(), x.imag() < 0 ? "−" : "+", std::abs(x.imag()));
}

std::string matrix_text(const char* name, const Matrix& A, const std::vector<std::string>& rows) {
  std::string text = fmt::format("{}\n", name);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    text += fmt::format("  {:<24}", printable(rows[static_cast<std::size_t>(i)]));
    for (Eigen::Index j = 0; j < A.cols(); ++j) text += fmt::format(" {:>12.6g}", A(i, j));
    text += '\n';
  }
  return text;
}

std::string named_modes(const char* what, const std::vector<Mode>& modes) {
  std::string text;
  for (const Mode& mode : modes)
    text += fmt::format("  {}: {}, moves {} most\n", what, complex_text(mode.eigenvalue),
                        printable(mode.state));
  return text;
}

std::string modes_text(const LinearReport& report) {
  std::string text =
      fmt::format("  {:<28} {:>14} {:>10}  {}\n", "eigenvalue", "rad/s", "damping", "moves most");
  for (const Mode& mode : report.analysis.modes)
    text += fmt::format(
        "  {:<28} {:>14.6g} {:>10}  {}\n", complex_text(mode.eigenvalue), mode.frequency,
        std::isfinite(mode.damping_ratio) ? fmt::format("{:.4f}", mode.damping_ratio) : "–",
        printable(mode.state));
  const std::size_t n = report.model.states.size();
  text += named_modes("unstable", report.analysis.unstable);
  text += fmt::format("controllability rank {} of {}\n", report.analysis.controllability_rank, n);
  text += named_modes("not controllable", report.analysis.controllability.missed);
  text += fmt::format("observability rank {} of {}\n", report.analysis.observability_rank, n);
  text += named_modes("not observable", report.analysis.observability.missed);
  return text;
}

std::string list_text(const char* what, const std::vector<std::complex<double>>& values) {
  std::string text = fmt::format("  {:<6}", what);
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i > 0 ? ", " : " ") + complex_text(values[i]);
  return text + (values.empty() ? " none\n" : "\n");
}

std::string transfer_text(const LinearReport& report) {
  std::string text;
  for (const linear::TransferFunction& g : report.transfer_functions) {
    text += fmt::format("from {} to {}: ", printable(g.input), printable(g.output));
    if (g.gain == 0) {
      text += "nothing\n";
      continue;
    }
    text += fmt::format("gain {:.6g}{}\n", g.gain,
                        g.left_out > 0 ? fmt::format(", {} left out: not moved or not seen",
                                                     counted(static_cast<std::size_t>(g.left_out),
                                                             "state", "states"))
                                       : "");
    text += list_text("zeros", g.zeros) + list_text("poles", g.poles);
  }
  return text;
}

/// Larger models are for programs to read.
constexpr std::size_t most_printed = 14;

std::string nonzero_lines(const char* prefix, const std::vector<std::string>& names,
                          const std::vector<double>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != 0)
      text += fmt::format("  {:<24} {:.12g}\n", prefix + printable(names[i]), numbers[i]);
  return text;
}

std::string one_to_lines(const System& system, const LinearReports& reports,
                         const LinearReport& report) {
  const LinearModel& model = report.model;
  std::string text;
  if (report.equilibrium) {
    text += describe(*report.equilibrium) + '\n';
    for (std::size_t i = 0; i < system.position_names().size(); ++i)
      text += fmt::format("  q:{:<22} {:.12g}\n", printable(system.position_names()[i]),
                          report.point.state.q[static_cast<Eigen::Index>(i)]);
    text += nonzero_lines("tau:", system.effort_names(), report.point.tau);
    text += nonzero_lines("", reports.motor_inputs, report.point.motor_inputs);
    text += nonzero_lines("", reports.motor_states, report.point.motor_states);
  }
  text += fmt::format("{}, {}, {}{}\n", counted(model.states.size(), "state", "states"),
                      counted(model.inputs.size(), "input", "inputs"),
                      counted(model.outputs.size(), "output", "outputs"),
                      model.step > 0 ? fmt::format(", step {:g} s", model.step) : std::string());
  if (!is_at_rest(report)) text += matrix_text("drift", model.drift, model.states);
  text += modes_text(report) + transfer_text(report);
  if (model.states.size() > most_printed)
    return text + "A, B, C and D are many numbers: --json or --out FILE.json|FILE.mat has them\n";
  return text + matrix_text("A", model.A, model.states) + matrix_text("B", model.B, model.states) +
         matrix_text("C", model.C, model.outputs) + matrix_text("D", model.D, model.outputs);
}

/// All reports' matrices behind each other.
std::vector<double> gather(const LinearReports& reports, Matrix LinearModel::*which) {
  std::vector<double> out;
  for (const LinearReport& report : reports.list) {
    const auto view = (report.model.*which).view();
    out.insert(out.end(), view.data(), view.data() + view.size());
  }
  return out;
}

std::vector<int> sizes_of(const LinearReports& reports, const Matrix& one) {
  std::vector<int> sizes{static_cast<int>(one.rows()), static_cast<int>(one.cols())};
  if (reports.many) sizes.push_back(static_cast<int>(reports.list.size()));
  return sizes;
}

void add_modes(const LinearReports& reports, MatFile& file) {
  const int n = static_cast<int>(reports.list.front().model.states.size());
  std::vector<std::complex<double>> eigenvalues;
  std::vector<double> frequencies, ratios, controllable, observable;
  for (const LinearReport& report : reports.list) {
    for (const Mode& mode : report.analysis.modes) {
      eigenvalues.push_back(mode.eigenvalue);
      frequencies.push_back(mode.frequency), ratios.push_back(mode.damping_ratio);
    }
    controllable.push_back(report.analysis.controllability_rank);
    observable.push_back(report.analysis.observability_rank);
  }
  const int count = static_cast<int>(reports.list.size());
  file.add("eigenvalues", {n, count}, eigenvalues);
  file.add("natural_frequencies", {n, count}, frequencies);
  file.add("damping_ratios", {n, count}, ratios);
  file.add("controllability_rank", {1, count}, controllable);
  file.add("observability_rank", {1, count}, observable);
}

}  // namespace

std::string to_lines(const System& system, const LinearReports& reports) {
  if (!reports.many)
    return fmt::format("linear model of {}\n", printable(reports.file)) +
           one_to_lines(system, reports, reports.list.front());
  std::string text = fmt::format("linear models of {} at {}\n", printable(reports.file),
                                 counted(reports.list.size(), "state", "states"));
  for (std::size_t i = 0; i < reports.list.size(); ++i) {
    const LinearReport& report = reports.list[i];
    text += fmt::format("row {}:", i + 1);
    for (const Mode& mode : report.analysis.modes) text += "  " + complex_text(mode.eigenvalue);
    text += '\n';
  }
  return text;
}

Json to_json(const System& system, const LinearReports& reports) {
  const LinearModel& first = reports.list.front().model;
  Json json{{"file", reports.file},
            {"states", first.states},
            {"inputs", first.inputs},
            {"outputs", first.outputs},
            {"q_names", system.position_names()},
            {"v_names", system.velocity_names()},
            {"tau_names", system.effort_names()},
            {"step", first.step}};
  if (!reports.motor_inputs.empty()) {
    json["motor_state_names"] = reports.motor_states;
    json["motor_input_names"] = reports.motor_inputs;
  }
  if (!reports.many) {
    json.update(point_to_json(reports.list.front()));
    return json;
  }
  Json points = Json::array();
  for (const LinearReport& report : reports.list) points.push_back(point_to_json(report));
  json["points"] = points;
  return json;
}

std::string to_mat(const System&, const LinearReports& reports) {
  const LinearModel& first = reports.list.front().model;
  MatFile file;
  file.add_text("file", reports.file);
  file.add_names("states", first.states);
  file.add_names("inputs", first.inputs);
  file.add_names("outputs", first.outputs);
  file.add("A", sizes_of(reports, first.A), gather(reports, &LinearModel::A));
  file.add("B", sizes_of(reports, first.B), gather(reports, &LinearModel::B));
  file.add("C", sizes_of(reports, first.C), gather(reports, &LinearModel::C));
  file.add("D", sizes_of(reports, first.D), gather(reports, &LinearModel::D));
  file.add("drift", sizes_of(reports, first.drift), gather(reports, &LinearModel::drift));
  file.add("step", first.step);
  add_modes(reports, file);
  return file.bytes();
}

}  // namespace linkwright::app
