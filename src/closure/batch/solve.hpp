#pragma once
/// Ω λ = right-hand side for eight states at a time: no pivoting, no row dropped, the order is the plan's.
///
/// Given    u, D⁻¹ u and the right-hand side in λ, of closed_rows
/// Computes Ω(i, j) = Σ_k u_iᵀ D⁻¹ u_j (+ 1/R) for closures that share joints, L Δ Lᵀ, λ
/// Cost     O(closures) where each shares joints with a bounded number of others

#include "closure/batch/rows.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

/// Rows first … first + rows − 1 of one block, from column `from` on.
template <int rows, int from, int columns>
LINKWRIGHT_INLINE void gather_rows(const BatchPlan& plan, const ClosedBatchScratch& w,
                                   const Block& block, int first, States* to, int width) {
  States total[rows][columns - from];
  for (auto& row : total)
    for (States& x : row) x = States(0.0);
  for (int j = block.begin; j < block.end; ++j) {
    const Shared& shared = plan.pattern.shared[index(j)];
    const States* left = w.u.data() + plan.u_at[index(shared.row)] + first;
    const States* right = w.weighted.data() + plan.u_at[index(shared.column)] + from;
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < columns - from; ++k) total[i][k] += left[i] * right[k];
  }
  for (int i = 0; i < rows; ++i)
    for (int k = from; k < columns; ++k) to[(first + i) * width + k] = total[i][k - from];
}
/// Two rows at a time: their sums stay in registers.
template <int columns>
void gather_block(const BatchPlan& plan, const ClosedBatchScratch& w, const Block& block, int rows,
                  States* to, int width) {
  int first = 0;
  for (; first + 2 <= rows; first += 2)
    gather_rows<2, 0, columns>(plan, w, block, first, to, width);
  if (first < rows) gather_rows<1, 0, columns>(plan, w, block, first, to, width);
}
/// A closure with itself: nobody asks for what is below the diagonal.
template <int rows, int from = 0>
LINKWRIGHT_INLINE void gather_triangle(const BatchPlan& plan, const ClosedBatchScratch& w,
                                       const Block& block, States* to, int width) {
  constexpr int here = from + 2 <= rows ? 2 : 1;
  gather_rows<here, from, rows>(plan, w, block, from, to, width);
  if constexpr (from + here < rows) gather_triangle<rows, from + here>(plan, w, block, to, width);
}

LINKWRIGHT_INLINE void gather_omega(const BatchPlan& plan, ClosedBatchScratch& w) {
  for (std::size_t b = 0; b < plan.pattern.blocks.size(); ++b) {
    const Block& block = plan.pattern.blocks[b];
    const int width = plan.width[index(block.row)];
    States* to = w.omega.data() + plan.omega_at[index(block.row)] + plan.block_at[b];
    const int rows = plan.at_position(block.row).count;
    with_rows(plan.at_position(block.column).count, [&](auto columns) LINKWRIGHT_INLINE_LAMBDA {
      if (block.row == block.column)
        gather_triangle<columns()>(plan, w, block, to, width);
      else
        gather_block<columns()>(plan, w, block, rows, to, width);
    });
  }
}

/// L⁻¹ of a column, L as the rows of Lᵀ.
template <int rows>
LINKWRIGHT_INLINE void divide_by_L(const States (&Lt)[rows][rows], States* x, int stride) {
  States column[rows];
  for (int r = 0; r < rows; ++r) column[r] = x[r * stride];
  for (int r = 0; r < rows; ++r)
    for (int i = r + 1; i < rows; ++i) column[i] -= Lt[r][i] * column[r];
  for (int r = 1; r < rows; ++r) x[r * stride] = column[r];
}
/// The rows of one position among themselves, each as wide as all its blocks: Lᵀ right of the diagonal, L⁻¹
/// of the other blocks and of the right-hand side. NaN in the lanes where a pivot is nothing but rounding.
template <int rows>
LINKWRIGHT_INLINE States factor_rows(const BatchPlan& plan, ClosedBatchScratch& w, int position) {
  const int width = plan.width[index(position)], first = plan.lambda_at[index(position)];
  States* A = w.omega.data() + plan.omega_at[index(position)];
  States* inverse = w.inverse_pivot.data() + first;
  typename States::Bits fine = ~typename States::Bits{};
  States Lt[rows][rows];
  for (int r = 0; r < rows; ++r)
    for (int k = r; k < rows; ++k) Lt[r][k] = A[r * width + k];
  for (int r = 0; r < rows; ++r) {
    fine = fine & above(Lt[r][r], inverse[r]);
    inverse[r] = States(1.0) / Lt[r][r];
    for (int i = r + 1; i < rows; ++i) {
      const States l = inverse[r] * Lt[r][i];
      for (int k = i; k < rows; ++k) Lt[i][k] -= l * Lt[r][k];
      A[r * width + i] = l;
    }
    for (int i = r + 1; i < rows; ++i) Lt[r][i] = A[r * width + i];
  }
  for (int k = rows; k < width; ++k) divide_by_L<rows>(Lt, A + k, width);
  divide_by_L<rows>(Lt, w.lambda.data() + first, 1);
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

/// λ of one position, all later ones known. Column by column: no row waits for the sum of another.
template <int rows>
LINKWRIGHT_INLINE void substitute(const BatchPlan& plan, ClosedBatchScratch& w, int position) {
  const OmegaPattern& pattern = plan.pattern;
  const int begin = pattern.block_begin[index(position)],
            end = pattern.block_begin[index(position) + 1];
  const int width = plan.width[index(position)], own = plan.lambda_at[index(position)];
  const States* A = w.omega.data() + plan.omega_at[index(position)];
  States* y = w.lambda.data() + own;
  States x[rows];
  for (int r = 0; r < rows; ++r) x[r] = y[r];
  for (int b = begin + 1; b < end; ++b) {
    const int later = pattern.blocks[index(b)].column;
    const States* known = w.lambda.data() + plan.lambda_at[index(later)];
    const States* column = A + plan.block_at[index(b)];
    for (int k = 0; k < plan.at_position(later).count; ++k)
      for (int r = 0; r < rows; ++r) x[r] -= column[r * width + k] * known[k];
  }
  for (int r = 0; r < rows; ++r) x[r] = w.inverse_pivot[index(own + r)] * x[r];
  for (int k = rows - 1; k > 0; --k)
    for (int r = 0; r < k; ++r) x[r] -= A[r * width + k] * x[k];
  for (int r = 0; r < rows; ++r) y[r] = x[r];
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
    with_rows(plan.at_position(p).count, [&](auto rows) LINKWRIGHT_INLINE_LAMBDA {
      bad += factor_rows<rows()>(plan, w, p);
      update_later<rows()>(plan, w, p);
    });
  }
  for (int p = count - 1; p >= 0; --p)
    with_rows(plan.at_position(p).count,
              [&](auto rows) LINKWRIGHT_INLINE_LAMBDA { substitute<rows()>(plan, w, p); });
  return bad;
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
