#include "simulate/command/command.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "linkwright/actuation/drives.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/simulate/following.hpp"
#include "shell/arguments.hpp"
#include "shell/output.hpp"
#include "shell/state/beyond_limits.hpp"
#include "shell/state/closed_start.hpp"
#include "simulate/command/freedoms.hpp"
#include "simulate/command/gains.hpp"
#include "simulate/command/moves.hpp"
#include "simulate/motors.hpp"

namespace linkwright::app {
namespace {

/// A start farther from its reference is told.
constexpr double visible_gap = 1e-6;

/// What a file gives and no motor could.
void warn_of_limits(const System& system, Eigen::Index inputs, const InputTable& input) {
  BeyondLimits beyond(system, Variable::tau);
  Eigen::VectorXd row = Eigen::VectorXd::Zero(inputs);
  for (std::size_t i = 0; i < input.table().rows(); ++i) {
    input.compute(input.table().time[i], row);
    beyond.take(row.head(system.effort_count()), input.table().where(i).text());
  }
  beyond.report();
}

/// Motors that columns voltage:NAME drive, as a recording calls them too, are driven.
/// One that an option drives already (`voltages`) has two voltages.
void add_voltages(const System& system, const TimeTable& table,
                  std::vector<std::string>& voltages) {
  std::vector<std::string> named;
  for (std::string_view title : table.columns) {
    for (const std::string_view prefix : {"input:", "voltage:"})
      if (title.starts_with(prefix))
        title.remove_prefix(prefix.size());
      else if (prefix == "voltage:")
        title = {};
    if (!title.empty() && !is_network_voltage(system, title)) named.emplace_back(title);
  }
  try {
    const actuation::Drives known(system, named);
  } catch (const Error& e) {
    throw Error(table.titles(), e.what());
  }
  for (std::string& name : named) {
    if (std::find(voltages.begin(), voltages.end(), name) != voltages.end())
      throw Error(table.titles(),
                  fmt::format("column voltage:{} and --voltage {} both drive that motor; keep one",
                              name, name));
    voltages.push_back(std::move(name));
  }
}

void note_unused(const std::string& file, const std::vector<std::string>& columns) {
  if (!columns.empty()) report_note(fmt::format("{}: not used are {}", file, grouped(columns)));
}

/// Rows to come may be others when a run goes on.
PartDigest digest_of_rows(const std::string& option, const TimeTable& table,
                          const std::string& between, double until) {
  std::vector<double> numbers;
  for (std::size_t row = 0; row < table.rows() && table.time[row] <= until; ++row) {
    numbers.push_back(table.time[row]);
    for (std::size_t i = 0; i < table.columns.size(); ++i) numbers.push_back(table.at(row, i));
  }
  std::vector<std::string> words = table.columns;
  words.push_back(between);
  return {option, digest_of(words, numbers)};
}

}  // namespace

Command::Command(const CommandArguments& arguments, const System& system,
                 SimulationOptions& options, const RunSpan& span)
    : arguments_(arguments), system_(&system), span_(span) {
  if (!arguments_.period.empty()) {
    period_ = parse_real("--control-period", arguments_.period);
    if (!(period_ > 0))
      throw Error(fmt::format("--control-period {}: expected seconds, a number above zero",
                              in_quotes(arguments_.period)));
  }
  if (arguments_.input.empty() && arguments_.reference.empty()) return;
  std::optional<TimeTable> table;
  if (!arguments_.input.empty()) {
    table = read_time_table(arguments_.input, "inputs");
    add_voltages(system, *table, options.voltages);
  }
  const std::unique_ptr<Equations> names = make_equations(system, options);
  if (table) read_input(*names, std::move(*table));
  read_reference(*names);
}

bool Command::has_column(std::string_view input) const {
  if (!input_) return false;
  const std::vector<std::string>& columns = input_->table().columns;
  return std::any_of(columns.begin(), columns.end(), [&](const std::string& title) {
    return title == input || title == "input:" + std::string(input);
  });
}

void Command::write_inputs(double t, Eigen::VectorXd& input) const {
  if (input_) input_->compute(t, input);
}

void Command::read_input(const Equations& names, TimeTable table) {
  table.require_span(span_.from, span_.to, "the input");
  const Between between = arguments_.between == "hold" ? Between::hold : Between::linear;
  input_ = std::make_shared<InputTable>(names, std::move(table), between);
  note_unused(input_->table().file, input_->unused());
  if (!arguments_.cuts_efforts())
    warn_of_limits(*system_, static_cast<Eigen::Index>(names.inputs().size()), *input_);
}

void Command::read_reference(const Equations& names) {
  if (arguments_.reference.empty()) return;
  TimeTable table = read_time_table(arguments_.reference, "references");
  table.require_span(span_.from, span_.to, "the reference");
  table_ = std::make_shared<ReferenceTable>(names, std::move(table));
  motion_ = table_;
  note_unused(table_->table().file, table_->unused());
  note_undriven();
}

void Command::note_undriven() const {
  const std::vector<std::string> driven = motion_->names();
  std::vector<std::string> others;
  for (const int entry : all_motors(*system_).entries) {
    if (entry >= system_->nv()) continue;
    const std::string& name = system_->velocity_names()[static_cast<std::size_t>(entry)];
    if (std::find(driven.begin(), driven.end(), name) == driven.end()) others.push_back(name);
  }
  if (!others.empty())
    report_note(fmt::format("{} says nothing of {}: nothing drives it there", table_->table().file,
                            list_in_quotes(others)));
}

std::optional<State> Command::start_of_reference(State state) {
  if (!table_) return std::nullopt;
  Reference reference{state.q, state.v, Eigen::VectorXd::Zero(state.v.size())};
  const std::size_t row = table_->table().stretch_of(span_.from);
  for (const auto& [entry, column] : table_->told())
    reference.q[entry] = table_->table().at(row, column);
  table_->compute(span_.from, reference);
  state.q = reference.q;
  state.v = reference.v;
  normalize(*system_, state.q);
  if (system_->closures().empty()) return state;
  ClosedWorkspace work(*system_);
  const std::vector<std::string> joints = joints_of(*system_, *table_);
  require_closed(work, *table_, state.q, span_.from);
  fits_closures_ = true;
  keep_closed(work, {true, joints, joints}, state);
  return state;
}

void Command::begin(const Eigen::VectorXd& q, const State& now, LimitAction limits) {
  start_ = q;
  if (!arguments_.moves.empty()) make_moves(limits);
  if (!motion_) return;
  if (table_ && limits != LimitAction::ignore) require_reference_in_limits(*system_, *table_);
  check_motion(now);
  if (!arguments_.is_exact()) choose_gains();
  watch_ = std::make_shared<CommandWatch>(static_cast<std::size_t>(system_->effort_count()));
}

void Command::make_moves(LimitAction limits) {
  std::vector<Move> moves;
  for (std::size_t i = 0; i < arguments_.moves.size(); ++i)
    moves.push_back(parse_move(*system_, arguments_.moves[i], arguments_.durations[i]));
  if (limits != LimitAction::ignore) require_targets_in_limits(*system_, moves);
  const std::vector<std::string> holding = find_holding_motors(*system_, start_, moves);
  note_loose_poses();
  moves_ = std::make_shared<PointToPoint>(*system_, start_, 0, std::move(moves), holding);
  motion_ = moves_;
  if (moves_->end() > span_.to)
    report_note(
        fmt::format("the moves take {:g} s; the run ends at {:g} s", moves_->end(), span_.to));
  warn_of_fast_moves(*system_, *moves_);
}

/// A free base that is not marked passive might be taken for one that stays.
void Command::note_loose_poses() const {
  const std::vector<int>& passive = system_->passive_freedoms();
  for (const int j : system_->quaternion_joints()) {
    const JointPlace& joint = system_->joints()[static_cast<std::size_t>(j)];
    if (!std::binary_search(passive.begin(), passive.end(), joint.v))
      report_note(
          fmt::format("joint {} is not held: its position is a quaternion, and --move has no "
                      "controller for it",
                      in_quotes(joint.name)));
  }
}

void Command::check_motion(const State& now) {
  if (!system_->closures().empty() && !fits_closures_) {
    ClosedWorkspace work(*system_);
    require_closed(work, *motion_, now.q, span_.from);
  }
  if (moves_) foretold_ = warn_of_heavy_moves(*system_, *moves_, start_, arguments_.cuts_efforts());
  if (arguments_.is_exact()) return;  // the equations ask for a start that fits
  for (std::size_t i = 0; i < motion_->coordinates().size(); ++i) {
    const CommandedMotion::Coordinate& c = motion_->coordinates()[i];
    const GivenValue wanted = motion_->value(i, span_.from);
    if (span_.from > 0 || (std::abs(wanted.position - now.q[c.q]) <= visible_gap &&
                           std::abs(wanted.velocity - now.v[c.v]) <= visible_gap))
      continue;
    report_note(
        fmt::format("joint {} starts at {:.6g} with velocity {:.6g}, its motion at {:.6g} with "
                    "{:.6g}: the controller has to close the gap",
                    in_quotes(c.name), now.q[c.q], now.v[c.v], wanted.position, wanted.velocity));
    return;
  }
}

void Command::choose_gains() {
  const std::vector<std::string> names = motion_->names();
  std::vector<std::optional<double>> kp, kd;
  if (arguments_.kp) kp = parse_gains("--kp", *arguments_.kp, names);
  if (arguments_.kd) kd = parse_gains("--kd", *arguments_.kd, names);
  const ControlOptions gains =
      complete_gains(*system_, start_, to_control_law(arguments_.control_name()), names, kp, kd);
  kp_ = gains.kp;
  kd_ = gains.kd;
}

std::vector<PartDigest> Command::digests(double until) const {
  std::vector<PartDigest> parts;
  if (input_)
    parts.push_back(digest_of_rows("--input", input_->table(), arguments_.between, until));
  if (table_) parts.push_back(digest_of_rows("--reference", table_->table(), {}, until));
  if (moves_) {
    std::vector<std::string> words = arguments_.moves;
    words.insert(words.end(), arguments_.durations.begin(), arguments_.durations.end());
    parts.push_back({"--move", digest_of(words, {})});
  }
  if (!motion_) return parts;
  parts.push_back({"--control", digest_of({arguments_.control_name()}, {&period_, 1})});
  parts.push_back({"--kp", digest_of({}, kp_)});
  parts.push_back({"--kd", digest_of({}, kd_)});
  return parts;
}

std::unique_ptr<Equations> Command::equations(const SimulationOptions& options) const {
  if (!arguments_.is_exact()) return make_equations(*system_, options);
  return add_motors(std::make_unique<ClosedEquations>(
                        *system_, ClosedOptions{.baumgarte_rate = options.baumgarte_rate,
                                                .motions = to_given_motions(motion_)}),
                    options);
}

Controller Command::make_controller() const {
  return linkwright::make_controller(*system_, to_control_law(arguments_.control_name()),
                                     {motion_->names(), kp_, kd_, period_});
}

void Command::equip(Simulation& simulation) const {
  if (input_) drive(simulation, input_);
  if (!motion_ || arguments_.is_exact()) return;
  simulation.set_reference(to_source(motion_, period_));
  simulation.add_controller(watched(make_controller(), watch_));
}

void Command::report() const {
  if (!motion_ || arguments_.is_exact() || arguments_.cuts_efforts()) return;
  if (foretold_ && arguments_.control_name() == "computed-torque") return;  // told before the run
  BeyondLimits beyond(*system_, Variable::tau);
  Eigen::VectorXd one = Eigen::VectorXd::Zero(system_->effort_count());
  for (std::size_t i = 0; i < watch_->largest.size(); ++i) {
    one.setZero();
    one[static_cast<Eigen::Index>(i)] = watch_->largest[i];
    beyond.take(one, fmt::format("t = {:.6g} s", watch_->when[i]));
  }
  beyond.report();
}

std::string Command::describe_gains() const {
  const auto range = [](const std::vector<double>& gains) {
    const auto [least, most] = std::minmax_element(gains.begin(), gains.end());
    return *least == *most ? fmt::format("{:.4g}", *least)
                           : fmt::format("{:.4g} … {:.4g}", *least, *most);
  };
  return fmt::format("kp {}, kd {}", range(kp_), range(kd_));
}

SummaryLines Command::lines() const {
  SummaryLines lines;
  if (input_)
    lines.emplace_back("input", fmt::format("{}, {} between rows", printable(input_->table().file),
                                            arguments_.between));
  if (!motion_) return lines;
  std::string text = arguments_.control_name() + " of " + list_in_quotes(motion_->names());
  if (!arguments_.is_exact()) text += ", " + describe_gains();
  if (period_ > 0) text += fmt::format(", every {:g} s", period_);
  lines.emplace_back("control", text);
  if (watch_->distance > 0)
    lines.emplace_back(
        "off its motion",
        fmt::format("{:.2g} at most, joint {} at t = {:.6g} s", watch_->distance,
                    in_quotes(motion_->names()[watch_->farthest]), watch_->farthest_time));
  return lines;
}

Json Command::to_json() const {
  Json json;
  if (input_) json["input"] = Json{{"file", input_->table().file}, {"between", arguments_.between}};
  if (!motion_) return json;
  Json& control = json["control"] =
      Json{{"name", arguments_.control_name()}, {"joints", motion_->names()}};
  control["largest_distance"] = Json{{"value", watch_->distance},
                                     {"joint", motion_->names()[watch_->farthest]},
                                     {"time", watch_->farthest_time}};
  if (arguments_.is_exact()) return json;
  control["kp"] = kp_;
  control["kd"] = kd_;
  control["period"] = period_;
  return json;
}

}  // namespace linkwright::app
