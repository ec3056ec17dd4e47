#include "closure/derivatives/room.hpp"

#include "closure/derivatives/product_kernels.hpp"
#include "dynamics/instruction_set.hpp"
#include "dynamics/kernels.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {

using Eigen::Index;

DerivativeRoom::DerivativeRoom(const System& system)
    : pairs(system.closures().size()), rows(system.closures().size()) {
  const Index n = system.nv(), efforts = system.effort_count(),
              closing = static_cast<Index>(system.closing_names().size());
  Index m = 0;
  for (const ClosurePlace& c : system.closures()) m += c.rows;
  for (PairMotion& pair : pairs) pair.freedoms.reserve(at(n));
  for (auto* vector : {&a, &residual, &other}) vector->resize(n);
  lambda.resize(m), weighted.resize(m);
  for (auto* matrix : {&M, &H, &r_q, &r_v, &a_q, &a_v, &square, &product}) matrix->resize(n, n);
  for (auto* matrix : {&s_q, &s_v, &w_q, &x_q}) matrix->resize(m, n);
  for (auto* matrix : {&F_q, &F_v}) matrix->resize(6 * static_cast<Index>(pairs.size()), n);
  for (auto* matrix : {&a_tau, &wide, &wide_product}) matrix->resize(n, efforts);
  P.resize(n, m), Pt.resize(m, n), L.resize(closing, n), L_q.resize(closing, n),
      lambdas.resize(m, efforts);
}

const ProductKernels& product_kernels() { return LINKWRIGHT_CHOOSE_TABLE(product_kernels); }

void multiply(MatrixRef out, const ConstMatrixRef& a, const ConstMatrixRef& b) {
  product_kernels().multiply(a.data(), a.outerStride(), b.data(), b.outerStride(), out.data(),
                             out.outerStride(), static_cast<int>(a.rows()),
                             static_cast<int>(a.cols()), static_cast<int>(b.cols()));
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
  }
}

void compute_shortest(ClosedWorkspace& work) {
  DenseLoops& d = work.dense();
  DerivativeRoom& room = derivative_room(work);
  for (Index i = 0; i < room.P.cols(); ++i) {
    d.rows.setZero();
    d.rows[i] = d.row_scale[i];
    d.space.solve_rows(d.rows, room.P.col(i));
    room.P.col(i).array() *= d.column_scale.array();
  }
  room.Pt = room.P.transpose();
}

void compute_row_changes(ClosedWorkspace& work, const double* x, Eigen::MatrixXd& out) {
  const System& system = work.system();
  DerivativeRoom& room = derivative_room(work);
  constexpr double none[6]{};
  kernels().velocities(system.tree(), work.tree().scratch(), x);
  compute_pairs(work);
  out.setZero();
  for (std::size_t i = 0; i < room.pairs.size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    if (is_among_joints(c.kind)) continue;
    const PairForce pair(c, room.pairs[i], none, none);
    for (const PairFreedom& k : room.pairs[i].freedoms) {
      const PairChange change = pair.change({k.J, k.V_by_q, {}});
      for (int j = 0; j < c.rows; ++j) out(c.row + j, k.v) = change.velocity[j];
    }
  }
}

}  // namespace linkwright::closure
