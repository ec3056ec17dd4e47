#pragma once
/// Matrices and arrays of three and four dimensions as results: they own their numbers, Eigen sees them by
/// view(), plane() and slice().
///
///     linkwright::coordinates::Array H(3, 4);              // 3 planes of 4 × 4, zeros
///     H.plane(2)(0, 1) = 0.5;
///     Eigen::VectorXd bias = quadratic_form(H, rates);          // ratesᵀ [H] rates, one number per plane
///
/// Why not Eigen's own: what the library allocates the caller frees, and Eigen's memory depends on the
/// flags either was compiled with. The operations are those of Freeman's appendix A, and what the third
/// order needs besides.

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
  /// Zeros. Throws Error where they take more than 4 GiB.
  Array(Eigen::Index planes, Eigen::Index size);

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

/// `planes` blocks of size × size × size each. Block p holds its slices one behind the other, each by
/// columns: (p, i, j, k) is number i + size · (j + size · k) of the block.
class Array4 {
 public:
  Array4() = default;
  /// Zeros. Throws Error where they take more than 4 GiB.
  Array4(Eigen::Index planes, Eigen::Index size);

  [[nodiscard]] Eigen::Index planes() const { return planes_.cols(); }
  [[nodiscard]] Eigen::Index size() const { return size_; }
  /// Entries (i, j) of block p at k.
  [[nodiscard]] Eigen::Map<const Eigen::MatrixXd> slice(Eigen::Index p, Eigen::Index k) const {
    return {planes_.view().data() + (p * size_ + k) * size_ * size_, size_, size_};
  }
  [[nodiscard]] Eigen::Map<Eigen::MatrixXd> slice(Eigen::Index p, Eigen::Index k) {
    return {planes_.view().data() + (p * size_ + k) * size_ * size_, size_, size_};
  }
  /// Block p with (j, k) counted together: size × size².
  [[nodiscard]] Eigen::Map<const Eigen::MatrixXd> block(Eigen::Index p) const {
    return {planes_.view().data() + p * size_ * size_ * size_, size_, size_ * size_};
  }
  [[nodiscard]] Eigen::Map<Eigen::MatrixXd> block(Eigen::Index p) {
    return {planes_.view().data() + p * size_ * size_ * size_, size_, size_ * size_};
  }
  /// A block in each column: size³ × planes.
  [[nodiscard]] Eigen::Map<const Eigen::MatrixXd> flat() const { return planes_.view(); }
  [[nodiscard]] Eigen::Map<Eigen::MatrixXd> flat() { return planes_.view(); }
  [[nodiscard]] double operator()(Eigen::Index plane, Eigen::Index i, Eigen::Index j,
                                  Eigen::Index k) const {
    return planes_(i + size_ * (j + size_ * k), plane);
  }

 private:
  Eigen::Index size_ = 0;
  Matrix planes_;
};

// Appendix A.

/// [D]ᵀ [C] [D], plane by plane (A.1).
Array quadratic(const Array& C, const ConstMatrixRef& D);
/// bᵀ [C] b, one number per plane (A.2).
void compute_quadratic(const Array& C, const ConstVectorRef& b, VectorRef out);
/// ([a] • [C]): the matrix Σ a(n) · plane n of C, for one row a (A.3).
Matrix weighted_sum(const ConstVectorRef& a, const Array& C);
/// ([A] • [C]): plane p is Σ A(p, n) · plane n of C (A.3, A.4).
Array dot(const ConstMatrixRef& A, const Array& C);
Array4 dot(const ConstMatrixRef& A, const Array4& C);

// What third-order kinematics adds (2-32)–(2-44).

/// [C]ᵀ, plane by plane.
Array transposed(const Array& C);
/// aᵀ [C] b, one number per plane.
void compute_bilinear(const Array& C, const ConstVectorRef& a, const ConstVectorRef& b,
                      VectorRef out);
/// [C] b, planes × size: row p is (plane p · b)ᵀ. Of [H] it is the rate of [G] along b.
Matrix rate_along(const Array& C, const ConstVectorRef& b);
/// Σ_k b(k) · slice k of each block: of [D] it is the rate of [H] along b.
Array rate_along(const Array4& C, const ConstVectorRef& b);
/// All three lower indices by D: Σ C(p, i, j, k) D(i, ·) D(j, ·) D(k, ·).
Array4 cubic(const Array4& C, const ConstMatrixRef& D);
/// (bᵀ [C] b) b, one number per plane.
void compute_cubic(const Array4& C, const ConstVectorRef& b, VectorRef out);

// As values.
inline Eigen::VectorXd quadratic_form(const Array& C, const Eigen::VectorXd& b) {
  Eigen::VectorXd out(C.planes());
  compute_quadratic(C, b, out);
  return out;
}
inline Eigen::VectorXd bilinear_form(const Array& C, const Eigen::VectorXd& a,
                                     const Eigen::VectorXd& b) {
  Eigen::VectorXd out(C.planes());
  compute_bilinear(C, a, b, out);
  return out;
}
inline Eigen::VectorXd cubic_form(const Array4& C, const Eigen::VectorXd& b) {
  Eigen::VectorXd out(C.planes());
  compute_cubic(C, b, out);
  return out;
}

}  // namespace linkwright::coordinates
