#pragma once
/// The tree as a multi-port with the chords' ports, and the chords joined to it.
///
/// Given    J, L and drifts of LoopEquations, a factorised Recursion (M⁻¹ = Wᵀ W), accelerations a° of the tree alone
/// Computes δ of least norm with Xᵀ δ = −(J a° + J̇ v), X = W Jᵀ; then v̇ = a° + Wᵀ δ and λ with X λ = δ
///          Rotors of closing joints are one-ports in series with their row: X gains a row √(1/R)
///          Where a position is singular and no v̇ obeys all rows, they are met as closely as is possible
///          Rows that follow from others, by the rank of the scaled J, are left out; of all λ that do the same to
///          the joints the shortest is taken
/// Cost     O(rows · N + nv · rows²). No product J M⁻¹ Jᵀ is formed, so that no digit is lost twice.

#include "closure/rank/orthogonal.hpp"
#include "network/mechanics/loop_equations.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::network::mechanics {

class LoopSolver {
 public:
  /// Scales bring lengths to the mechanism's own size.
  LoopSolver(const LoopEquations& loops, const Eigen::VectorXd& row_scale,
             const Eigen::VectorXd& column_scale);

  /// Rank and the rows to keep, of J as it stands.
  void find_rank(const LoopEquations& loops);
  /// X; after find_rank and Recursion::factorize.
  void find_columns(const LoopEquations& loops, const Placement& at, Recursion& recursion);
  /// From a° to v̇, and λ; after find_columns and Recursion::compute_accelerations.
  void close(const LoopEquations& loops, const Placement& at, Recursion& recursion, VectorRef a);
  /// M⁻¹ x of the closed mechanism: as close, of efforts alone.
  void solve(const Placement& at, Recursion& recursion, const ConstVectorRef& x, VectorRef a);
  /// Without M⁻¹: all joints at once, P v̇ = right + Jᵀ λ on the motions that J allows.
  void close_in_full(const LoopEquations& loops, const Eigen::MatrixXd& P,
                     const Eigen::VectorXd& right, VectorRef a);

  /// After close_in_full: M⁻¹ x of the closed mechanism.
  void solve_in_full(const ConstVectorRef& x, VectorRef a);

  [[nodiscard]] int rank() const { return space_.rank(); }
  /// One mark per row: whether find_rank kept it.
  [[nodiscard]] const std::vector<char>& kept() const { return kept_; }
  /// What J v̇ + J̇ v = 0 is missed by, the least that is possible; after close or close_in_full.
  [[nodiscard]] double violation(const LoopEquations& loops) const;
  /// Of all rows.
  [[nodiscard]] const Eigen::VectorXd& lambda() const { return lambda_; }

 private:
  void find_particular(const LoopEquations& loops);
  void find_needed(const LoopEquations& loops);
  void find_forces(const LoopEquations& loops);
  void find_shortest();

  const Eigen::VectorXd &row_scale_, &column_scale_;
  Eigen::Index nv_, rows_, rotors_;
  Eigen::MatrixXd A_, X_, N_, PN_, reduced_;
  closure::Orthogonal space_, ports_;
  Eigen::VectorXd gamma_, delta_, unknown_, e_, lambda_, needed_, efforts_, rest_, along_;
  Eigen::LDLT<Eigen::MatrixXd> factors_;
  std::vector<char> kept_;
};

}  // namespace linkwright::network::mechanics
