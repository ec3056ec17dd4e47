#pragma once
/// Closed mechanisms ready to be let go.

#include "closure/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/io/read_model.hpp"
#include "simulate/mechanisms.hpp"

namespace linkwright::testing {

inline System bundled_system(const std::string& name) {
  return compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/" + name + ".yaml"));
}

/// The model's own state, assembled.
inline State assembled(const System& system) {
  ClosedWorkspace work(system);
  State state = initial_state(system);
  if (!assemble(work, {.hold = system.model().initial.hold}, state.q).assembled)
    throw Error("not assembled");
  project_velocity(work, state.q, {}, state.v);
  return state;
}

/// A four-bar that falls from rest, its crank at `crank` radians.
struct FourBar {
  explicit FourBar(const Model& model = four_bar(0.3, 0.9, 0.7, 0.8), double crank = 1)
      : system(compile(model)), start(system) {
    ClosedWorkspace work(system);
    start.q[system.joint("j1").q] = crank, start.q[system.joint("j2").q] = -0.3;
    start.q[system.joint("j3").q] = 1.4;
    if (!assemble(work, {.hold = {"j1"}}, start.q).assembled) throw Error("not assembled");
  }
  System system;
  State start;
};

/// How far a state is off the closures: gap and rate together.
inline double off_closures(ClosedWorkspace& work, const State& state) {
  Eigen::MatrixXd J(work.rows(), work.system().nv());
  compute_closure_jacobian(work, state.q, J);
  const Eigen::VectorXd rates = J * state.v;
  return std::max(compute_worst_closure(work, state.q).gap(),
                  rates.cwiseAbs().maxCoeff() / (1 + state.v.cwiseAbs().maxCoeff()));
}

inline const std::vector<Method>& methods_for_closed_systems() {
  static const std::vector<Method> all{Method::rk4, Method::semi_implicit, Method::adams,
                                       Method::bdf, Method::ida};
  return all;
}

}  // namespace linkwright::testing
