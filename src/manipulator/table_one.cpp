// Table I of the unified model: object acceleration, end forces, accelerations of the arms and of the base.
//
// The rows K of all grasps and closures stand for the paper's end rows: −K_a, −K_p on the arms' side are its
// J_q, J_b seen through the contact, W = K_o on the object's; beta its Ẇ V° less J̇ v. λ is f_e.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "closure/rank/dense_loops.hpp"
#include "dynamics/door.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "manipulator/cholesky.hpp"
#include "manipulator/unified_room.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {

using Eigen::Index;

/// Step 1: q̈_a = M⁻¹ (T̂ − C), q̈_p = M_p⁻¹ (T_p − C_p) − J_D q̈_a with empty hands, and what the rows see of
/// them, V̇ᵉ_open − ẆV° (44).
void UnifiedModel::Room::compute_open() {
  take_columns(K, robot.active(), K_a), take_columns(K, robot.passive(), K_p);
  take_columns(K, others, W);
  open_a = T_hat - C;
  solve_in_place(L, open_a);
  open_p = T_p - C_p;
  solve_in_place(L_p, open_p);
  open_p -= J_D.lazyProduct(open_a);
  e = -K_a.lazyProduct(open_a) - K_p.lazyProduct(open_p) - beta;
  take(mass_matrix, others, others, M_o);
  take(applied, others, b_o), take(bias, others, right_o);
  b_o = right_o - b_o;
}

/// H = J M⁻¹ Jᵀ + J_p M_p⁻¹ J_pᵀ (48)
void UnifiedModel::Room::build_H() {
  K_J = K_a - K_p.lazyProduct(J_D);
  X = K_J.transpose(), Z = K_p.transpose();
  solve_lower(L, X), solve_lower(L_p, Z);
  H = X.transpose().lazyProduct(X);
  H += Z.transpose().lazyProduct(Z);
}

/// Steps 2 and 3, with H = L Lᵀ in H:
///   V̇° = (M_o + Wᵀ H⁻¹ W)⁻¹ {Wᵀ H⁻¹ (V̇ᵉ_open − ẆV°) − b_o} (49)
///   f_e = H⁻¹ (V̇ᵉ_open − W V̇° − ẆV°) (47)
void UnifiedModel::Room::solve_by_object() {
  HW = W, He = e;
  solve_lower(H, HW), solve_lower(H, He);
  S = M_o;
  S += HW.transpose().lazyProduct(HW);
  if (!factorize_in_place(S, 1e-14))
    throw Error("M_o + Wᵀ H⁻¹ W has no inverse: an object has no mass",
                Error::Kind::failed_computation);
  a_o = HW.transpose().lazyProduct(He) - b_o;
  solve_in_place(S, a_o);
  f = He - HW.lazyProduct(a_o);
  solve_upper(H, f);
}

/// The other way round, where H has no inverse: Ω f_e = V̇ᵉ_open − ẆV° + W M_o⁻¹ b_o with
/// Ω = H + W M_o⁻¹ Wᵀ (part 2, 4.9c, 4.9d), then V̇° from (33).
void UnifiedModel::Room::solve_by_forces() {
  S = M_o;
  if (!factorize_in_place(S, 1e-14))
    throw Error("M_o has no inverse: an object has no mass", Error::Kind::failed_computation);
  build_H();
  MW = W.transpose();
  solve_lower(S, MW);
  Omega = H;
  Omega += MW.transpose().lazyProduct(MW);
  right_o = b_o;
  solve_lower(S, right_o);
  e += MW.transpose().lazyProduct(right_o);
  H = Omega;
  f = e;
  if (factorize_in_place(H, least_pivot))
    solve_in_place(H, f);
  else
    solve_independent_rows();
  a_o = W.transpose().lazyProduct(f) - b_o;
  solve_in_place(S, a_o);
}

/// Rows that depend on others carry nothing; then the forces of least norm that do the same.
void UnifiedModel::Room::solve_independent_rows() {
  closure::compute_row_space(work, state.q);
  closure::DenseLoops& rows = work.dense();
  const Index rank = rows.space.rank();
  report.rank = static_cast<int>(rank);
  auto part = H.topLeftCorner(rank, rank);
  for (Index j = 0; j < rank; ++j) {
    const int from = rows.space.column(static_cast<int>(j));
    chosen[j] = e[from];
    for (Index i = 0; i < rank; ++i)
      part(i, j) = Omega(rows.space.column(static_cast<int>(i)), from);
  }
  if (!factorize_in_place(part, 1e-15))
    throw Error(
        fmt::format(
            "the end forces cannot be found: {} rows of the grasps depend on the others but "
            "for rounding, at a position that is nearly singular",
            K.rows() - rank),
        Error::Kind::failed_computation);
  solve_in_place(part, chosen.head(rank));
  He.setZero();
  for (Index j = 0; j < rank; ++j) He[rows.space.column(static_cast<int>(j))] = chosen[j];
  pushed = K.transpose().lazyProduct(He);
  closure::solve_forces(rows, pushed, f);
}

/// Step 4: q̈_a = M⁻¹ (T̂ − Jᵀ f_e − C), then (26): q̈_p = M_p⁻¹ (T_p − C_p − M_ap q̈_a − J_pᵀ f_e).
void UnifiedModel::Room::gather(VectorRef a) {
  room_a = T_hat - C + K_J.transpose().lazyProduct(f);
  solve_in_place(L, room_a);
  room_p = T_p - C_p - M_ap.lazyProduct(room_a) + K_p.transpose().lazyProduct(f);
  solve_in_place(L_p, room_p);
  const auto put = [&](const std::vector<int>& entries, const Eigen::VectorXd& x) {
    for (std::size_t i = 0; i < entries.size(); ++i) a[entries[i]] = x[static_cast<Index>(i)];
  };
  put(robot.active(), room_a), put(robot.passive(), room_p), put(others, a_o);
}

TableReport UnifiedModel::compute_forward_dynamics(VectorRef a) {
  Room& r = *room_;
  r.check_updated();
  door::check_output(a.size(), r.robot.system().nv(), "a");
  r.solved = false;
  r.report = {r.work.rows(), r.work.rows(), true};
  r.compute_open();
  r.build_H();
  r.report.H_is_regular = factorize_in_place(r.H, least_pivot);
  if (r.report.H_is_regular)
    r.solve_by_object();
  else
    r.solve_by_forces();
  r.gather(a);
  r.accelerations = a;
  r.solved = true;
  return r.report;
}

namespace {
void check_solved(bool solved, const char* reader) {
  if (!solved)
    throw Error(
        fmt::format("{} reads what UnifiedModel::compute_forward_dynamics found, and "
                    "nothing is there: call it first, after every update",
                    reader));
}
}  // namespace

Force UnifiedModel::end_force(int arm) const {
  const Room& r = *room_;
  check_solved(r.solved, "end_force");
  const int grasp = r.robot.arms().at(at(arm)).grasp;
  Force sum{};
  if (grasp < 0) return sum;
  const ClosurePlace& c = r.robot.system().closures()[at(grasp)];
  for (int i = 0; i < c.rows; ++i) sum += r.f[c.row + i] * c.W[i];
  return sum;
}

Motion UnifiedModel::object_acceleration(int object) const {
  Room& r = *room_;
  check_solved(r.solved, "object_acceleration");
  compute_forward_kinematics(r.work.tree(), r.state, r.accelerations);
  return frame_acceleration(r.work.tree(), r.robot.objects().at(at(object)).frame, Axes::own);
}

}  // namespace linkwright::manipulator
