#include "closure/rank/orthogonal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace linkwright::closure {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Turns column k of A, from row k on, into a multiple of the first unit vector. The reflection is
/// 1 − beta w wᵀ with w = [1; what is left below the diagonal]; returns beta.
double reflect_column(Matrix& A, Index k) {
  auto x = A.col(k).tail(A.rows() - k);
  const double size = x.norm();
  if (size == 0) return 0;
  const double alpha = x[0] > 0 ? -size : size;
  const double first = x[0] - alpha;
  x.tail(x.size() - 1) /= first;
  x[0] = alpha;
  return -first / alpha;
}
/// y ← (1 − beta w wᵀ) y for the reflection kept in column k.
template <class Y>
void apply_reflection(const Matrix& A, double beta, Index k, Y&& y) {
  const auto w = A.col(k).tail(A.rows() - k - 1);
  const Index below = w.size();
  const double along = y[k] + w.dot(y.tail(below));
  y[k] -= beta * along;
  y.tail(below) -= (beta * along) * w;
}

}  // namespace

Orthogonal::Orthogonal(int n, int m)
    : n_(n),
      m_(m),
      QR_(Matrix::Zero(n, m)),
      T_(Matrix::Zero(m, std::min(n, m))),
      beta_(Vector::Zero(std::min(n, m))),
      beta2_(Vector::Zero(std::min(n, m))),
      size_(Vector::Zero(m)),
      room_n_(Vector::Zero(n)),
      room_m_(Vector::Zero(m)),
      order_(static_cast<std::size_t>(m)) {}

void Orthogonal::compute(const Eigen::Ref<const Matrix>& A, double threshold) {
  QR_ = A;
  for (Index j = 0; j < m_; ++j) size_[j] = A.col(j).norm();
  std::iota(order_.begin(), order_.end(), 0);
  decompose(threshold);
  if (rank_ == 0 || rank_ == m_) return;
  for (Index i = 0; i < rank_; ++i) {
    T_.col(i).setZero();
    T_.col(i).tail(m_ - i) = QR_.row(i).tail(m_ - i).transpose();
  }
  for (Index k = 0; k < rank_; ++k) {
    beta2_[k] = reflect_column(T_, k);
    for (Index j = k + 1; j < rank_; ++j) apply_reflection(T_, beta2_[k], k, T_.col(j));
  }
}

void Orthogonal::decompose(double threshold) {
  const double largest = size_.size() == 0 ? 0 : size_.maxCoeff();
  rank_ = 0;
  smallest_kept_ = 1, largest_dropped_ = 0;
  for (int k = 0; k < std::min(n_, m_); ++k) {
    take_largest_column(k);
    const double rest = QR_.col(k).tail(n_ - k).norm();
    const double relative = largest > 0 ? rest / largest : 0;
    if (relative <= threshold) {
      largest_dropped_ = relative;
      return;
    }
    smallest_kept_ = std::min(smallest_kept_, relative);
    beta_[k] = reflect_column(QR_, k);
    for (Index j = k + 1; j < m_; ++j) apply_reflection(QR_, beta_[k], k, QR_.col(j));
    rank_ = k + 1;
  }
}

void Orthogonal::take_largest_column(int k) {
  int best = k;
  double most = -1;
  for (int j = k; j < m_; ++j) {
    const double rest = QR_.col(j).tail(n_ - k).squaredNorm();
    // A later column must be larger by more than rounding, so that the choice does not depend on it.
    if (rest > most * (1 + 1e-9)) best = j, most = rest;
  }
  if (best == k) return;
  QR_.col(k).swap(QR_.col(best));
  std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(best)]);
}

void Orthogonal::null_basis(Eigen::Ref<Matrix> out) const {
  out.setZero();
  for (Index j = 0; j < n_ - rank_; ++j) {
    auto column = out.col(j);
    column[rank_ + j] = 1;
    for (Index k = rank_ - 1; k >= 0; --k) apply_reflection(QR_, beta_[k], k, column);
  }
}

void Orthogonal::row_basis(Eigen::Ref<Matrix> out) const {
  out.setZero();
  Vector unit(m_);
  for (Index i = 0; i < rank_; ++i) {
    unit.setZero();
    unit[i] = 1;
    if (rank_ < m_)
      for (Index k = rank_ - 1; k >= 0; --k) apply_reflection(T_, beta2_[k], k, unit);
    for (Index k = 0; k < m_; ++k) out(order_[static_cast<std::size_t>(k)], i) = unit[k];
  }
}

void Orthogonal::solve_rows(const Eigen::Ref<const Vector>& b, Eigen::Ref<Vector> x) {
  Vector& c = room_m_;
  for (Index k = 0; k < m_; ++k) c[k] = b[order_[static_cast<std::size_t>(k)]];
  x.setZero();
  if (rank_ == m_) {  // Rᵀ y = c
    for (Index i = 0; i < rank_; ++i) x[i] = (c[i] - QR_.col(i).head(i).dot(x.head(i))) / QR_(i, i);
  } else {  // Q2 T y = c in the least-squares sense
    for (Index k = 0; k < rank_; ++k) apply_reflection(T_, beta2_[k], k, c);
    for (Index i = rank_ - 1; i >= 0; --i) {
      double left = c[i];
      for (Index j = i + 1; j < rank_; ++j) left -= T_(i, j) * x[j];
      x[i] = left / T_(i, i);
    }
  }
  for (Index k = rank_ - 1; k >= 0; --k) apply_reflection(QR_, beta_[k], k, x);
}

void Orthogonal::solve_columns(const Eigen::Ref<const Vector>& f, Eigen::Ref<Vector> y) {
  Vector& g = room_n_;
  g = f;
  for (Index k = 0; k < rank_; ++k) apply_reflection(QR_, beta_[k], k, g);
  Vector& z = room_m_;
  z.setZero();
  if (rank_ == m_) {
    for (Index i = rank_ - 1; i >= 0; --i) {
      double left = g[i];
      for (Index j = i + 1; j < rank_; ++j) left -= QR_(i, j) * z[j];
      z[i] = left / QR_(i, i);
    }
  } else {  // (Q2 T)ᵀ z = g: z = Q2 T⁻ᵀ g is the shortest
    for (Index i = 0; i < rank_; ++i) z[i] = (g[i] - T_.col(i).head(i).dot(z.head(i))) / T_(i, i);
    for (Index k = rank_ - 1; k >= 0; --k) apply_reflection(T_, beta2_[k], k, z);
  }
  for (Index k = 0; k < m_; ++k) y[order_[static_cast<std::size_t>(k)]] = z[k];
}

}  // namespace linkwright::closure
