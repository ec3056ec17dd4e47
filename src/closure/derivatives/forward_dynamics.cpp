#include <cmath>

#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "closure/derivatives/room.hpp"
#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/derivatives.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "linkwright/dynamics/derivatives.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

using closure::derivative_room, closure::DenseLoops, closure::DerivativeRoom, closure::PairChange,
    closure::PairForce, closure::PairFreedom, closure::PairMotion, closure::multiply;
using Eigen::Index;

/// L: rates of the closing freedoms by v.
void find_closing_rates(const System& system, DerivativeRoom& room) {
  room.L.setZero();
  for (std::size_t i = 0; i < room.pairs.size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    for (const PairFreedom& k : room.pairs[i].freedoms)
      for (int j = 0; j < c.freedoms; ++j) room.L(c.closing + j, k.v) = dot(room.rows[i].w[j], k.J);
    if (c.kind == PairKind::shaft)
      for (const TreeTerm& term : c.terms) room.L(c.closing, term.v) += term.ratio;
  }
}

/// A shaft binds nothing: what sits on it acts on the joints that turn it, in constant ratios.
void add_shaft(const ClosurePlace& c, Index first, DerivativeRoom& room) {
  const auto row = room.L.row(c.closing);
  const ClosingFreedom& f = c.freedom[0];
  room.r_q += f.stiffness * row.transpose().lazyProduct(row);
  room.r_v += f.damping * row.transpose().lazyProduct(row);
  room.F_q.row(first + 2) = -f.stiffness * row;
  room.F_v.row(first + 2) = -f.damping * row;
}

/// M + Lᵀ R L.
void add_rotors(const System& system, DerivativeRoom& room) {
  for (const ClosurePlace& c : system.closures())
    for (int r = 0; r < c.rotors; ++r) {
      const int i = c.rotor_freedom[r];
      const auto row = room.L.row(c.closing + i);
      room.M += c.freedom[i].rotor * row.transpose().lazyProduct(row);
    }
}

/// residual −= Lᵀ (effort − rotor · L v̇).
void push_shaft(const ClosurePlace& c, double effort, DerivativeRoom& room) {
  for (const TreeTerm& term : c.terms) effort -= c.freedom[0].rotor * term.ratio * room.a[term.v];
  for (const TreeTerm& term : c.terms) room.residual[term.v] -= term.ratio * effort;
}

/// λ from what the accelerations leave: Jᵀ λ = M v̇ + bias − … − tau, as `find_lambda` does.
void find_lambda(ClosedWorkspace& work, const ConstVectorRef& tau) {
  const System& system = work.system();
  DerivativeRoom& room = derivative_room(work);
  constexpr double none[6]{};
  room.residual -= tau.head(system.nv());
  for (std::size_t i = 0; i < room.pairs.size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    if (c.kind == PairKind::shaft) push_shaft(c, work.loops().effort[at(c.closing)], room);
    if (is_among_joints(c.kind)) continue;
    const PairForce pair(c, room.pairs[i], none, work.loops().effort.data() + c.closing);
    for (int j = 0; j < c.rows; ++j) room.rows[i].W[j] = pair.W(j);
    for (int j = 0; j < c.freedoms; ++j) room.rows[i].w[j] = pair.w(j);
    for (const PairFreedom& k : room.pairs[i].freedoms) room.residual[k.v] -= dot(pair.F(), k.J);
  }
  room.lambda.noalias() = room.P.transpose().lazyProduct(room.residual);
}

/// Column k of the equations that one closure has a part in.
void add_column(const ClosurePlace& c, const PairForce& pair, const PairMotion& motion,
                const PairFreedom& k, Index first, DerivativeRoom& room) {
  const PairChange by_q = pair.change({k.J, k.V_by_q, k.A_by_q});
  const PairChange by_v = pair.change({{}, k.J, k.A_by_v});
  for (int i = 0; i < c.rows; ++i) {
    room.s_q(c.row + i, k.v) = by_q.acceleration[i];
    room.s_v(c.row + i, k.v) = by_v.acceleration[i];
  }
  for (int i = 0; i < c.freedoms; ++i) room.L_q(c.closing + i, k.v) = by_q.rate[i];
  room.F_q.col(k.v).segment<6>(first) = to_eigen(by_q.F);
  room.F_v.col(k.v).segment<6>(first) = to_eigen(by_v.F);
  const Force turned = closure::turned(k.J, pair.F());
  const Force both = by_q.F + turned;
  for (const PairFreedom& j : motion.freedoms) {
    room.r_q(j.v, k.v) -= dot(closure::moves(k, j) ? both : by_q.F, j.J);
    room.r_v(j.v, k.v) -= dot(by_v.F, j.J);
  }
}

