// Table I of the unified model: object acceleration, end forces, accelerations of the arms and of the base.
//
// The rows K of all grasps, and of closures that tie objects, stand for the paper's end rows: −K_a, −K_p on the arms' side are its
// J_q, J_b seen through the contact, W = K_o on the object's; beta its Ẇ V° less J̇ v. λ is f_e.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/model/names.hpp"
#include "manipulator/arm_at.hpp"
#include "manipulator/cholesky.hpp"
#include "manipulator/six.hpp"
#include "manipulator/unified_room.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {

using Eigen::Index;

/// Step 1: q̈_a = M⁻¹ (T̂ − C), q̈_p = M_p⁻¹ (T_p − C_p) − J_D q̈_a with empty hands, and what the rows see of
/// them, V̇ᵉ_open − ẆV° (44).
void UnifiedModel::Room::compute_open() {
  take_columns(K, open.a, K_a), take_columns(K, open.p, K_p);
  take_columns(K, open.o, W);
  open_a = T_hat - C;
  solve_in_place(L, open_a);
  open_p = T_p - C_p;
  solve_in_place(L_p, open_p);
  open_p -= J_D.lazyProduct(open_a);
  e = -K_a.lazyProduct(open_a) - K_p.lazyProduct(open_p) - beta;
  take(open.mass, open.o, open.o, M_o);
  take(open.applied, open.o, b_o), take(open.bias, open.o, right_o);
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

void UnifiedModel::Room::factorize_objects(Eigen::MatrixXd& of) {
  if (factorize_in_place(of, hardly_any_pivot)) return;
  std::vector<std::string> names;
  for (const HeldObject& object : robot.objects()) names.push_back(object.name);
  throw Error(fmt::format("an object moves without any inertia: give {} mass and inertia",
                          list_in_quotes(names)),
              Error::Kind::failed_computation);
}

/// Steps 2 and 3, with H = L Lᵀ in H:
///   V̇° = (M_o + Wᵀ H⁻¹ W)⁻¹ {Wᵀ H⁻¹ (V̇ᵉ_open − ẆV°) − b_o} (49)
///   f_e = H⁻¹ (V̇ᵉ_open − W V̇° − ẆV°) (47)
void UnifiedModel::Room::solve_by_object() {
  HW = W, He = e;
  solve_lower(H, HW), solve_lower(H, He);
  S = M_o;
  S += HW.transpose().lazyProduct(HW);
  factorize_objects(S);
  a_o = HW.transpose().lazyProduct(He) - b_o;
  solve_in_place(S, a_o);
  f = He - HW.lazyProduct(a_o);
  solve_upper(H, f);
}

/// The other way round, where H has no inverse: Ω f_e = V̇ᵉ_open − ẆV° + W M_o⁻¹ b_o with
/// Ω = H + W M_o⁻¹ Wᵀ (part 2, 4.9c, 4.9d), then V̇° from (33).
void UnifiedModel::Room::solve_by_forces() {
  S = M_o;
  factorize_objects(S);
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
  if (factorize_in_place(H, least_pivot)) {
    solve_in_place(H, f);
  } else {
    rows->factorize(K, Omega);
    report.rank = rows->rank();
    rows->solve(f);
    rows->shorten(K, f);
  }
  a_o = W.transpose().lazyProduct(f) - b_o;
  solve_in_place(S, a_o);
}

/// Step 4: q̈_a = M⁻¹ (T̂ − Jᵀ f_e − C), then (26): q̈_p = M_p⁻¹ (T_p − C_p − M_ap q̈_a − J_pᵀ f_e).
void UnifiedModel::Room::gather(VectorRef a) {
  room_a = T_hat - C + K_J.transpose().lazyProduct(f);
  solve_in_place(L, room_a);
  room_p = T_p - C_p - M_ap.lazyProduct(room_a) + K_p.transpose().lazyProduct(f);
  solve_in_place(L_p, room_p);
  const auto put = [&](const std::vector<int>& places, const Eigen::VectorXd& x) {
    for (std::size_t i = 0; i < places.size(); ++i) nu[places[i]] = x[static_cast<Index>(i)];
  };
  put(open.a, room_a), put(open.p, room_p), put(open.o, a_o);
  if (open.reduction.binds())
    a = open.reduction.G().lazyProduct(nu) + open.reduction.gamma();
  else
    a = nu;
}

TableReport UnifiedModel::compute_forward_dynamics(VectorRef a) {
  Room& r = *room_;
  r.check_updated();
  door::check_output(a.size(), r.robot.system().nv(), "a");
  r.solved = false;
  r.report = {static_cast<int>(r.kept.size()), static_cast<int>(r.kept.size()), true};
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
  const int grasp = arm_at(r.robot, arm).grasp;
  Force sum{};
  if (grasp < 0) return sum;
  const ClosurePlace& c = r.robot.system().closures()[at(grasp)];
  for (int i = 0; i < c.rows; ++i) sum += r.f[r.kept_index[at(c.row + i)]] * c.W[i];
  return sum;
}

void UnifiedModel::compute_end_forces(VectorRef f_e) const {
  Room& r = *room_;
  check_solved(r.solved, "compute_end_forces");
  door::check_output(f_e.size(), r.J.rows(), "f_e");
  compute_forward_kinematics(r.work.tree(), r.state, r.accelerations);
  const auto& s = r.work.tree().scratch();
  for (std::size_t i = 0; i < r.robot.arms().size(); ++i) {
    auto six = f_e.segment<6>(6 * static_cast<Index>(i));
    six.setZero();
    const int grasp = r.robot.arms()[i].grasp;
    if (grasp < 0) continue;
    const ClosurePlace& c = r.robot.system().closures()[at(grasp)];
    const Pose contact = closure::relative_pose(c, s.pose[at(c.node_a)], s.pose[at(c.node_b)]);
    put_six(to_parent(contact, end_force(static_cast<int>(i))), six);
  }
}

Motion UnifiedModel::object_acceleration(int object) const {
  Room& r = *room_;
  check_solved(r.solved, "object_acceleration");
  if (object < 0 || object >= static_cast<int>(r.robot.objects().size()))
    throw Error(
        fmt::format("there is no object {}: the arms hold {}", object, r.robot.objects().size()));
  compute_forward_kinematics(r.work.tree(), r.state, r.accelerations);
  return frame_acceleration(r.work.tree(), r.robot.objects()[at(object)].frame, Axes::own);
}

Motion UnifiedModel::base_acceleration() const {
  Room& r = *room_;
  check_solved(r.solved, "base_acceleration");
  compute_forward_kinematics(r.work.tree(), r.state, r.accelerations);
  return frame_acceleration(r.work.tree(), r.robot.base().frame, Axes::own);
}

}  // namespace linkwright::manipulator
