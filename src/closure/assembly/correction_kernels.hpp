#pragma once
/// Numbers of RegularInverse, and the loops over them, compiled once per instruction set (kernels.cpp): dense
/// matrices of some twenty rows. The rows of the closures stand side by side, `stride` numbers per freedom
/// or per row; those behind the last are zero, or nobody's.

#include <cstddef>
#include <vector>

namespace linkwright::closure {

struct CorrectionNumbers {
  int freedoms = 0, used = 0;  // rows that are in use
  std::ptrdiff_t stride = 0;   // numbers side by side: as many as rows, rounded up to whole packs
  std::ptrdiff_t result_stride = 0;  // of B: as many as freedoms, rounded up
  // Freedoms in tree order: their entries of v, how many stand inboard, and which, from the root on.
  std::vector<int> entry, depth, inboard;
  std::vector<double>
      L;  // [freedoms²], row k: what stands inboard, by depth, then the freedom itself
  std::vector<double> J, Y;       // [freedoms · stride], by entry of v; in tree order
  std::vector<double> row_scale;  // [stride]
  std::vector<double> gram, C,
      diagonal;            // [rows · stride] twice: gram and the columns of C; [rows]
  std::vector<int> order;  // [rows]
  std::vector<double> B;   // [rows · result_stride], a column per row, in the order of v
};

struct CorrectionKernels {
  /// The pivots of AᵀA, A = column_scale J row_scale: the last one's part of the largest, as singular values, and its
  /// row. False where some pivot falls below `margin`² of the largest.
  bool (*judge)(CorrectionNumbers&, const double* column_scale, double margin, double& smallest,
                int& weakest);
  /// B from J and from 𝓜 = Lᵀ L; false where no more than `least` of some row's compliance is its own.
  bool (*invert)(CorrectionNumbers&, double least);
  /// x = B r, y = B s.
  void (*apply)(const double* B, std::ptrdiff_t stride, int freedoms, int used, const double* r,
                const double* s, double* x, double* y);
};

extern const CorrectionKernels correction_kernels_baseline, correction_kernels_avx2,
    correction_kernels_avx512;

}  // namespace linkwright::closure
