#include "closure/omega/counting_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/motion_algebra.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {
namespace {

/// Nodes that move one of two and not the other.
std::vector<int> nodes_between(const Tree<double>& tree, int a, int b) {
  std::vector<int> nodes;
  while (a != b) {
    int& outer = a > b ? a : b;
    nodes.push_back(outer);
    outer = tree.nodes[at(outer)].parent;
  }
  return nodes;
}

/// A row on the basis of an algebra.
using OnBasis = std::array<double, 6>;

double inner(const OnBasis& x, const OnBasis& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// Those that are left when always the largest remainder is taken and removed from the others; `size` is
/// what each would be on the basis of all motions.
std::vector<int> independent_rows(std::vector<OnBasis> rows, const std::vector<double>& size) {
  std::vector<int> taken;
  for (std::size_t step = 0; step < rows.size(); ++step) {
    const auto share = [&](std::size_t i) { return inner(rows[i], rows[i]) / (size[i] * size[i]); };
    std::size_t best = 0;
    for (std::size_t i = 1; i < rows.size(); ++i)
      if (share(i) > share(best)) best = i;
    if (!(share(best) > MotionAlgebra::rounding * MotionAlgebra::rounding)) break;
    taken.push_back(static_cast<int>(best));
    const OnBasis pivot = rows[best];
    const double square = inner(pivot, pivot);
    for (OnBasis& row : rows) {
      const double part = inner(row, pivot) / square;
      for (std::size_t i = 0; i < row.size(); ++i) row[i] -= part * pivot[i];
    }
    rows[best] = {};
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

}  // namespace

std::vector<Pose> zero_poses(const Tree<double>& tree) {
  std::vector<Pose> poses(tree.nodes.size());
  for (std::size_t k = 1; k < poses.size(); ++k) {
    const Node<double>& n = tree.nodes[k];
    poses[k] = poses[at(n.parent)] * Pose{n.R0, n.p0};
  }
  return poses;
}

Motion mode_of(const Tree<double>& tree, NodeKind kind, int k, int i) {
  const Node<double>& n = tree.nodes[at(k)];
  if (n.modes >= 0) return tree.modes[at(n.modes)].column[i];
  return kind == NodeKind::prismatic ? Motion{{}, {0, 0, 1}} : Motion{{0, 0, 1}, {}};
}

std::vector<int> counting_rows(const Tree<double>& tree, const std::vector<NodeKind>& kinds,
                               const std::vector<Pose>& zero, const ClosurePlace& c,
                               double length) {
  MotionAlgebra algebra;
  const Pose to_b = inverse(zero[at(c.node_b)]);
  for (const int k : nodes_between(tree, c.node_a, c.node_b))
    for (int i = 0; i < tree.nodes[at(k)].d; ++i) {
      Motion mode = to_parent(to_b * zero[at(k)], mode_of(tree, kinds[at(k)], k, i));
      mode.linear = (1 / length) * mode.linear;
      algebra.add(mode);
    }
  algebra.close();
  std::vector<OnBasis> rows;
  std::vector<double> size;
  for (int i = 0; i < c.rows; ++i) {
    Force W = to_parent(c.at_b, c.W[i]);
    W.force = length * W.force;
    OnBasis& row = rows.emplace_back();
    row = {};
    for (std::size_t j = 0; j < algebra.basis.size(); ++j) row[j] = dot(W, algebra.basis[j]);
    size.push_back(std::sqrt(dot(W.moment, W.moment) + dot(W.force, W.force)));
  }
  return independent_rows(rows, size);
}

}  // namespace linkwright::closure
