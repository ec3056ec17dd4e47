#include "closure/derivatives/room.hpp"

#include <algorithm>

#include "closure/derivatives/derivative_kernels.hpp"
#include "dynamics/instruction_set.hpp"
#include "dynamics/kernels.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {

using Eigen::Index;

DerivativeRoom::DerivativeRoom(const System& system)
    : pairs(system.closures().size()),
      rows(system.closures().size()),
      loads(system.closures().size()),
      solution(system) {
  const Index n = system.nv(), efforts = system.effort_count(),
              closing = static_cast<Index>(system.closing_names().size());
  Index m = 0;
  for (const ClosurePlace& c : system.closures()) m += c.rows;
  for (auto* vector : {&a, &other}) vector->resize(n);
  for (auto* vector : {&lambda, &weighted, &counting}) vector->resize(m);
  for (auto* matrix : {&M, &a_q, &a_v, &square, &product}) matrix->resize(n, n);
  for (auto* matrix : {&equations_q, &equations_v, &solved_q, &solved_v}) matrix->resize(n + m, n);
  for (auto* matrix : {&w_q, &x_q, &rows_by_v, &counting_by_v}) matrix->resize(m, n);
  for (auto* matrix : {&F_q, &F_v}) matrix->resize(6 * static_cast<Index>(pairs.size()), n);
  for (auto* matrix : {&L, &L_q}) matrix->resize(closing, n);
  for (auto* matrix : {&wide, &lambdas}) matrix->resize(m, efforts);
  a_tau.resize(n, efforts), carried.resize(6, efforts), P.resize(n, m);
}

const ClosedDerivativeKernels& derivative_kernels() {
  return LINKWRIGHT_CHOOSE_TABLE(closed_derivative_kernels);
}

DerivativeRoom& derivative_room(ClosedWorkspace& work) {
  auto& room = work.dense().derivatives;
  if (room == nullptr) room = std::make_unique<DerivativeRoom>(work.system());
  return *room;
}

void compute_pairs(ClosedWorkspace& work) {
  const System& system = work.system();
  DerivativeRoom& room = derivative_room(work);
  for (std::size_t i = 0; i < room.pairs.size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    if (is_among_joints(c.kind)) continue;
    compute_pair_motion(system, work.tree().scratch(), c.node_a, c.at_a, c.node_b, c.at_b,
                        room.pairs[i]);
    find_rows(c, room.pairs[i], room.rows[i]);
  }
}

void write_projections(const PairMotion& pair, std::initializer_list<Term> terms, int count,
                       Index first, DerivativeRoom& room, MatrixRef out) {
  if (count == 0) return;
  room.columns.resize(std::max(room.columns.size(), at(count) * at(pair.stride)));
  bool add = false;
  for (const Term& term : terms) {
    derivative_kernels().project(term.forces, count, pair.field(term.field), pair.stride,
                                 pair.count(), add, room.columns.data());
    add = true;
  }
  for (int k = 0; k < pair.count(); ++k)
    for (int i = 0; i < count; ++i)
      out(first + i, pair.v[at(k)]) = room.columns[at(i * pair.stride + k)];
}

void compute_pair_jacobian(ClosedWorkspace& work) {
  DenseLoops& d = work.dense();
  DerivativeRoom& room = derivative_room(work);
  d.make_room();
  d.J.setZero();
  for (std::size_t i = 0; i < room.pairs.size(); ++i) {
    const ClosurePlace& c = work.system().closures()[i];
    for (const TreeTerm& term : c.terms)
      if (c.rows > 0) d.J(c.row, term.v) += term.ratio;
    if (is_among_joints(c.kind)) continue;
    write_projections(room.pairs[i], {{&room.rows[i].rows.W[0][0], PairMotion::displacement}},
                      c.rows, c.row, room, d.J);
  }
}

void compute_shortest(ClosedWorkspace& work) {
  DenseLoops& d = work.dense();
  DerivativeRoom& room = derivative_room(work);
  d.space.solve_all_rows(room.P);
  for (Index i = 0; i < room.P.cols(); ++i)
    room.P.col(i).array() *= d.row_scale[i] * d.column_scale.array();
}

void compute_row_changes(ClosedWorkspace& work, const double* x, Eigen::MatrixXd& out) {
  const System& system = work.system();
  DerivativeRoom& room = derivative_room(work);
  kernels().velocities(system.tree(), work.tree().scratch(), x);
  compute_pairs(work);
  out.setZero();
  for (std::size_t i = 0; i < room.pairs.size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    if (is_among_joints(c.kind)) continue;
    const RowMaps& rows = room.rows[i].rows;
    write_projections(
        room.pairs[i],
        {{&rows.y[0][0], PairMotion::displacement}, {&rows.W[0][0], PairMotion::velocity_by_q}},
        c.rows, c.row, room, out);
  }
}

}  // namespace linkwright::closure