void add_closures(ClosedWorkspace& work) {
  const System& system = work.system();
  DerivativeRoom& room = derivative_room(work);
  for (auto* matrix : {&room.s_q, &room.s_v, &room.F_q, &room.F_v, &room.L_q}) matrix->setZero();
  for (std::size_t i = 0; i < room.pairs.size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    if (c.kind == PairKind::shaft) add_shaft(c, 6 * static_cast<Index>(i), room);
    if (is_among_joints(c.kind)) continue;
    const PairForce pair(c, room.pairs[i], room.lambda.data() + c.row,
                         work.loops().effort.data() + c.closing);
    for (const PairFreedom& k : room.pairs[i].freedoms)
      add_column(c, pair, room.pairs[i], k, 6 * static_cast<Index>(i), room);
  }
}

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

/// H = N (Nᵀ M N)⁻¹ Nᵀ.
void find_mobility(ClosedWorkspace& work) {
  const DenseLoops& d = work.dense();
  DerivativeRoom& room = derivative_room(work);
  const auto N = d.N.leftCols(d.mobility);
  room.solved = N.transpose();
  room.reduced.resize(d.mobility, d.mobility);
  multiply(room.square.leftCols(d.mobility), room.M, N);
  multiply(room.reduced, room.solved, room.square.leftCols(d.mobility));
  Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(room.reduced);
  if (cholesky.info() != Eigen::Success)
    throw Error(
        "forward dynamics has no derivatives: some motion that the closures allow moves no mass at "
        "all. Give the links that take part in it mass or rotor inertia",
        Error::Kind::failed_computation);
  cholesky.matrixL().solveInPlace(room.solved);
  room.motions = room.solved.transpose();
  multiply(room.H, room.motions, room.solved);
}

/// δv̇ = −P ∂s − H (∂r − M P ∂s).
void solve(DerivativeRoom& room, const Eigen::MatrixXd& r, const Eigen::MatrixXd& s,
           Eigen::MatrixXd& out) {
  multiply(out, room.P, s);
  multiply(room.square, room.M, out);
  room.square -= r;
  multiply(room.product, room.H, room.square);
  out = room.product - out;
}

/// [I Lᵀ]: efforts of the joints and of closing motors.
void apply_efforts(const System& system, const DerivativeRoom& room, const Eigen::MatrixXd& A,
                   Eigen::MatrixXd& out) {
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
  const DenseLoops& d = work.dense();
  DerivativeRoom& room = derivative_room(work);
  if (d.space.rank() == work.rows()) return;
  room.weighted = room.lambda.cwiseQuotient(d.row_scale.cwiseAbs2());
  room.other.noalias() = room.P.lazyProduct(room.weighted);
  closure::compute_row_changes(work, room.other.data(), room.x_q);
  kernels().velocities(work.system().tree(), work.tree().scratch(), state.v.data());
}

void find_equations(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                    ExternalForces forces) {
  const System& system = work.system();
  DerivativeRoom& room = derivative_room(work);
  compute_inverse_dynamics_derivatives(work.tree(), state, room.a, forces, room.r_q, room.r_v);
  compute_inverse_dynamics(work.tree(), state, room.a, forces, room.residual);
  compute_mass_matrix(work.tree(), state.q, room.M);
  closure::compute_row_space(work, state.q);
  closure::compute_shortest(work);
  compute_forward_kinematics(work.tree(), state, room.a);
  kernels().motion_columns(system.tree(), work.tree().scratch());
  closure::find_efforts(work, state, tau);
  closure::compute_pairs(work);
  find_lambda(work, tau);
  find_closing_rates(system, room);
  add_rotors(system, room);
  add_closures(work);
}

}  // namespace

void closure::find_derivatives(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                               ExternalForces forces) {
  const System& system = work.system();
  DerivativeRoom& room = derivative_room(work);
  room.placements = 0;
  compute_forward_dynamics(work, state, tau, forces, room.a);
  require_kept(work);
  find_equations(work, state, tau, forces);
  find_mobility(work);
  solve(room, room.r_q, room.s_q, room.a_q);
  solve(room, room.r_v, room.s_v, room.a_v);
  apply_efforts(system, room, room.H, room.a_tau);
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
  closure::find_derivatives(work, state, tau, forces);
  const DerivativeRoom& room = derivative_room(work);
  da_dq = room.a_q, da_dv = room.a_v, da_dtau = room.a_tau;
}

