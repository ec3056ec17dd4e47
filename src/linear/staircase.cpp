#include "linear/staircase.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linkwright/linear/analysis.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

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

/// Every column at unit length; those that are zero stay so.
MatrixXd unit_columns(MatrixXd B) {
  for (Index j = 0; j < B.cols(); ++j)
    if (const double length = B.col(j).norm(); length > 0) B.col(j) /= length;
  return B;
}

}  // namespace

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

Staircase take_stairs(const MatrixXd& given, const MatrixXd& B) {
  const Index n = given.rows();
  Staircase out{given, MatrixXd::Identity(n, n)};
  MatrixXd& A = out.A;
  MatrixXd next = unit_columns(B);
  const double size = size_of(A);
  double scale = 1;  // of the first step; then |A|
  while (out.rank < n && next.cols() > 0) {
    const Eigen::JacobiSVD<MatrixXd> svd(next, Eigen::ComputeFullU);
    const VectorXd values = svd.singularValues() / (scale > 0 ? scale : 1);
    Index rank = 0;
    while (rank < values.size() && values[rank] > rank_tolerance) ++rank;
    if (rank > 0) out.weakest = std::min(out.weakest, values[rank - 1]);
    if (rank < values.size()) out.dropped = std::max(out.dropped, values[rank]);
    if (rank == 0) break;
    const MatrixXd& U = svd.matrixU();
    const Index left = n - out.rank;
    A.bottomRows(left) = (U.transpose() * A.bottomRows(left)).eval();
    A.rightCols(left) = (A.rightCols(left) * U).eval();
    out.Q.rightCols(left) = (out.Q.rightCols(left) * U).eval();
    next = A.block(out.rank + rank, out.rank, left - rank, rank);
    out.rank += rank, scale = size;
  }
  return out;
}

}  // namespace linkwright::linear
