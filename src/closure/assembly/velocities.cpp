#include <algorithm>

#include <fmt/format.h>

#include "closure/assembly/hold.hpp"
#include "closure/assembly/near_residual.hpp"
#include "closure/closing_efforts.hpp"
#include "closure/closure_kernels.hpp"
#include "closure/rank/dense_loops.hpp"
#include "closure/rows.hpp"
#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

using closure::DenseLoops, closure::free_entries;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The closure whose rows of J v are largest.
std::string fastest_opening(const System& system, const VectorXd& rates) {
  Index most = 0;
  rates.cwiseAbs().maxCoeff(&most);
  for (const ClosurePlace& c : system.closures())
    if (most >= c.row && most < c.row + c.rows) return c.name;
  return {};
}

/// Whether gaps to first order, and the rates, are below the tolerance. Where not, a closer look may still find them
/// so.
bool is_plainly_closed(ClosedWorkspace& work, const State& state, double tolerance) {
  const System& system = work.system();
  auto& s = work.tree().scratch();
  kernels().place(system.tree(), s, state.q.data());
  closure::closure_kernels().place_loops(system.tree(), s, work.loops(), state.v.data());
  const double least = std::min(tolerance, closure::near_gap),
               slow = tolerance * std::max(1.0, state.v.lpNorm<Eigen::Infinity>());
  for (const ClosurePlace& c : system.closures()) {
    if (c.kind == PairKind::gear) {
      const double gap = closure::sum_of_terms(c, state.q.data()) - c.offset;
      if (!(std::abs(gap) <= least && std::abs(closure::rate_of_terms(c, state.v.data())) <= slow))
        return false;
      continue;
    }
    if (c.rows == 0) continue;
    if (!closure::has_near_form(c)) return false;
    const auto a = at(c.node_a), b = at(c.node_b);
    const closure::Meeting<double> m = closure::meet(c, s.pose[a], s.pose[b], s.V[a], s.V[b]);
    double distance, angle, facing;
    closure::near_opening(c, m.X, distance, angle, facing);
    if (!(facing > 0 && distance <= least && angle <= least)) return false;
    for (int i = 0; i < c.rows; ++i)
      if (!(std::abs(dot(closure::row_of(c, m, i).W, m.V)) <= slow)) return false;
  }
  return true;
}

/// J v of what is left of v without the motions that the rows allow. A row that is nearly redundant does not count: what it
/// demands less than rank_threshold of, velocities may do.
VectorXd counting_rates(ClosedWorkspace& work, const State& state) {
  closure::compute_row_space(work, state.q);
  const DenseLoops& d = work.dense();
  const MatrixXd N = d.column_scale.cwiseInverse().asDiagonal() * d.N.leftCols(d.mobility);
  VectorXd across = state.v.cwiseQuotient(d.column_scale);
  across -= N * (N.transpose() * across);
  return d.J * d.column_scale.cwiseProduct(across);
}

}  // namespace

double project_velocity(ClosedWorkspace& work, const ConstVectorRef& q,
                        const std::vector<std::string>& hold, VectorRef v) {
  const System& system = work.system();
  door::check_position(system, q);
  door::check_velocity_like(system, v, "v");
  DenseLoops& d = work.dense();
  d.make_room();
  closure::compute_whole_mass_matrix(work, q, d.M);
  closure::compute_row_space(work, q);
  if (d.mobility == 0) {
    v.setZero();
    return 0;
  }
  const MatrixXd N = d.N.leftCols(d.mobility);
  const std::vector<bool> free = free_entries(system, hold);
  const auto held = static_cast<Index>(std::count(free.begin(), free.end(), false));
  // v = N y: the held entries first, as far as they go; then the rest in the metric of M.
  MatrixXd H(held, d.mobility);
  VectorXd wanted(held);
  for (Index i = 0, row = 0; i < v.size(); ++i)
    if (!free[static_cast<std::size_t>(i)]) H.row(row) = N.row(i), wanted[row++] = v[i];
  VectorXd y = VectorXd::Zero(d.mobility);
  MatrixXd rest = MatrixXd::Identity(d.mobility, d.mobility);
  if (held > 0) {
    y = H.completeOrthogonalDecomposition().solve(wanted);
    rest = H.fullPivLu().kernel();
  }
  const MatrixXd K = N * rest;
  if (K.cols() > 0 && K.norm() > 0) {
    const MatrixXd reduced = K.transpose() * d.M * K;
    const VectorXd right = K.transpose() * d.M * (v - N * y);
    y += rest * Eigen::CompleteOrthogonalDecomposition<MatrixXd>(reduced).solve(right);
  }
  v = N * y;
  return work.rows() == 0 ? 0 : (d.J * v).cwiseAbs().maxCoeff();
}

void require_closed(ClosedWorkspace& work, const State& state, double tolerance) {
  const System& system = work.system();
  door::check_state(system, state);
  if (work.rows() == 0 || is_plainly_closed(work, state, tolerance)) return;
  const WorstClosure worst = compute_worst_closure(work, state.q);
  if (!(worst.gap() <= tolerance))
    throw Error(fmt::format("the state does not close the mechanism: {}; expected less than {:g}",
                            describe(system, worst), tolerance));
  if (system.nv() == 0) return;  // nothing moves
  MatrixXd J(work.rows(), system.nv());
  compute_closure_jacobian(work, state.q, J);
  VectorXd rates = J * state.v;
  const double bound = tolerance * std::max(1.0, state.v.cwiseAbs().maxCoeff());
  if (rates.cwiseAbs().maxCoeff() <= bound) return;
  rates = counting_rates(work, state);
  const double fastest = rates.cwiseAbs().maxCoeff();
  if (!(fastest <= bound))
    throw Error(
        fmt::format("the velocities open closure {} at a rate of {:.3g}; expected less than {:g}",
                    in_quotes(fastest_opening(system, rates)), fastest, tolerance));
}

}  // namespace linkwright
