#pragma once
/// The loops of the products, compiled once per instruction set (kernels.cpp).

namespace linkwright::closure {

struct ProductKernels {
  /// out = A B: A rows × inner, B inner × columns, their columns so many numbers apart. `out` is none of them.
  void (*multiply)(const double* A, long a_stride, const double* B, long b_stride, double* out,
                   long out_stride, int rows, int inner, int columns);
  /// The same, where much of B is zero.
  void (*multiply_sparse)(const double* A, long a_stride, const double* B, long b_stride,
                          double* out, long out_stride, int rows, int inner, int columns);
};

extern const ProductKernels product_kernels_baseline, product_kernels_avx2, product_kernels_avx512;

}  // namespace linkwright::closure
