#include <algorithm>
#include <cmath>

#include "linkwright/closure/sweeps/elimination.hpp"

namespace linkwright::closure {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Ω of all rows, each scaled to 1 at most, as one matrix.
void fill(LoopScratch& loops) {
  PivotedRows& all = loops.pivoted;
  const std::size_t n = all.rows.size();
  std::fill(all.A.begin(), all.A.end(), 0.0);
  for (std::size_t b = 0; b < loops.blocks.size(); ++b) {
    const int row = loops.order[at(loops.blocks[b].row)],
              column = loops.order[at(loops.blocks[b].column)];
    for (int i = 0; i < loops.row_count[at(row)]; ++i)
      for (int j = 0; j < loops.row_count[at(column)]; ++j) {
        const auto r = at(all.first[at(row)] + i), c = at(all.first[at(column)] + j);
        const double x = loops.omega[8 * b + at(i)].x[j] * all.scale[r] * all.scale[c];
        all.A[r + n * c] = all.A[c + n * r] = x;
      }
  }
}

/// The largest that is left comes to place k.
void bring_forward(PivotedRows& all, std::size_t k) {
  const std::size_t n = all.rows.size();
  std::size_t best = k;
  for (std::size_t i = k + 1; i < n; ++i)
    if (all.A[i + n * i] > all.A[best + n * best]) best = i;
  if (best == k) return;
  for (std::size_t j = 0; j < n; ++j) std::swap(all.A[k + n * j], all.A[best + n * j]);
  for (std::size_t j = 0; j < n; ++j) std::swap(all.A[j + n * k], all.A[j + n * best]);
  std::swap(all.order[k], all.order[best]);
  std::swap(all.y[k], all.y[best]);
}

}  // namespace

void solve_pivoted(LoopScratch& loops) {
  PivotedRows& all = loops.pivoted;
  all.make_room(loops.row_count);
  const std::size_t n = all.rows.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto [closure, lane] = all.rows[i];
    all.scale[i] = 1 / std::sqrt(loops.most[at(closure)].x[lane] + 1e-300);
    all.y[i] = all.scale[i] * loops.lambda[at(closure)].x[lane];
    all.order[i] = static_cast<int>(i);
  }
  fill(loops);
  std::size_t rank = 0;
  for (; rank < n; ++rank) {
    bring_forward(all, rank);
    const double pivot = all.A[rank + n * rank];
    if (!(pivot > rank_threshold * rank_threshold)) break;
    // A is symmetric: row and column of the pivot are one stretch of memory.
    const double* column = all.A.data() + n * rank;
    for (std::size_t j = rank + 1; j < n; ++j) {
      const double l = column[j] / pivot;
      double* target = all.A.data() + n * j;
      for (std::size_t i = rank + 1; i < n; ++i) target[i] -= l * column[i];
      all.y[j] -= l * all.y[rank];
    }
  }
  loops.dropped = static_cast<int>(n - rank);
  loops.conflict = 0;
  for (std::size_t i = rank; i < n; ++i) {
    loops.conflict = std::max(loops.conflict, std::abs(all.y[i]) / all.scale[at(all.order[i])]);
    all.y[i] = 0;
  }
  for (std::size_t k = rank; k-- > 0;) {
    for (std::size_t j = k + 1; j < rank; ++j) all.y[k] -= all.A[k + n * j] * all.y[j];
    all.y[k] /= all.A[k + n * k];
  }
  for (std::size_t k = 0; k < n; ++k) {
    const auto i = at(all.order[k]);
    const auto [closure, lane] = all.rows[i];
    loops.lambda[at(closure)].x[lane] = all.scale[i] * all.y[k];
  }
}

void PivotedRows::make_room(const std::vector<int>& row_count) {
  if (!first.empty()) return;
  for (std::size_t c = 0; c < row_count.size(); ++c) {
    first.push_back(static_cast<int>(rows.size()));
    for (int i = 0; i < row_count[c]; ++i) rows.emplace_back(static_cast<int>(c), i);
  }
  scale.resize(rows.size()), y.resize(rows.size()), order.resize(rows.size());
  A.resize(rows.size() * rows.size());
}

}  // namespace linkwright::closure
