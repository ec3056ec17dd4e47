// r = M v̇ + bias − … − tau − Jᵀ λ and s = J v̇ + J̇ v by q and v, closure by closure.
#include <algorithm>

#include "closure/closing_efforts.hpp"
#include "closure/derivatives/derivative_kernels.hpp"
#include "closure/derivatives/room.hpp"
#include "closure/forces.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "linkwright/dynamics/derivatives.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

using closure::derivative_room, closure::DerivativeRoom, closure::PairLoad, closure::PairMotion,
    closure::write_projections;
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
  room.r_q() += f.stiffness * row.transpose().lazyProduct(row);
  room.r_v() += f.damping * row.transpose().lazyProduct(row);
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

/// λ of forward dynamics. Where rows are redundant, the shortest that does the same to the joints: F Eᵀ λ.
void shorten_lambda(DerivativeRoom& room) {
  const closure::Solution& solution = room.solution;
  if (!solution.reduces()) return;
  auto counting = room.counting.head(solution.counting());
  counting.noalias() = solution.E().transpose().lazyProduct(room.lambda);
  room.lambda.noalias() = solution.F().lazyProduct(counting);
}

/// What rows ask for, and what forces do at fixed λ, of one closure.
void add_changes(const ClosurePlace& c, const PairMotion& pair, const closure::PairRows& rows,
                 const PairLoad& load, Index first, DerivativeRoom& room) {
  const auto& W = rows.rows.W;
  const auto &z = rows.rows.z, &x = rows.rows.x;
  const bool vary = rows.rows.vary;
  if (vary) {
    write_projections(pair,
                      {{&x[0][0], PairMotion::displacement},
                       {&z[0][0], PairMotion::velocity_by_q},
                       {&W[0][0], PairMotion::acceleration_by_q}},
                      c.rows, c.row, room, room.s_q());
    write_projections(
        pair, {{&z[0][0], PairMotion::displacement}, {&W[0][0], PairMotion::acceleration_by_v}},
        c.rows, c.row, room, room.s_v());
  } else {
    write_projections(pair, {{&W[0][0], PairMotion::acceleration_by_q}}, c.rows, c.row, room,
                      room.s_q());
    write_projections(pair, {{&W[0][0], PairMotion::acceleration_by_v}}, c.rows, c.row, room,
                      room.s_v());
  }
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
                      std::vector<double>& columns, Eigen::Ref<Eigen::MatrixXd> r) {
  const int count = pair.count();
  columns.resize(std::max(columns.size(), at(count) * at(pair.stride)));
  closure::derivative_kernels().project(forces.data(), count, pair.field(PairMotion::displacement),
                                        pair.stride, count, false, columns.data());
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
      pair, room.forces, [&](int k) { return pair.moved_by(k); }, room.columns, room.r_q());
  if (load.varies) {
    gather([&](int k) { return room.F_q.col(pair.v[at(k)]).segment<6>(first); });
    subtract_efforts(pair, room.forces, all, room.columns, room.r_q());
  }
  if (load.drains) {
    gather([&](int k) { return room.F_v.col(pair.v[at(k)]).segment<6>(first); });
    subtract_efforts(pair, room.forces, all, room.columns, room.r_v());
  }
}

void add_closures(ClosedWorkspace& work) {
  const System& system = work.system();
  DerivativeRoom& room = derivative_room(work);
  room.s_q().setZero(), room.s_v().setZero(), room.F_q.setZero(), room.F_v.setZero();
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

}  // namespace

void closure::find_equations(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                             ExternalForces forces) {
  const System& system = work.system();
  auto& s = work.tree().scratch();
  DerivativeRoom& room = derivative_room(work);
  read_lambda(work, room.lambda);
  compute_inverse_dynamics_derivatives(work.tree(), state, room.a, forces, room.r_q(), room.r_v(),
                                       room.M);
  kernels().poses(system.tree(), s);
  kernels().velocities(system.tree(), s, state.v.data());
  kernels().accelerations(system.tree(), s, state.v.data(), room.a.data());
  kernels().motion_columns(system.tree(), s);
  find_efforts(work, state, tau);
  compute_pairs(work);
  compute_pair_jacobian(work);
  find_closing_rates(system, room);
  add_rotors(system, room);
  room.solution.compute(work.dense(), room.M);
  shorten_lambda(room);
  add_closures(work);
}

}  // namespace linkwright
