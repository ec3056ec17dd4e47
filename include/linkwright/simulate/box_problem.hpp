#pragma once
/// The small complementarity problem behind friction and stops: forces within bounds, motions that follow
/// from them.
///
///     linkwright::BoxProblem problem(2);
///     problem.solve(2, R, w0, lower, upper, f, w);
///
/// Given    w0 = motions without forces, R = response of the motions to unit forces (symmetric, positive
///          semidefinite, singular where freedoms depend on each other), bounds lower ≤ upper, some infinite
/// Computes f within the bounds and w = w0 + R f such that
///            w = 0 where lower < f < upper,  w ≥ 0 where f = lower,  w ≤ 0 where f = upper:
///          the minimum of ½ fᵀ R f + w0ᵀ f in the box, by a primal active set. w is unique; f is where R
///          has full rank.
/// Cost     O(n³) for each change of the active set, of which there are finitely many; allocates nothing.

#include <vector>

#include <Eigen/Core>

namespace linkwright {

/// Solves R x = b for a part of the freedoms, by Cholesky's method with diagonal pivots; freedoms that
/// depend on others get x = 0. R is scaled to a unit diagonal first.
class DependentSolve {
 public:
  explicit DependentSolve(Eigen::Index most);
  ~DependentSolve();
  DependentSolve(const DependentSolve&) = delete;
  DependentSolve& operator=(const DependentSolve&) = delete;

  /// Of the rows and columns `which` of R. Answers the rank.
  int factorise(const Eigen::MatrixXd& R, const std::vector<int>& which);
  /// x[i] and b[i] speak of which[i].
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x);

 private:
  Eigen::MatrixXd L_;
  Eigen::VectorXd scale_, y_;
  std::vector<int> order_;
  int count_ = 0, rank_ = 0;
};

/// Motions below this part of the motions without forces are rounding.
constexpr double box_rounding = 1e-12;

class BoxProblem {
 public:
  explicit BoxProblem(Eigen::Index most);
  ~BoxProblem();
  BoxProblem(const BoxProblem&) = delete;
  BoxProblem& operator=(const BoxProblem&) = delete;

  enum class Side { lower, within, upper };
  /// Of the first n rows. Answers whether there is a solution: where w0 presses without end against an
  /// infinite bound that R does not resist, there is none.
  bool solve(Eigen::Index n, const Eigen::MatrixXd& R, const Eigen::VectorXd& w0,
             const Eigen::VectorXd& lower, const Eigen::VectorXd& upper, Eigen::VectorXd& f,
             Eigen::VectorXd& w);
  /// Where the force of the last solution stands.
  [[nodiscard]] Side side(Eigen::Index i) const { return sides_[static_cast<std::size_t>(i)]; }
  /// Motions of the last solution below this are rounding, for freedom i.
  [[nodiscard]] double rounding(Eigen::Index i) const { return rounding_[i]; }

 private:
  void begin(Eigen::Index n, const Eigen::MatrixXd& R, const Eigen::VectorXd& w0,
             const Eigen::VectorXd& lower, const Eigen::VectorXd& upper, Eigen::VectorXd& f);
  /// Lets go the bound that hinders most; answers whether there is one. `first`: the first one instead,
  /// which never goes in circles.
  bool release(const Eigen::VectorXd& w, bool first);

  DependentSolve solver_;
  std::vector<Side> sides_;
  std::vector<int> within_;
  Eigen::VectorXd rounding_, right_, step_;
  Eigen::Index n_ = 0;
};

}  // namespace linkwright
