#pragma once
/// Matrices and three-dimensional arrays as results: they own their numbers, Eigen sees them by view().
///
///     linkwright::coordinates::Array H(3, 4);              // 3 planes of 4 × 4, zeros
///     H.plane(2)(0, 1) = 0.5;
///     Eigen::VectorXd bias = quadratic_form(H, rates);          // ratesᵀ [H] rates, one number per plane
///
/// Why not Eigen's own: what the library allocates the caller frees, and Eigen's memory depends on the
/// flags either was compiled with. The operations are those of Freeman's appendix A.

#include <vector>

#include "linkwright/dynamics/state.hpp"

namespace linkwright::coordinates {

class Matrix {
 public:
  Matrix() = default;
  /// Zeros.
  Matrix(Eigen::Index rows, Eigen::Index cols)
      : rows_(rows), cols_(cols), numbers_(static_cast<std::size_t>(rows * cols), 0.0) {}
  /// A copy of any Eigen expression.
  template <class Derived>
  Matrix(const Eigen::MatrixBase<Derived>& from) : Matrix(from.rows(), from.cols()) {
    view() = from;
  }

  [[nodiscard]] Eigen::Index rows() const { return rows_; }
  [[nodiscard]] Eigen::Index cols() const { return cols_; }
  [[nodiscard]] Eigen::Map<const Eigen::MatrixXd> view() const {
    return {numbers_.data(), rows_, cols_};
  }
  [[nodiscard]] Eigen::Map<Eigen::MatrixXd> view() { return {numbers_.data(), rows_, cols_}; }
  [[nodiscard]] double operator()(Eigen::Index i, Eigen::Index j) const { return view()(i, j); }

 private:
  Eigen::Index rows_ = 0, cols_ = 0;
  std::vector<double> numbers_;
};

/// `planes` matrices of size × size each.
class Array {
 public:
  Array() = default;
  /// Zeros.
  Array(Eigen::Index planes, Eigen::Index size) : size_(size), planes_(size * size, planes) {}

  [[nodiscard]] Eigen::Index planes() const { return planes_.cols(); }
  [[nodiscard]] Eigen::Index size() const { return size_; }
  [[nodiscard]] Eigen::Map<const Eigen::MatrixXd> plane(Eigen::Index i) const {
    return {planes_.view().data() + i * size_ * size_, size_, size_};
  }
  [[nodiscard]] Eigen::Map<Eigen::MatrixXd> plane(Eigen::Index i) {
    return {planes_.view().data() + i * size_ * size_, size_, size_};
  }
  /// A plane in each column: size² × planes.
  [[nodiscard]] Eigen::Map<const Eigen::MatrixXd> flat() const { return planes_.view(); }
  [[nodiscard]] Eigen::Map<Eigen::MatrixXd> flat() { return planes_.view(); }
  [[nodiscard]] double operator()(Eigen::Index plane, Eigen::Index i, Eigen::Index j) const {
    return planes_(i + j * size_, plane);
  }

 private:
  Eigen::Index size_ = 0;
  Matrix planes_;
};

/// ([A] • [C]): plane p is Σ A(p, n) · plane n of C (appendix A.3, A.4).
Array dot(const ConstMatrixRef& A, const Array& C);
/// [D]ᵀ [C] [D], plane by plane (appendix A.1).
Array quadratic(const Array& C, const ConstMatrixRef& D);
/// bᵀ [C] b, one number per plane (appendix A.2).
void compute_quadratic(const Array& C, const ConstVectorRef& b, VectorRef out);
inline Eigen::VectorXd quadratic_form(const Array& C, const Eigen::VectorXd& b) {
  Eigen::VectorXd out(C.planes());
  compute_quadratic(C, b, out);
  return out;
}

}  // namespace linkwright::coordinates
