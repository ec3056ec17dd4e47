#include <algorithm>
#include <cmath>
#include <map>

#include "linkwright/closure/sweeps/elimination.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {
namespace {

/// What the closures do to each other through one freedom, added to Ω; and what known efforts do there,
/// to the right-hand side.
void add_freedom(LoopScratch& loops, std::size_t first, std::size_t last) {
  PivotedRows& all = loops.pivoted;
  const std::size_t n = all.rows.size();
  const double weight = loops.weight[at(all.visits[first].slot)];
  double effort = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Rows& left = loops.u[at(all.visits[i].slot)];
    const auto own = at(all.visits[i].closure);
    effort += left.x[effort_lane];
    for (std::size_t j = first; j < last; ++j) {
      const Rows& right = loops.u[at(all.visits[j].slot)];
      const auto other = at(all.visits[j].closure);
      for (int c = 0; c < loops.row_count[other]; ++c) {
        const double weighted = weight * right.x[c];
        double* column = all.A.data() + n * at(all.first[other] + c) + all.first[own];
        for (int r = 0; r < loops.row_count[own]; ++r) column[r] += left.x[r] * weighted;
      }
    }
  }
  if (!loops.pushed) return;
  for (std::size_t i = first; i < last; ++i) {
    const auto own = at(all.visits[i].closure);
    for (int r = 0; r < loops.row_count[own]; ++r)
      all.y[at(all.first[own] + r)] -= weight * effort * loops.u[at(all.visits[i].slot)].x[r];
  }
}

/// Ω and right-hand side of all rows, each scaled to 1 at most, as one matrix.
void fill(LoopScratch& loops) {
  PivotedRows& all = loops.pivoted;
  const std::size_t n = all.rows.size();
  std::fill(all.A.begin(), all.A.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto [closure, lane] = all.rows[i];
    all.y[i] = -loops.right[at(closure)].x[lane];
    all.scale[i] = 1 / std::sqrt(loops.most[at(closure)].x[lane] + 1e-300);
    all.order[i] = static_cast<int>(i);
    if (!loops.compliance.empty()) all.A[i + n * i] = loops.compliance[at(closure)].x[lane];
  }
  std::size_t first = 0;
  for (const int end : all.visit_end) {
    add_freedom(loops, first, at(end));
    first = at(end);
  }
  for (std::size_t i = 0; i < n; ++i) {
    all.y[i] *= all.scale[i];
    for (std::size_t j = 0; j < n; ++j) all.A[j + n * i] *= all.scale[i] * all.scale[j];
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
  all.make_room(loops, loops.row_count);
  const std::size_t n = all.rows.size();
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

void PivotedRows::list_visits(const Tree<double>& tree, const LoopPaths& ways) {
  std::map<std::pair<int, int>, std::vector<Visit>> visitors;  // by node and its freedom
  for (std::size_t c = 0; c < ways.paths.size(); ++c)
    for (int i = ways.paths[c].begin; i < ways.paths[c].end; ++i) {
      const PathNode& here = ways.path[at(i)];
      for (int j = 0; j < tree.nodes[at(here.node)].d; ++j)
        visitors[{here.node, j}].push_back({static_cast<int>(c), here.first + j});
    }
  for (const auto& [freedom, who] : visitors) {
    visits.insert(visits.end(), who.begin(), who.end());
    visit_end.push_back(static_cast<int>(visits.size()));
  }
}

void PivotedRows::make_room(const LoopPaths& ways, const std::vector<int>& row_count) {
  if (!first.empty()) return;
  for (std::size_t c = 0; c < ways.paths.size(); ++c) {
    first.push_back(static_cast<int>(rows.size()));
    for (int i = 0; i < row_count[c]; ++i) rows.emplace_back(static_cast<int>(c), i);
  }
  scale.resize(rows.size()), y.resize(rows.size()), order.resize(rows.size());
  A.resize(rows.size() * rows.size());
}

}  // namespace linkwright::closure
