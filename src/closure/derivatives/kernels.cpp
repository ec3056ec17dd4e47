// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include "closure/derivatives/product_kernels.hpp"
#include "linkwright/spatial/pack.hpp"

namespace linkwright::closure {
inline namespace LINKWRIGHT_ISA {

/// One register: the sums of a block stay in registers.
using Lanes = spatial::Pack<double, static_cast<int>(spatial::register_bytes / sizeof(double))>;

/// One register of rows of `width` columns of A B.
template <int width>
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

/// The same for fewer rows.
LINKWRIGHT_INLINE void multiply_rest(const double* A, long a_stride, const double* B, double* out,
                                     int rows, int inner) {
  for (int i = 0; i < rows; ++i) out[i] = 0;
  for (int k = 0; k < inner; ++k)
    for (int i = 0; i < rows; ++i) out[i] += A[i + k * a_stride] * B[k];
}

void multiply(const double* A, long a_stride, const double* B, long b_stride, double* out,
              long out_stride, int rows, int inner, int columns) {
  constexpr int width = 4, lanes = Lanes::size;
  int j = 0;
  for (; j + width <= columns; j += width)
    for (int i = 0; i + lanes <= rows; i += lanes)
      multiply_block<width>(A + i, a_stride, B + j * b_stride, b_stride, out + i + j * out_stride,
                            out_stride, inner);
  for (; j < columns; ++j)
    for (int i = 0; i + lanes <= rows; i += lanes)
      multiply_block<1>(A + i, a_stride, B + j * b_stride, b_stride, out + i + j * out_stride,
                        out_stride, inner);
  const int whole = rows / lanes * lanes;
  for (j = 0; whole < rows && j < columns; ++j)
    multiply_rest(A + whole, a_stride, B + j * b_stride, out + whole + j * out_stride, rows - whole,
                  inner);
}

}  // namespace LINKWRIGHT_ISA

#define LINKWRIGHT_TABLE_(isa) product_kernels_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)
const ProductKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {multiply};

}  // namespace linkwright::closure
