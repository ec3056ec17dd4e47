// Motion over time: simulations, what commands them, and their rows.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "bindings.hpp"
#include "bounded.hpp"
#include "linkwright/dynamics/weak_joints.hpp"
#include "linkwright/model/names.hpp"
#include "results.hpp"
#include "simulation.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;
using Gains = std::vector<std::optional<double>>;

Names names_of(const std::vector<Quantity>& quantities) {
  Names names;
  for (const Quantity& quantity : quantities) names.push_back(quantity.name);
  return names;
}

State to_state(const System& system, double t, Numbers given_q, Numbers given_v) {
  const Input q(given_q, "q", system.nq(), Input::Many::refused);
  const Input v(given_v, "v", system.nv(), Input::Many::refused);
  State state(system);
  state.t = t;
  state.q = q.vector();
  state.v = v.vector();
  return state;
}

// --- options ---------------------------------------------------------------------------------------

/// Defaults as on the command line: rk4 of 1 ms, adams once a tolerance is given.
SimulationOptions make_options(const std::optional<std::string>& method,
                               std::optional<Positive> step, std::optional<Positive> rtol,
                               std::optional<Positive> atol, std::string_view on_miss,
                               const std::optional<std::string>& limits, std::string_view on_slip,
                               std::string_view effort_limits, std::optional<Positive> baumgarte,
                               bool cut_open, const Names& voltages) {
  SimulationOptions options;
  const bool tolerances = rtol || atol;
  options.method = method ? to_method(*method) : tolerances ? Method::adams : Method::rk4;
  const std::string name(to_string(options.method));
  const bool fixed = has_fixed_step(options.method);
  if (fixed && tolerances)
    throw Error("rtol and atol have no meaning for '" + name +
                "', whose step is fixed; give step, or choose method 'adams' or 'bdf'");
  if (!fixed && step)
    throw Error("step has no meaning for '" + name +
                "', which chooses its steps; give rtol and atol");
  if (step) options.step = *step;
  if (rtol) options.relative_tolerance = *rtol;
  if (atol) options.absolute_tolerance = *atol;
  if (baumgarte) options.baumgarte_rate = *baumgarte;
  options.on_miss =
      choose<OnMiss>("on_miss", on_miss, {{"tell", OnMiss::tell}, {"stop", OnMiss::stop}});
  const std::string usual = options.method == Method::symplectic ? "report" : "hold";
  options.limits = choose<LimitAction>("limits", limits.value_or(usual),
                                       {{"hold", LimitAction::hold},
                                        {"report", LimitAction::report},
                                        {"stop", LimitAction::stop},
                                        {"ignore", LimitAction::ignore}});
  options.on_slip = choose<OnSlip>(
      "on_slip", on_slip,
      {{"warn", OnSlip::warn}, {"stop", OnSlip::stop}, {"release", OnSlip::release}});
  options.cut_efforts =
      choose<bool>("effort_limits", effort_limits, {{"tell", false}, {"cut", true}});
  options.closures = cut_open ? Closures::leave_out : Closures::refuse;
  options.voltages = voltages;
  options.measure_drift = true;
  return options;
}

// --- tables and motions ----------------------------------------------------------------------------

TimeTable make_table(const std::string& label, const Names& columns, Numbers given_time,
                     Numbers given_values, bool is_recording) {
  TimeTable table;
  table.file = label;
  table.columns = columns;
  table.is_recording = is_recording;
  // A table has as many rows as its values.
  Input values(given_values, label.c_str(), static_cast<Index>(columns.size()));
  Input time(given_time, (label + ", time").c_str(), values.rows(), Input::Many::refused);
  for (Index row = 0; row < values.rows(); ++row) {
    const double t = time.state(0)[row];
    const double* const numbers = values.state(row);
    const bool finite =
        std::all_of(numbers, numbers + columns.size(), [](double x) { return std::isfinite(x); });
    if (!std::isfinite(t) || !finite)
      throw Error(label + ": row " + std::to_string(row) + " holds a number that is not finite");
    if (row > 0 && !(t > table.time.back()))
      throw Error(label + ": time must rise; row " + std::to_string(row) + " has " +
                  std::to_string(t) + " after " + std::to_string(table.time.back()));
    table.time.push_back(t);
    table.values.insert(table.values.end(), numbers, numbers + columns.size());
    table.lines.push_back(static_cast<int>(row));
  }
  if (table.time.empty()) throw Error(label + ": there are no rows; expected at least one");
  return table;
}

PyMotion follow_table(const PySystem& self, const SimulationOptions& options,
                      const TimeTable& table) {
  const std::unique_ptr<Equations> names = make_equations(self.system(), options);
  const auto motion = std::make_shared<ReferenceTable>(*names, table);
  return {self.shared(), motion, motion.get()};
}

