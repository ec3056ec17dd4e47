#include <cmath>

#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "closure/derivatives/derivative_kernels.hpp"
#include "closure/derivatives/room.hpp"
#include "closure/forces.hpp"
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

using closure::derivative_room, closure::DenseLoops, closure::DerivativeRoom, closure::multiply,
    closure::PairLoad, closure::PairMotion, closure::write_projections;
using Eigen::Index;

/// L: rates of the closing freedoms by v; L_q: what they change by with q.
void find_closing_rates(const System& system, DerivativeRoom& room) {
  room.L.setZero(), room.L_q.setZero();
  for (std::size_t i = 0; i < room.pairs.size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    if (c.kind == PairKind::shaft)
      for (const TreeTerm& term : c.terms) room.L(c.closing, term.v) += term.ratio;
    if (is_among_joints(c.kind)) continue;
    const closure::RowMaps& w = room.rows[i].freedoms;
    write_projections(room.pairs[i], {{&w.W[0][0], PairMotion::displacement}}, c.freedoms,
                      c.closing, room, room.L);
    write_projections(
        room.pairs[i],
        {{&w.y[0][0], PairMotion::displacement}, {&w.W[0][0], PairMotion::velocity_by_q}},
        c.freedoms, c.closing, room, room.L_q);
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

/// λ of forward dynamics, as it left it: some that accelerates the joints as they are.
void take_lambda(ClosedWorkspace& work) {
  derivative_room(work).lambda.resize(work.rows());
  closure::read_lambda(work, derivative_room(work).lambda);
}

/// Where rows are redundant, the shortest λ that does the same to the joints.
void shorten_lambda(ClosedWorkspace& work) {
  const DenseLoops& d = work.dense();
  DerivativeRoom& room = derivative_room(work);
  if (d.space.rank() == work.rows()) return;
  room.other.noalias() = d.J.transpose().lazyProduct(room.lambda);
  room.lambda.noalias() = room.P.transpose().lazyProduct(room.other);
}

/// What rows ask for, and what forces do at fixed λ, of one closure.
void add_changes(const ClosurePlace& c, const PairMotion& pair, const closure::PairRows& rows,
                 const PairLoad& load, Index first, DerivativeRoom& room) {
  const auto& [W, y, z, x, by_turn, by_way, vary] = rows.rows;
  write_projections(pair,
                    {{&x[0][0], PairMotion::displacement},
                     {&z[0][0], PairMotion::velocity_by_q},
                     {&W[0][0], PairMotion::acceleration_by_q}},
                    c.rows, c.row, room, room.s_q);
  write_projections(
      pair, {{&z[0][0], PairMotion::displacement}, {&W[0][0], PairMotion::acceleration_by_v}},
      c.rows, c.row, room, room.s_v);
  if (load.varies)
    write_projections(pair,
                      {{&load.by_xi[0][0], PairMotion::displacement},
                       {&load.by_V[0][0], PairMotion::velocity_by_q},
                       {&load.by_A[0][0], PairMotion::acceleration_by_q}},
                      6, first, room, room.F_q);
  if (load.drains)
    write_projections(pair,
                      {{&load.by_V[0][0], PairMotion::displacement},
                       {&load.by_A[0][0], PairMotion::acceleration_by_v}},
                      6, first, room, room.F_v);
}

/// r −= J · force of every pair of freedoms, force k in column k of `forces`; where `range` has a
/// part of them for each k, on these alone.
template <class Range>
void subtract_efforts(const PairMotion& pair, const std::vector<double>& forces, const Range& range,
                      std::vector<double>& columns, Eigen::MatrixXd& r) {
  const int count = pair.count();
  columns.assign(at(count) * at(pair.stride), 0.0);
  closure::derivative_kernels().project(forces.data(), count, pair.field(PairMotion::displacement),
                                        pair.stride, count, columns.data());
  for (int k = 0; k < count; ++k) {
    const PairMotion::Range which = range(k);
    const double* column = columns.data() + k * pair.stride;
    double* to = r.col(pair.v[at(k)]).data();
    for (int j = which.first; j < which.end; ++j) to[pair.v[at(j)]] -= column[j];
  }
}

/// The efforts of one closure's force, by q and v: F changes, and the J that it pushes on turn.
void add_efforts(const PairMotion& pair, const PairLoad& load, Index first, DerivativeRoom& room) {
  const auto all = [&](int) { return PairMotion::Range{0, pair.count()}; };
  const auto gather = [&](const auto& force) {
    room.forces.resize(6 * at(pair.count()));
    for (int k = 0; k < pair.count(); ++k)
      Eigen::Map<Eigen::Matrix<double, 6, 1>>(room.forces.data() + 6 * k) = force(k);
  };
  gather([&](int k) {
    return to_eigen(closure::turned(pair.column(PairMotion::displacement, k), load.F));
  });
  subtract_efforts(
      pair, room.forces, [&](int k) { return pair.moved_by(k); }, room.columns, room.r_q);
  if (load.varies) {
    gather([&](int k) { return room.F_q.col(pair.v[at(k)]).segment<6>(first); });
    subtract_efforts(pair, room.forces, all, room.columns, room.r_q);
  }
  if (load.drains) {
    gather([&](int k) { return room.F_v.col(pair.v[at(k)]).segment<6>(first); });
    subtract_efforts(pair, room.forces, all, room.columns, room.r_v);
  }
}

void add_closures(ClosedWorkspace& work) {
  const System& system = work.system();
  DerivativeRoom& room = derivative_room(work);
  for (auto* matrix : {&room.s_q, &room.s_v, &room.F_q, &room.F_v}) matrix->setZero();
  for (std::size_t i = 0; i < room.pairs.size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    const Index first = 6 * static_cast<Index>(i);
    if (c.kind == PairKind::shaft) add_shaft(c, first, room);
    if (is_among_joints(c.kind)) continue;
    find_load(c, room.pairs[i], room.rows[i], room.lambda.data() + c.row,
              work.loops().effort.data() + c.closing, room.loads[i]);
    add_changes(c, room.pairs[i], room.rows[i], room.loads[i], first, room);
    add_efforts(room.pairs[i], room.loads[i], first, room);
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

[[noreturn]] void refuse_massless() {
  throw Error(
      "forward dynamics has no derivatives: some motion that the closures allow moves no mass at "
      "all. Give the links that take part in it mass or rotor inertia",
      Error::Kind::failed_computation);
}

/// N̂ = N C⁻ᵀ and M N̂, C Cᵀ = Nᵀ M N; H = N̂ N̂ᵀ.
void find_motions(ClosedWorkspace& work) {
  const DenseLoops& d = work.dense();
  DerivativeRoom& room = derivative_room(work);
  const Index n = d.N.rows(), f = d.mobility;
  auto both = room.along.leftCols(f);
  auto reduced = room.reduced.topLeftCorner(f, f);
  auto Nt = room.turned.topRows(f);
  both.topRows(n) = d.N.leftCols(f);
  Nt = d.N.leftCols(f).transpose();
  multiply(both.middleRows(n, n), room.M, both.topRows(n));
  multiply(reduced, Nt, both.middleRows(n, n));
  Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(reduced);
  if (cholesky.info() != Eigen::Success) refuse_massless();
  // The columns of `along` are rows of what is solved for.
  closure::orthogonal_kernels().solve_transposed(
      {room.reduced.data(), static_cast<int>(f), static_cast<int>(f), room.reduced.outerStride()},
      {room.along.data(), static_cast<int>(f), static_cast<int>(2 * n), room.along.outerStride()});
  Nt = both.topRows(n).transpose();
  multiply(room.H, both.topRows(n), Nt);
}

/// B = −[P̂ N̂] and its transpose without the sign, P̂ = P − N̂ (N̂ᵀ M P).
void find_inverse(ClosedWorkspace& work) {
  DerivativeRoom& room = derivative_room(work);
  const Index n = room.P.rows(), m = room.P.cols(), f = work.dense().mobility;
  auto Nt = room.Bt.middleRows(m, f), Pt = room.Bt.topRows(m);
  auto momenta = room.rows_by_v.leftCols(f);
  Nt = room.turned.topRows(f);
  room.Pt = room.P.transpose();
  multiply(momenta, room.Pt, room.along.middleRows(n, n).leftCols(f));
  multiply(Pt, momenta, Nt);
  Pt = room.Pt - Pt;
  room.B.leftCols(m + f) = -room.Bt.topRows(m + f).transpose();
}

/// δv̇ = −P̂ ∂s − N̂ N̂ᵀ ∂r; P̂ᵀ ∂r for the forces.
void solve(DerivativeRoom& room, Index f, const Eigen::MatrixXd& r, const Eigen::MatrixXd& s,
           Eigen::MatrixXd& out, Eigen::MatrixXd& pull) {
  const Index m = s.rows();
  multiply(room.turned.topRows(m + f), room.Bt.topRows(m + f), r);
  pull = room.turned.topRows(m);
  room.turned.topRows(m) = s;
  multiply(out, room.B.leftCols(m + f), room.turned.topRows(m + f));
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
  take_lambda(work);
  compute_inverse_dynamics_derivatives(work.tree(), state, room.a, forces, room.r_q, room.r_v,
                                       room.M);
  compute_forward_kinematics(work.tree(), state, room.a);
  kernels().motion_columns(system.tree(), work.tree().scratch());
  closure::find_efforts(work, state, tau);
  closure::compute_pairs(work);
  closure::compute_pair_row_space(work);
  shorten_lambda(work);
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
  find_motions(work);
  find_inverse(work);
  const Index f = work.dense().mobility;
  solve(room, f, room.r_q, room.s_q, room.a_q, room.pull_q);
  solve(room, f, room.r_v, room.s_v, room.a_v, room.pull_v);
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
    closure::multiply(carried, W.leftCols(c.rows), lambdas.middleRows(c.row, c.rows));
    rows += carried;
    for (int r = 0; r < c.rotors; ++r) {
      const int j = c.rotor_freedom[r];
      const Force taken = -c.freedom[j].rotor * room.rows[i].freedoms.force(j);
      for (Index k = 0; k < out.cols(); ++k)
        rows.col(k) += room.L.row(c.closing + j).dot(a.col(k)) * to_eigen(taken);
    }
  }
}

/// Λ = P̂ᵀ M P̂, negative, in rows_by_rows: the forces that keep accelerations s from the rows.
void find_row_inertia(DerivativeRoom& room) {
  const Index m = room.P.cols();
  auto momenta = room.wide_rows.leftCols(m);
  multiply(momenta, room.M, room.B.leftCols(m));
  multiply(room.rows_by_rows, room.Bt.topRows(m), momenta);
}

/// δλ = P̂ᵀ ∂r − Λ ∂s.
void find_lambdas(DerivativeRoom& room, const Eigen::MatrixXd& pull, const Eigen::MatrixXd& s) {
  auto lambdas = room.lambdas.leftCols(s.cols());
  multiply(lambdas, room.rows_by_rows, s);
  lambdas += pull;
}

/// Where rows are redundant, (1 − (J P)ᵀ) R² ∂(J x) besides.
void add_redundant(const DenseLoops& d, DerivativeRoom& room) {
  if (d.space.rank() == d.row_scale.size()) return;
  const Index n = room.x_q.cols();
  for (Index i = 0; i < room.x_q.rows(); ++i) room.x_q.row(i) *= d.row_scale[i] * d.row_scale[i];
  room.square.noalias() = d.J.transpose().lazyProduct(room.x_q);
  room.lambdas.leftCols(n) += room.x_q;
  multiply(room.rows_by_v, room.Pt, room.square);
  room.lambdas.leftCols(n) -= room.rows_by_v;
}

}  // namespace

void closure_force_derivatives(ClosedWorkspace& work, MatrixRef df_dq, MatrixRef df_dv,
                               MatrixRef df_dtau) {
  const System& system = work.system();
  const DenseLoops& d = work.dense();
  DerivativeRoom& room = derivative_room(work);
  const Index n = system.nv(), m = work.rows(), rows = room.F_q.rows(),
              efforts = system.effort_count();
  door::check_output(df_dq, rows, n, "df_dq");
  door::check_output(df_dv, rows, n, "df_dv");
  door::check_output(df_dtau, rows, efforts, "df_dtau");
  if (room.placements == 0 || room.placements != work.tree().scratch().stamp.placements())
    throw Error(
        "closure_force_derivatives reads what compute_forward_dynamics_derivatives found, and "
        "nothing is there: call it on this workspace first, and nothing else in between");
  find_row_inertia(room);
  find_lambdas(room, room.pull_q, room.s_q);
  add_redundant(d, room);
  df_dq = room.F_q;
  add_carried(system, room, room.a_q, room.lambdas.leftCols(n), df_dq);
  find_lambdas(room, room.pull_v, room.s_v);
  df_dv = room.F_v;
  add_carried(system, room, room.a_v, room.lambdas.leftCols(n), df_dv);
  // An effort is −∂r.
  room.rows_by_v = -room.Bt.topRows(m);
  apply_efforts(system, room, room.rows_by_v, room.lambdas);
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
