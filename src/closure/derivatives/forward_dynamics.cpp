#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "closure/derivatives/room.hpp"
#include "closure/forward_dynamics.hpp"
#include "closure/products/products.hpp"
#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/derivatives.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

using closure::derivative_room, closure::DerivativeRoom, closure::multiply;
using Eigen::Index;

/// Where no acceleration keeps every closure there is nothing to differentiate.
void require_kept(ClosedWorkspace& work) {
  const DerivativeRoom& room = derivative_room(work);
  const ClosedReport report = closed_report(work);
  constexpr double rounding = 1e-6;
  if (work.rows() == 0 || report.violation <= rounding * (1 + room.a.cwiseAbs().maxCoeff())) return;
  throw Error(
      fmt::format("the position is singular: no acceleration keeps every closure (the best misses "
                  "them by {:.3g} m/s² or rad/s²), and accelerations jump there. They have no "
                  "derivatives; leave the position",
                  report.violation),
      Error::Kind::failed_computation);
}

/// −[δv̇; δμ] = K [∂r; Fᵀ ∂s].
void solve(DerivativeRoom& room, Eigen::MatrixXd& equations, Eigen::MatrixXd& out,
           Eigen::MatrixXd& a) {
  const closure::Solution& solution = room.solution;
  const Index n = a.rows(), r = solution.counting();
  if (solution.reduces()) {
    auto counting = room.rows_by_v.topRows(r);
    multiply(counting, solution.Ft(), equations.bottomRows(room.lambda.size()));
    equations.middleRows(n, r) = counting;
  }
  closure::multiply_sparse(out.topRows(n + r), solution.K(), equations.topRows(n + r));
  a = -out.topRows(n);
}

/// [I Lᵀ]: efforts of the joints and of closing motors.
void apply_efforts(const System& system, const DerivativeRoom& room, const ConstMatrixRef& A,
                   MatrixRef out) {
  const Index n = system.nv();
  out.leftCols(n) = A;
  for (Index i = n; i < out.cols(); ++i) {
    const ClosingMotor& motor = system.closing_motors()[at(i - n)];
    const int row = system.closures()[at(motor.closure)].closing + motor.freedom;
    out.col(i).noalias() = A.lazyProduct(room.L.row(row).transpose());
  }
}

/// What redundant rows' forces of least norm change by, besides: x with λ = R² J x, and ∂(J x)/∂q.
void find_redundant_changes(ClosedWorkspace& work, const State& state) {
  DerivativeRoom& room = derivative_room(work);
  const closure::Solution& solution = room.solution;
  if (!solution.reduces()) return;
  room.weighted = room.lambda.cwiseQuotient(work.dense().row_scale.cwiseAbs2());
  auto counting = room.counting.head(solution.counting());
  counting.noalias() = solution.Ft().lazyProduct(room.weighted);
  room.other.noalias() = solution.shortest().lazyProduct(counting);
  closure::compute_row_changes(work, room.other.data(), room.x_q);
  kernels().velocities(work.system().tree(), work.tree().scratch(), state.v.data());
}

}  // namespace

void closure::check_arguments(const System& system, const State& state, const ConstVectorRef& tau,
                              ExternalForces forces) {
  door::check_state(system, state);
  check_efforts(system, tau);
  check_forces(system, forces);
}

void closure::find_derivatives(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                               ExternalForces forces) {
  DerivativeRoom& room = derivative_room(work);
  room.placements = 0;
  compute_accelerations(work, state, tau, forces, room.a);
  require_kept(work);
  find_equations(work, state, tau, forces);
  solve(room, room.equations_q, room.solved_q, room.a_q);
  solve(room, room.equations_v, room.solved_v, room.a_v);
  apply_efforts(work.system(), room, room.solution.mobility(), room.a_tau);
  find_redundant_changes(work, state);
  room.placements = work.tree().scratch().stamp.placements();
}

void compute_forward_dynamics_derivatives(ClosedWorkspace& work, const State& state,
                                          const ConstVectorRef& tau, ExternalForces forces,
                                          MatrixRef da_dq, MatrixRef da_dv, MatrixRef da_dtau) {
  const System& system = work.system();
  const Index n = system.nv();
  door::check_output(da_dq, n, n, "da_dq");
  door::check_output(da_dv, n, n, "da_dv");
  door::check_output(da_dtau, n, system.effort_count(), "da_dtau");
  closure::check_arguments(system, state, tau, forces);
  closure::find_derivatives(work, state, tau, forces);
  const DerivativeRoom& room = derivative_room(work);
  da_dq = room.a_q, da_dv = room.a_v, da_dtau = room.a_tau;
}