PyMotion make_moves(const PySystem& self, Numbers given_q,
                    const std::vector<std::pair<NamedNumbers, double>>& given) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq(), Input::Many::refused);
  const Eigen::VectorXd start = q.vector();
  std::vector<Move> moves;
  for (const auto& [targets, duration] : given) moves.push_back({targets, duration});
  const Names holding = find_holding_motors(system, start, moves);
  return {self.shared(),
          std::make_shared<PointToPoint>(system, start, 0, std::move(moves), holding)};
}

/// q and v with those of the motion at a time in their places; with what a table tells of passive joints.
nb::tuple place_motion(const PyMotion& self, double t, Numbers given_q, Numbers given_v) {
  const State state = to_state(*self.system, t, given_q, given_v);
  Reference reference{state.q, state.v, Eigen::VectorXd::Zero(state.v.size())};
  if (self.table != nullptr) {
    const std::size_t row = self.table->table().stretch_of(t);
    for (const auto& [entry, column] : self.table->told())
      reference.q[entry] = self.table->table().at(row, column);
  }
  self.motion->compute(t, reference);
  normalize(*self.system, reference.q);
  return nb::make_tuple(copy_of(reference.q), copy_of(reference.v));
}

void check_motion(const PyMotion& self, Numbers given_q, double from) {
  if (self.system->closures().empty()) return;
  const Input q(given_q, "q", self.system->nq(), Input::Many::refused);
  ClosedWorkspace work(*self.system);
  const Eigen::VectorXd start = q.vector();
  require_closed(work, *self.motion, start, from);
}

// --- simulations -----------------------------------------------------------------------------------

void construct(PySimulation* self, const PySystem& system, const SimulationOptions& options,
               double t, Numbers q, Numbers v, const NamedNumbers& extra, const PyMotion* exact) {
  new (self) PySimulation(system, options, to_state(system.system(), t, q, v), extra, exact);
}

void follow(PySimulation& self, const PyMotion& motion, std::string_view law_name, Numbers start_q,
            const Gains& kp, const Gains& kd, double period) {
  const System& system = *self.system();
  const Input q(start_q, "q", system.nq(), Input::Many::refused);
  const ControlLaw law = to_control_law(law_name);
  ControlOptions gains = complete_gains(system, q.vector(), law, motion.motion->names(), kp, kd);
  gains.period = period;
  const auto simulation = self.use();
  simulation->set_reference(to_source(motion.motion, period));
  simulation->add_controller(make_controller(system, law, gains));
}

/// The same after a function; all motors are driven that have no quaternion.
void follow_function(PySimulation& self, const nb::object& function, std::string_view law_name,
                     Numbers start_q, const Gains& kp, const Gains& kd, double period,
                     const Names& joints) {
  const System& system = *self.system();
  const Input q(start_q, "q", system.nq(), Input::Many::refused);
  const ControlLaw law = to_control_law(law_name);
  ControlOptions gains = complete_gains(system, q.vector(), law, joints, kp, kd);
  gains.period = period;
  const auto simulation = self.use();
  const HeldFunction held = hold(function);
  self.keep(held);
  simulation->set_reference(to_reference(held, period));
  simulation->add_controller(make_controller(system, law, gains));
}

nb::tuple drive_by(PySimulation& self, const TimeTable& table, bool hold) {
  const auto simulation = self.use();
  const auto inputs = std::make_shared<const InputTable>(simulation->equations(), table,
                                                         hold ? Between::hold : Between::linear);
  drive(*simulation, inputs);
  return nb::make_tuple(inputs->unused(), inputs->has_inputs());
}

nb::dict to_dict(const Drift& drift) {
  nb::dict out;
  out["change"] = drift.change;
  out["relative"] = drift.relative();
  return out;
}

nb::dict statistics(const PySimulation& self) {
  const SimulationStatistics& s = self.look().statistics();
  nb::dict out;
  out["steps"] = s.steps;
  out["evaluations"] = s.evaluations;
  out["rejected"] = s.rejected;
  out["error_in_tolerances"] = s.error_in_tolerances;
  out["missed_at"] = s.missed_at ? nb::cast(*s.missed_at) : nb::none();
  out["closure_error"] = s.closure_error;
  out["velocity_error"] = s.velocity_error;
  out["contacts"] = s.contacts;
  nb::list slips;
  for (const Slip& slip : s.slips)
    slips.append(nb::make_tuple(slip.contact, slip.time, std::string(to_string(slip.loss)),
                                slip.margin, slip.released));
  out["slips"] = slips;
  if (const auto& least = s.least_margin)
    out["least_margin"] = nb::make_tuple(least->contact, least->margin, least->time);
  if (s.conservation && s.conservation->is_conservative) {
    out["energy_drift"] = to_dict(s.conservation->energy);
    out["energy_scale"] = s.conservation->energy.scale;
  }
  if (s.conservation && s.conservation->linear_momentum)
    out["linear_momentum_drift"] = to_dict(*s.conservation->linear_momentum);
  if (s.conservation && s.conservation->angular_momentum)
    out["angular_momentum_drift"] = to_dict(*s.conservation->angular_momentum);
  return out;
}

