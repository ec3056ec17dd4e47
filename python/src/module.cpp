#include "bindings.hpp"
#include "refusals.hpp"

NB_MODULE(_core, module) {
  using namespace linkwright::python;
  module.doc() = "The compiled part of linkwright. Import linkwright, not this.";
  module.attr("_version") = LINKWRIGHT_VERSION;
  import_numpy();
  bind_errors(module);
  bind_model(module);
  SystemClass system(module, "System", nb::is_weak_referenceable(),
                     "A compiled model: immutable, shared between threads, ready for computing.");
  bind_system(module, system);
  bind_state(system);
  bind_dynamics(system);
  bind_kinematics(module, system);
  bind_derivatives(system);
  bind_closure(system);
  bind_conventions(module, system);
  bind_simulate(module);
  bind_page(module);
  bind_linear(module);
  bind_motors(module);
  bind_identify(module);
  bind_operators(module);
  bind_influence(module);
  bind_coordinates(module);
  bind_regressor(module);
  bind_grasp(module);
  bind_manipulator(module);
  bind_network(module);
  bind_graph(module);
  bind_verify(module);
  name_what_is_refused(module);
}
