#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "closure/derivatives/room.hpp"
#include "closure/products/products.hpp"
#include "closure/rank/pivot.hpp"
#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/derivatives.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

using closure::derivative_room, closure::DenseLoops, closure::DerivativeRoom;
using Eigen::Index;
using Eigen::MatrixXd;

bool binds_velocities_alone(const System& system) {
  return std::any_of(system.closures().begin(), system.closures().end(),
                     [](const ClosurePlace& c) { return c.position_rows < c.rows; });
}

/// All displacements that the rows which bind positions allow; after compute_row_space.
MatrixXd displacements(ClosedWorkspace& work) {
  const System& system = work.system();
  DenseLoops& d = work.dense();
  if (!binds_velocities_alone(system)) return d.N.leftCols(d.mobility);
  std::vector<int> bound;
  for (const ClosurePlace& c : system.closures())
    for (int i = 0; i < c.position_rows; ++i) bound.push_back(c.row + i);
  MatrixXd A(system.nv(), static_cast<Index>(bound.size()));
  for (std::size_t i = 0; i < bound.size(); ++i) A.col(static_cast<Index>(i)) = d.A.col(bound[i]);
  closure::Orthogonal space(system.nv(), static_cast<int>(bound.size()));
  space.compute(A, closure::rank_threshold);
  MatrixXd out(system.nv(), system.nv() - space.rank());
  space.null_basis(out);
  return d.column_scale.asDiagonal() * out;
}

std::string names_of(const System& system, std::span<const int> entries) {
  std::vector<std::string> names;
  for (const int i : entries) names.push_back(system.velocity_names()[at(i)]);
  return names.empty() ? "none" : list_in_quotes(names);
}

[[noreturn]] void refuse(ClosedWorkspace& work, std::span<const int> entries, Index freedoms) {
  const System& system = work.system();
  std::vector<int> all(at(system.nv()));
  std::iota(all.begin(), all.end(), 0);
  const MatrixXd scaled = work.dense().column_scale.cwiseInverse().asDiagonal() *
                          work.dense().N.leftCols(work.dense().mobility);
  throw Error(
      fmt::format("the coordinates {} do not determine the motion of a mechanism with {} freedom{} "
                  "at this position: {}. {} would do",
                  names_of(system, entries), freedoms, freedoms == 1 ? "" : "s",
                  static_cast<Index>(entries.size()) == freedoms
                      ? "they depend on each other, and some of it stays open"
                  : static_cast<Index>(entries.size()) < freedoms ? "they are too few"
                                                                  : "they are too many",
                  names_of(system, closure::pivot(system, all, scaled))),
      Error::Kind::failed_computation);
}

/// out = N (N at the entries)⁻¹, so that the entries are the coordinates.
template <class Motions, class Out>
void refer_to(ClosedWorkspace& work, const Motions& N, std::span<const int> entries, Out&& out) {
  DerivativeRoom& room = derivative_room(work);
  if (static_cast<Index>(entries.size()) != N.cols()) refuse(work, entries, N.cols());
  const DenseLoops& d = work.dense();
  room.chosen.resize(N.cols(), N.cols());
  for (Index i = 0; i < N.cols(); ++i)
    room.chosen.col(i) = N.row(entries[at(i)]).transpose() / d.column_scale[entries[at(i)]];
  room.lu.compute(room.chosen);
  const auto pivots = room.lu.matrixLU().diagonal().cwiseAbs();
  if (N.cols() > 0 && !(pivots.minCoeff() > closure::rank_threshold * pivots.maxCoeff()))
    refuse(work, entries, N.cols());
  room.solved = N.transpose();
  room.solved = room.lu.permutationP() * room.solved;
  room.lu.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(room.solved);
  room.lu.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(room.solved);
  out = room.solved.transpose();
  for (Index i = 0; i < N.cols(); ++i) out.col(i) /= d.column_scale[entries[at(i)]];
  for (Index i = 0; i < N.cols(); ++i) {  // the coordinates themselves, without rounding
    out.row(entries[at(i)]).setZero();
    out(entries[at(i)], i) = 1;
  }
}

}  // namespace

