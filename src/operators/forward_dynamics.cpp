#include "linkwright/operators/forward_dynamics.hpp"

#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"

namespace linkwright::operators {
namespace {

using spatial::Counting;

/// The paper's given quantities as stacked vectors.
template <class T>
struct Given {
  Stacked<Space::link_motion, T> a;  // bias accelerations
  Stacked<Space::link_force, T> b;   // bias forces, less the external ones
  Stacked<Space::base_motion, T> g;  // −gravity, as an acceleration of the world (3.21)
  Stacked<Space::joint_effort, T> T_;
};

template <class T>
void fd1(Evaluation<T>& e, const Given<T>& x, T* accelerations) {
  T* room = e.take(e.size(Space::joint_effort));
  const Stacked<Space::joint_effort, T> T_free{room};
  evaluate(e, x.T_ - H * phi * (M * (transpose(phi) * (x.a + E * x.g)) + x.b), room);  // (4.17)
  evaluate(e, transpose(I - H * Psi * L) * inverse(D) * (I - H * Psi * L) * T_free,    // (4.18)
           accelerations);
}
template <class T>
void fd2(Evaluation<T>& e, const Given<T>& x, T* accelerations, T* link) {
  T *room = e.take(e.size(Space::joint_effort)), *rate = e.take(e.size(Space::joint_rate));
  const Stacked<Space::joint_effort, T> T_free{room};
  const Stacked<Space::joint_rate, T> nu{rate};
  evaluate(e, x.T_ - H * phi * (M * (transpose(phi) * (x.a + E * x.g)) + x.b), room);  // (5.5)
  evaluate(e, inverse(D) * (I - H * Psi * L) * T_free, rate);
  evaluate_both(e, transpose(I - H * Psi * L) * nu, accelerations,
                transpose(psi) * transpose(H) * nu + transpose(phi) * (x.a + E * x.g),  // (5.6)
                link);
}
template <class T>
void fd3(Evaluation<T>& e, const Given<T>& x, T* accelerations) {
  T *motion = e.take(e.size(Space::link_motion)), *effort = e.take(e.size(Space::joint_effort));
  const Stacked<Space::link_motion, T> zeta{motion};
  const Stacked<Space::joint_effort, T> eps{effort};
  evaluate(e, transpose(phi) * (x.a + E * x.g), motion);                      // (5.8)
  evaluate(e, x.T_ - H * psi * (S * L * x.T_ + M * zeta + x.b), effort);      // (5.9)
  evaluate(e, transpose(I - H * Psi * L) * inverse(D) * eps, accelerations);  // (5.10)
}
template <class T>
void fd4(Evaluation<T>& e, const Given<T>& x, T* accelerations) {
  T *motion = e.take(e.size(Space::link_motion)), *rate = e.take(e.size(Space::joint_rate));
  const Stacked<Space::link_motion, T> a{motion};
  const Stacked<Space::joint_rate, T> nu{rate};
  // (5.13) is the sweep for the velocities; here it also sets the world's acceleration in.
  sweep<Direction::outward>(e.data, assign_to(motion, x.a + E * x.g));
  if (e.notes != nullptr) e.notes->push_back({Direction::outward, "V, a, b, a + E x", {}});
  evaluate(e, inverse(D) * ((I - H * Psi * L) * x.T_ - H * (psi_tilde * (P * a) + psi * x.b)),
           rate);  // (5.14)
  evaluate(e,
           nu - transpose(L) * (transpose(Psi) * (transpose(H) * nu + transpose(I - G * H) * a)) -
               transpose(G) * a,  // (5.15)
           accelerations);
}

template <class T>
void run(Algorithm which, Evaluation<T>& e, const Given<T>& x, T* accelerations, T* link) {
  const std::size_t before = e.in_use;
  if (which == Algorithm::FD1) fd1(e, x, accelerations);
  if (which == Algorithm::FD2) fd2(e, x, accelerations, link);
  if (which == Algorithm::FD3) fd3(e, x, accelerations);
  if (which == Algorithm::FD4) fd4(e, x, accelerations);
  e.in_use = before;
}

/// a(k) and b(k) from one sweep over the velocities, stacked.
struct Biases {
  std::vector<double> a, b;
};
Biases compute_biases(OperatorData<double>& data, const double* v, const Force<double>* f_ext) {
  sweeps::bias_sweep(*data.tree, data.s, v, f_ext);
  Biases out;
  for (std::size_t k = 1; k < data.tree->nodes.size(); ++k) {
    const Motion<double>& a = data.s.a[k];
    const Force<double>& b = data.s.z[k];
    out.a.insert(out.a.end(),
                 {a.angular.x, a.angular.y, a.angular.z, a.linear.x, a.linear.y, a.linear.z});
    out.b.insert(out.b.end(),
                 {b.moment.x, b.moment.y, b.moment.z, b.force.x, b.force.y, b.force.z});
  }
  return out;
}

/// α(0) = Bᵀ α + a(0) (2.27), without the −gravity that α carries.
void compute_tips(Operators& at, const State& state, const ConstVectorRef& link, VectorRef out) {
  apply(transpose(B), at, link, out);
  OperatorData<double>& data = at.data();
  kernels().poses(*data.tree, data.s);
  kernels().velocities(*data.tree, data.s, state.v.data());
  for (std::size_t i = 0; i < data.tips.size(); ++i) {
    const auto k = static_cast<std::size_t>(data.tips[i].node);
    if (k == 0) continue;  // a frame on the world does not move
    const Pose& frame = data.tips[i].pose;
    const auto& w = data.s.V[k].angular;
    const auto centrifugal = cross(w, cross(w, frame.translation));
    const auto gravity = transpose_times(data.s.pose[k].rotation, data.tree->gravity);
    out.segment<3>(6 * data.tip_place[i] + 3) +=
        to_eigen(transpose_times(frame.rotation, centrifugal + gravity));
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
  door::check_velocity_like(system, tau, "tau");
  const bool all = algorithm == Algorithm::FD2;
  door::check_output(a.size(), system.nv(), "a");
  door::check_output(link.size(), all ? at.size(Space::link_motion) : 0, "link");
  door::check_output(tip.size(), all ? at.size(Space::tip_motion) : 0, "tip");
  check_forces(system, forces);
  at.update(state.q);
  OperatorData<double>& data = at.data();
  const Force<double>* f_ext = gather_body_forces(system, data.s, state, forces);
  const Biases bias = compute_biases(data, state.v.data(), f_ext);
  Eigen::VectorXd effort = tau;
  kernels().joint_forces(system.tree(), state.q.data(), state.v.data(), effort.data());
  const auto& gravity = system.tree().gravity;
  const double g[6] = {0, 0, 0, -gravity.x, -gravity.y, -gravity.z};
  run(algorithm, at.evaluation(),
      Given<double>{{bias.a.data()}, {bias.b.data()}, {g}, {effort.data()}}, a.data(), link.data());
  if (all) compute_tips(at, state, link, tip);
}

std::vector<SweepNote> sweeps_of(Algorithm algorithm, const Operators& at) {
  const auto data = counting_copy(at);
  Evaluation<Counting> e(*data);
  std::vector<SweepNote> notes;
  e.notes = &notes;
  const std::vector<Counting> link(e.size(Space::link_motion), Counting::number());
  std::vector<Counting> alpha(link.size()), joint(e.size(Space::joint_effort), Counting::number());
  const std::vector<Counting> effort = joint;
  run(algorithm, e, Given<Counting>{{link.data()}, {link.data()}, {link.data()}, {effort.data()}},
      joint.data(), alpha.data());
  return notes;
}
std::string explain(Algorithm algorithm, const Operators& at) {
  return std::string(name(algorithm)) + "\n" + explain_notes(sweeps_of(algorithm, at));
}

}  // namespace linkwright::operators