nb::list occurrences(const PySimulation& self) {
  nb::list out;
  for (const Occurrence& one : self.look().occurrences())
    out.append(nb::make_tuple(one.time, one.name));
  return out;
}

/// t, q, v, extra, a, tau
nb::tuple snapshot(PySimulation& self) {
  const auto simulation = self.use();
  const Snapshot at = simulation->snapshot();
  return nb::make_tuple(at.now.state.t, copy_of(at.now.state.q), copy_of(at.now.state.v),
                        copy_of(at.now.extra), copy_of(at.a), copy_of(at.tau));
}

nb::tuple full_state(const PySimulation& self) {
  const FullState& now = self.look().full_state();
  return nb::make_tuple(now.state.t, copy_of(now.state.q), copy_of(now.state.v),
                        copy_of(now.extra));
}

void set_state(PySimulation& self, double t, Numbers q, Numbers v, Numbers given_extra) {
  FullState now{to_state(*self.system(), t, q, v), self.look().full_state().extra};
  const Input extra(given_extra, "extra", now.extra.size(), Input::Many::refused);
  now.extra = extra.vector();
  self.use()->set_state(now);
}

void step(PySimulation& self, double limit) {
  const auto simulation = self.use();
  const nb::gil_scoped_release without_lock;
  simulation->step(limit);
}

nb::bytes save(PySimulation& self) {
  const std::string text = to_text(self.use()->save());
  return nb::bytes(text.data(), text.size());
}

void restore(PySimulation& self, const nb::bytes& saved) {
  self.use()->restore(to_checkpoint(std::string(saved.c_str(), saved.size()), "saved"));
}

void set_input(PySimulation& self, const NamedNumbers& values) {
  const auto simulation = self.use();
  Eigen::VectorXd input = simulation->input();
  for (const auto& [name, value] : values)
    input[input_index(simulation->equations(), name)] = value;
  simulation->set_input(input);
}

void add_controller(PySimulation& self, const nb::object& function, bool extra,
                    const std::string& name, double period) {
  const StateFunction control(function, extra);
  self.use()->add_controller(to_controller(control, {name, period},
                                           names_of(self.look().equations().inputs()),
                                           self.system()->effort_count()));
  self.keep(control.held());
}

void add_load(PySimulation& self, const nb::object& function, bool extra, const std::string& name,
              double period, std::string_view frame, std::string_view axes) {
  const StateFunction force(function, extra);
  self.use()->add_load(
      to_load(force, {name, period}, to_frame(*self.system(), frame), to_axes(axes)));
  self.keep(force.held());
}

void add_event(PySimulation& self, const nb::object& function, bool extra, const std::string& name,
               std::string_view direction, std::string_view then, const nb::object& action,
               bool action_extra) {
  const StateFunction watched(function, extra), change(action, action_extra);
  const bool acts = !action.is_none();
  self.use()->add_event(to_event(watched, name, direction, then, acts ? &change : nullptr));
  self.keep(watched.held());
  if (acts) self.keep(change.held());
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  for (const HeldFunction& function : nb::inst_ptr<PySimulation>(self)->functions())
    Py_VISIT(function->ptr());
  return 0;
}

int clear(PyObject* self) {
  if (!nb::inst_ready(self)) return 0;
  for (const HeldFunction& function : nb::inst_ptr<PySimulation>(self)->functions())
    function->reset();
  return 0;
}

void bind_simulation(nb::module_& module) {
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(&clear)},
                                {0, nullptr}};
  nb::class_<PySimulation>(module, "Simulation", nb::type_slots(slots))
      .def("__init__", &construct, "system"_a, "options"_a, "t"_a, "q"_a, "v"_a, "extra"_a,
           "exact"_a.none())
      .def_prop_ro("input_names",
                   [](const PySimulation& s) { return names_of(s.look().equations().inputs()); })
      .def_prop_ro(
          "extra_names",
          [](const PySimulation& s) { return names_of(s.look().equations().extra_states()); })
      .def("set_input", &set_input, "values"_a)
      .def("follow", &follow, "motion"_a, "law"_a, "q"_a, "kp"_a, "kd"_a, "period"_a)
      .def("follow_function", &follow_function, "function"_a, "law"_a, "q"_a, "kp"_a, "kd"_a,
           "period"_a, "joints"_a)
      .def("drive", &drive_by, "table"_a, "hold"_a)
      .def("add_controller", &add_controller, "function"_a, "extra"_a, "name"_a, "period"_a)
      .def("add_load", &add_load, "function"_a, "extra"_a, "name"_a, "period"_a, "frame"_a,
           "axes"_a)
      .def("add_event", &add_event, "function"_a, "extra"_a, "name"_a, "direction"_a, "then"_a,
           "action"_a.none(), "action_extra"_a)
      .def("run", &PySimulation::run, "recording"_a.none(), "until"_a, "every"_a)
      .def("step", &step, "limit"_a)
      .def("snapshot", &snapshot)
      .def("full_state", &full_state)
      .def("set_state", &set_state, "t"_a, "q"_a, "v"_a, "extra"_a)
      .def("save", &save)
      .def("restore", &restore, "saved"_a)
      .def_prop_ro("stopped", [](const PySimulation& s) { return s.look().stopped(); })
      .def("statistics", &statistics)
      .def("occurrences", &occurrences);
}

