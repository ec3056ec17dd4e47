#include "linkwright/coordinates/array.hpp"

#include <cmath>

#include <fmt/format.h>

#include "dynamics/door.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// That an array may have: 4 GiB.
constexpr double most_numbers = 512.0 * 1024 * 1024;

/// `size`, where planes · size^power numbers are not too many.
Index checked_size(Index planes, Index size, int power) {
  const double numbers = static_cast<double>(planes) * std::pow(static_cast<double>(size), power);
  if (numbers > most_numbers)
    throw Error(fmt::format(
        "an array of {} planes with {}^{} numbers takes {:.3g} GiB; expected at most {:.0f} GiB. "
        "Ask for "
        "products instead, which build no array (compute_frame_motion, compute_coriolis_matrix)",
        planes, size, power, numbers * 8 / std::exp2(30), most_numbers * 8 / std::exp2(30)));
  return size;
}

}  // namespace

Array::Array(Index planes, Index size)
    : size_(checked_size(planes, size, 2)), planes_(size * size, planes) {}

Array4::Array4(Index planes, Index size)
    : size_(checked_size(planes, size, 3)), planes_(size * size * size, planes) {}

Array quadratic(const Array& C, const ConstMatrixRef& D) {
  door::check_output(D.rows(), C.size(), "D");
  Array out(C.planes(), D.cols());
  MatrixXd CD(C.size(), D.cols());
  for (Index p = 0; p < C.planes(); ++p) {
    CD.noalias() = C.plane(p) * D;
    out.plane(p).noalias() = D.transpose() * CD;
  }
  return out;
}

void compute_quadratic(const Array& C, const ConstVectorRef& b, VectorRef out) {
  compute_bilinear(C, b, b, out);
}

Matrix weighted_sum(const ConstVectorRef& a, const Array& C) {
  door::check_output(a.size(), C.planes(), "a");
  Matrix out(C.size(), C.size());
  for (Index n = 0; n < C.planes(); ++n) out.view() += a[n] * C.plane(n);
  return out;
}

Array dot(const ConstMatrixRef& A, const Array& C) {
  door::check_output(A.cols(), C.planes(), "A");
  Array out(A.rows(), C.size());
  out.flat().noalias() = C.flat() * A.transpose();
  return out;
}

Array4 dot(const ConstMatrixRef& A, const Array4& C) {
  door::check_output(A.cols(), C.planes(), "A");
  Array4 out(A.rows(), C.size());
  out.flat().noalias() = C.flat() * A.transpose();
  return out;
}

Array transposed(const Array& C) {
  Array out(C.planes(), C.size());
  for (Index p = 0; p < C.planes(); ++p) out.plane(p) = C.plane(p).transpose();
  return out;
}

void compute_bilinear(const Array& C, const ConstVectorRef& a, const ConstVectorRef& b,
                      VectorRef out) {
  door::check_output(a.size(), C.size(), "a");
  door::check_output(b.size(), C.size(), "b");
  door::check_output(out.size(), C.planes(), "out");
  for (Index p = 0; p < C.planes(); ++p) out[p] = a.dot(C.plane(p) * b);
}

Matrix rate_along(const Array& C, const ConstVectorRef& b) {
  door::check_output(b.size(), C.size(), "b");
  Matrix out(C.planes(), C.size());
  for (Index p = 0; p < C.planes(); ++p) out.view().row(p) = (C.plane(p) * b).transpose();
  return out;
}

Array rate_along(const Array4& C, const ConstVectorRef& b) {
  door::check_output(b.size(), C.size(), "b");
  Array out(C.planes(), C.size());
  for (Index p = 0; p < C.planes(); ++p)
    for (Index k = 0; k < C.size(); ++k) out.plane(p) += b[k] * C.slice(p, k);
  return out;
}

Array4 cubic(const Array4& C, const ConstMatrixRef& D) {
  door::check_output(D.rows(), C.size(), "D");
  const Index n = C.size(), m = D.cols();
  Array4 out(C.planes(), m);
  MatrixXd once(m, n * n), twice(m * m, n), CD(m, m);
  for (Index p = 0; p < C.planes(); ++p) {
    once.noalias() = D.transpose() * C.block(p);  // i by a
    for (Index k = 0; k < n; ++k) {               // j by b
      CD.noalias() = once.middleCols(k * n, n) * D;
      twice.col(k) = CD.reshaped();
    }
    Eigen::Map<MatrixXd>(out.flat().col(p).data(), m * m, m).noalias() = twice * D;  // k by c
  }
  return out;
}

void compute_cubic(const Array4& C, const ConstVectorRef& b, VectorRef out) {
  door::check_output(b.size(), C.size(), "b");
  door::check_output(out.size(), C.planes(), "out");
  out.setZero();
  for (Index p = 0; p < C.planes(); ++p)
    for (Index k = 0; k < C.size(); ++k) out[p] += b[k] * b.dot(C.slice(p, k) * b);
}

}  // namespace linkwright::coordinates
