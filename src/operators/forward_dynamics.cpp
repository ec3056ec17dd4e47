#include "linkwright/operators/forward_dynamics.hpp"

#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "operators/algorithms.hpp"

namespace linkwright::operators {
namespace {

/// a(k) and b(k) from one sweep over the velocities, stacked.
void compute_biases(Evaluation<double>& e, const double* v, const Force<double>* f_ext,
                    Given<double>& x) {
  OperatorData<double>& data = e.data;
  sweeps::bias_sweep(*data.tree, data.s, v, f_ext);
  double *a = e.take(e.size(Space::link_motion)), *b = e.take(e.size(Space::link_force));
  x.a.data = a, x.b.data = b;
  for (std::size_t k = 1; k < data.tree->nodes.size(); ++k, a += 6, b += 6) {
    write_six(data.s.a[k].angular, data.s.a[k].linear, a);
    write_six(data.s.z[k].moment, data.s.z[k].force, b);
  }
}
/// a(0) of every frame (2.27): true accelerations, so without the −gravity that α carries.
void compute_tip_biases(Evaluation<double>& e, const State& state, Given<double>& x) {
  OperatorData<double>& data = e.data;
  double* out = e.take(e.size(Space::tip_motion));
  x.a_0.data = out;
  kernels().poses(*data.tree, data.s);
  kernels().velocities(*data.tree, data.s, state.v.data());
  for (std::size_t i = 0; i < data.tips.size(); ++i) {
    const auto k = static_cast<std::size_t>(data.tips[i].node);
    const Pose& frame = data.tips[i].pose;
    const auto& w = data.s.V[k].angular;
    const auto centrifugal = cross(w, cross(w, frame.translation));
    const auto gravity = transpose_times(data.s.pose[k].rotation, data.tree->gravity);
    const auto own = transpose_times(frame.rotation, centrifugal + gravity);
    // A frame on the world does not move.
    write_six({}, k == 0 ? spatial::Vector3<double>{} : own, out + 6 * data.tip_place[i]);
  }
}

}  // namespace

const char* name(Algorithm algorithm) {
  constexpr const char* names[] = {"FD1", "FD2", "FD3", "FD4"};
  return names[static_cast<int>(algorithm)];
}

void compute_forward_dynamics(Algorithm algorithm, Operators& at, const State& state,
                              const ConstVectorRef& tau, ExternalForces forces, VectorRef a,
                              VectorRef link, VectorRef tip) {
  const System& system = at.system();
  door::check_state(system, state);
  door::check_efforts(system, tau);
  const bool all = algorithm == Algorithm::FD2;
  door::check_output(a.size(), system.nv(), "a");
  door::check_output(link.size(), all ? at.size(Space::link_motion) : 0, "link");
  door::check_output(tip.size(), all ? at.size(Space::tip_motion) : 0, "tip");
  check_forces(system, forces);
  at.update(state.q);
  Evaluation<double>& e = at.evaluation();
  const std::size_t before = e.in_use;
  const auto& gravity = system.tree().gravity;
  const double g[6] = {0, 0, 0, -gravity.x, -gravity.y, -gravity.z};
  double* effort = e.take(e.size(Space::joint_effort));
  Eigen::Map<Eigen::VectorXd>(effort, tau.size()) = tau;
  kernels().joint_forces(system.tree(), state.q.data(), state.v.data(), effort);
  Given<double> x{{}, {}, {g}, {}, {effort}};
  compute_biases(e, state.v.data(), gather_body_forces(system, e.data.s, state, forces), x);
  if (all) compute_tip_biases(e, state, x);
  run(algorithm, e, x, {a.data(), link.data(), tip.data()});
  e.in_use = before;
}

std::string explain(Algorithm algorithm, const Operators& at) {
  return std::string(name(algorithm)) + "\n" + explain_notes(sweeps_of(algorithm, at));
}

}  // namespace linkwright::operators
