#pragma once
/// Ω λ = −(J v̇_free + J̇ v), block by block, and what λ adds to the joints' innovations.
///
/// Given    u, right and most of loop_columns
/// Computes Ω's blocks in the order of elimination (omega_pattern.hpp), LDLᵀ of them with rows dropped whose
///          pivot is nothing but rounding, λ, and ν + D⁻¹ Σ u λ
/// Cost     O(closures) where each shares joints with a bounded number of others, hubs aside; O(rows³)
///          where a row is nearly redundant within its own closure
///
/// A row is dropped where its pivot falls below `rank_threshold`² of what it could be at most (`most`:
/// the same force with nothing to turn it out of the joints' axes). Dropped rows carry no force; the
/// accelerations do not depend on the choice.

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "linkwright/closure/sweeps/loop_scratch.hpp"

namespace linkwright::closure {

/// Singular values of scaled rows below this count as zero, where rank is decided from rows (rank/, mobility.hpp,
/// velocities). The recursion judges pivots of Ω by its square: masses weigh in there, so that within a decade of the
/// number the two may differ.
inline constexpr double rank_threshold = 1e-6;
/// Where a pivot is less than this many times the rounding that weak pivots before it left in its row, it
/// may be nothing else: then the best row of all closures comes first, not the best of each.
inline constexpr double clear_of_rounding = 1e3;
/// Where rows are dropped, that rounding may be no more than this of what the rows could be: a dropped row
/// still shows in the accelerations.
inline constexpr double rounding_beside_dropped = 1e-14;

/// λ from u and `right`, all rows in one matrix, the best first.
void solve_pivoted(LoopScratch& loops);

inline namespace LINKWRIGHT_ISA {

LINKWRIGHT_INLINE double sum(const Rows& x) {
  double lane[Rows::size];
  x.store(lane);
  return ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

/// Calls f with the number of rows as a constant: what it keeps in arrays stays in registers.
template <class F>
LINKWRIGHT_INLINE void with_rows(int rows, F&& f) {
  switch (rows) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
    default:
      return;
  }
}

/// How many rows the later unknown of a block has.
LINKWRIGHT_INLINE int columns_of(const LoopScratch& loops, const Block& block) {
  return loops.row_count[static_cast<std::size_t>(
      loops.pattern.order[static_cast<std::size_t>(block.column)])];
}

/// Σ u_iᵀ D⁻¹ u over the freedoms that two closures share.
template <int rows>
LINKWRIGHT_INLINE void gather_block(const LoopScratch& loops, const Block& block, Rows* omega) {
  Rows total[rows];
  for (int i = 0; i < rows; ++i) total[i] = Rows(0.0);
  for (int j = block.begin; j < block.end; ++j) {
    const Shared& shared = loops.pattern.shared[static_cast<std::size_t>(j)];
    const Rows& left = loops.u[static_cast<std::size_t>(shared.row)];
    const Rows weighted = loops.weight[static_cast<std::size_t>(shared.column)] *
                          loops.u[static_cast<std::size_t>(shared.column)];
    for (int i = 0; i < rows; ++i) total[i] = total[i] + left.x[i] * weighted;
  }
  for (int i = 0; i < rows; ++i) omega[i] = total[i];
}
/// The row of the efforts.
LINKWRIGHT_INLINE void gather_efforts(const LoopScratch& loops, const Block& block, Rows& omega) {
  omega = Rows(0.0);
  for (int j = block.begin; j < block.end; ++j) {
    const Shared& shared = loops.pattern.shared[static_cast<std::size_t>(j)];
    const double left = loops.u[static_cast<std::size_t>(shared.row)].x[effort_lane];
    omega = omega + (left * loops.weight[static_cast<std::size_t>(shared.column)]) *
                        loops.u[static_cast<std::size_t>(shared.column)];
  }
}
/// U of one closure at a hub: a row of numbers per row of the closure.
template <int rows>
LINKWRIGHT_INLINE void gather_at_hub(const LoopScratch& loops, const Block& block, int freedoms,
                                     Rows* omega) {
  for (int i = 0; i < rows; ++i) {
    double row[Rows::size] = {};
    for (int j = 0; j < freedoms; ++j)
      row[j] = loops.u[static_cast<std::size_t>(block.of_hub + j)].x[i];
    omega[i] = Rows::load(row);
  }
}
/// D of a hub, whose L is in u already, and what known efforts do there.
LINKWRIGHT_INLINE void start_hub(LoopScratch& loops, const Hub& hub, std::size_t unknown) {
  const auto first = static_cast<std::size_t>(hub.visits.front().first);
  const auto diagonal =
      8 * static_cast<std::size_t>(
              loops.pattern.block_begin[static_cast<std::size_t>(loops.pattern.position[unknown])]);
  Rows efforts(0.0);
  for (int i = 0; i < hub.freedoms; ++i) {
    const auto freedom = static_cast<std::size_t>(i);
    Rows row(0.0);
    row.x[i] = 1 / loops.weight[first + freedom];
    loops.omega[diagonal + freedom] = row;
    if (!loops.pushed) continue;
    for (const HubVisit& visit : hub.visits)
      efforts.x[i] += loops.u[static_cast<std::size_t>(visit.first) + freedom].x[effort_lane];
  }
  loops.lambda[unknown] = efforts;
}
/// Ω's own entries; blocks of fill start from zero.
LINKWRIGHT_INLINE void gather_omega(LoopScratch& loops) {
  const OmegaPattern& pattern = loops.pattern;
  for (std::size_t b = 0; b < pattern.blocks.size(); ++b) {
    const Block& block = pattern.blocks[b];
    const int row = pattern.order[static_cast<std::size_t>(block.row)];
    Rows* omega = loops.omega.data() + 8 * b;
    with_rows(loops.row_count[static_cast<std::size_t>(row)],
              [&](auto count) LINKWRIGHT_INLINE_LAMBDA {
                if (block.of_hub < 0)
                  gather_block<count()>(loops, block, omega);
                else
                  gather_at_hub<count()>(loops, block, columns_of(loops, block), omega);
              });
    if (loops.pushed) gather_efforts(loops, block, omega[effort_lane]);
  }
  for (std::size_t h = 0; h < pattern.hubs.size(); ++h)
    start_hub(loops, pattern.hubs[h], loops.paths.size() + h);
}

/// A rotor gives way: its row's multiplier −R q̈ stands beside q̈ with 1/R.
LINKWRIGHT_INLINE void add_compliance(LoopScratch& loops) {
  for (std::size_t c = 0; c < loops.compliance.size(); ++c) {
    const int position = loops.pattern.position[c];
    Rows* diagonal =
        loops.omega.data() +
        8 * static_cast<std::size_t>(loops.pattern.block_begin[static_cast<std::size_t>(position)]);
    for (int i = 0; i < loops.row_count[c]; ++i) diagonal[i].x[i] += loops.compliance[c].x[i];
  }
}

/// Efforts on closing joints are known: what they do moves to the right-hand side; what they do at hubs is
/// there.
LINKWRIGHT_INLINE void move_efforts_right(LoopScratch& loops) {
  const OmegaPattern& pattern = loops.pattern;
  for (std::size_t b = 0; b < pattern.blocks.size(); ++b) {
    const Block& block = pattern.blocks[b];
    const auto row = static_cast<std::size_t>(pattern.order[static_cast<std::size_t>(block.row)]);
    const auto column =
        static_cast<std::size_t>(pattern.order[static_cast<std::size_t>(block.column)]);
    if (column >= loops.paths.size()) continue;
    Rows* omega = loops.omega.data() + 8 * b;
    for (int i = 0; i < loops.row_count[row]; ++i) {
      loops.lambda[row].x[i] -= omega[i].x[effort_lane];
      omega[i].x[effort_lane] = 0;
    }
    if (block.row != block.column) loops.lambda[column] = loops.lambda[column] - omega[effort_lane];
  }
}

/// L Δ Lᵀ of one closure's own rows, the best first; a dropped row has 1/Δ = 0.
template <int rows>
struct OwnFactors {
  int order[rows];
  double L[rows][rows];
  double inverse[rows];

  /// In the order that the rows have, which is quicker; false where some pivot is so small that in
  /// another order one might be dropped (4ⁿ times smaller at most).
  LINKWRIGHT_INLINE bool factor_in_order(const Rows* diagonal, const Rows& most) {
    constexpr double large = 1e-5;
    const Rows least = large * most;
    Rows A[rows];
    for (int i = 0; i < rows; ++i) A[i] = diagonal[i];
    for (int k = 0; k < rows; ++k) {
      order[k] = k;
      const double pivot = A[k].x[k];
      if (!(pivot > least.x[k])) return false;
      inverse[k] = 1 / pivot;
      const Rows column = inverse[k] * A[k];
      for (int i = k + 1; i < rows; ++i) {
        L[i][k] = column.x[i];
        A[i] = A[i] - column.x[i] * A[k];
      }
    }
    return true;
  }

  /// Returns how many rows were dropped.
  LINKWRIGHT_INLINE int factor(const Rows* diagonal, const Rows& most) {
    double A[rows][rows], share[rows];
    const Rows shares = Rows(1.0) / (most + 1e-300);
    for (int i = 0; i < rows; ++i) {
      order[i] = i;
      share[i] = shares.x[i];
      for (int j = 0; j < rows; ++j) A[i][j] = diagonal[i].x[j], L[i][j] = 0;
    }
    for (int k = 0; k < rows; ++k) {
      bring_best_forward(A, share, k);
      const double pivot = A[k][k];
      if (!(pivot * share[k] > rank_threshold * rank_threshold) || !(pivot > 0)) {
        for (int i = k; i < rows; ++i) inverse[i] = 0;
        return rows - k;
      }
      inverse[k] = 1 / pivot;
      for (int i = k + 1; i < rows; ++i) {
        L[i][k] = A[i][k] * inverse[k];
        for (int j = k + 1; j <= i; ++j) A[i][j] -= L[i][k] * A[j][k];
      }
      for (int i = k + 1; i < rows; ++i)
        for (int j = i + 1; j < rows; ++j) A[i][j] = A[j][i];
    }
    return 0;
  }

 private:
  /// The row with most left of what it could be, to place k.
  LINKWRIGHT_INLINE void bring_best_forward(double (&A)[rows][rows], double (&share)[rows], int k) {
    int best = k;
    for (int i = k + 1; i < rows; ++i)
      if (A[i][i] * share[i] > A[best][best] * share[best]) best = i;
    if (best == k) return;
    std::swap(order[k], order[best]);
    std::swap(share[k], share[best]);
    for (int j = 0; j < rows; ++j) std::swap(A[k][j], A[best][j]);
    for (int j = 0; j < rows; ++j) std::swap(A[j][k], A[j][best]);
    for (int j = 0; j < k; ++j) std::swap(L[k][j], L[best][j]);
  }
};

/// Ω(b, c) −= B_bᵀ Δ⁻¹ B_c for all that come after one position. A hub's equations have the opposite sign:
/// D + Uᵀ Ω′⁻¹ U.
template <int rows>
LINKWRIGHT_INLINE void update_later_rows(LoopScratch& loops, int position,
                                         const OwnFactors<rows>& own_factors) {
  const OmegaPattern& pattern = loops.pattern;
  const int first = pattern.block_begin[static_cast<std::size_t>(position)];
  const int last = pattern.block_begin[static_cast<std::size_t>(position) + 1];
  int update = pattern.update_begin[static_cast<std::size_t>(position)];
  Rows* omega = loops.omega.data();
  for (int b = first + 1; b < last; ++b) {
    const Rows* block = omega + 8 * static_cast<std::size_t>(b);
    const double sign = pattern.sign_of_update(static_cast<std::size_t>(b));
    Rows left[rows];
    for (int k = 0; k < rows; ++k) left[k] = (sign * own_factors.inverse[k]) * block[k];
    const int later_rows = columns_of(loops, pattern.blocks[static_cast<std::size_t>(b)]);
    for (int c = b; c < last; ++c, ++update) {
      const Rows* right = omega + 8 * static_cast<std::size_t>(c);
      Rows* target =
          omega + 8 * static_cast<std::size_t>(pattern.update[static_cast<std::size_t>(update)]);
      for (int i = 0; i < later_rows; ++i) {
        Rows total = target[i];
        for (int k = 0; k < rows; ++k) total = total + double(left[k].x[i]) * right[k];
        target[i] = total;
      }
    }
  }
}

/// For `substitute`, after all positions.
template <int rows>
LINKWRIGHT_INLINE void keep_factors(LoopScratch& loops, std::size_t own,
                                    const OwnFactors<rows>& own_factors) {
  OwnRows& kept = loops.own_rows[own];
  for (int k = 0; k < rows; ++k) {
    kept.order[k] = own_factors.order[k], kept.inverse[k] = own_factors.inverse[k];
    for (int j = 0; j < k; ++j) kept.L[k][j] = own_factors.L[k][j];
  }
}

/// Of what rows could be at most.
template <int rows>
LINKWRIGHT_INLINE double largest_share(const Rows& x, const Rows& most) {
  const Rows share = x / (most + 1e-300);
  double largest = 0;
  for (int i = 0; i < rows; ++i) largest = std::max(largest, share.x[i]);
  return largest;
}

/// Whether a pivot may be rounding that weak ones before it left; `rounding` of what the rows could be.
template <int rows>
LINKWRIGHT_INLINE bool is_doubtful(const OwnFactors<rows>& own_factors, const Rows& most,
                                   double rounding, int dropped) {
  if (dropped > 0 && rounding > clear_of_rounding * rounding_beside_dropped) return true;
  for (int k = 0; k < rows - dropped; ++k)
    if (!(1 > own_factors.inverse[k] * most.x[own_factors.order[k]] * rounding)) return true;
  return false;
}

/// The right-hand side of one position, L⁻¹ of what it was in the order of the pivots.
template <int rows>
LINKWRIGHT_INLINE void reduce_right_side(LoopScratch& loops, std::size_t own,
                                         const OwnFactors<rows>& own_factors, double* y) {
  for (int k = 0; k < rows; ++k) {
    y[k] = loops.lambda[own].x[own_factors.order[k]];
    for (int j = 0; j < k; ++j) y[k] -= own_factors.L[k][j] * y[j];
  }
  for (int k = 0; k < rows; ++k) {
    loops.lambda[own].x[k] = y[k];
    if (own_factors.inverse[k] == 0) loops.conflict = std::max(loops.conflict, std::abs(y[k]));
  }
}

/// Eliminates the rows of one position: blocks and right-hand side become L⁻¹ of what they were, in the
/// order of the pivots, and those that come after lose Bᵀ Δ⁻¹ B.
template <int rows>
LINKWRIGHT_INLINE void eliminate(LoopScratch& loops, int position) {
  const OmegaPattern& pattern = loops.pattern;
  const int first = pattern.block_begin[static_cast<std::size_t>(position)];
  const int last = pattern.block_begin[static_cast<std::size_t>(position) + 1];
  const auto own = static_cast<std::size_t>(pattern.order[static_cast<std::size_t>(position)]);
  Rows* omega = loops.omega.data();
  OwnFactors<rows> own_factors;
  const Rows* diagonal = omega + 8 * static_cast<std::size_t>(first);
  const Rows& most = loops.most[own];
  int dropped = 0;
  if (!own_factors.factor_in_order(diagonal, most)) {
    // Without its hub a closure's rows may be fewer than with it.
    if (pattern.at_hub[static_cast<std::size_t>(position)] != 0) {
      loops.doubtful = true;
      return;
    }
    dropped = own_factors.factor(diagonal, most);
  }
  loops.dropped += dropped;
  double rounding = 0;
  if (pattern.changed[static_cast<std::size_t>(position)] != 0 && own < loops.paths.size()) {
    rounding = largest_share<rows>(loops.rounding[own], most);
    loops.doubtful = loops.doubtful || is_doubtful(own_factors, most, rounding, dropped);
  }
  keep_factors(loops, own, own_factors);
  double y[rows];
  reduce_right_side(loops, own, own_factors, y);
  if (first + 1 == last) return;
  // B²/Δ is known as well as Δ is, and Δ to ε of the most that it could be and what its row has already.
  double uncertainty[rows];
  for (int k = 0; k < rows; ++k)
    uncertainty[k] = (clear_of_rounding * 2.2e-16 + rounding) * own_factors.inverse[k] *
                     own_factors.inverse[k] * most.x[own_factors.order[k]];
  for (int b = first + 1; b < last; ++b) {
    Rows* block = omega + 8 * static_cast<std::size_t>(b);
    Rows B[rows];
    for (int k = 0; k < rows; ++k) {
      B[k] = block[own_factors.order[k]];
      for (int j = 0; j < k; ++j) B[k] = B[k] - own_factors.L[k][j] * B[j];
    }
    const auto after = static_cast<std::size_t>(
        pattern
            .order[static_cast<std::size_t>(pattern.blocks[static_cast<std::size_t>(b)].column)]);
    const double sign = pattern.sign_of_update(static_cast<std::size_t>(b));
    Rows later = loops.lambda[after], left_rounding = loops.rounding[after];
    for (int k = 0; k < rows; ++k) {
      block[k] = B[k];
      later = later + (sign * own_factors.inverse[k] * y[k]) * B[k];
      left_rounding = left_rounding + uncertainty[k] * (B[k] * B[k]);
    }
    loops.lambda[after] = later, loops.rounding[after] = left_rounding;
  }
  update_later_rows<rows>(loops, position, own_factors);
}

/// λ of one position, all later ones known: Lᵀ λ = Δ⁻¹ (y − B λ_later).
template <int rows>
LINKWRIGHT_INLINE void substitute(LoopScratch& loops, int position) {
  const OmegaPattern& pattern = loops.pattern;
  const int first = pattern.block_begin[static_cast<std::size_t>(position)];
  const int last = pattern.block_begin[static_cast<std::size_t>(position) + 1];
  const auto own = static_cast<std::size_t>(pattern.order[static_cast<std::size_t>(position)]);
  const OwnRows& kept = loops.own_rows[own];
  double x[rows];
  for (int k = 0; k < rows; ++k) x[k] = loops.lambda[own].x[k];
  if (first + 1 < last) {
    Rows taken[rows];
    for (int k = 0; k < rows; ++k) taken[k] = Rows(0.0);
    for (int b = first + 1; b < last; ++b) {
      const Rows* block = loops.omega.data() + 8 * static_cast<std::size_t>(b);
      const Rows& later =
          loops.lambda[static_cast<std::size_t>(pattern.order[static_cast<std::size_t>(
              pattern.blocks[static_cast<std::size_t>(b)].column)])];
      for (int k = 0; k < rows; ++k) taken[k] = taken[k] + block[k] * later;
    }
    for (int k = 0; k < rows; ++k) x[k] -= sum(taken[k]);
  }
  for (int k = rows - 1; k >= 0; --k) {
    x[k] = kept.inverse[k] * x[k];
    // A dropped row carries nothing.
    if (kept.inverse[k] != 0)
      for (int j = k + 1; j < rows; ++j) x[k] -= kept.L[j][k] * x[j];
  }
  for (int k = 0; k < rows; ++k) loops.lambda[own].x[kept.order[k]] = x[k];
}

/// The right-hand side into `lambda`, and what is known to it; Ω complete.
LINKWRIGHT_INLINE void prepare_omega(LoopScratch& loops) {
  for (std::size_t i = 0; i < loops.right.size(); ++i) loops.lambda[i] = -loops.right[i];
  gather_omega(loops);
  if (loops.pushed) move_efforts_right(loops);
  add_compliance(loops);
  if (loops.pushed)
    for (Rows& y : loops.lambda) y.x[effort_lane] = 0;
}

/// λ from `right`, in LoopScratch::lambda.
LINKWRIGHT_INLINE void solve_omega(LoopScratch& loops) {
  const OmegaPattern& pattern = loops.pattern;
  const int count = static_cast<int>(pattern.order.size());
  loops.dropped = 0;
  loops.conflict = 0;
  loops.doubtful = false;
  for (Rows& x : loops.rounding) x = Rows(0.0);
  prepare_omega(loops);
  for (int p = 0; p < count && !loops.doubtful; ++p) {
    const auto own = static_cast<std::size_t>(pattern.order[static_cast<std::size_t>(p)]);
    with_rows(loops.row_count[own],
              [&](auto rows) LINKWRIGHT_INLINE_LAMBDA { eliminate<rows()>(loops, p); });
  }
  if (loops.doubtful) [[unlikely]] {
    solve_pivoted(loops);
  } else {
    for (int p = count - 1; p >= 0; --p) {
      const auto own = static_cast<std::size_t>(pattern.order[static_cast<std::size_t>(p)]);
      with_rows(loops.row_count[own],
                [&](auto rows) LINKWRIGHT_INLINE_LAMBDA { substitute<rows()>(loops, p); });
    }
  }
  if (loops.pushed)
    for (Rows& y : loops.lambda) y.x[effort_lane] = 1;
}

/// Σ u λ over a closure's rows, and its efforts.
template <int rows>
LINKWRIGHT_INLINE double pushed_by(const Rows& u, const double (&lambda)[rows], double effort) {
  double total = effort * u.x[effort_lane];
  for (int i = 0; i < rows; ++i) total += u.x[i] * lambda[i];
  return total;
}

/// ν ← ν + D⁻¹ Σ u λ at every joint that a closure reaches.
LINKWRIGHT_INLINE void add_closure_forces(const Tree<double>& tree, Scratch<double>& s,
                                          const LoopScratch& loops) {
  const double effort = loops.pushed ? 1 : 0;
  for (std::size_t c = 0; c < loops.paths.size(); ++c) {
    const auto add = [&](auto rows) LINKWRIGHT_INLINE_LAMBDA {
      // One by one, as they were written: a load of all would wait until every store is done.
      double lambda[rows()];
      for (int i = 0; i < rows(); ++i) lambda[i] = loops.lambda[c].x[i];
      for (int at = loops.paths[c].begin; at < loops.paths[c].end; ++at) {
        const PathNode& here = loops.path[static_cast<std::size_t>(at)];
        const auto k = static_cast<std::size_t>(here.node);
        const Node<double>& n = tree.nodes[k];
        const Rows* u = loops.u.data() + here.first;
        if (n.modes < 0) {
          s.gain[k].nu += s.gain[k].D_inv * pushed_by<rows()>(u[0], lambda, effort);
        } else {
          auto& gain = s.multi_gain[static_cast<std::size_t>(n.modes)];
          for (int i = 0; i < n.d; ++i) gain.e[i] += pushed_by<rows()>(u[i], lambda, effort);
        }
      }
    };
    // Rows that a closure does not have are zero; one without any may still have efforts.
    if (loops.row_count[c] <= 3)
      add(std::integral_constant<int, 3>{});
    else
      add(std::integral_constant<int, 6>{});
  }
}

}  // namespace LINKWRIGHT_ISA
}  // namespace linkwright::closure
