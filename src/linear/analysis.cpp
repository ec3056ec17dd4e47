#include "linkwright/linear/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "linear/staircase.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::linear {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Of A − λ, a vector that it almost sends to zero: two steps of inverse iteration.
VectorXcd near_null(const MatrixXd& A, Complex eigenvalue, double size) {
  MatrixXcd shifted = A.cast<Complex>();
  shifted.diagonal().array() -= eigenvalue + Complex(epsilon * size, epsilon * size);
  const Eigen::PartialPivLU<MatrixXcd> lu(shifted);
  VectorXcd x = VectorXcd::Ones(A.rows());
  for (Index i = 0; i < x.size(); ++i) x[i] += 0.1 * static_cast<double>(i);
  for (int step = 0; step < 3; ++step) {
    x = lu.solve(x);
    const double length = x.norm();
    if (!std::isfinite(length) || length == 0) return VectorXcd::Ones(A.rows()).normalized();
    x /= length;
  }
  return x;
}

/// Where m eigenvalues have met, rounding moves each by its m-th root: the largest m that are so near.
double meeting_part(const VectorXcd& all, Complex eigenvalue, double size, double rounding) {
  double part = std::sqrt(rounding);
  for (Index m = 3; m <= all.size(); ++m) {
    const double radius = std::pow(rounding, 1 / static_cast<double>(m));
    const auto near = ((all.array() - eigenvalue).abs() <= 2 * radius * size).count();
    if (near >= m) part = radius;
  }
  return part;
}

/// How far rounding may move an eigenvalue, from the angle between its left and right vectors; where they
/// are perpendicular some eigenvalues have met, and a root of rounding is what is left.
double uncertainty_of(const MatrixXd& A, const VectorXcd& all, Complex eigenvalue, double size) {
  const MatrixXd transposed = A.transpose();
  const VectorXcd right = near_null(A, eigenvalue, size);
  const VectorXcd left = near_null(transposed, std::conj(eigenvalue), size);
  const double along = std::abs(left.dot(right));
  const double rounding = 100 * epsilon;
  return size * std::min(rounding / std::max(along, epsilon),
                         meeting_part(all, eigenvalue, size, rounding));
}

/// Where a mode of a discrete model lies among those of continuous ones.
Complex to_continuous(Complex z, double step) { return step > 0 ? std::log(z) / step : z; }

Mode make_mode(Complex eigenvalue, double step) {
  const Complex lambda = to_continuous(eigenvalue, step);
  const double frequency = std::abs(lambda);
  return {eigenvalue,
          frequency,
          frequency > 0 ? -lambda.real() / frequency : std::numeric_limits<double>::quiet_NaN(),
          0,
          {}};
}

Index largest(const VectorXcd& x) {
  Index most = 0;
  x.cwiseAbs().maxCoeff(&most);
  return most;
}

/// All modes of A; `vectors`: in columns, the states that each of them moves.
std::vector<Mode> modes_of(const MatrixXd& A, double step, const std::vector<std::string>& names,
                           const MatrixXd& to_states) {
  std::vector<Mode> out;
  if (A.rows() == 0) return out;
  const Eigen::EigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success)
    throw Error("the eigenvalues of the linear model were not found: its numbers are too far apart",
                Error::Kind::failed_computation);
  const double size = size_of(A);
  const MatrixXcd vectors = to_states.cast<Complex>() * solver.eigenvectors();
  for (Index i = 0; i < A.rows(); ++i) {
    Mode mode = make_mode(solver.eigenvalues()[i], step);
    mode.uncertainty = uncertainty_of(A, solver.eigenvalues(), mode.eigenvalue, size);
    mode.state = names[at(largest(vectors.col(i)))];
    out.push_back(mode);
  }
  std::stable_sort(out.begin(), out.end(), [](const Mode& a, const Mode& b) {
    const double fa = std::abs(a.eigenvalue), fb = std::abs(b.eigenvalue);
    if (std::abs(fa - fb) > 1e-12 * (fa + fb)) return fa < fb;
    return a.eigenvalue.imag() > b.eigenvalue.imag();
  });
  return out;
}

/// What of a model decides what can be reached: of a discrete one how far a step leads, (A − 1)/step, so that
/// short steps reach as far as long ones.
MatrixXd rates_of(const LinearModel& model) {
  MatrixXd A = model.A.view();
  if (model.step <= 0) return A;
  A.diagonal().array() -= 1;
  return A / model.step;
}
MatrixXd from_rates(const MatrixXd& rates, double step) {
  if (step <= 0) return rates;
  return MatrixXd::Identity(rates.rows(), rates.cols()) + step * rates;
}

/// What can be reached from the columns of B along A (rates_of). Left vectors of what cannot name its modes.
Reach reach(const MatrixXd& A, const MatrixXd& B, double step,
            const std::vector<std::string>& names, const VectorXd& unit) {
  const Staircase stairs = take_stairs(A, B);
  const Index n = A.rows(), beyond = n - stairs.rank;
  return {static_cast<int>(stairs.rank), stairs.weakest, stairs.dropped,
          modes_of(from_rates(stairs.A.bottomRightCorner(beyond, beyond).transpose(), step), step,
                   names, unit.asDiagonal() * stairs.Q.rightCols(beyond))};
}

/// The real part that tells growth, and how sure it is.
double growth(const Mode& mode, double step) {
  return step > 0 ? std::abs(mode.eigenvalue) - 1 : mode.eigenvalue.real();
}

}  // namespace

Analysis analyse(const LinearModel& model) {
  const MatrixXd rates = rates_of(model);
  const VectorXd d = balance(rates);
  const MatrixXd A = scaled(model.A.view(), d), along = scaled(rates, d);
  const MatrixXd B = d.cwiseInverse().asDiagonal() * model.B.view();
  const MatrixXd C = (model.C.view() * d.asDiagonal()).transpose();
  Analysis out;
  out.modes = modes_of(A, model.step, model.states, d.asDiagonal());
  for (const Mode& mode : out.modes) {
    const double grows = growth(mode, model.step);
    if (grows > mode.uncertainty) out.unstable.push_back(mode);
    if (std::abs(grows) <= mode.uncertainty) out.undecided.push_back(mode);
  }
  out.controllability = reach(along, B, model.step, model.states, d.cwiseInverse());
  out.observability = reach(along.transpose(), C, model.step, model.states, d);
  out.controllability_rank = out.controllability.rank;
  out.observability_rank = out.observability.rank;
  return out;
}

}  // namespace linkwright::linear
