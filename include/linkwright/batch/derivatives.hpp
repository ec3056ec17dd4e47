#pragma once
/// Derivatives of the dynamics for many states of one system at once, as batch.hpp computes the dynamics
/// themselves: SIMD lanes side by side, threads over blocks of lanes.
///
///     linkwright::DerivativeBatch batch(system, {.threads = 2});
///     const int n = system.nv();
///     Eigen::MatrixXd q(4096, system.nq()), v(4096, n), a(4096, n), by_q(n * n, 4096), by_v(n * n, 4096);
///     auto report = batch.compute_inverse_dynamics_derivatives(q, v, a, {}, by_q, by_v);
///     Eigen::Map<Eigen::MatrixXd> third(by_q.col(2).data(), n, n);    // of the third state
///
/// What goes in has one row per state, as in batch.hpp. What comes out has one column per state, which
/// is its nv × nv matrix, column after column: as many numbers as these are written, and read, state by
/// state.
/// States that the single-state functions refuse get NaN for all their results and are listed in the
/// report. The results are the same to the last bit for every number of threads.

#include "linkwright/batch/batch.hpp"

namespace linkwright {

class DerivativeBatch {
 public:
  using In = Eigen::Ref<const Eigen::MatrixXd>;
  using Out = Eigen::Ref<Eigen::MatrixXd>;

  /// The System must outlive the batch. Starts threads − 1 threads and keeps them.
  explicit DerivativeBatch(const System& system, BatchOptions options = {});
  explicit DerivativeBatch(System&&, BatchOptions = {}) = delete;
  ~DerivativeBatch();
  DerivativeBatch(const DerivativeBatch&) = delete;
  DerivativeBatch& operator=(const DerivativeBatch&) = delete;

  [[nodiscard]] const System& system() const;
  [[nodiscard]] int threads() const;

  /// As the functions of dynamics/derivatives.hpp.
  BatchReport compute_inverse_dynamics_derivatives(const In& q, const In& v, const In& a,
                                                   const BatchForces& forces, Out dtau_dq,
                                                   Out dtau_dv);
  BatchReport compute_forward_dynamics_derivatives(const In& q, const In& v, const In& tau,
                                                   const BatchForces& forces, Out da_dq, Out da_dv,
                                                   Out da_dtau);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace linkwright
