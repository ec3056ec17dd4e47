#include "closed/closed_truth.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>

#include "agreement.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"

namespace bench {
namespace {

using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// Pivots of J below this, relative, belong to redundant rows: J itself is known to 1e-16.
constexpr long double redundant = 1e-9L;

/// min ½ aᵀ M a − forceᵀ a subject to J a = −bias.
Vector solve(const Matrix& M, const Vector& force, const Matrix& J, const Vector& bias) {
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(redundant);
  qr.compute(J.transpose());
  const Eigen::Index rank = qr.rank(), n = M.rows();
  const Matrix Q = qr.householderQ() * Matrix::Identity(n, n);
  const Matrix N = Q.rightCols(n - rank);
  // Jᵀ P = Q₁ R: the first `rank` permuted rows of J a = −bias determine Q₁ᵀ a.
  const Vector right = (qr.colsPermutation().transpose() * -bias).head(rank);
  const Matrix R = qr.matrixR().topLeftCorner(rank, rank);
  const Vector along = R.transpose().template triangularView<Eigen::Lower>().solve(right);
  const Vector particular = Q.leftCols(rank) * along;
  const Matrix reduced = N.transpose() * M * N;
  const Vector left = N.transpose() * (force - M * particular);
  return particular + N * Eigen::LDLT<Matrix>(reduced).solve(left);
}

}  // namespace

ClosedTruth::ClosedTruth(linkwright::ClosedWorkspace& work, const ClosedState& state)
    : J_(work.rows(), work.system().nv()), bias_(work.rows()) {
  const Eigen::Index n = work.system().nv();
  Eigen::MatrixXd M(n, n);
  Eigen::VectorXd c(n);
  compute_mass_matrix(work.tree(), state.state.q, M);
  compute_bias(work.tree(), state.state, c);
  compute_closure_jacobian(work, state.state.q, J_);
  compute_closure_bias(work, state.state, bias_);
  a_ = solve(M.cast<long double>(), (state.tau - c).cast<long double>(), J_.cast<long double>(),
             bias_.cast<long double>())
           .cast<double>();
}

Quality ClosedTruth::judge(const Eigen::VectorXd& a) const {
  const double largest = a_.lpNorm<Eigen::Infinity>();
  return {(J_ * a + bias_).lpNorm<Eigen::Infinity>() / std::max(1.0, largest),
          (a - a_).lpNorm<Eigen::Infinity>() / largest};
}

Quality worse(const Quality& x, const Quality& y) {
  return {worse(x.residual, y.residual), worse(x.error, y.error)};
}

}  // namespace bench