void bind_tables(nb::module_& module) {
  nb::class_<TimeTable>(module, "TimeTable")
      .def_ro("columns", &TimeTable::columns)
      .def("require_span", [](const TimeTable& table, double from, double to,
                              const std::string& what) { table.require_span(from, to, what); });
  module.def(
      "read_table",
      [](const std::string& path, const std::string& what) { return read_time_table(path, what); },
      "path"_a, "what"_a);
  module.def("make_table", &make_table, "label"_a, "columns"_a, "time"_a, "values"_a,
             "is_recording"_a);
  nb::class_<PyMotion>(module, "Motion")
      .def_prop_ro("names", [](const PyMotion& m) { return m.motion->names(); })
      .def("place", &place_motion, "t"_a, "q"_a, "v"_a)
      .def("check", &check_motion, "q"_a, "start"_a);
  module.def("follow_table", &follow_table, "system"_a, "options"_a, "table"_a);
  module.def("make_moves", &make_moves, "system"_a, "q"_a, "moves"_a);
}

}  // namespace

void bind_simulate(nb::module_& module) {
  nb::class_<SimulationOptions>(module, "SimulationOptions")
      .def_prop_ro("tolerances",
                   [](const SimulationOptions& o) {
                     return std::make_pair(o.relative_tolerance, o.absolute_tolerance);
                   })
      .def_prop_ro("method",
                   [](const SimulationOptions& o) { return std::string(to_string(o.method)); })
      .def_prop_ro("fixed_step", [](const SimulationOptions& o) {
        return has_fixed_step(o.method) ? o.step : 0;
      });
  module.def(
      "describe_weak_joints",
      [](const PySystem& system, Numbers given_q, const std::string& where) {
        const Input q(given_q, "q", system.system().nq(), Input::Many::refused);
        Workspace work(system.system(), Closures::leave_out);
        return describe(work.system(), compute_weak_joints(work, q.vector()), where);
      },
      "system"_a, "q"_a, "where"_a);
  module.def(
      "system_digest",
      [](const PySystem& system) { return digest_of(compute_digests(system.system())); },
      "system"_a);
  module.def("make_options", &make_options, "method"_a.none(), "step"_a.none(), "rtol"_a.none(),
             "atol"_a.none(), "on_miss"_a, "limits"_a.none(), "on_slip"_a, "effort_limits"_a,
             "baumgarte"_a.none(), "cut_open"_a, "voltages"_a);
  module.def(
      "input_names",
      [](const PySystem& system, const SimulationOptions& options) {
        return names_of(make_equations(system.system(), options)->inputs());
      },
      "system"_a, "options"_a);
  bind_tables(module);
  bind_simulation(module);
  nb::class_<PyRecording>(module, "Recording")
      .def(
          "__init__",
          [](PyRecording* self, const PySimulation& simulation, const Names& requests,
             const std::vector<std::tuple<std::string, std::string, nb::object, bool>>& own) {
            std::vector<UserChannel> channels;
            for (const auto& [name, unit, function, extra] : own)
              channels.push_back(to_channel({function, extra}, name, unit));
            new (self) PyRecording(simulation, requests, std::move(channels));
          },
          "simulation"_a, "requests"_a, "own"_a)
      .def_prop_ro("names", [](const PyRecording& r) { return names_of(r.table().columns()); })
      .def_prop_ro("units",
                   [](const PyRecording& r) {
                     Names units;
                     for (const Column& column : r.table().columns()) units.push_back(column.unit);
                     return units;
                   })
      .def(
          "values",
          [](const PyRecording& r) {
            const auto rows = static_cast<Index>(r.table().rows());
            const Array out = Array::create({rows, static_cast<Index>(r.table().columns().size())});
            std::copy(r.table().values().begin(), r.table().values().end(), out.data());
            return out;
          })
      .def("largest_efforts", [](const PyRecording& r) {
        return nb::make_tuple(copy_of(r.largest_efforts()), copy_of(r.largest_at()));
      });
}

}  // namespace linkwright::python