std::vector<int> position_coordinates(ClosedWorkspace& work, const ConstVectorRef& q,
                                      std::span<const int> entries) {
  const System& system = work.system();
  std::vector<int> out(entries.begin(), entries.end());
  if (!binds_velocities_alone(system)) return out;
  closure::compute_row_space(work, q);
  const MatrixXd N = work.dense().column_scale.cwiseInverse().asDiagonal() * displacements(work);
  // What moves while the entries rest.
  MatrixXd held(N.cols(), static_cast<Index>(entries.size()));
  for (Index i = 0; i < held.cols(); ++i) held.col(i) = N.row(entries[at(i)]).transpose();
  closure::Orthogonal rest(static_cast<int>(held.rows()), static_cast<int>(held.cols()));
  rest.compute(held, closure::rank_threshold);
  MatrixXd free(N.cols(), N.cols() - rest.rank());
  rest.null_basis(free);
  std::vector<int> all(at(system.nv()));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> more = closure::pivot(system, all, N * free);
  out.insert(out.end(), more.begin(), more.end());
  std::sort(out.begin(), out.end());
  return out;
}

void compute_tangent(ClosedWorkspace& work, const State& state, std::span<const int> positions,
                     std::span<const int> entries, MatrixRef T) {
  const System& system = work.system();
  door::check_state(system, state);
  const Index n = system.nv(), p = static_cast<Index>(positions.size()),
              m = static_cast<Index>(entries.size());
  door::check_output(T, 2 * n, p + m, "T");
  DerivativeRoom& room = derivative_room(work);
  DenseLoops& d = work.dense();
  closure::compute_row_space(work, state.q);
  closure::compute_shortest(work);
  auto G_q = T.topLeftCorner(n, p), K = T.bottomLeftCorner(n, p), G = T.bottomRightCorner(n, m);
  T.topRightCorner(n, m).setZero();
  refer_to(work, d.N.leftCols(d.mobility), entries, G);
  if (binds_velocities_alone(system))
    refer_to(work, displacements(work), positions, G_q);
  else if (std::equal(positions.begin(), positions.end(), entries.begin(), entries.end()))
    G_q = G;
  else
    refer_to(work, d.N.leftCols(d.mobility), positions, G_q);
  // The kinematics place the joints; the velocities are set by compute_row_changes.
  room.other.setZero();
  compute_forward_kinematics(work.tree(), state, room.other);
  kernels().motion_columns(system.tree(), work.tree().scratch());
  closure::compute_row_changes(work, state.v.data(), room.w_q);
  closure::multiply(room.product, room.P, room.w_q);
  closure::multiply(room.square.leftCols(p), room.product, G_q);
  K = -room.square.leftCols(p);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < m; ++i) room.other[i] = K(entries[at(i)], j);
    K.col(j).noalias() -= G.lazyProduct(room.other.head(m));
    for (const int entry : entries) K(entry, j) = 0;
  }
}

void closure::find_derivatives_along(ClosedWorkspace& work, const State& state,
                                     const ConstVectorRef& tau, ExternalForces forces,
                                     std::span<const int> positions, std::span<const int> entries,
                                     MatrixRef da_dq, MatrixRef da_dv, MatrixRef da_dtau) {
  const Index n = work.system().nv(), p = static_cast<Index>(positions.size()),
              m = static_cast<Index>(entries.size());
  DerivativeRoom& room = derivative_room(work);
  find_derivatives(work, state, tau, forces);
  room.T.resize(2 * n, p + m);
  compute_tangent(work, state, positions, entries, room.T);
  for (Index i = 0; i < m; ++i) {
    const int entry = entries[at(i)];
    da_dq.row(i) = room.a_q.row(entry).lazyProduct(room.T.topLeftCorner(n, p)) +
                   room.a_v.row(entry).lazyProduct(room.T.bottomLeftCorner(n, p));
    da_dv.row(i) = room.a_v.row(entry).lazyProduct(room.T.bottomRightCorner(n, m));
    da_dtau.row(i) = room.a_tau.row(entry);
  }
}

void compute_forward_dynamics_derivatives(ClosedWorkspace& work, const State& state,
                                          const ConstVectorRef& tau, ExternalForces forces,
                                          std::span<const int> positions,
                                          std::span<const int> entries, MatrixRef da_dq,
                                          MatrixRef da_dv, MatrixRef da_dtau) {
  const System& system = work.system();
  const Index p = static_cast<Index>(positions.size()), m = static_cast<Index>(entries.size());
  door::check_output(da_dq, m, p, "da_dq");
  door::check_output(da_dv, m, m, "da_dv");
  door::check_output(da_dtau, m, system.effort_count(), "da_dtau");
  closure::check_arguments(system, state, tau, forces);
  closure::find_derivatives_along(work, state, tau, forces, positions, entries, da_dq, da_dv,
                                  da_dtau);
}

}  // namespace linkwright
