#include "network/mechanics/loop_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwright/closure/sweeps/elimination.hpp"
#include "spatial/index.hpp"

namespace linkwright::network::mechanics {

using Eigen::Index;

LoopSolver::LoopSolver(const LoopEquations& loops, const Eigen::VectorXd& row_scale,
                       const Eigen::VectorXd& column_scale)
    : row_scale_(row_scale),
      column_scale_(column_scale),
      nv_(loops.J.cols()),
      rows_(loops.J.rows()),
      rotors_(static_cast<Index>(loops.rotors.size())),
      A_(nv_, rows_),
      X_(nv_ + rotors_, rows_ + rotors_),
      space_(static_cast<int>(nv_), static_cast<int>(rows_)),
      ports_(static_cast<int>(nv_ + rotors_), static_cast<int>(rows_ + rotors_)),
      gamma_(rows_ + rotors_),
      delta_(nv_ + rotors_),
      unknown_(rows_ + rotors_),
      e_(nv_),
      lambda_(Eigen::VectorXd::Zero(rows_)),
      needed_(rows_),
      efforts_(nv_),
      rest_(nv_),
      kept_(at(rows_)) {}

void LoopSolver::find_rank(const LoopEquations& loops) {
  for (Index i = 0; i < rows_; ++i)
    A_.col(i) = row_scale_[i] * loops.J.row(i).transpose().cwiseProduct(column_scale_);
  space_.compute(A_, closure::rank_threshold);
  std::fill(kept_.begin(), kept_.end(), char(0));
  for (int k = 0; k < space_.rank(); ++k) kept_[at(space_.column(k))] = 1;
}

void LoopSolver::find_columns(const LoopEquations& loops, const Placement& at,
                              Recursion& recursion) {
  X_.setZero();
  for (Index i = 0; i < rows_; ++i) {
    if (kept_[linkwright::at(i)] == 0) continue;
    efforts_ = row_scale_[i] * loops.J.row(i).transpose();
    recursion.apply_W(at, efforts_, X_.col(i).head(nv_));
  }
  for (Index r = 0; r < rotors_; ++r) {
    efforts_ = loops.L.row(loops.rotors[linkwright::at(r)]).transpose();
    recursion.apply_W(at, efforts_, X_.col(rows_ + r).head(nv_));
    X_(nv_ + r, rows_ + r) = 1 / std::sqrt(loops.rotor[linkwright::at(r)]);
  }
  // The rank is known; what is left out is zero.
  ports_.compute(X_, std::numeric_limits<double>::min());
}

/// e: the shortest motion that obeys the rows, as closely as is possible; `needed` what it makes of J v̇.
void LoopSolver::find_particular(const LoopEquations& loops) {
  gamma_.head(rows_) = -row_scale_.cwiseProduct(loops.bias);
  space_.solve_rows(gamma_.head(rows_), e_);
  e_.array() *= column_scale_.array();
  needed_.noalias() = loops.J * e_;
}

/// What J v̇ is to be: −J̇ v, but where rows are redundant and the position is singular not all of it can be had.
void LoopSolver::find_needed(const LoopEquations& loops) {
  if (space_.rank() == rows_)
    needed_ = -loops.bias;
  else
    find_particular(loops);
}

double LoopSolver::violation(const LoopEquations& loops) const {
  return rows_ == 0 ? 0 : (needed_ + loops.bias).cwiseAbs().maxCoeff();
}

void LoopSolver::close(const LoopEquations& loops, const Placement& at, Recursion& recursion,
                       VectorRef a) {
  find_needed(loops);
  gamma_.head(rows_).noalias() = loops.J * a;
  for (Index i = 0; i < rows_; ++i)
    gamma_[i] = kept_[linkwright::at(i)] != 0 ? row_scale_[i] * (needed_[i] - gamma_[i]) : 0;
  for (Index r = 0; r < rotors_; ++r) {
    const int freedom = loops.rotors[linkwright::at(r)];
    gamma_[rows_ + r] = -loops.L.row(freedom).dot(a) - loops.closing_bias[freedom];
  }
  ports_.solve_rows(gamma_, delta_);
  recursion.compute_accelerations_with(at, delta_.head(nv_), a);
  ports_.solve_columns(delta_, unknown_);
  find_forces(loops);
}

/// λ of the rows that were kept, and where others were left out the shortest that does the same.
void LoopSolver::find_forces(const LoopEquations& loops) {
  for (Index i = 0; i < rows_; ++i) lambda_[i] = row_scale_[i] * unknown_[i];
  if (space_.rank() == rows_) return;
  rest_.noalias() = loops.J.transpose().lazyProduct(lambda_);
  find_shortest();
}

/// λ with Jᵀ λ = rest.
void LoopSolver::find_shortest() {
  rest_.array() *= column_scale_.array();
  space_.solve_columns(rest_, lambda_);
  lambda_.array() *= row_scale_.array();
}

void LoopSolver::solve(const Placement& at, Recursion& recursion, const ConstVectorRef& x,
                       VectorRef a) {
  recursion.apply_W(at, x, e_);
  gamma_.noalias() = X_.topRows(nv_).transpose() * e_;
  gamma_ = -gamma_;
  ports_.solve_rows(gamma_, delta_);
  e_ += delta_.head(nv_);
  recursion.apply_Wt(at, e_, a);
}

void LoopSolver::close_in_full(const LoopEquations& loops, const Eigen::MatrixXd& P,
                               const Eigen::VectorXd& right, VectorRef a) {
  const Index free = nv_ - space_.rank();
  N_.resize(nv_, free);
  space_.null_basis(N_);
  N_.array().colwise() *= column_scale_.array();
  find_particular(loops);
  efforts_ = right;
  efforts_.noalias() -= P * e_;
  PN_.noalias() = P * N_;
  reduced_.noalias() = N_.transpose() * PN_;
  along_.noalias() = N_.transpose() * efforts_;
  factors_.compute(reduced_);
  along_ = factors_.solve(along_);
  a = e_;
  a.noalias() += N_ * along_;
  rest_.noalias() = P * a;
  rest_ -= right;
  find_shortest();
}

void LoopSolver::solve_in_full(const ConstVectorRef& x, VectorRef a) {
  along_.noalias() = N_.transpose() * x;
  along_ = factors_.solve(along_);
  a.noalias() = N_ * along_;
}

}  // namespace linkwright::network::mechanics
