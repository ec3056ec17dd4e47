// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include "closure/derivatives/product_kernels.hpp"
#include "linkwright/spatial/pack.hpp"

namespace linkwright::closure {
inline namespace LINKWRIGHT_ISA {

/// As many rows as a pack has lanes, of `width` columns of A B; the sums stay in registers.
template <class Lanes, int width>
LINKWRIGHT_INLINE void multiply_block(const double* A, long a_stride, const double* B,
                                      long b_stride, double* out, long out_stride, int inner) {
  Lanes sum[width];
  for (int j = 0; j < width; ++j) sum[j] = Lanes(0.0);
  for (int k = 0; k < inner; ++k) {
    const Lanes a = Lanes::load(A + k * a_stride);
    for (int j = 0; j < width; ++j) sum[j] = sum[j] + a * B[k + j * b_stride];
  }
  for (int j = 0; j < width; ++j) sum[j].store(out + j * out_stride);
}

/// For at least as many rows as there are lanes: the last block begins early, and rows come out twice.
template <class Lanes, int width>
LINKWRIGHT_INLINE void multiply_columns(const double* A, long a_stride, const double* B,
                                        long b_stride, double* out, long out_stride, int rows,
                                        int inner) {
  for (int i = 0; i < rows; i += Lanes::size) {
    const int first = i + Lanes::size <= rows ? i : rows - Lanes::size;
    multiply_block<Lanes, width>(A + first, a_stride, B, b_stride, out + first, out_stride, inner);
  }
}

template <class Lanes>
LINKWRIGHT_INLINE void multiply_by(const double* A, long a_stride, const double* B, long b_stride,
                                   double* out, long out_stride, int rows, int inner, int columns) {
  constexpr int width = 6;
  int j = 0;
  for (; j + width <= columns; j += width)
    multiply_columns<Lanes, width>(A, a_stride, B + j * b_stride, b_stride, out + j * out_stride,
                                   out_stride, rows, inner);
  for (; j < columns; ++j)
    multiply_columns<Lanes, 1>(A, a_stride, B + j * b_stride, b_stride, out + j * out_stride,
                               out_stride, rows, inner);
}

void multiply(const double* A, long a_stride, const double* B, long b_stride, double* out,
              long out_stride, int rows, int inner, int columns) {
  constexpr int whole = static_cast<int>(spatial::register_bytes / sizeof(double));
  using Whole = spatial::Pack<double, whole>;
  using Half = spatial::Pack<double, 4>;
  if (rows >= whole)
    return multiply_by<Whole>(A, a_stride, B, b_stride, out, out_stride, rows, inner, columns);
  if (rows >= Half::size)
    return multiply_by<Half>(A, a_stride, B, b_stride, out, out_stride, rows, inner, columns);
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
const ProductKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {multiply};

}  // namespace linkwright::closure
