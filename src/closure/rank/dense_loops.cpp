#include "closure/rank/dense_loops.hpp"

#include <algorithm>
#include <cmath>

#include "closure/derivatives/room.hpp"
#include "closure/rank/size.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"

namespace linkwright::closure {
namespace {

int rows_of(const System& system) {
  return system.closures().empty() ? 0
                                   : system.closures().back().row + system.closures().back().rows;
}

/// Whether a row of a pair measures a way: its force part is more than rounding.
bool measures_way(const ClosurePlace& c, int i) {
  if (c.kind == PairKind::universal) return i > 0;
  if (c.kind == PairKind::lower_pair) return norm(c.W[i].force) > 1e-9;
  return true;
}

}  // namespace

double size_of(const System& system) {
  double most = 0;
  for (const Node<double>& node : system.tree().nodes)
    if (node.parent != 0) most = std::max(most, norm(node.p0));
  for (const ClosurePlace& c : system.closures()) {
    if (c.node_a != 0) most = std::max(most, norm(c.at_a.translation));
    if (c.node_b != 0) most = std::max(most, norm(c.at_b.translation));
  }
  return most > 0 ? most : 1;
}

DenseLoops::DenseLoops(const System& system)
    : length(size_of(system)),
      row_scale(Eigen::VectorXd::Ones(rows_of(system))),
      column_scale(Eigen::VectorXd::Ones(system.nv())),
      space(0, 0),
      lambda(rows_of(system)),
      q(system.nq()) {
  for (const Node<double>& node : system.tree().nodes) {
    if (&node == &system.tree().nodes.front()) continue;
    for (int i = 0; i < node.d; ++i) {
      bool slides = false;
      if (node.modes >= 0)
        slides =
            norm(system.tree().modes[static_cast<std::size_t>(node.modes)].column[i].angular) == 0;
      if (slides) column_scale[node.v + i] = length;
    }
  }
  for (const Run& run : system.tree().runs)
    if (run.kind == NodeKind::prismatic)
      for (int k = run.first; k <= run.last; ++k)
        column_scale[system.tree().nodes[static_cast<std::size_t>(k)].v] = length;
  for (const ClosurePlace& c : system.closures())
    for (int i = 0; i < c.rows; ++i) {
      if (c.kind == PairKind::gear)  // in the units of the follower
        row_scale[c.row] = 1 / column_scale[c.terms.back().v];
      else if (measures_way(c, i))
        row_scale[c.row + i] = 1 / length;
    }
}

DenseLoops::~DenseLoops() = default;

void DenseLoops::make_room() {
  if (M.size() > 0) return;
  const Eigen::Index nv = column_scale.size(), m = row_scale.size();
  J.resize(m, nv), A.resize(nv, m);
  space = Orthogonal(static_cast<int>(nv), static_cast<int>(m));
  for (auto* square : {&N, &M, &MN, &reduced}) square->resize(nv, nv);
  for (auto* vector : {&bias, &effort, &particular, &coefficients}) vector->resize(nv);
  rows.resize(m);
}

void decompose_rows(DenseLoops& d) {
  for (Eigen::Index i = 0; i < d.J.rows(); ++i)
    d.A.col(i) = d.row_scale[i] * d.J.row(i).transpose().cwiseProduct(d.column_scale);
  d.space.compute(d.A, rank_threshold);
  d.mobility = static_cast<int>(d.J.cols()) - d.space.rank();
  d.space.null_basis(d.N.leftCols(d.mobility));
  for (Eigen::Index i = 0; i < d.mobility; ++i) d.N.col(i).array() *= d.column_scale.array();
}

void compute_row_space(ClosedWorkspace& work, const ConstVectorRef& q) {
  DenseLoops& d = work.dense();
  d.make_room();
  compute_closure_jacobian(work, q, d.J);
  decompose_rows(d);
}

void solve_rows(DenseLoops& d, const ConstVectorRef& b, VectorRef x) {
  d.rows = d.row_scale.cwiseProduct(b);
  d.space.solve_rows(d.rows, x);
  x.array() *= d.column_scale.array();
}

void solve_forces(DenseLoops& d, const ConstVectorRef& f, VectorRef lambda) {
  d.effort = d.column_scale.cwiseProduct(f);
  d.space.solve_columns(d.effort, lambda);
  lambda.array() *= d.row_scale.array();
}

}  // namespace linkwright::closure
