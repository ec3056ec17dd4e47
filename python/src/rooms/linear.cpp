// Linear models about a state, what they can do, and states at rest.
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bindings.hpp"
#include "linkwright/linear/analysis.hpp"
#include "linkwright/linear/equilibrium.hpp"
#include "linkwright/linear/transfer_function.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/network/linear_network.hpp"
#include "results.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;
using linear::LinearModel;
using linear::OperatingPoint;

/// Where a model is made, as Python gives it.
struct Point {
  Numbers q, v, tau;
  const Forces* forces;
  NamedNumbers motor_states, motor_inputs;
};

void require_closures_obeyed(const PySystem& self, const char* verb) {
  if (self.is_cut_open())
    throw Error(std::string(verb) +
                " obeys closures, and this system was compiled with its loops cut open; take the "
                "closures out of its model instead");
}

/// Motors as states: all that a voltage can drive; without, shafts behind elastic gears alone.
actuation::Drives make_drives(const System& system, bool motors) {
  if (!motors) return {system, std::vector<std::string>{}};
  actuation::Drives drives(system);
  if (drives.is_idle())
    throw Error(
        "motors=True: no motor of the model has an electrical side or an elastic gear; give its "
        "actuators a motor with Ra and k");
  return drives;
}

void set_named(const NamedNumbers& given, const std::vector<Quantity>& known, const char* what,
               std::vector<double>& values) {
  Names names;
  for (const Quantity& quantity : known) names.push_back(quantity.name);
  for (const auto& [name, value] : given) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw Error(std::string(what) + ": there is no " + in_quotes(name) +
                  did_you_mean(name, names) + (names.empty() ? "; there is none" : ""));
    values[static_cast<std::size_t>(found - names.begin())] = value;
  }
}

OperatingPoint to_point(const PySystem& self, const Point& given, const actuation::Drives& drives,
                        ClosedWorkspace& work) {
  const System& system = self.system();
  const Input q(given.q, "q", system.nq(), Input::Many::refused);
  const Input v(given.v, "v", system.nv(), Input::Many::refused);
  const Input tau(given.tau, "tau", system.effort_count(), Input::Many::refused);
  OperatingPoint point(system);
  point.state.q = q.vector();
  point.state.v = v.vector();
  point.tau.assign(tau.state(0), tau.state(0) + tau.width());
  point.forces = given.forces->on(system);
  if (!given.motor_states.empty()) {
    Eigen::VectorXd angles = Eigen::VectorXd::Zero(drives.count()), speeds = angles;
    Eigen::VectorXd start = Eigen::VectorXd::Zero(static_cast<Index>(drives.extra_states().size()));
    actuation::Drives shafts = drives;
    shafts.compute_shafts(work, point.state, angles, speeds);
    drives.compute_start(angles, speeds, start);
    point.motor_states.assign(start.begin(), start.end());
    set_named(given.motor_states, drives.extra_states(), "motor_states", point.motor_states);
  }
  if (!given.motor_inputs.empty()) {
    point.motor_inputs.resize(drives.inputs().size(), 0.0);
    set_named(given.motor_inputs, drives.inputs(), "voltage", point.motor_inputs);
  }
  return point;
}

nb::tuple to_tuple(const LinearModel& model) {
  return nb::make_tuple(model.states, model.inputs, model.outputs, copy_of(model.A),
                        copy_of(model.B), copy_of(model.C), copy_of(model.D), copy_of(model.drift),
                        model.step);
}

coordinates::Matrix to_matrix(Numbers given, const char* name, std::size_t rows,
                              std::size_t columns) {
  return {matrix_from(given, name, static_cast<Index>(rows), static_cast<Index>(columns))};
}

LinearModel make_model(const Names& states, const Names& inputs, const Names& outputs, Numbers A,
                       Numbers B, Numbers C, Numbers D, Numbers drift, double step) {
  LinearModel model;
  model.states = states;
  model.inputs = inputs;
  model.outputs = outputs;
  model.A = to_matrix(A, "A", states.size(), states.size());
  model.B = to_matrix(B, "B", states.size(), inputs.size());
  model.C = to_matrix(C, "C", outputs.size(), states.size());
  model.D = to_matrix(D, "D", outputs.size(), inputs.size());
  model.drift = to_matrix(drift, "drift", states.size(), 1);
  model.step = step;
  return model;
}

nb::tuple linearize(const PySystem& self, Numbers q, Numbers v, Numbers tau, const Forces& forces,
                    bool motors, const NamedNumbers& motor_states, const NamedNumbers& motor_inputs,
                    const Names& coordinates, const Names& inputs, const Names& outputs) {
  require_closures_obeyed(self, "linearize");
  const System& system = self.system();
  ClosedWorkspace work(system);
  const actuation::Drives drives = make_drives(system, motors);
  linear::LinearOptions options{coordinates, inputs, outputs};
  if (!drives.is_idle()) options.drives = &drives;
  const OperatingPoint point =
      to_point(self, {q, v, tau, &forces, motor_states, motor_inputs}, drives, work);
  LinearModel model;
  {
    const nb::gil_scoped_release without_lock;
    if (system.model().network.components.empty()) {
      model = linear::linearize(work, point, options);
    } else {
      if (motors)
        throw Error(
            "motors=True: the drive is written as a network, whose states are part of the model "
            "already");
      const network::Circuit circuit{network::Network(system.model())};
      network::NetworkPoint whole(system, circuit);
      whole.mechanism = point;
      model = network::linearize(work, circuit, whole, options);
    }
  }
  return to_tuple(model);
}

