#pragma once
/// The loops of Orthogonal, compiled once per instruction set (kernels.cpp). Matrices stand row by row, the columns of a
/// row side by side in whole packs: a reflection's products with all columns are then sums of rows, and
/// nothing is added across lanes.

#include <cstddef>

namespace linkwright::closure {

/// A row-major matrix, `stride` numbers from row to row: room for whole packs of `padding` numbers. What
/// stands behind the last column is zero, or nobody's.
struct PackedRows {
  static constexpr int padding = 8;
  double* data = nullptr;
  int rows = 0, columns = 0;
  std::ptrdiff_t stride = 0;

  static constexpr std::ptrdiff_t packed(std::ptrdiff_t columns) {
    return (columns + padding - 1) / padding * padding;
  }
};

/// Reflections 1 − beta w wᵀ, w = [0 … 0; 1; tail]: of reflection k the tail stands behind entry k of column k.
struct Reflections {
  double *w = nullptr, *beta = nullptr;
  int rows = 0;
};

/// What `decompose` found beside the factors.
struct Pivots {
  int rank = 0;
  double smallest_kept = 1, largest_dropped = 0;
};

struct OrthogonalKernels {
  /// A P = Q R by reflections with column pivoting: R in A, on and above the diagonal. `order` holds the columns' places and
  /// `left` room for as many numbers as a row has. Ends where what is left of every column is below
  /// `threshold` times the largest column.
  Pivots (*decompose)(PackedRows A, Reflections q, int* order, double* left, double threshold);
  /// A = Q R without pivoting, of the first `count` columns.
  void (*reflect_columns)(PackedRows A, Reflections q, int count);
  /// X ← Q X, the product of the first `count` reflections; and Qᵀ X.
  void (*turn)(Reflections q, int count, PackedRows X);
  void (*turn_back)(Reflections q, int count, PackedRows X);
  /// X ← R⁻ᵀ X and R⁻¹ X, R the upper triangle of the first X.rows rows of A.
  void (*solve_transposed)(PackedRows A, PackedRows X);
  void (*solve)(PackedRows A, PackedRows X);
};

extern const OrthogonalKernels orthogonal_kernels_baseline, orthogonal_kernels_avx2,
    orthogonal_kernels_avx512;

/// The table in use.
const OrthogonalKernels& orthogonal_kernels();

}  // namespace linkwright::closure
