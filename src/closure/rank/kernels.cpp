// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include <algorithm>
#include <cmath>

#include "closure/rank/orthogonal_kernels.hpp"
#include "linkwright/spatial/pack.hpp"

namespace linkwright::closure {
inline namespace LINKWRIGHT_ISA {

/// A register: packs that are split in halves cost six times as many instructions here.
using Lanes = spatial::Pack<double, static_cast<int>(spatial::register_bytes / sizeof(double))>;
static_assert(PackedRows::padding % Lanes::size == 0);

/// Columns from `from` on, `width` packs of them, of rows `first` and beyond: A −= w t, t = beta wᵀ A.
template <int width>
LINKWRIGHT_INLINE void reflect_packs(const double* w, double beta, const PackedRows& A, int first,
                                     std::ptrdiff_t from) {
  Lanes t[width], odd[width];
  double* row = A.data + first * A.stride + from;
  for (int c = 0; c < width; ++c) t[c] = Lanes::load(row + c * Lanes::size), odd[c] = Lanes(0.0);
  int i = first + 1;
  for (; i + 1 < A.rows; i += 2) {
    const double* here = A.data + i * A.stride + from;
    for (int c = 0; c < width; ++c) {
      t[c] = t[c] + w[i] * Lanes::load(here + c * Lanes::size);
      odd[c] = odd[c] + w[i + 1] * Lanes::load(here + A.stride + c * Lanes::size);
    }
  }
  if (i < A.rows)
    for (int c = 0; c < width; ++c)
      t[c] = t[c] + w[i] * Lanes::load(A.data + i * A.stride + from + c * Lanes::size);
  for (int c = 0; c < width; ++c) {
    t[c] = beta * (t[c] + odd[c]);
    (Lanes::load(row + c * Lanes::size) - t[c]).store(row + c * Lanes::size);
  }
  for (i = first + 1; i < A.rows; ++i) {
    double* other = A.data + i * A.stride + from;
    for (int c = 0; c < width; ++c)
      (Lanes::load(other + c * Lanes::size) - w[i] * t[c]).store(other + c * Lanes::size);
  }
}

/// Reflection k on all columns of the packs from column `from` on. A few packs at a time: of long columns they
/// stay in the cache between the two passes, and their sums need not wait for each other.
LINKWRIGHT_INLINE void reflect(const Reflections& q, int k, const PackedRows& A, int from) {
  const double *w = q.w + k * q.rows, beta = q.beta[k];
  if (beta == 0) return;
  const std::ptrdiff_t width = PackedRows::packed(A.columns);
  std::ptrdiff_t c = from / Lanes::size * Lanes::size;
  for (; c + 4 * Lanes::size <= width; c += 4 * Lanes::size) reflect_packs<4>(w, beta, A, k, c);
  switch ((width - c) / Lanes::size) {
    case 3:
      return reflect_packs<3>(w, beta, A, k, c);
    case 2:
      return reflect_packs<2>(w, beta, A, k, c);
    case 1:
      return reflect_packs<1>(w, beta, A, k, c);
    default:
      return;
  }
}

/// Column k of A, from row k on, becomes [alpha; 0 …]; its reflection goes to q. `size` is what it measures there.
LINKWRIGHT_INLINE void take_column(const PackedRows& A, const Reflections& q, int k, double size) {
  double* w = q.w + k * q.rows;
  q.beta[k] = 0;
  for (int i = k + 1; i < A.rows; ++i) w[i] = A.data[i * A.stride + k];
  if (size == 0) return;
  double& diagonal = A.data[k * A.stride + k];
  const double alpha = diagonal > 0 ? -size : size, first = diagonal - alpha;
  for (int i = k + 1; i < A.rows; ++i) w[i] /= first;
  q.beta[k] = -first / alpha;
  reflect(q, k, A, k);
  // Exactly: what the reflection left there is rounding.
  diagonal = alpha;
  for (int i = k + 1; i < A.rows; ++i) A.data[i * A.stride + k] = 0;
}

LINKWRIGHT_INLINE double size_below(const PackedRows& A, int k) {
  double sum = 0;
  for (int i = k; i < A.rows; ++i) sum += A.data[i * A.stride + k] * A.data[i * A.stride + k];
  return std::sqrt(sum);
}

/// Sums of the squares of rows k and beyond of every column.
LINKWRIGHT_INLINE void measure(const PackedRows& A, int k, double* left) {
  for (std::ptrdiff_t c = k / Lanes::size * Lanes::size; c < A.columns; c += Lanes::size) {
    Lanes sum(0.0);
    for (int i = k; i < A.rows; ++i) {
      const Lanes x = Lanes::load(A.data + i * A.stride + c);
      sum = sum + x * x;
    }
    sum.store(left + c);
  }
}

/// The largest of what is left comes to column k.
LINKWRIGHT_INLINE void take_largest(const PackedRows& A, int k, int* order, double* left) {
  int best = k;
  double most = -1;
  // A later column must be larger by more than rounding, so that the choice does not depend on it.
  for (int j = k; j < A.columns; ++j)
    if (left[j] > most * (1 + 1e-9)) best = j, most = left[j];
  if (best == k) return;
  for (int i = 0; i < A.rows; ++i) std::swap(A.data[i * A.stride + k], A.data[i * A.stride + best]);
  std::swap(order[k], order[best]);
  std::swap(left[k], left[best]);
}

Pivots decompose(PackedRows A, Reflections q, int* order, double* left, double threshold) {
  Pivots out;
  double largest = 0;
  for (int k = 0; k < std::min(A.rows, A.columns); ++k) {
    measure(A, k, left);
    take_largest(A, k, order, left);
    const double rest = std::sqrt(left[k]);
    if (k == 0) largest = rest;
    const double relative = largest > 0 ? rest / largest : 0;
    if (relative <= threshold) {
      out.largest_dropped = relative;
      return out;
    }
    out.smallest_kept = std::min(out.smallest_kept, relative);
    take_column(A, q, k, rest);
    out.rank = k + 1;
  }
  return out;
}

void reflect_columns(PackedRows A, Reflections q, int count) {
  for (int k = 0; k < count; ++k) take_column(A, q, k, size_below(A, k));
}

void turn(Reflections q, int count, PackedRows X) {
  for (int k = count - 1; k >= 0; --k) reflect(q, k, X, 0);
}
void turn_back(Reflections q, int count, PackedRows X) {
  for (int k = 0; k < count; ++k) reflect(q, k, X, 0);
}

/// Row i of X −= x times row j.
LINKWRIGHT_INLINE void subtract_row(const PackedRows& X, int i, double x, int j) {
  double *to = X.data + i * X.stride, *from = X.data + j * X.stride;
  for (std::ptrdiff_t c = 0; c < X.columns; c += Lanes::size)
    (Lanes::load(to + c) - x * Lanes::load(from + c)).store(to + c);
}
LINKWRIGHT_INLINE void scale_row(const PackedRows& X, int i, double x) {
  double* to = X.data + i * X.stride;
  for (std::ptrdiff_t c = 0; c < X.columns; c += Lanes::size)
    (x * Lanes::load(to + c)).store(to + c);
}

void solve_transposed(PackedRows A, PackedRows X) {
  for (int i = 0; i < X.rows; ++i) {
    for (int j = 0; j < i; ++j) subtract_row(X, i, A.data[j * A.stride + i], j);
    scale_row(X, i, 1 / A.data[i * A.stride + i]);
  }
}
void solve(PackedRows A, PackedRows X) {
  for (int i = X.rows - 1; i >= 0; --i) {
    for (int j = i + 1; j < X.rows; ++j) subtract_row(X, i, A.data[i * A.stride + j], j);
    scale_row(X, i, 1 / A.data[i * A.stride + i]);
  }
}

}  // namespace LINKWRIGHT_ISA

#define LINKWRIGHT_TABLE_(isa) orthogonal_kernels_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)
const OrthogonalKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {decompose, reflect_columns,  turn,
                                                            turn_back, solve_transposed, solve};

}  // namespace linkwright::closure
