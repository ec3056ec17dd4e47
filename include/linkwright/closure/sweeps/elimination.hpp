#pragma once
/// Ω λ = −(J v̇_free + J̇ v), block by block, and what λ adds to the joints' innovations.
///
/// Given    u, right and most of loop_columns
/// Computes Ω's blocks in the order of elimination, LDLᵀ of them with rows dropped whose pivot is
///          nothing but rounding, λ, and ν + D⁻¹ Σ u λ
/// Cost     O(closures) where each shares joints with a bounded number of others
///
/// A row is dropped where its pivot falls below `rank_threshold`² of what it could be at most (`most`:
/// the same force with nothing to turn it out of the joints' axes). Dropped rows carry no force; the
/// accelerations do not depend on the choice.

#include "linkwright/closure/sweeps/loop_scratch.hpp"

namespace linkwright::closure {

/// Singular values of scaled rows below this count as zero. The one place where rank is decided for
/// forward dynamics; mobility.hpp uses the same number.
inline constexpr double rank_threshold = 1e-6;

inline namespace LINKWRIGHT_ISA {

LINKWRIGHT_INLINE double sum(const Rows& x) {
  double total = 0;
  for (int i = 0; i < Rows::size; ++i) total += x.x[i];
  return total;
}

/// Ω's own entries; blocks of fill start from zero.
LINKWRIGHT_INLINE void gather_omega(LoopScratch& loops) {
  for (std::size_t b = 0; b < loops.blocks.size(); ++b) {
    const Block& block = loops.blocks[b];
    const int rows =
        loops.row_count[static_cast<std::size_t>(loops.order[static_cast<std::size_t>(block.row)])];
    Rows* omega = loops.omega.data() + 8 * b;
    for (int i = 0; i < rows; ++i) omega[i] = Rows(0.0);
    for (int j = block.begin; j < block.end; ++j) {
      const Shared& shared = loops.shared[static_cast<std::size_t>(j)];
      const Rows& left = loops.u[static_cast<std::size_t>(shared.row)];
      const Rows& right = loops.u[static_cast<std::size_t>(shared.column)];
      const Rows weighted = loops.weight[static_cast<std::size_t>(shared.column)] * right;
      for (int i = 0; i < rows; ++i) omega[i] = omega[i] + left.x[i] * weighted;
    }
  }
}

/// The row among those from `first` on in the order that has most left of what it could be.
LINKWRIGHT_INLINE int best_pivot(const Rows* diagonal, const Rows& most, const int* order,
                                 int first, int rows) {
  int best = first;
  double most_left = -1;
  for (int k = first; k < rows; ++k) {
    const int i = order[k];
    const double left = diagonal[i].x[i] / (most.x[i] + 1e-300);
    if (left > most_left) best = k, most_left = left;
  }
  return best;
}

/// Row elimination within the blocks of one position, on the right-hand side too, the best row first.
LINKWRIGHT_INLINE void eliminate_own_rows(LoopScratch& loops, int position, int rows, Rows& y,
                                          const Rows& most) {
  const int first = loops.block_begin[static_cast<std::size_t>(position)];
  const int last = loops.block_begin[static_cast<std::size_t>(position) + 1];
  const auto own = static_cast<std::size_t>(loops.order[static_cast<std::size_t>(position)]);
  Rows* diagonal = loops.omega.data() + 8 * static_cast<std::size_t>(first);
  int* order = loops.pivot_order.data() + 8 * own;
  Rows inverse(0.0);
  for (int i = 0; i < rows; ++i) order[i] = i;
  for (int k = 0; k < rows; ++k) {
    const int best = best_pivot(diagonal, most, order, k, rows);
    const int j = order[best];
    order[best] = order[k], order[k] = j;
    const double pivot = diagonal[j].x[j];
    if (!(pivot > rank_threshold * rank_threshold * most.x[j] + 1e-300)) {
      loops.dropped += rows - k;
      break;
    }
    inverse.x[j] = 1 / pivot;
    for (int later = k + 1; later < rows; ++later) {
      const int i = order[later];
      const double l = diagonal[j].x[i] * inverse.x[j];
      for (int b = first; b < last; ++b) {
        Rows* block = loops.omega.data() + 8 * static_cast<std::size_t>(b);
        block[i] = block[i] - l * block[j];
      }
      y.x[i] -= l * y.x[j];
    }
  }
  loops.pivot_inverse[own] = inverse;
}

/// What the rows of one position take from those that come after it.
LINKWRIGHT_INLINE void update_later_rows(LoopScratch& loops, int position, int rows,
                                         const Rows& y) {
  const int first = loops.block_begin[static_cast<std::size_t>(position)];
  const int last = loops.block_begin[static_cast<std::size_t>(position) + 1];
  const Rows& inverse =
      loops
          .pivot_inverse[static_cast<std::size_t>(loops.order[static_cast<std::size_t>(position)])];
  int update = loops.update_begin[static_cast<std::size_t>(position)];
  for (int b = first + 1; b < last; ++b) {
    const Rows* left = loops.omega.data() + 8 * static_cast<std::size_t>(b);
    const auto later = static_cast<std::size_t>(
        loops.order[static_cast<std::size_t>(loops.blocks[static_cast<std::size_t>(b)].column)]);
    const int later_rows = loops.row_count[later];
    Rows& later_y = loops.lambda[later];
    for (int j = 0; j < rows; ++j) later_y = later_y - (inverse.x[j] * y.x[j]) * left[j];
    for (int c = b; c < last; ++c, ++update) {
      const Rows* right = loops.omega.data() + 8 * static_cast<std::size_t>(c);
      Rows* target = loops.omega.data() +
                     8 * static_cast<std::size_t>(loops.update[static_cast<std::size_t>(update)]);
      for (int j = 0; j < rows; ++j) {
        const Rows scaled = inverse.x[j] * right[j];
        for (int i = 0; i < later_rows; ++i) target[i] = target[i] - left[j].x[i] * scaled;
      }
    }
  }
}

/// λ of one position, all later ones known.
LINKWRIGHT_INLINE void substitute(LoopScratch& loops, int position, int rows) {
  const int first = loops.block_begin[static_cast<std::size_t>(position)];
  const int last = loops.block_begin[static_cast<std::size_t>(position) + 1];
  const auto own = static_cast<std::size_t>(loops.order[static_cast<std::size_t>(position)]);
  const Rows& inverse = loops.pivot_inverse[own];
  Rows& y = loops.lambda[own];
  const Rows* diagonal = loops.omega.data() + 8 * static_cast<std::size_t>(first);
  for (int b = first + 1; b < last; ++b) {
    const Rows* block = loops.omega.data() + 8 * static_cast<std::size_t>(b);
    const auto later = static_cast<std::size_t>(
        loops.order[static_cast<std::size_t>(loops.blocks[static_cast<std::size_t>(b)].column)]);
    for (int j = 0; j < rows; ++j) y.x[j] -= sum(block[j] * loops.lambda[later]);
  }
  const int* order = loops.pivot_order.data() + 8 * own;
  for (int k = rows - 1; k >= 0; --k) {
    const int j = order[k];
    double left = y.x[j];
    for (int later = k + 1; later < rows; ++later)
      left -= diagonal[j].x[order[later]] * y.x[order[later]];
    y.x[j] = inverse.x[j] * left;
  }
}

/// λ from `right`, in LoopScratch::lambda.
LINKWRIGHT_INLINE void solve_omega(LoopScratch& loops) {
  const int count = static_cast<int>(loops.order.size());
  loops.dropped = 0;
  for (std::size_t i = 0; i < loops.lambda.size(); ++i) loops.lambda[i] = -loops.right[i];
  for (int p = 0; p < count; ++p) {
    const auto own = static_cast<std::size_t>(loops.order[static_cast<std::size_t>(p)]);
    const int rows = loops.row_count[own];
    eliminate_own_rows(loops, p, rows, loops.lambda[own], loops.most[own]);
    update_later_rows(loops, p, rows, loops.lambda[own]);
  }
  for (int p = count - 1; p >= 0; --p)
    substitute(loops, p,
               loops.row_count[static_cast<std::size_t>(loops.order[static_cast<std::size_t>(p)])]);
}

/// ν ← ν + D⁻¹ Σ u λ at every joint that a closure reaches.
LINKWRIGHT_INLINE void add_closure_forces(const Tree<double>& tree, Scratch<double>& s,
                                          const LoopScratch& loops) {
  for (std::size_t c = 0; c < loops.paths.size(); ++c) {
    const Rows& lambda = loops.lambda[c];
    for (int at = loops.paths[c].begin; at < loops.paths[c].end; ++at) {
      const PathNode& here = loops.path[static_cast<std::size_t>(at)];
      const auto k = static_cast<std::size_t>(here.node);
      const Node<double>& n = tree.nodes[k];
      const Rows* u = loops.u.data() + here.first;
      if (n.modes < 0) {
        s.gain[k].nu += s.gain[k].D_inv * sum(u[0] * lambda);
      } else {
        auto& gain = s.multi_gain[static_cast<std::size_t>(n.modes)];
        for (int i = 0; i < n.d; ++i) gain.e[i] += sum(u[i] * lambda);
      }
    }
  }
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::closure
