#include "closure/rank/orthogonal.hpp"

#include <algorithm>
#include <numeric>

#include "dynamics/instruction_set.hpp"

namespace linkwright::closure {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Index packed(int columns) { return PackedRows::packed(columns); }

/// The first rows and columns of a matrix whose rows are whole packs.
template <class Rows>
PackedRows part(Rows& A, Index rows, Index columns) {
  return {A.data(), static_cast<int>(rows), static_cast<int>(columns), A.cols()};
}

}  // namespace

const OrthogonalKernels& orthogonal_kernels() {
  return LINKWRIGHT_CHOOSE_TABLE(orthogonal_kernels);
}

Orthogonal::Turns::Turns(int rows, int count)
    : w(Matrix::Zero(rows, count)), beta(Vector::Zero(count)) {}

Reflections Orthogonal::Turns::all() { return {w.data(), beta.data(), static_cast<int>(w.rows())}; }

void Orthogonal::Turns::apply(Index k, Eigen::Ref<Vector> y) const {
  const Index below = w.rows() - k - 1;
  const auto tail = w.col(k).tail(below);
  const double along = beta[k] * (y[k] + tail.dot(y.tail(below)));
  y[k] -= along;
  y.tail(below) -= along * tail;
}

Orthogonal::Orthogonal(int n, int m)
    : n_(n),
      m_(m),
      R_(Rows::Zero(n, packed(m))),
      T_(Rows::Zero(m, packed(std::min(n, m)))),
      Q1_(n, std::min(n, m)),
      Q2_(m, std::min(n, m)),
      many_(std::max(n, m), packed(std::max(n, m))),
      room_n_(Vector::Zero(n)),
      room_m_(Vector::Zero(m)),
      left_(static_cast<std::size_t>(packed(m))),
      order_(static_cast<std::size_t>(m)) {}

void Orthogonal::compute(const Eigen::Ref<const Matrix>& A, double threshold) {
  R_.leftCols(m_) = A;
  std::iota(order_.begin(), order_.end(), 0);
  pivots_ = orthogonal_kernels().decompose(part(R_, n_, m_), Q1_.all(), order_.data(), left_.data(),
                                           threshold);
  const Index r = rank();
  if (r == 0 || r == m_) return;
  T_.setZero();
  for (Index i = 0; i < r; ++i) T_.col(i).tail(m_ - i) = R_.row(i).segment(i, m_ - i).transpose();
  orthogonal_kernels().reflect_columns(part(T_, m_, r), Q2_.all(), static_cast<int>(r));
}

void Orthogonal::null_basis(Eigen::Ref<Matrix> out) {
  const Index free = n_ - rank();
  many_.setZero();
  for (Index j = 0; j < free; ++j) many_(rank() + j, j) = 1;
  orthogonal_kernels().turn(Q1_.all(), rank(), part(many_, n_, free));
  out = many_.topLeftCorner(n_, free);
}

void Orthogonal::row_basis(Eigen::Ref<Matrix> out) {
  many_.setZero();
  for (Index i = 0; i < rank(); ++i) many_(i, i) = 1;
  if (rank() < m_) orthogonal_kernels().turn(Q2_.all(), rank(), part(many_, m_, rank()));
  for (Index k = 0; k < m_; ++k) out.row(column(static_cast<int>(k))) = many_.row(k).head(rank());
}

void Orthogonal::solve_rows(const Eigen::Ref<const Vector>& b, Eigen::Ref<Vector> x) {
  Vector& c = room_m_;
  for (Index k = 0; k < m_; ++k) c[k] = b[column(static_cast<int>(k))];
  x.setZero();
  const Index r = rank();
  if (r == m_) {  // Rᵀ y = c
    for (Index i = 0; i < r; ++i) x[i] = (c[i] - R_.col(i).head(i).dot(x.head(i))) / R_(i, i);
  } else {  // Q2 T y = c in the least-squares sense
    for (Index k = 0; k < r; ++k) Q2_.apply(k, c);
    for (Index i = r - 1; i >= 0; --i)
      x[i] =
          (c[i] - T_.row(i).segment(i + 1, r - i - 1).dot(x.segment(i + 1, r - i - 1))) / T_(i, i);
  }
  for (Index k = r - 1; k >= 0; --k) Q1_.apply(k, x);
}

void Orthogonal::solve_all_rows(Eigen::Ref<Matrix> X) {
  const Index r = rank();
  many_.setZero();
  for (Index k = 0; k < m_; ++k) many_(k, column(static_cast<int>(k))) = 1;
  if (r == m_) {
    orthogonal_kernels().solve_transposed(part(R_, n_, m_), part(many_, r, m_));
  } else {
    orthogonal_kernels().turn_back(Q2_.all(), static_cast<int>(r), part(many_, m_, m_));
    orthogonal_kernels().solve(part(T_, m_, r), part(many_, r, m_));
    many_.bottomRows(many_.rows() - r).setZero();
  }
  orthogonal_kernels().turn(Q1_.all(), static_cast<int>(r), part(many_, n_, m_));
  X = many_.topLeftCorner(n_, m_);
}

void Orthogonal::solve_columns(const Eigen::Ref<const Vector>& f, Eigen::Ref<Vector> y) {
  Vector& g = room_n_;
  g = f;
  const Index r = rank();
  for (Index k = 0; k < r; ++k) Q1_.apply(k, g);
  Vector& z = room_m_;
  z.setZero();
  if (r == m_) {
    for (Index i = r - 1; i >= 0; --i)
      z[i] =
          (g[i] - R_.row(i).segment(i + 1, r - i - 1).dot(z.segment(i + 1, r - i - 1))) / R_(i, i);
  } else {  // (Q2 T)ᵀ z = g: z = Q2 T⁻ᵀ g is the shortest
    for (Index i = 0; i < r; ++i) z[i] = (g[i] - T_.col(i).head(i).dot(z.head(i))) / T_(i, i);
    for (Index k = r - 1; k >= 0; --k) Q2_.apply(k, z);
  }
  for (Index k = 0; k < m_; ++k) y[column(static_cast<int>(k))] = z[k];
}

}  // namespace linkwright::closure
