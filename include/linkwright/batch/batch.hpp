#pragma once
/// Many states of one system at once: SIMD lanes side by side, threads over blocks of lanes.
///
///     linkwright::Batch batch(system, {.threads = 2});
///     Eigen::MatrixXd q(4096, system.nq()), v(4096, system.nv()), tau(4096, system.nv()), a(4096,
///     system.nv()); auto report = batch.compute_forward_dynamics(q, v, tau, {}, a);   //
///     report.bad_states: none
///
/// Every array has one row per state and one column per coordinate, so that a coordinate's values
/// over the states are neighbours in memory. Any number of states. The results are the same to the
/// last bit for every number of threads, and agree with the single-state functions to rounding.
///
/// A state that the single-state function refuses (a number that is not finite, in a force of its own
/// too, a position that is none, dynamics without an answer) gets NaN for all its results and is
/// listed in the report. Its neighbours are untouched. Arrays that disagree in size, and an effort on
/// a passive freedom, throw Error, and nothing is written.

#include <memory>
#include <span>

#include "linkwright/batch/forces.hpp"

namespace linkwright {

struct BatchOptions {
  int threads = 1;
  Closures closures = Closures::refuse;  ///< what to do with a system that has closures or grasps
};

/// Which states had no answer, in order. Valid until the batch's next call.
struct BatchReport {
  std::span<const int> bad_states;
};

/// B is double (8 states per lane group) or float (16).
template <class B>
class BasicBatch {
 public:
  using Matrix = Eigen::Matrix<B, Eigen::Dynamic, Eigen::Dynamic>;
  using In = Eigen::Ref<const Matrix>;
  using Out = Eigen::Ref<Matrix>;
  using Forces = BasicBatchForces<B>;  ///< batch/forces.hpp

  /// The System must outlive the batch. Starts threads − 1 threads and keeps them.
  explicit BasicBatch(const System& system, BatchOptions options = {});
  explicit BasicBatch(System&&, BatchOptions = {}) = delete;
  ~BasicBatch();
  BasicBatch(const BasicBatch&) = delete;
  BasicBatch& operator=(const BasicBatch&) = delete;

  [[nodiscard]] const System& system() const;
  [[nodiscard]] int threads() const;

  /// tau(s, ·) for each state s.
  BatchReport compute_inverse_dynamics(const In& q, const In& v, const In& a, const Forces& forces,
                                       Out tau);
  BatchReport compute_forward_dynamics(const In& q, const In& v, const In& tau,
                                       const Forces& forces, Out a);
  /// Entry (i, j) of state s at mass_matrix(s, i + nv·j).
  BatchReport compute_mass_matrix(const In& q, Out mass_matrix);
  /// Row s: px py pz, then the rotation matrix row by row; 12 columns.
  BatchReport compute_forward_kinematics(const In& q, FrameId frame, Out pose);
  /// Entry (r, i) of the 6 × nv Jacobian of state s at jacobian(s, r + 6·i).
  BatchReport compute_jacobian(const In& q, FrameId frame, Axes axes, Out jacobian);
  /// Integrates every state for `steps` steps of dt under constant efforts tau and forces constant in
  /// their axes, in place, by the semi-implicit Euler rule on the group: v ← v + v̇ dt, then
  /// q ← q ⊕ v dt.
  BatchReport compute_rollout(Out q, Out v, const In& tau, const Forces& forces, double dt,
                              int steps);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

using Batch = BasicBatch<double>;
using BatchFloat = BasicBatch<float>;

extern template class BasicBatch<double>;
extern template class BasicBatch<float>;

}  // namespace linkwright
