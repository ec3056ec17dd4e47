#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/simulate/channels.hpp"
#include "linkwright/simulate/network_equations.hpp"
#include "linkwright/simulate/time_table.hpp"
#include "simulate/command/recorded.hpp"
#include "simulate/equations/joint_units.hpp"

namespace linkwright {
namespace {

constexpr std::string_view input_prefix = "input:", force_prefix = "force:";
constexpr std::array<std::string_view, 6> force_ends{":nx", ":ny", ":nz", ":fx", ":fy", ":fz"};

std::vector<std::string> possible_columns(const Equations& equations) {
  std::vector<std::string> names{"time"};
  for (const Quantity& input : equations.inputs()) names.push_back(input.name);
  for (const FramePlace& frame : equations.system().frames())
    for (const std::string_view end : force_ends)
      names.push_back(std::string(force_prefix) + frame.name + std::string(end));
  return names;
}

[[noreturn]] void refuse_column(const Equations& equations, const TimeTable& table,
                                const std::string& name) {
  std::string reason = "is unknown" + did_you_mean(name, possible_columns(equations));
  for (const ClosurePlace& closure : equations.system().closures())
    if (closure.freedoms > 0 && name == std::string(effort_prefix) + closure.name)
      reason = "names a joint that closes a loop and has no motor";
  for (const JointPlace& joint : equations.system().joints())
    if (name.starts_with(std::string(force_prefix) + joint.name + ":"))
      reason = "names a joint; forces act on frames and links";
  throw Error(table.titles(),
              fmt::format("column {} {}; expected `time`, inputs such as {} and "
                          "force:FRAME:nx … fz (world axes)",
                          in_quotes(name), reason,
                          equations.inputs().empty() ? "tau:JOINT" : equations.inputs()[0].name));
}

}  // namespace

InputTable::InputTable(const Equations& equations, TimeTable table, Between between)
    : table_(std::move(table)), between_(between) {
  const System& system = equations.system();
  RecordedColumns recorded(equations);
  for (std::size_t i = 0; i < table_.columns.size(); ++i) {
    if (add_input(equations, i) || add_force(system, i)) continue;
    const std::string& title = table_.columns[i];
    const bool pushes = title.starts_with(force_prefix) && !table_.is_recording;
    if (pushes || !recorded.has(title)) refuse_column(equations, table_, title);
    unused_.push_back(title);
  }
  if (inputs_.empty() && forces_.empty())
    throw Error(table_.titles(),
                fmt::format("no column drives anything; expected inputs such as {}, or "
                            "force:FRAME:nx … fz. Found {}",
                            equations.inputs().empty() ? "tau:JOINT" : equations.inputs()[0].name,
                            list_in_quotes(table_.columns)));
  check_passive(system);
}

bool InputTable::add_input(const Equations& equations, std::size_t column) {
  const std::string& title = table_.columns[column];
  const std::vector<Quantity> inputs = equations.inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (title != inputs[i].name && title != std::string(input_prefix) + inputs[i].name) continue;
    table_.require_unit(title, inputs[i].unit);
    for (const Entry& other : inputs_)
      if (other.input == static_cast<Eigen::Index>(i))
        throw Error(table_.titles(),
                    fmt::format("column {} gives the same input as column {}; remove one",
                                in_quotes(title), in_quotes(table_.columns[other.column])));
    inputs_.push_back({column, static_cast<Eigen::Index>(i)});
    return true;
  }
  return false;
}

bool InputTable::add_force(const System& system, std::size_t column) {
  const std::string& title = table_.columns[column];
  if (table_.is_recording || !title.starts_with(force_prefix) || title.size() < 3) return false;
  const auto end = std::find(force_ends.begin(), force_ends.end(),
                             std::string_view(title).substr(title.size() - 3));
  if (end == force_ends.end() || title.size() < force_prefix.size() + 3) return false;
  const std::string name =
      title.substr(force_prefix.size(), title.size() - 3 - force_prefix.size());
  const auto& frames = system.frames();
  const auto found = std::find_if(frames.begin(), frames.end(),
                                  [&name](const FramePlace& frame) { return frame.name == name; });
  if (found == frames.end()) return false;
  if (found->node == 0)
    throw Error(table_.titles(),
                fmt::format("column {} pushes on {}, which cannot move; choose a link "
                            "or frame that does",
                            in_quotes(title), in_quotes(name)));
  const auto component = static_cast<std::size_t>(end - force_ends.begin());
  table_.require_unit(title, component < 3 ? "N*m" : "N");
  const FrameId frame{static_cast<int>(found - frames.begin())};
  auto force = std::find_if(forces_.begin(), forces_.end(),
                            [frame](const FrameForce& f) { return f.frame.index == frame.index; });
  if (force == forces_.end())
    force = forces_.insert(forces_.end(), FrameForce{frame, {-1, -1, -1, -1, -1, -1}});
  force->column[component] = static_cast<int>(column);
  return true;
}

