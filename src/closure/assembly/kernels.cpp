// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include <algorithm>
#include <cmath>

#include "closure/assembly/correction_kernels.hpp"
#include "linkwright/spatial/pack.hpp"

namespace linkwright::closure {
inline namespace LINKWRIGHT_ISA {

/// A register: packs that are split in halves cost six times as many instructions here.
using Lanes = spatial::Pack<double, static_cast<int>(spatial::register_bytes / sizeof(double))>;

/// to −= x from, `count` numbers rounded up to whole packs.
LINKWRIGHT_INLINE void subtract(double x, const double* from, std::ptrdiff_t count, double* to) {
  for (std::ptrdiff_t i = 0; i < count; i += Lanes::size)
    (Lanes::load(to + i) - x * Lanes::load(from + i)).store(to + i);
}
LINKWRIGHT_INLINE void scale(double x, std::ptrdiff_t count, double* to) {
  for (std::ptrdiff_t i = 0; i < count; i += Lanes::size) (x * Lanes::load(to + i)).store(to + i);
}

/// gram = Σ x xᵀ over all freedoms' rows x of X. Most of a joint's numbers are zero: it moves few rows.
LINKWRIGHT_INLINE void square(const CorrectionNumbers& c, const double* X, double* gram) {
  std::fill_n(gram, c.used * c.stride, 0.0);
  for (int k = 0; k < c.freedoms; ++k) {
    const double* x = X + k * c.stride;
    for (int i = 0; i < c.used; ++i)
      if (x[i] != 0) subtract(-x[i], x, c.stride, gram + i * c.stride);
  }
}

bool judge(CorrectionNumbers& c, const double* column_scale, double margin, double& smallest,
           int& weakest) {
  for (int k = 0; k < c.freedoms; ++k)
    for (std::ptrdiff_t i = 0; i < c.stride; i += Lanes::size)
      (column_scale[k] * Lanes::load(c.J.data() + k * c.stride + i) *
       Lanes::load(c.row_scale.data() + i))
          .store(c.Y.data() + k * c.stride + i);
  double *gram = c.gram.data(), *left = c.diagonal.data();
  square(c, c.Y.data(), gram);
  for (int i = 0; i < c.used; ++i) {
    c.order[static_cast<std::size_t>(i)] = i;
    left[i] = gram[i * c.stride + i];
  }
  int* order = c.order.data();
  double largest = 0;
  smallest = 1, weakest = -1;
  for (int k = 0; k < c.used; ++k) {
    int best = k;
    for (int j = k + 1; j < c.used; ++j)
      // As Orthogonal: a later one must be larger by more than rounding.
      if (left[order[j]] > left[order[best]] * (1 + 1e-9)) best = j;
    std::swap(order[k], order[best]);
    const int row = order[k];
    const double pivot = left[row];
    largest = std::max(largest, pivot);
    if (!(pivot > margin * margin * largest)) return false;
    smallest = std::min(smallest, std::sqrt(pivot / largest));
    weakest = row;
    const double* of_pivot = gram + row * c.stride;
    const double inverse = 1 / pivot;
    for (int j = k + 1; j < c.used; ++j) {
      double* other = gram + order[j] * c.stride;
      const double part = inverse * other[row];
      if (part == 0) continue;
      subtract(part, of_pivot, c.stride, other);
      left[order[j]] = other[order[j]];
    }
  }
  return true;
}

/// Y = L⁻ᵀ Jᵀ.
LINKWRIGHT_INLINE void find_columns(CorrectionNumbers& c) {
  double* Y = c.Y.data();
  for (int k = 0; k < c.freedoms; ++k)
    std::copy_n(c.J.data() + c.entry[static_cast<std::size_t>(k)] * c.stride, c.stride,
                Y + k * c.stride);
  for (int k = c.freedoms - 1; k >= 0; --k) {
    const double* row = c.L.data() + k * c.freedoms;
    const int* inboard = c.inboard.data() + k * c.freedoms;
    const int depth = c.depth[static_cast<std::size_t>(k)];
    double* own = Y + k * c.stride;
    scale(1 / row[depth], c.stride, own);
    for (int i = 0; i < depth; ++i) subtract(row[i], own, c.stride, Y + inboard[i] * c.stride);
  }
}

/// Y Yᵀ = C Cᵀ, the columns of C in the rows of `gram`; C in `C`, row by row.
LINKWRIGHT_INLINE bool factorise_compliance(CorrectionNumbers& c, double least) {
  double* gram = c.gram.data();
  square(c, c.Y.data(), gram);
  for (int i = 0; i < c.used; ++i) c.diagonal[static_cast<std::size_t>(i)] = gram[i * c.stride + i];
  for (int k = 0; k < c.used; ++k) {
    double* column = gram + k * c.stride;
    if (!(column[k] > least * c.diagonal[static_cast<std::size_t>(k)])) return false;
    scale(1 / std::sqrt(column[k]), c.stride, column);
    for (int i = k; i < c.used; ++i) c.C[static_cast<std::size_t>(i * c.stride + k)] = column[i];
    for (int i = k + 1; i < c.used; ++i)
      if (column[i] != 0) subtract(column[i], column, c.stride, gram + i * c.stride);
  }
  return true;
}

/// B = L⁻¹ Y C⁻ᵀ C⁻¹.
LINKWRIGHT_INLINE void find_inverse(CorrectionNumbers& c) {
  double* Y = c.Y.data();
  for (int k = 0; k < c.freedoms; ++k) {
    const double* row = c.L.data() + k * c.freedoms;
    const int* inboard = c.inboard.data() + k * c.freedoms;
    const int depth = c.depth[static_cast<std::size_t>(k)];
    double* own = Y + k * c.stride;
    for (int i = 0; i < depth; ++i) subtract(row[i], Y + inboard[i] * c.stride, c.stride, own);
    scale(1 / row[depth], c.stride, own);
  }
  // To columns, so that the triangles are passed by all freedoms at once.
  double* B = c.B.data();
  for (int k = 0; k < c.freedoms; ++k)
    for (int i = 0; i < c.used; ++i)
      B[i * c.result_stride + c.entry[static_cast<std::size_t>(k)]] = Y[k * c.stride + i];
  for (int i = 0; i < c.used; ++i) {
    double* own = B + i * c.result_stride;
    const double* row = c.C.data() + i * c.stride;
    for (int j = 0; j < i; ++j)
      if (row[j] != 0) subtract(row[j], B + j * c.result_stride, c.result_stride, own);
    scale(1 / row[i], c.result_stride, own);
  }
  for (int i = c.used - 1; i >= 0; --i) {
    double* own = B + i * c.result_stride;
    const double* column = c.gram.data() + i * c.stride;
    for (int j = i + 1; j < c.used; ++j)
      if (column[j] != 0) subtract(column[j], B + j * c.result_stride, c.result_stride, own);
    scale(1 / column[i], c.result_stride, own);
  }
}

bool invert(CorrectionNumbers& c, double least) {
  find_columns(c);
  if (!factorise_compliance(c, least)) return false;
  find_inverse(c);
  return true;
}

void apply(const double* B, std::ptrdiff_t stride, int freedoms, int used, const double* r,
           const double* s, double* x, double* y) {
  for (int k = 0; k < freedoms; k += Lanes::size) {
    Lanes by_r(0.0), by_s(0.0);
    for (int i = 0; i < used; ++i) {
      const Lanes b = Lanes::load(B + i * stride + k);
      by_r = by_r + r[i] * b;
      by_s = by_s + s[i] * b;
    }
    if (k + Lanes::size <= freedoms) {
      by_r.store(x + k), by_s.store(y + k);
      continue;
    }
    for (int l = 0; k + l < freedoms; ++l) x[k + l] = by_r.x[l], y[k + l] = by_s.x[l];
  }
}

}  // namespace LINKWRIGHT_ISA

#define LINKWRIGHT_TABLE_(isa) correction_kernels_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)
const CorrectionKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {judge, invert, apply};

}  // namespace linkwright::closure
