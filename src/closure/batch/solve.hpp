#pragma once
/// Ω λ = right-hand side for eight states at a time: no pivoting, no row dropped, the order is the plan's.
///
/// Given    u, D⁻¹ u and the right-hand side in λ, of closed_rows
/// Computes Ω(i, j) = Σ_k u_iᵀ D⁻¹ u_j (+ 1/R) for closures that share joints, L Δ Lᵀ, λ
/// Cost     O(closures) where each shares joints with a bounded number of others

#include "closure/batch/rows.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

/// Rows first … first + rows − 1 of one block.
template <int rows, int columns>
LINKWRIGHT_INLINE void gather_rows(const BatchPlan& plan, const ClosedBatchScratch& w,
                                   const Block& block, int first, States* to, int width) {
  States total[rows][columns];
  for (auto& row : total)
    for (States& x : row) x = States(0.0);
  for (int j = block.begin; j < block.end; ++j) {
    const Shared& shared = plan.pattern.shared[index(j)];
    const States* left = w.u.data() + plan.u_at[index(shared.row)] + first;
    const States* right = w.weighted.data() + plan.u_at[index(shared.column)];
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < columns; ++k) total[i][k] += left[i] * right[k];
  }
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < columns; ++k) to[(first + i) * width + k] = total[i][k];
}
/// Three rows at a time: their sums stay in registers.
template <int columns>
void gather_block(const BatchPlan& plan, const ClosedBatchScratch& w, const Block& block, int rows,
                  States* to, int width) {
  int first = 0;
  for (; first + 2 <= rows; first += 2) gather_rows<2, columns>(plan, w, block, first, to, width);
  if (first < rows) gather_rows<1, columns>(plan, w, block, first, to, width);
}

LINKWRIGHT_INLINE void gather_omega(const BatchPlan& plan, ClosedBatchScratch& w) {
  for (std::size_t b = 0; b < plan.pattern.blocks.size(); ++b) {
    const Block& block = plan.pattern.blocks[b];
    const int width = plan.width[index(block.row)];
    States* to = w.omega.data() + plan.omega_at[index(block.row)] + plan.block_at[b];
    const int rows = plan.at_position(block.row).count;
    with_rows(plan.at_position(block.column).count, [&](auto columns) LINKWRIGHT_INLINE_LAMBDA {
      gather_block<columns()>(plan, w, block, rows, to, width);
    });
  }
}

/// The rows of one position among themselves, each as wide as all its blocks. NaN in the lanes where a
/// pivot is nothing but rounding.
LINKWRIGHT_INLINE States factor_rows(const BatchPlan& plan, ClosedBatchScratch& w, int position) {
  const KeptRows& own = plan.at_position(position);
  const int width = plan.width[index(position)], first = plan.lambda_at[index(position)];
  States* A = w.omega.data() + plan.omega_at[index(position)];
  States *y = w.lambda.data() + first, *inverse = w.inverse_pivot.data() + first;
  typename States::Bits fine = ~typename States::Bits{};
  for (int r = 0; r < own.count; ++r) {
    const States* row = A + r * width;
    fine = fine & above(row[r], inverse[r]);
    inverse[r] = States(1.0) / row[r];
    for (int i = r + 1; i < own.count; ++i) {
      const States l = inverse[r] * row[i];
      States* below = A + i * width;
      for (int k = i; k < width; ++k) below[k] -= l * row[k];
      y[i] -= l * y[r];
    }
  }
  return sweeps::poison_where<States>(~fine);
}

/// Ω(b, c) −= B_bᵀ Δ⁻¹ B_c for all that come after one position.
template <int rows>
void update_later(const BatchPlan& plan, ClosedBatchScratch& w, int position) {
  const OmegaPattern& pattern = plan.pattern;
  const int begin = pattern.block_begin[index(position)],
            end = pattern.block_begin[index(position) + 1];
  const int width = plan.width[index(position)], own = plan.lambda_at[index(position)];
  const States* A = w.omega.data() + plan.omega_at[index(position)];
  const States *y = w.lambda.data() + own, *inverse = w.inverse_pivot.data() + own;
  int update = pattern.update_begin[index(position)];
  for (int b = begin + 1; b < end; ++b) {
    const int later = pattern.blocks[index(b)].column, later_width = plan.width[index(later)];
    States* later_y = w.lambda.data() + plan.lambda_at[index(later)];
    for (int i = 0; i < plan.at_position(later).count; ++i) {
      States left[rows], total = later_y[i];
      for (int r = 0; r < rows; ++r) {
        left[r] = inverse[r] * A[r * width + plan.block_at[index(b)] + i];
        total -= left[r] * y[r];
      }
      later_y[i] = total;
      for (int c = b; c < end; ++c) {
        const int target = pattern.update[index(update + c - b)];
        States* to = w.omega.data() + plan.omega_at[index(later)] + i * later_width +
                     plan.block_at[index(target)];
        const States* right = A + plan.block_at[index(c)];
        const int count = plan.at_position(pattern.blocks[index(c)].column).count;
        for (int k = c == b ? i : 0; k < count; ++k) {
          States sum = to[k];
          for (int r = 0; r < rows; ++r) sum -= left[r] * right[r * width + k];
          to[k] = sum;
        }
      }
    }
    update += end - b;
  }
}

/// λ of one position, all later ones known.
LINKWRIGHT_INLINE void substitute(const BatchPlan& plan, ClosedBatchScratch& w, int position) {
  const OmegaPattern& pattern = plan.pattern;
  const int begin = pattern.block_begin[index(position)],
            end = pattern.block_begin[index(position) + 1];
  const int width = plan.width[index(position)], own = plan.lambda_at[index(position)];
  const States* A = w.omega.data() + plan.omega_at[index(position)];
  States* y = w.lambda.data() + own;
  for (int r = plan.at_position(position).count - 1; r >= 0; --r) {
    States total = y[r];
    for (int b = begin; b < end; ++b) {
      const int later = pattern.blocks[index(b)].column;
      const States* x = w.lambda.data() + plan.lambda_at[index(later)];
      const States* row = A + r * width + plan.block_at[index(b)];
      for (int k = b == begin ? r + 1 : 0; k < plan.at_position(later).count; ++k)
        total -= row[k] * x[k];
    }
    y[r] = w.inverse_pivot[index(own + r)] * total;
  }
}

/// λ. Returns NaN in the lanes whose rows depend on each other.
LINKWRIGHT_INLINE States solve_omega(const BatchPlan& plan, ClosedBatchScratch& w) {
  const int count = static_cast<int>(plan.pattern.order.size());
  for (int p = 0; p < count; ++p) {
    const KeptRows& own = plan.at_position(p);
    States* A = w.omega.data() + plan.omega_at[index(p)];
    for (int r = 0; r < own.count; ++r) {
      States& diagonal = A[r * plan.width[index(p)] + r];
      diagonal += own.compliance[r];
      // Until the pivot is known: the least that it may be.
      w.inverse_pivot[index(plan.lambda_at[index(p)] + r)] =
          rank_threshold * rank_threshold * larger(diagonal, States(own.diagonal[r]));
    }
  }
  States bad(0.0);
  for (int p = 0; p < count; ++p) {
    bad += factor_rows(plan, w, p);
    with_rows(plan.at_position(p).count,
              [&](auto rows) LINKWRIGHT_INLINE_LAMBDA { update_later<rows()>(plan, w, p); });
  }
  for (int p = count - 1; p >= 0; --p) substitute(plan, w, p);
  return bad;
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
