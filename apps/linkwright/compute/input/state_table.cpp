#include "compute/input/state_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <tuple>

#include "compute/input/recorded_columns.hpp"
#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

/// "q3" -> ("q", 3); nothing for other shapes.
std::optional<std::pair<std::string_view, int>> positional(std::string_view title) {
  const std::size_t digit = title.find_first_of("0123456789");
  if (digit == std::string_view::npos || digit == 0) return std::nullopt;
  int number = 0;
  const char* const end = title.data() + title.size();
  const auto [stop, trouble] = std::from_chars(title.data() + digit, end, number);
  if (trouble != std::errc{} || stop != end) return std::nullopt;
  return std::pair{title.substr(0, digit), number};
}

std::optional<Variable> to_variable(std::string_view text) {
  for (const Variable variable : all_variables)
    if (letter(variable) == text) return variable;
  return std::nullopt;
}

constexpr std::string_view force_prefix = "force:";
constexpr std::array<std::string_view, 6> force_ends{":nx", ":ny", ":nz", ":fx", ":fy", ":fz"};

double& component(Force& force, int i) {
  Vector3& half = i < 3 ? force.moment : force.force;
  return i % 3 == 0 ? half.x : i % 3 == 1 ? half.y : half.z;
}

/// Other programs' names for velocities and accelerations.
std::string_view foreign_name(std::string_view title) {
  const std::string_view head = title.substr(0, title.find_first_of(":0123456789"));
  if (head == "qd" || head == "dq" || head == "qdot")
    return "; velocities are called v:JOINT or v1";
  if (head == "qdd" || head == "ddq" || head == "qddot" || head == "dv" || head == "vdot")
    return "; accelerations are called a:JOINT or a1";
  return {};
}

}  // namespace

StateTable::StateTable(const std::string& path, const System& system,
                       const std::vector<std::string>& network)
    : csv_(path, "states"),
      system_(system),
      names_(system),
      network_(network.begin(), network.end()) {
  read_header();
}

void StateTable::read_header() {
  std::vector<std::string> titles;
  if (!csv_.next(titles))
    throw Error(Source{csv_.name()},
                "the file is empty; expected a line of column names such as "
                "q:JOINT or q1, then one line per state");
  recording_ = is_recording(titles);
  std::map<std::tuple<Column::Kind, Variable, int>, std::string> seen;
  for (const std::string& title : titles) {
    Column column = identify(title);
    if (column.kind == Column::Kind::time && has_time())
      throw Error(where(), "columns 'time' and 't' both say when a state is; remove one");
    if (column.kind == Column::Kind::variable || column.kind == Column::Kind::force) {
      const std::tuple number{column.kind, column.variable, column.place};
      const auto [first, fresh] = seen.emplace(number, title);
      if (!fresh)
        throw Error(where(), fmt::format("column {} gives the same number as column {}; remove one",
                                         in_quotes(title), in_quotes(first->second)));
    }
    columns_.push_back(std::move(column));
  }
}

/// A recording has time, the whole state, its channels, energy and closure_error, of a closed system
/// velocity_error. Between the channels and the energy stand the user's own, of any name.
bool StateTable::is_recording(const std::vector<std::string>& titles) const {
  std::size_t expected = 1, count = titles.size();
  if (count > 0 && titles.back() == "velocity_error") --count;
  if (count < 3 || titles.front() != "time" || titles[count - 2] != "energy" ||
      titles[count - 1] != "closure_error")
    return false;
  for (const Variable variable : {Variable::q, Variable::v})
    for (const std::string& name : names_.names(variable)) {
      const std::string title = fmt::format("{}:{}", letter(variable), name);
      if (expected >= titles.size() || titles[expected++] != title) return false;
    }
  return true;
}

std::optional<StateTable::Column> StateTable::identify_variable(const std::string& title) const {
  const std::size_t colon = title.find(':');
  if (colon != std::string::npos) {
    if (const auto variable = to_variable(title.substr(0, colon))) {
      const std::string name = title.substr(colon + 1);
      if (const auto place = names_.find(*variable, name)) return Column{title, *variable, *place};
      throw Error(where(), fmt::format("column {}: there is no {}{}", in_quotes(title),
                                       in_quotes(name), names_.suggestion(*variable, name)));
    }
  } else if (const auto found = positional(title)) {
    const auto [head, number] = *found;
    if (const auto variable = to_variable(head)) {
      const std::size_t count = names_.names(*variable).size();
      if (number >= 1 && static_cast<std::size_t>(number) <= count)
        return Column{title, *variable, number - 1};
      throw Error(where(), fmt::format("column {}: this model has {}; {}1 … {}{} are expected",
                                       in_quotes(title), count, head, head, count));
    }
  }
  return std::nullopt;
}

std::optional<StateTable::Column> StateTable::identify_force(const std::string& title) {
  if (recording_ || !title.starts_with(force_prefix) || title.size() < force_prefix.size() + 3)
    return std::nullopt;
  const std::string_view name =
      std::string_view(title).substr(force_prefix.size(), title.size() - 3 - force_prefix.size());
  const auto end = std::ranges::find(force_ends, std::string_view(title).substr(title.size() - 3));
  const auto& frames = system_.frames();
  const auto frame = std::ranges::find(frames, name, &FramePlace::name);
  if (end == force_ends.end() || frame == frames.end()) return std::nullopt;
  const int index = static_cast<int>(frame - frames.begin());
  auto pushed = std::ranges::find(pushed_, index, &FrameId::index);
  if (pushed == pushed_.end()) pushed = pushed_.insert(pushed_.end(), FrameId{index});
  const auto place = 6 * (pushed - pushed_.begin()) + (end - force_ends.begin());
  return Column{title, Variable::q, static_cast<int>(place), Column::Kind::force};
}

