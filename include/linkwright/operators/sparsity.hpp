#pragma once
/// Operators as pictures: which nodes an operator connects, seen at a glance. For small systems.
///
///     std::vector<SparsityPanel> panels{sparsity_panel(phi, at), sparsity_panel(psi, at)};
///     std::ofstream("sparsity.svg") << draw_sparsity(panels);

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "linkwright/operators/dense.hpp"

namespace linkwright::operators {

enum class Entry : unsigned char { zero, one, other };
/// What a block of a matrix is as a whole.
enum class Block : unsigned char { zero, identity, other };

/// One matrix of a picture.
struct SparsityPanel {
  std::string title;
  std::vector<int> rows, columns;      // sizes of the blocks, from above and from the left
  std::vector<Entry> entries;          // row by row
  std::vector<std::string> row_names;  // one per row of blocks, written at its left; or none
  double side = 160;                   // length of the longer side in pixels
};

/// The sizes of the blocks of a stacked vector: one block per body, frame or base; joints in the order of
/// v, one block per node as far as its joints are neighbours there.
std::vector<int> block_sizes(const Operators& at, Space s);

/// The panel of a matrix. An entry is zero if it is below `noise` of the largest one.
inline SparsityPanel sparsity_panel(std::string title, const Eigen::MatrixXd& matrix,
                                    std::vector<int> rows, std::vector<int> columns,
                                    double noise = 1e-12) {
  SparsityPanel panel{std::move(title), std::move(rows), std::move(columns), {}, {}};
  const double zero = matrix.size() == 0 ? 0 : noise * matrix.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      const double x = matrix(i, j);
      const Entry not_zero = std::abs(x - 1) <= noise ? Entry::one : Entry::other;
      panel.entries.push_back(std::abs(x) <= zero ? Entry::zero : not_zero);
    }
  return panel;
}
/// The panel of an expression, under its own name.
template <Operator X>
SparsityPanel sparsity_panel(X expression, const Operators& at) {
  return sparsity_panel(describe(expression), dense(expression, at), block_sizes(at, X::range),
                        block_sizes(at, X::domain));
}

/// The block in that row and column of blocks.
Block block_at(const SparsityPanel& panel, std::size_t row, std::size_t column);

/// The panels side by side, in as many rows as a picture of that width needs, as the text of an SVG
/// file. Zero blocks stay blank. Throws Error naming a panel whose blocks do not fit its entries.
std::string draw_sparsity(std::span<const SparsityPanel> panels, double width = 860);

}  // namespace linkwright::operators