/// found, steps, residual, worst, moved, q, tau, motor states by name, motor inputs by name, description
nb::tuple equilibrium(const PySystem& self, Numbers q, Numbers tau, const Forces& forces,
                      bool motors, const NamedNumbers& motor_inputs, bool hold, int steps) {
  require_closures_obeyed(self, "equilibrium");
  const System& system = self.system();
  if (!system.model().network.components.empty())
    throw Error("equilibrium knows no network; take the network out of the model");
  ClosedWorkspace work(system);
  const actuation::Drives drives = make_drives(system, motors);
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(system.nv());
  const nb::object v = nb::cast(std::vector<double>(at_rest.begin(), at_rest.end()));
  OperatingPoint point = to_point(self, {q, {v}, tau, &forces, {}, motor_inputs}, drives, work);
  linear::EquilibriumOptions options;
  options.find = hold ? linear::EquilibriumOptions::Find::efforts
                      : linear::EquilibriumOptions::Find::positions;
  options.steps = steps;
  if (!drives.is_idle()) options.drives = &drives;
  linear::Equilibrium found;
  {
    const nb::gil_scoped_release without_lock;
    found = find_equilibrium(work, point, options);
  }
  const auto named = [](const std::vector<Quantity>& names, const std::vector<double>& values) {
    nb::dict out;
    for (std::size_t i = 0; i < values.size(); ++i) out[names[i].name.c_str()] = values[i];
    return out;
  };
  const Array at = Array::vector(system.nq()), efforts = Array::vector(system.effort_count());
  Vector(at.data(), system.nq()) = point.state.q;
  std::copy(point.tau.begin(), point.tau.end(), efforts.data());
  return nb::make_tuple(found.found, found.steps, found.residual, found.worst, found.moved, at,
                        efforts, named(drives.extra_states(), point.motor_states),
                        named(drives.inputs(), point.motor_inputs), describe(found));
}

// --- what a model can do -----------------------------------------------------------------------

nb::tuple to_tuple(const linear::Mode& mode) {
  return nb::make_tuple(mode.eigenvalue, mode.frequency, mode.damping_ratio, mode.uncertainty,
                        mode.state);
}

nb::list to_list(const std::vector<linear::Mode>& modes) {
  nb::list list;
  for (const linear::Mode& mode : modes) list.append(to_tuple(mode));
  return list;
}

nb::tuple to_tuple(const linear::Reach& reach) {
  return nb::make_tuple(reach.rank, reach.weakest, reach.dropped, to_list(reach.missed));
}

nb::dict analyse_model(const LinearModel& model) {
  const linear::Analysis found = analyse(model);
  nb::dict out;
  out["modes"] = to_list(found.modes);
  out["unstable"] = to_list(found.unstable);
  out["undecided"] = to_list(found.undecided);
  out["controllability"] = to_tuple(found.controllability);
  out["observability"] = to_tuple(found.observability);
  return out;
}

/// gain, zeros, poles, left out
nb::tuple transfer_function(const LinearModel& model, std::string_view input,
                            std::string_view output) {
  const linear::TransferFunction g = make_transfer_function(model, input, output);
  return nb::make_tuple(g.input, g.output, g.gain, g.zeros, g.poles, g.left_out);
}

/// frequencies in rad/s, values
nb::tuple frequency_response(const LinearModel& model, std::string_view input,
                             std::string_view output, const std::vector<double>& frequencies) {
  const linear::FrequencyResponse found =
      compute_frequency_response(model, input, output, frequencies);
  return nb::make_tuple(found.frequencies, found.values);
}

std::string draw(const LinearModel& model,
                 const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<linear::FrequencyResponse> curves;
  for (const auto& [input, output] : pairs)
    curves.push_back(compute_frequency_response(model, input, output));
  return draw_frequency_response(curves);
}

}  // namespace

void bind_linear(nb::module_& module) {
  nb::class_<LinearModel>(module, "LinearModel")
      .def("parts", [](const LinearModel& model) { return to_tuple(model); })
      .def(
          "discrete",
          [](const LinearModel& model, double step) { return to_tuple(to_discrete(model, step)); },
          "step"_a)
      .def("analyse", &analyse_model)
      .def("transfer_function", &transfer_function, "input"_a, "output"_a)
      .def("frequency_response", &frequency_response, "input"_a, "output"_a, "frequencies"_a)
      .def("draw", &draw, "pairs"_a);
  module.def("make_linear_model", &make_model, "states"_a, "inputs"_a, "outputs"_a, "A"_a, "B"_a,
             "C"_a, "D"_a, "drift"_a, "step"_a);
  module.def("linearize", &linearize, "system"_a, "q"_a, "v"_a, "tau"_a, "forces"_a.none(),
             "motors"_a, "motor_states"_a, "motor_inputs"_a, "coordinates"_a, "inputs"_a,
             "outputs"_a);
  module.def("equilibrium", &equilibrium, "system"_a, "q"_a, "tau"_a, "forces"_a.none(), "motors"_a,
             "motor_inputs"_a, "hold"_a, "steps"_a);
}

}  // namespace linkwright::python
