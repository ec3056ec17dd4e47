#pragma once
/// Derivatives of the forward dynamics of a closed mechanism for many states at once, on several threads.
///
///     linkwright::ClosedDerivativeBatch batch(system, {.threads = 2});
///     Eigen::MatrixXd by_q(nv * nv, q.rows()), by_v(nv * nv, q.rows()), by_tau(nv * efforts, q.rows());
///     auto report = batch.compute_forward_dynamics_derivatives(q, v, tau, {}, by_q, by_v, by_tau);
///     Eigen::Map<Eigen::MatrixXd> third(by_q.col(2).data(), nv, nv);    // of the third state
///
/// What goes in has one row per state, as in batch/batch.hpp; what comes out one column per state, which is its
/// matrix, column after column. States that the function for one state refuses get NaN and are listed in the
/// report. The bits are those of one state (closure/derivatives.hpp), for every number of threads.

#include "linkwright/batch/batch.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright {

class ClosedDerivativeBatch {
 public:
  using In = Eigen::Ref<const Eigen::MatrixXd>;
  using Out = Eigen::Ref<Eigen::MatrixXd>;

  /// The System must outlive the batch; of the options only `threads` counts.
  explicit ClosedDerivativeBatch(const System& system, BatchOptions options = {});
  explicit ClosedDerivativeBatch(System&&, BatchOptions = {}) = delete;
  ~ClosedDerivativeBatch();
  ClosedDerivativeBatch(const ClosedDerivativeBatch&) = delete;
  ClosedDerivativeBatch& operator=(const ClosedDerivativeBatch&) = delete;

  [[nodiscard]] int threads() const;
  /// tau has nv columns, or System::effort_count; da_dtau is by all efforts.
  BatchReport compute_forward_dynamics_derivatives(const In& q, const In& v, const In& tau,
                                                   const BatchForces& forces, Out da_dq, Out da_dv,
                                                   Out da_dtau);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace linkwright
