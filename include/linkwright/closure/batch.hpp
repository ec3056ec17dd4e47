#pragma once
/// Many states of one closed mechanism at once: SIMD lanes side by side, threads over blocks of lanes.
///
///     linkwright::ClosedBatch batch(system, initial_state(system).q, {.threads = 2});
///     Eigen::MatrixXd q(4096, system.nq()), v(4096, system.nv()), tau(4096, system.nv()), a(4096,
///     system.nv()); auto report = batch.compute_forward_dynamics(q, v, tau, {}, a);
///
/// Arrays and threads as in batch/batch.hpp: one row per state, results that are the same to the last
/// bit for every number of threads, NaN and an entry in the report for a state without an answer.
///
/// What a single state decides anew each time is decided here once, at a reference position that closes
/// every loop: which rows of the closures are independent. Redundant rows are left out for all states.
/// A state where the others come to depend on each other (a singular position), or at which the open tree
/// has no inertia of its own, has no answer; the single-state functions have one there.
/// States must satisfy the closures, as those of a single state; compute_residual tells by how much they
/// do not.

#include <memory>
#include <vector>

#include "linkwright/batch/batch.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright {

struct ClosedBatchOptions {
  int threads = 1;
  /// Entries of System::effort_names for inverse dynamics, ascending, as many as the mechanism has
  /// freedoms. None: all motors of the model (all_motors).
  std::vector<int> motors{};
};

class ClosedBatch {
 public:
  using In = Eigen::Ref<const Eigen::MatrixXd>;
  using Out = Eigen::Ref<Eigen::MatrixXd>;

  /// The System must outlive the batch. Throws Error where the reference is not closed, is singular or has
  /// no forward dynamics, and where motors that were named do not drive the mechanism.
  ClosedBatch(const System& system, const ConstVectorRef& reference,
              const ClosedBatchOptions& options = {});
  ClosedBatch(System&&, const ConstVectorRef&, const ClosedBatchOptions& = {}) = delete;
  ~ClosedBatch();
  ClosedBatch(const ClosedBatch&) = delete;
  ClosedBatch& operator=(const ClosedBatch&) = delete;

  [[nodiscard]] const System& system() const;
  [[nodiscard]] int threads() const;
  /// Independent rows and freedoms at the reference.
  [[nodiscard]] int rank() const;
  [[nodiscard]] int mobility() const;

  /// tau has nv columns, or System::effort_count with those of the closing joints' motors behind them.
  BatchReport compute_forward_dynamics(const In& q, const In& v, const In& tau,
                                       const BatchForces& forces, Out a);
  /// The efforts of the motors that produce a, which must obey the closures; zero in every other column.
  /// tau as above. Throws Error where the motors are not exactly as many as the freedoms.
  BatchReport compute_inverse_dynamics(const In& q, const In& v, const In& a,
                                       const BatchForces& forces, Out tau);
  /// How far every state is off the closures; 3 columns: the largest gap in metres, in radians (of a gear
  /// in units of its follower), and the largest rate at which a closure opens, max |J v|.
  BatchReport compute_residual(const In& q, const In& v, Out residual);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace linkwright
