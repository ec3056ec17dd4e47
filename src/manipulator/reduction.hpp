#pragma once
/// Rates under rows that bind them: v = G ν and v̇ = G ν̇ + γ, with ν those of the independent freedoms.
///
/// Given    rows K v = 0, K v̇ + beta = 0, some of which may be redundant
/// Computes once, at the first position, which freedoms depend on the others: those of the first group as far as
///          they go, then of the next, each time the column that is farthest from those taken. Then at every
///          position G and γ, by least squares over the dependent columns
/// Cost     O(rows · rank · nv); allocates at the first position only
///
///     Reduction wheels(nv, rows, {passive, active});   // passive freedoms become dependent first
///     wheels.compute(K, beta);

#include <vector>

#include "closure/rank/orthogonal.hpp"

namespace linkwright::manipulator {

class Reduction {
 public:
  /// `groups` must hold every freedom that the rows speak of.
  Reduction(int nv, std::vector<int> rows, std::vector<std::vector<int>> groups);

  /// Throws Error (failed_computation) where the freedoms chosen at first do not determine the others.
  void compute(const Eigen::MatrixXd& K, const Eigen::VectorXd& beta);

  [[nodiscard]] bool binds() const { return !rows_.empty(); }
  [[nodiscard]] bool chosen() const { return chosen_; }
  /// Entries of v, ascending.
  [[nodiscard]] const std::vector<int>& independent() const { return independent_; }
  [[nodiscard]] const Eigen::MatrixXd& G() const { return G_; }
  [[nodiscard]] const Eigen::VectorXd& gamma() const { return gamma_; }

 private:
  void choose(const Eigen::MatrixXd& K);

  int nv_;
  bool chosen_ = false;
  std::vector<int> rows_, dependent_, independent_;
  std::vector<std::vector<int>> groups_;
  Eigen::MatrixXd G_, A_;
  Eigen::VectorXd gamma_, demand_, answer_;
  closure::Orthogonal space_{0, 0};
};

}  // namespace linkwright::manipulator