bool StateTable::speaks_of_motor(const std::string& title) const {
  if (network_.contains(title)) return true;
  for (const Actuator& actuator : system_.model().actuators) {
    if (!actuator.motor) continue;
    const std::string motor = "motor:" + actuator.name + ":";
    if (has_electrical_side(actuator) &&
        (title == "voltage:" + actuator.name || title == motor + "current"))
      return true;
    if (actuator.elastic && (title == motor + "angle" || title == motor + "speed")) return true;
  }
  return false;
}

StateTable::Column StateTable::identify(const std::string& title) {
  Column carries_nothing{title, Variable::q, -1, Column::Kind::nothing};
  if (title == "time" || title == "t") return {title, Variable::q, -1, Column::Kind::time};
  if (title == "case") return carries_nothing;
  if (const auto column = identify_variable(title)) return *column;
  if (speaks_of_motor(title)) return {title, Variable::q, -1, Column::Kind::motor};
  if (const auto column = identify_force(title)) return *column;
  if (recording_ && !begins_as_channel(title)) return carries_nothing;  // the user's own
  if (recorded_.empty()) recorded_ = recorded_columns(system_);
  if (recorded_.contains(title)) return carries_nothing;
  const std::string_view foreign = foreign_name(title);
  std::vector<std::string> known = possible_titles();
  known.insert(known.end(), recorded_.begin(), recorded_.end());
  throw Error(
      where(),
      fmt::format(
          "column {} is unknown{}; expected q:JOINT, v:JOINT, a:JOINT, j:JOINT, s:JOINT, c:JOINT, "
          "tau:JOINT or q1, v1, a1, j1, s1, c1, tau1, force:FRAME:nx … fz (time, t, case and the "
          "channels of `simulate` are allowed)",
          in_quotes(title), foreign.empty() ? did_you_mean(title, known) : std::string(foreign)));
}

std::vector<std::string> StateTable::possible_titles() const {
  std::vector<std::string> titles;
  for (const Variable variable : all_variables)
    for (const std::string& name : names_.names(variable))
      titles.push_back(fmt::format("{}:{}", letter(variable), name));
  for (const FramePlace& frame : system_.frames())
    for (const std::string_view end : force_ends)
      titles.push_back(fmt::format("{}{}{}", force_prefix, frame.name, end));
  return titles;
}

void StateTable::write_forces(Axes axes, Input& input) {
  first_force_ = input.forces.size();
  for (const FrameId frame : pushed_) input.forces.push_back({frame, {}, axes});
}

void StateTable::refuse_forces(std::string_view who) const {
  if (pushed_.empty()) return;
  throw Error(where(),
              fmt::format("columns give a force on {}, and {} takes no forces; remove them",
                          in_quotes(system_.frame(pushed_.front()).name), who));
}

bool StateTable::next(Input& input) {
  std::vector<std::string>& fields = fields_;
  if (!csv_.next(fields)) return false;
  ++rows_;
  if (fields.size() != columns_.size())
    throw Error(where(), fmt::format("this row has {} fields; the header has {} columns",
                                     fields.size(), columns_.size()));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Column& column = columns_[i];
    if (column.kind == Column::Kind::nothing) continue;
    const auto value = parse_number(fields[i]);
    if (!value)
      throw Error(where(), fmt::format("column {}: {}", in_quotes(column.title),
                                       explain_bad_number(fields[i])));
    switch (column.kind) {
      case Column::Kind::time:
        input.state.t = *value;
        break;
      case Column::Kind::motor:
        input.motors[column.title] = *value;
        break;
      case Column::Kind::force:
        if (first_force_)
          component(input.forces[*first_force_ + static_cast<std::size_t>(column.place / 6)].force,
                    column.place % 6) = *value;
        break;
      default:
        input.values(column.variable)[column.place] = *value;
    }
  }
  return true;
}

std::string StateTable::unused(const std::function<bool(Variable)>& uses,
                               const std::function<bool(const std::string&)>& uses_motor,
                               bool uses_forces) const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) {
    const bool motor = column.kind == Column::Kind::motor;
    if (column.kind == Column::Kind::nothing ||
        (motor && !(uses_motor && uses_motor(column.title))) ||
        (column.kind == Column::Kind::force && !uses_forces))
      titles.push_back(column.title);
    else if (column.kind == Column::Kind::variable && !uses(column.variable))
      titles.emplace_back(letter(column.variable));  // q1 stands with q:elbow
  }
  return grouped(titles);
}

bool StateTable::has_time() const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [](const Column& column) { return column.kind == Column::Kind::time; });
}

std::vector<std::string> StateTable::motor_columns() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_)
    if (column.kind == Column::Kind::motor) titles.push_back(column.title);
  return titles;
}

bool StateTable::has(Variable variable) const {
  return std::any_of(columns_.begin(), columns_.end(), [variable](const Column& column) {
    return column.kind == Column::Kind::variable && column.variable == variable;
  });
}

std::vector<std::string> StateTable::missing(Variable variable) const {
  std::vector<bool> given(names_.names(variable).size(), false);
  for (const Column& column : columns_)
    if (column.kind == Column::Kind::variable && column.variable == variable)
      given[static_cast<std::size_t>(column.place)] = true;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!given[i]) names.push_back(names_.names(variable)[i]);
  return names;
}

}  // namespace linkwright::app
