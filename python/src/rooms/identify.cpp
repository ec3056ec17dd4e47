// Parameters from measured motions.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/coordinates/identification.hpp"
#include "parameters.hpp"
#include "verbs.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;
using coordinates::Estimate;

struct Measured {
  const Input &q, &v, &a, &tau;
  void place(State& state, Index row) const {
    state.q = q.vector(row);
    state.v = v.vector(row);
  }
};

Estimate identify_tree(const coordinates::Regressor& regressor, const Measured& given) {
  Workspace work(regressor.system(), Closures::leave_out);
  coordinates::Identification data(regressor, find_base_parameters(regressor, work));
  State state(regressor.system());
  for (Index row = 0; row < given.q.rows(); ++row) {
    given.place(state, row);
    data.add(work, state, given.a.vector(row), given.tau.vector(row));
  }
  return data.solve();
}

/// `moved`: how far measured positions were off the closures.
Estimate identify_closed(const coordinates::Regressor& regressor, const Measured& given,
                         double& moved) {
  const System& system = regressor.system();
  ClosedWorkspace work(system);
  State state(system);
  given.place(state, 0);
  const std::vector<int> entries = choose_independent(work, state.q).entries;
  coordinates::Identification data(regressor, find_base_parameters(regressor, work, state.q));
  Eigen::VectorXd a(system.nv());
  for (Index row = 0; row < given.q.rows(); ++row) {
    given.place(state, row);
    a = given.a.vector(row);
    try {
      moved = std::max(moved, coordinates::bring_to_closures(work, entries, state, a));
      data.add(work, state, a, entries, given.tau.vector(row));
    } catch (const Error& error) {
      rethrow_for_state(error, row);
    }
  }
  return data.solve();
}

nb::dict identify(PySystem& self, Numbers given_q, Numbers given_v, Numbers given_a,
                  Numbers given_tau, const Names& joints) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv()),
      a(given_a, "a", system.nv()), tau(given_tau, "tau", self.effort_count());
  for (const Input* input : {&q, &v, &a, &tau})
    if (!input->is_many())
      throw Error(std::string(input->name()) + ": expected a row for every sample, (K, " +
                  std::to_string(input->width()) + ")");
  common_rows({&q, &v, &a, &tau});
  if (q.rows() == 0) throw Error("q: there are no samples");
  const coordinates::Regressor regressor(system, to_joint_parameters(joints));
  Estimate found;
  double moved = 0;
  {
    const nb::gil_scoped_release without_lock;
    found = self.is_closed() ? identify_closed(regressor, {q, v, a, tau}, moved)
                             : identify_tree(regressor, {q, v, a, tau});
  }
  nb::dict out;
  out["names"] = found.names;
  out["values"] = column_of(found.values);
  out["deviations"] = column_of(found.deviations);
  out["model_values"] = column_of(found.model_values);
  out["condition"] = found.condition;
  out["effort_names"] = found.efforts;
  out["effort_deviations"] = found.effort_deviations;
  out["samples"] = found.samples;
  out["left_out"] = found.left_out;
  out["moved"] = moved;
  return out;
}

}  // namespace

void bind_identify(nb::module_& module) {
  module.def("identify", &identify, "system"_a, "q"_a, "v"_a, "a"_a, "tau"_a, "joints"_a);
}

}  // namespace linkwright::python
