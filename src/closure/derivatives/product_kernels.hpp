#pragma once
/// Products of dense matrices of some ten rows, compiled once per instruction set (kernels.cpp): elsewhere the
/// library is compiled for the baseline, and for matrices as small as these Eigen's products pack more
/// than they multiply.

namespace linkwright::closure {

struct ProductKernels {
  /// out = A B: A rows × inner, B inner × columns, their columns so many numbers apart. `out` is none of them.
  void (*multiply)(const double* A, long a_stride, const double* B, long b_stride, double* out,
                   long out_stride, int rows, int inner, int columns);
};

extern const ProductKernels product_kernels_baseline, product_kernels_avx2, product_kernels_avx512;

/// The table in use.
const ProductKernels& product_kernels();

}  // namespace linkwright::closure