namespace {

/// Adds what λ and the rotors carry on top of F at fixed v̇ and λ.
void add_carried(const System& system, DerivativeRoom& room, const Eigen::MatrixXd& a,
                 const ConstMatrixRef& lambdas, MatrixRef out) {
  for (std::size_t i = 0; i < room.rows.size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    auto rows = out.middleRows(6 * static_cast<Index>(i), 6);
    if (c.kind == PairKind::gear) rows.row(2) += lambdas.row(c.row);
    if (c.kind == PairKind::shaft && c.rotors > 0)
      for (Index k = 0; k < out.cols(); ++k)
        rows(2, k) -= c.freedom[0].rotor * room.L.row(c.closing).dot(a.col(k));
    if (is_among_joints(c.kind)) continue;
    auto carried = room.carried.leftCols(out.cols());
    const Eigen::Map<const Eigen::Matrix<double, 6, 6>> W(&room.rows[i].rows.W[0][0]);
    multiply(carried, W.leftCols(c.rows), lambdas.middleRows(c.row, c.rows));
    rows += carried;
    for (int r = 0; r < c.rotors; ++r) {
      const int j = c.rotor_freedom[r];
      const Force taken = -c.freedom[j].rotor * room.rows[i].freedoms.force(j);
      for (Index k = 0; k < out.cols(); ++k)
        rows.col(k) += room.L.row(c.closing + j).dot(a.col(k)) * to_eigen(taken);
    }
  }
}

/// λ = F μ, of as many columns as μ has.
void find_lambdas(DerivativeRoom& room, const ConstMatrixRef& mu, double sign) {
  auto lambdas = room.lambdas.leftCols(mu.cols());
  if (room.solution.reduces())
    multiply(lambdas, room.solution.F(), mu);
  else
    lambdas = mu;
  if (sign < 0) lambdas = -lambdas;
}

/// Where rows are redundant, (1 − F Eᵀ) R² ∂(J x) besides.
void add_redundant(const closure::DenseLoops& d, DerivativeRoom& room) {
  const closure::Solution& solution = room.solution;
  if (!solution.reduces()) return;
  const Index n = room.x_q.cols();
  for (Index i = 0; i < room.x_q.rows(); ++i) room.x_q.row(i) *= d.row_scale[i] * d.row_scale[i];
  auto counting = room.counting_by_v.topRows(solution.counting());
  counting.noalias() = solution.E().transpose().lazyProduct(room.x_q);
  multiply(room.rows_by_v, solution.F(), counting);
  room.lambdas.leftCols(n) += room.x_q - room.rows_by_v;
}

}  // namespace

void closure_force_derivatives(ClosedWorkspace& work, MatrixRef df_dq, MatrixRef df_dv,
                               MatrixRef df_dtau) {
  const System& system = work.system();
  DerivativeRoom& room = derivative_room(work);
  const Index n = system.nv(), rows = room.F_q.rows(), efforts = system.effort_count();
  door::check_output(df_dq, rows, n, "df_dq");
  door::check_output(df_dv, rows, n, "df_dv");
  door::check_output(df_dtau, rows, efforts, "df_dtau");
  if (room.placements == 0 || room.placements != work.tree().scratch().stamp.placements())
    throw Error(
        "closure_force_derivatives reads what compute_forward_dynamics_derivatives found, and "
        "nothing is there: call it on this workspace first, and nothing else in between");
  const Index counting = room.solution.counting();
  find_lambdas(room, room.solved_q.middleRows(n, counting), -1);
  add_redundant(work.dense(), room);
  df_dq = room.F_q;
  add_carried(system, room, room.a_q, room.lambdas.leftCols(n), df_dq);
  find_lambdas(room, room.solved_v.middleRows(n, counting), -1);
  df_dv = room.F_v;
  add_carried(system, room, room.a_v, room.lambdas.leftCols(n), df_dv);
  apply_efforts(system, room, room.solution.K().bottomLeftCorner(counting, n),
                room.wide.topRows(counting));
  find_lambdas(room, room.wide.topRows(counting), 1);
  df_dtau.setZero();
  add_carried(system, room, room.a_tau, room.lambdas, df_dtau);
  for (Index i = n; i < efforts; ++i) {
    const ClosingMotor& motor = system.closing_motors()[at(i - n)];
    Force push{{0, 0, 1}, {}};
    if (system.closures()[at(motor.closure)].kind != PairKind::shaft)
      push = room.rows[at(motor.closure)].freedoms.force(motor.freedom);
    df_dtau.col(i).segment<6>(6 * motor.closure) += to_eigen(push);
  }
}

}  // namespace linkwright
