#pragma once
/// What the equations of a closed system are solved by.
///
/// Given    M with the rotors of closing joints, J
/// Computes the rank of J, and K with [v̇; μ] = K [f; Fᵀ s] where M v̇ − Jᵀ λ = f, J v̇ = s, λ = F μ:
///            N̂ the motions that the closures allow, N̂ᵀ M N̂ = 1,  P̂ = P − N̂ N̂ᵀ M P,  J P = 1
///            K = [N̂ N̂ᵀ, P̂; −P̂ᵀ, P̂ᵀ M P̂]
///          Where rows are redundant, J = E J_r with as many rows J_r as count, and F = R² E, Eᵀ R² E = 1, R the scales
///          of rows: F μ are the shortest forces, J_r v̇ = Fᵀ s misses s least. F = E = 1 elsewhere.
/// Cost     O((nv + rows)³), small numbers of it

#include "closure/rank/dense_loops.hpp"

namespace linkwright::closure {

class Solution {
 public:
  explicit Solution(const System& system);

  /// From DenseLoops::J. Throws Error where some motion that the closures allow moves no mass.
  void compute(DenseLoops& d, const Eigen::MatrixXd& M);

  /// The rows that count.
  [[nodiscard]] int counting() const { return counting_; }
  /// Whether others are there, so that F is not 1.
  [[nodiscard]] bool reduces() const { return reduces_; }
  [[nodiscard]] auto K() const { return K_.topLeftCorner(n_ + counting_, n_ + counting_); }
  /// v̇ by efforts, along the closures, and v̇ by s.
  [[nodiscard]] auto mobility() const { return K_.topLeftCorner(n_, n_); }
  [[nodiscard]] auto shortest() const { return K_.block(0, n_, n_, counting_); }
  [[nodiscard]] auto E() const { return E_.leftCols(counting_); }
  [[nodiscard]] auto F() const { return F_.leftCols(counting_); }
  [[nodiscard]] auto Ft() const { return Ft_.topRows(counting_); }

 private:
  void refer_to_basis(DenseLoops& d);
  void find_motions(const DenseLoops& d, const Eigen::MatrixXd& M);

  Eigen::Index n_, m_;
  int counting_ = 0;
  bool reduces_ = false;
  Eigen::MatrixXd K_, E_, F_, Ft_;
  // On the way: P; [N̂; M N̂], rows in whole packs; Nᵀ M N; and what products and their transposes need.
  Eigen::MatrixXd P_, along_, reduced_, square_, rows_by_v_, v_by_rows_;
};

}  // namespace linkwright::closure
