#include "linkwright/linear/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Eigenvalues>

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

/// Entries that are rounding beside the largest say nothing about units.
MatrixXd without_rounding(const MatrixXd& A) {
  const double most = A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff();
  return A.unaryExpr([most](double x) { return std::abs(x) <= 1e-12 * most ? 0 : std::abs(x); });
}

/// Off-diagonal sums of a state's column and row, over the states that take part.
struct Sums {
  double column = 0, row = 0;
};
Sums sums_of(const MatrixXd& A, const VectorXd& d, const std::vector<char>& takes_part, Index i) {
  Sums out;
  for (Index j = 0; j < A.rows(); ++j) {
    if (j == i || !takes_part[at(j)]) continue;
    out.column += A(j, i) * d[i] / d[j];
    out.row += A(i, j) * d[j] / d[i];
  }
  return out;
}

/// The state that nothing else depends on, or that depends on nothing else, among those that take part; −1.
Index find_end(const MatrixXd& A, const VectorXd& d, const std::vector<char>& takes_part) {
  for (Index i = 0; i < A.rows(); ++i) {
    if (!takes_part[at(i)]) continue;
    const Sums sums = sums_of(A, d, takes_part, i);
    if (sums.column == 0 || sums.row == 0) return i;
  }
  return -1;
}

/// One sweep of Parlett and Reinsch's scaling; whether it changed anything.
bool balance_core(const MatrixXd& A, const std::vector<char>& takes_part, VectorXd& d) {
  bool changed = false;
  for (Index i = 0; i < A.rows(); ++i) {
    if (!takes_part[at(i)]) continue;
    const Sums sums = sums_of(A, d, takes_part, i);
    const double factor = std::exp2(std::round(std::log2(sums.row / sums.column) / 2));
    if (sums.column * factor + sums.row / factor >= 0.95 * (sums.column + sums.row)) continue;
    d[i] *= factor;
    changed = true;
  }
  return changed;
}

/// The largest scaled entry among the states that take part; of all, where none does.
double largest_entry(const MatrixXd& A, const std::vector<char>& takes_part, const VectorXd& d) {
  double most = 0;
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < A.rows(); ++j)
      if (takes_part[at(i)] && takes_part[at(j)]) most = std::max(most, A(i, j) * d[j] / d[i]);
  return most > 0 || A.size() == 0 ? most : A.maxCoeff();
}

/// Powers of two d so that rows and columns of d⁻¹ A d have like sums. States at an end, which nothing depends
/// on or which depend on nothing, are set aside first, one after the other; scaled back in, last first, their sum
/// is as large as any other entry.
VectorXd balance(const MatrixXd& given) {
  const MatrixXd A = without_rounding(given);
  VectorXd d = VectorXd::Ones(A.rows());
  std::vector<char> takes_part(at(A.rows()), 1);
  std::vector<Index> ends;
  for (Index end = find_end(A, d, takes_part); end >= 0; end = find_end(A, d, takes_part)) {
    ends.push_back(end);
    takes_part[at(end)] = 0;
  }
  for (int sweep = 0; sweep < 100 && balance_core(A, takes_part, d); ++sweep) continue;
  const double most = largest_entry(A, takes_part, d);
  for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
    const Sums sums = sums_of(A, d, takes_part, *end);
    if (sums.row > 0) d[*end] = std::exp2(std::round(std::log2(sums.row / most)));
    if (sums.column > 0) d[*end] = std::exp2(std::round(std::log2(most / sums.column)));
    takes_part[at(*end)] = 1;
  }
  return d;
}

MatrixXd scaled(const MatrixXd& A, const VectorXd& d) {
  return d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
}

double size_of(const MatrixXd& A) { return A.size() == 0 ? 0 : A.norm(); }

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

/// Every column at unit length; those that are zero stay so.
MatrixXd unit_columns(MatrixXd B) {
  for (Index j = 0; j < B.cols(); ++j)
    if (const double length = B.col(j).norm(); length > 0) B.col(j) /= length;
  return B;
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
Reach reach(MatrixXd A, const MatrixXd& B, double step, const std::vector<std::string>& names,
            const VectorXd& unit) {
  const Index n = A.rows();
  MatrixXd Q = MatrixXd::Identity(n, n), next = unit_columns(B);
  const double size = size_of(A);
  Reach out;
  out.weakest = 1;
  Index done = 0;
  double scale = 1;  // of the first step; then |A|
  while (done < n && next.cols() > 0) {
    const Eigen::JacobiSVD<MatrixXd> svd(next, Eigen::ComputeFullU);
    const VectorXd values = svd.singularValues() / (scale > 0 ? scale : 1);
    Index rank = 0;
    while (rank < values.size() && values[rank] > rank_tolerance) ++rank;
    if (rank > 0) out.weakest = std::min(out.weakest, values[rank - 1]);
    if (rank < values.size()) out.dropped = std::max(out.dropped, values[rank]);
    if (rank == 0) break;
    const MatrixXd& U = svd.matrixU();
    const Index left = n - done;
    A.bottomRows(left) = (U.transpose() * A.bottomRows(left)).eval();
    A.rightCols(left) = (A.rightCols(left) * U).eval();
    Q.rightCols(left) = (Q.rightCols(left) * U).eval();
    next = A.block(done + rank, done, left - rank, rank);
    done += rank, scale = size;
  }
  out.rank = static_cast<int>(done);
  const MatrixXd beyond = A.bottomRightCorner(n - done, n - done).transpose();
  out.missed =
      modes_of(from_rates(beyond, step), step, names, unit.asDiagonal() * Q.rightCols(n - done));
  return out;
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
