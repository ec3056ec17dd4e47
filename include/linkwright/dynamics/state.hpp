#pragma once
/// State, and the group operations on q.
///
///     linkwright::State state(system);            // neutral position, at rest
///     state.q[system.joint("elbow").q] = 0.3;

#include <cstdint>

#include <Eigen/Core>

#include "linkwright/system/system.hpp"

namespace linkwright {

/// Arguments and results of the public functions. Storage always belongs to the caller, so that a
/// program compiled with other alignment settings (-march=native) links safely.
using ConstVectorRef = Eigen::Ref<const Eigen::VectorXd>;
using VectorRef = Eigen::Ref<Eigen::VectorXd>;
using ConstMatrixRef = Eigen::Ref<const Eigen::MatrixXd>;
using MatrixRef = Eigen::Ref<Eigen::MatrixXd>;

/// q of rest: zeros, unit quaternions.
void compute_neutral(const System& system, VectorRef q);
/// The state that the model asks to start from (`state:` of a system file); what it does not name
/// is neutral and at rest.
void compute_initial(const System& system, VectorRef q, VectorRef v);
/// The middle of the joints' limits. A coordinate without limits is neutral; so is one with a single
/// limit, unless neutral is not inside: then it stands 1 rad or 1 m inside. Closures are not heeded.
///
///     linkwright::State start(system);
///     linkwright::compute_middle(system, start.q);   // a start that violates no limit
void compute_middle(const System& system, VectorRef q);
/// A random q: angles and distances within their limits (−π…π and −1…1 m where unlimited), uniform
/// orientations; custom joints somewhere that their modes can bring them. The same seed gives the same q on every machine.
void compute_random(const System& system, std::uint64_t seed, VectorRef q);
/// q ⊕ v·dt: what q becomes when the constant velocity v acts for dt. Exact on the group;
/// quaternions come out with unit norm. `out` may be q itself.
void compute_integral(const System& system, const ConstVectorRef& q, const ConstVectorRef& v,
                      double dt, VectorRef out);
/// The velocity that carries q0 to q1 in unit time: compute_integral(q0, difference, 1) = q1.
/// Custom joints with fewer modes than their poses have freedoms (pose_group) give the least-squares
/// answer.
void compute_difference(const System& system, const ConstVectorRef& q0, const ConstVectorRef& q1,
                        VectorRef out);
/// Scales quaternions to unit norm and moves poses of custom joints onto what their modes can reach;
/// throws Error for a quaternion of zero length and for a pose that is not near.
void normalize(const System& system, VectorRef q);

/// Time, position, velocity; nothing else.
struct State {
  double t = 0;
  Eigen::VectorXd q, v;

  State() = default;
  explicit State(const System& system)
      : q(Eigen::VectorXd::Zero(system.nq())), v(Eigen::VectorXd::Zero(system.nv())) {
    compute_neutral(system, q);
  }
};

/// compute_initial as a value.
inline State initial_state(const System& system) {
  State state(system);
  compute_initial(system, state.q, state.v);
  return state;
}

}  // namespace linkwright
