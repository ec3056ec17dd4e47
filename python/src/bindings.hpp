#pragma once
/// What each source of bindings adds to the module. One room, one source; several may add methods to System.

#include <nanobind/nanobind.h>

#include "system.hpp"

namespace linkwright::python {

using SystemClass = nb::class_<PySystem>;

void bind_errors(nb::module_& module);
void bind_model(nb::module_& module);
void bind_system(nb::module_& module, SystemClass& system);
void bind_state(SystemClass& system);
void bind_dynamics(SystemClass& system);
void bind_kinematics(nb::module_& module, SystemClass& system);
void bind_derivatives(SystemClass& system);
void bind_closure(SystemClass& system);
void bind_simulate(nb::module_& module);
void bind_page(nb::module_& module);
void bind_linear(nb::module_& module);
void bind_motors(nb::module_& module);
void bind_identify(nb::module_& module);
void bind_operators(nb::module_& module);
void bind_influence(nb::module_& module);
void bind_coordinates(nb::module_& module);
void bind_regressor(nb::module_& module);
void bind_grasp(nb::module_& module);
void bind_manipulator(nb::module_& module);
void bind_network(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_verify(nb::module_& module);
void bind_conventions(nb::module_& module, SystemClass& system);

}  // namespace linkwright::python
