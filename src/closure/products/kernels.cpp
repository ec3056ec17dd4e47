// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include <algorithm>
#include <cmath>

#include "closure/products/product_kernels.hpp"
#include "linkwright/spatial/pack.hpp"

namespace linkwright::closure {
inline namespace LINKWRIGHT_ISA {

/// Rows of B that are not zero in some columns side by side, or all of them.
struct RowsInUse {
  static constexpr int most = 256;
  int first = 0, count = 0, row[most];
};

template <int width>
LINKWRIGHT_INLINE void find_all_rows(const double* /*B*/, long /*stride*/, int first, int end,
                                     RowsInUse& out) {
  out.first = first, out.count = end - first;
  for (int k = first; k < end; ++k) out.row[k - first] = k;
}
template <int width>
LINKWRIGHT_INLINE void find_rows_in_use(const double* B, long stride, int first, int end,
                                        RowsInUse& out) {
  using Lanes = spatial::Pack<double, 4>;
  double size[RowsInUse::most];
  int k = first;
  for (; k + Lanes::size <= end; k += Lanes::size) {
    Lanes sum(0.0);
    for (int j = 0; j < width; ++j) sum = sum + absolute(Lanes::load(B + k + j * stride));
    sum.store(size + (k - first));
  }
  for (; k < end; ++k) {
    size[k - first] = 0;
    for (int j = 0; j < width; ++j) size[k - first] += std::abs(B[k + j * stride]);
  }
  out.first = first, out.count = 0;
  for (k = first; k < end; ++k) {
    out.row[out.count] = k;
    out.count += size[k - first] != 0 ? 1 : 0;
  }
}

/// As many rows as a pack has lanes, of `width` columns of A B; the sums stay in registers.
template <class Lanes, int width>
LINKWRIGHT_INLINE void multiply_block(const double* A, long a_stride, const double* B,
                                      long b_stride, double* out, long out_stride,
                                      const RowsInUse& use) {
  Lanes sum[width];
  for (int j = 0; j < width; ++j)
    sum[j] = use.first == 0 ? Lanes(0.0) : Lanes::load(out + j * out_stride);
  for (int i = 0; i < use.count; ++i) {
    const int k = use.row[i];
    const Lanes a = Lanes::load(A + k * a_stride);
    for (int j = 0; j < width; ++j) sum[j] = sum[j] + a * B[k + j * b_stride];
  }
  for (int j = 0; j < width; ++j) sum[j].store(out + j * out_stride);
}

/// Of at least as many rows as there are lanes: all rows of B, or those in use. Those that fill no pack go with some of those before them, whose
/// sums must not be taken up twice.
template <class Lanes, int width, bool sparse>
LINKWRIGHT_INLINE void multiply_columns(const double* A, long a_stride, const double* B,
                                        long b_stride, double* out, long out_stride, int rows,
                                        int inner) {
  const auto find_rows = sparse ? find_rows_in_use<width> : find_all_rows<width>;
  RowsInUse use;
  const bool at_once = inner <= RowsInUse::most;
  if (at_once) find_rows(B, b_stride, 0, inner, use);
  for (int i = 0; i < rows; i += Lanes::size) {
    const int first = i + Lanes::size <= rows ? i : rows - Lanes::size;
    for (int k = 0; k == 0 || k < inner; k += RowsInUse::most) {
      if (!at_once) find_rows(B, b_stride, k, std::min(inner, k + RowsInUse::most), use);
      multiply_block<Lanes, width>(A + first, a_stride, B, b_stride, out + first, out_stride, use);
    }
  }
}

template <class Lanes, bool sparse>
LINKWRIGHT_INLINE void multiply_by(const double* A, long a_stride, const double* B, long b_stride,
                                   double* out, long out_stride, int rows, int inner, int columns) {
  constexpr int width = 6;
  int j = 0;
  for (; j + width <= columns; j += width)
    multiply_columns<Lanes, width, sparse>(A, a_stride, B + j * b_stride, b_stride,
                                           out + j * out_stride, out_stride, rows, inner);
  for (; j < columns; ++j)
    multiply_columns<Lanes, 1, sparse>(A, a_stride, B + j * b_stride, b_stride,
                                       out + j * out_stride, out_stride, rows, inner);
}

template <bool sparse>
void multiply(const double* A, long a_stride, const double* B, long b_stride, double* out,
              long out_stride, int rows, int inner, int columns) {
  if (inner == 0) {  // there may be no A and no B
    for (int j = 0; j < columns; ++j) std::fill_n(out + j * out_stride, rows, 0.0);
    return;
  }
  constexpr int whole = static_cast<int>(spatial::register_bytes / sizeof(double));
  using Whole = spatial::Pack<double, whole>;
  using Half = spatial::Pack<double, 4>;
  if (rows >= whole)
    return multiply_by<Whole, sparse>(A, a_stride, B, b_stride, out, out_stride, rows, inner,
                                      columns);
  if (rows >= Half::size)
    return multiply_by<Half, sparse>(A, a_stride, B, b_stride, out, out_stride, rows, inner,
                                     columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) {
      double sum = 0;
      for (int k = 0; k < inner; ++k) sum += A[i + k * a_stride] * B[k + j * b_stride];
      out[i + j * out_stride] = sum;
    }
}

}  // namespace LINKWRIGHT_ISA

#define LINKWRIGHT_TABLE_(isa) product_kernels_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)
const ProductKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {multiply<false>, multiply<true>};

}  // namespace linkwright::closure