namespace {

/// Adds what λ and the rotors carry on top of F at fixed v̇ and λ.
void add_carried(const System& system, const DerivativeRoom& room, const Eigen::MatrixXd& a,
                 const ConstMatrixRef& lambdas, MatrixRef out) {
  for (std::size_t i = 0; i < room.rows.size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    auto rows = out.middleRows(6 * static_cast<Index>(i), 6);
    if (c.kind == PairKind::gear) rows.row(2) += lambdas.row(c.row);
    if (c.kind == PairKind::shaft && c.rotors > 0)
      for (Index k = 0; k < out.cols(); ++k)
        rows(2, k) -= c.freedom[0].rotor * room.L.row(c.closing).dot(a.col(k));
    if (is_among_joints(c.kind)) continue;
    for (int j = 0; j < c.rows; ++j)
      rows += to_eigen(room.rows[i].W[j]).lazyProduct(lambdas.row(c.row + j));
    for (int r = 0; r < c.rotors; ++r) {
      const int j = c.rotor_freedom[r];
      const Force taken = -c.freedom[j].rotor * room.rows[i].w[j];
      for (Index k = 0; k < out.cols(); ++k)
        rows.col(k) += room.L.row(c.closing + j).dot(a.col(k)) * to_eigen(taken);
    }
  }
}

/// δλ = Pᵀ (M δv̇ + ∂r).
void find_lambdas(DerivativeRoom& room, const Eigen::MatrixXd& a, const Eigen::MatrixXd& r,
                  Eigen::MatrixXd& on_the_way) {
  multiply(on_the_way, room.M, a);
  on_the_way += r;
  multiply(room.lambdas.leftCols(a.cols()), room.Pt, on_the_way);
}

/// Where rows are redundant, (1 − (J P)ᵀ) R² ∂(J x) besides.
void add_redundant(const DenseLoops& d, DerivativeRoom& room) {
  if (d.space.rank() == d.row_scale.size()) return;
  const Index n = room.x_q.cols();
  for (Index i = 0; i < room.x_q.rows(); ++i) room.x_q.row(i) *= d.row_scale[i] * d.row_scale[i];
  room.square.noalias() = d.J.transpose().lazyProduct(room.x_q);
  room.lambdas.leftCols(n) += room.x_q;
  room.lambdas.leftCols(n).noalias() -= room.Pt.lazyProduct(room.square);
}

}  // namespace

void closure_force_derivatives(ClosedWorkspace& work, MatrixRef df_dq, MatrixRef df_dv,
                               MatrixRef df_dtau) {
  const System& system = work.system();
  const DenseLoops& d = work.dense();
  DerivativeRoom& room = derivative_room(work);
  const Index n = system.nv(), rows = room.F_q.rows(), efforts = system.effort_count();
  door::check_output(df_dq, rows, n, "df_dq");
  door::check_output(df_dv, rows, n, "df_dv");
  door::check_output(df_dtau, rows, efforts, "df_dtau");
  if (room.placements == 0 || room.placements != work.tree().scratch().stamp.placements())
    throw Error(
        "closure_force_derivatives reads what compute_forward_dynamics_derivatives found, and "
        "nothing is there: call it on this workspace first, and nothing else in between");
  find_lambdas(room, room.a_q, room.r_q, room.square);
  add_redundant(d, room);
  df_dq = room.F_q;
  add_carried(system, room, room.a_q, room.lambdas.leftCols(n), df_dq);
  find_lambdas(room, room.a_v, room.r_v, room.square);
  df_dv = room.F_v;
  add_carried(system, room, room.a_v, room.lambdas.leftCols(n), df_dv);
  room.square.setIdentity();
  apply_efforts(system, room, room.square, room.wide);
  multiply(room.wide_product, room.M, room.a_tau);
  room.wide_product -= room.wide;
  multiply(room.lambdas, room.Pt, room.wide_product);
  df_dtau.setZero();
  add_carried(system, room, room.a_tau, room.lambdas, df_dtau);
  for (Index i = n; i < efforts; ++i) {
    const ClosingMotor& motor = system.closing_motors()[at(i - n)];
    Force push{{0, 0, 1}, {}};
    if (system.closures()[at(motor.closure)].kind != PairKind::shaft)
      push = room.rows[at(motor.closure)].w[motor.freedom];
    df_dtau.col(i).segment<6>(6 * motor.closure) += to_eigen(push);
  }
}

}  // namespace linkwright