/// A recording has zeros there, and these may stay.
void InputTable::check_passive(const System& system) const {
  for (const int freedom : system.passive_freedoms()) {
    const std::string name =
        std::string(effort_prefix) + system.velocity_names()[static_cast<std::size_t>(freedom)];
    for (const Entry& entry : inputs_) {
      const std::string& title = table_.columns[entry.column];
      if (title != name && title != std::string(input_prefix) + name) continue;
      for (std::size_t row = 0; row < table_.rows(); ++row)
        if (const double value = table_.at(row, entry.column); value != 0)
          door::throw_passive(system, freedom,
                              fmt::format("{}: {} is {} at t = {} s", table_.where(row).text(),
                                          title, value, table_.time[row]));
    }
  }
}

std::vector<FrameId> InputTable::frames() const {
  std::vector<FrameId> all;
  for (const FrameForce& force : forces_) all.push_back(force.frame);
  return all;
}

double InputTable::value(std::size_t column, double t) const {
  const std::size_t k = table_.stretch_of(t);
  const double here = table_.at(k, column);
  if (between_ == Between::hold || k + 1 == table_.rows()) return here;
  const double part = (t - table_.time[k]) / (table_.time[k + 1] - table_.time[k]);
  return here + std::max(part, 0.0) * (table_.at(k + 1, column) - here);
}

void InputTable::compute(double t, Eigen::VectorXd& input) const {
  for (const Entry& entry : inputs_) input[entry.input] = value(entry.column, t);
}

/// A table tells values, and not how fast they change where they jump.
void InputTable::require_no_rates(const Simulation& simulation) const {
  const auto* equations = dynamic_cast<const NetworkEquations*>(&simulation.equations());
  if (equations == nullptr) return;
  const network::Circuit& circuit = equations->circuit();
  const Eigen::Index first = simulation.input().size() - circuit.source_count();
  for (const Entry& entry : inputs_)
    if (entry.input >= first && circuit.feels_rate(entry.input - first))
      throw Error(
          Source{table_.file},
          fmt::format(
              "{}: stores of the network follow this source at once, so that it "
              "matters how fast it changes; put a resistor or a damper beside it, "
              "or drive it by a function (Network::drive)",
              in_quotes(circuit.sources()[static_cast<std::size_t>(entry.input - first)].name)));
}

void InputTable::take_over(Simulation& simulation) const {
  require_no_rates(simulation);
  Eigen::VectorXd constant = simulation.input(), usual = Eigen::VectorXd::Zero(constant.size());
  simulation.equations().compute_usual_input(usual);
  bool changed = false;
  for (const Entry& entry : inputs_) {
    if (usual[entry.input] == 0 || constant[entry.input] != usual[entry.input]) continue;
    constant[entry.input] = 0;
    changed = true;
  }
  if (changed) simulation.set_input(constant);
}

Force InputTable::force(std::size_t which, double t) const {
  double x[6];
  for (int i = 0; i < 6; ++i) {
    const int column = forces_[which].column[i];
    x[i] = column < 0 ? 0 : value(static_cast<std::size_t>(column), t);
  }
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

void drive(Simulation& simulation, const std::shared_ptr<const InputTable>& table) {
  const std::vector<double>& rows = table->table().time;
  table->table().require_span(simulation.time(), simulation.time(), "the input");
  const bool holds = table->between() == Between::hold;
  const std::vector<double> samples = holds ? rows : std::vector<double>{};
  const std::vector<double> breaks = holds ? std::vector<double>{} : rows;
  if (table->has_inputs()) table->take_over(simulation);
  if (table->has_inputs())
    simulation.add_controller(
        {.name = table->table().file,
         .sample_times = samples,
         .break_times = breaks,
         .compute = [table](const FullState& now, const Reference&, Eigen::VectorXd& input) {
           table->compute(now.state.t, input);
         }});
  const std::vector<FrameId> frames = table->frames();
  for (std::size_t i = 0; i < frames.size(); ++i)
    simulation.add_load(
        {.name = table->table().file,
         .frame = frames[i],
         .axes = Axes::world,
         .sample_times = samples,
         .break_times = breaks,
         .compute = [table, i](const FullState& now) { return table->force(i, now.state.t); }});
}

}  // namespace linkwright
