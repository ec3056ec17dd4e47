// Motions that the passive freedoms do not feel, and the base's velocity from the momentum.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "manipulator/cholesky.hpp"
#include "manipulator/unified_room.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {

using Eigen::Index;

bool UnifiedModel::Room::holds() const {
  return std::ranges::any_of(robot.arms(), [](const Arm& arm) { return arm.grasp >= 0; });
}

/// With what is held as part of the arms, so that its inertia counts.
ReducedSystem& UnifiedModel::Room::as_the_hands_are() {
  if (!holds()) return open;
  if (!closed_known) closed.compute(whole);
  closed_known = true;
  if (closed.p.size() == open.p.size()) return closed;
  for (const int v : open.entries_p)
    if (!std::ranges::binary_search(closed.entries_p, v))
      throw Error(
          fmt::format("the grasps leave the passive freedom '{}' no motion of its own: what "
                      "the base feels cannot be told apart from it",
                      robot.system().velocity_names()[at(v)]),
          Error::Kind::failed_computation);
  return closed;
}

/// M_apᵀ of the hands as they are, each passive freedom measured by the root of its own inertia, so that metres
/// and radians weigh alike; and the active rates that span its null space.
void UnifiedModel::Room::find_reaction_space() {
  check_updated();
  if (reaction_known) return;
  const ReducedSystem& x = as_the_hands_are();
  const auto a = static_cast<Index>(x.a.size()), p = static_cast<Index>(x.p.size());
  if (A.rows() != a || A.cols() != p || N.rows() != a) {
    A.setZero(a, p), N.setZero(a, a), V.setZero(open_a.size(), a), VV.setZero(a, a);
    scale.setZero(p), demand.setZero(p), nu_a.setZero(a), wish_left.setZero(open_a.size());
    reaction = closure::Orthogonal(static_cast<int>(a), static_cast<int>(p));
  }
  for (Index i = 0; i < p; ++i) {
    scale[i] = 1 / std::sqrt(x.mass(x.p[at(i)], x.p[at(i)]));
    for (Index j = 0; j < a; ++j) A(j, i) = scale[i] * x.mass(x.p[at(i)], x.a[at(j)]);
  }
  reaction.compute(A, closure::rank_threshold);
  const Index count = a - reaction.rank();
  reaction.null_basis(N.leftCols(count));
  auto spanned = V.leftCols(count);
  spanned.setZero();
  for (Index i = 0; i < spanned.rows(); ++i)
    for (Index j = 0; j < a; ++j)
      spanned.row(i) += x.reduction.G()(open.entries_a[at(i)], x.a[at(j)]) * N.row(j).head(count);
  auto gram = VV.topLeftCorner(count, count);
  gram = spanned.transpose().lazyProduct(spanned);
  if (!factorize_in_place(gram, hardly_any_pivot))
    throw Error("the reaction null space has no basis in the active rates",
                Error::Kind::failed_computation);
  reaction_known = true;
}

int UnifiedModel::coupling_rank() {
  room_->find_reaction_space();
  return room_->reaction.rank();
}

void UnifiedModel::compute_reaction_null_space(MatrixRef projector) {
  Room& r = *room_;
  r.find_reaction_space();
  door::check_output(projector, r.M.rows(), r.M.rows(), "projector");
  const Index count = r.A.rows() - r.reaction.rank();
  for (Index c = 0; c < projector.cols(); ++c) {
    r.nu_a.head(count) = r.V.row(c).head(count).transpose();
    solve_in_place(r.VV.topLeftCorner(count, count), r.nu_a.head(count));
    projector.col(c) = r.V.leftCols(count).lazyProduct(r.nu_a.head(count));
  }
}

double UnifiedModel::compute_still_acceleration(const ConstVectorRef& wish, VectorRef a_active) {
  Room& r = *room_;
  r.find_reaction_space();
  door::check_output(wish.size(), r.M.rows(), "wish");
  door::check_output(a_active.size(), r.M.rows(), "a_active");
  const ReducedSystem& x = r.as_the_hands_are();
  const Eigen::MatrixXd& G = x.reduction.G();
  const Eigen::VectorXd& gamma = x.reduction.gamma();
  // M_ap ν̇ = T_p − C_p, the shortest ν̇; then along the null space as near to the wish as it goes.
  for (Index i = 0; i < r.demand.size(); ++i) {
    const int row = x.p[at(i)];
    r.demand[i] = r.scale[i] * (x.applied[row] - x.bias[row]);
  }
  r.reaction.solve_rows(r.demand, r.nu_a);
  double left = 0;
  for (Index i = 0; i < r.demand.size(); ++i)
    left = std::max(left, std::abs(r.A.col(i).dot(r.nu_a) - r.demand[i]) / r.scale[i]);
  for (Index i = 0; i < a_active.size(); ++i) {
    const int v = r.open.entries_a[at(i)];
    a_active[i] = gamma[v];
    for (std::size_t j = 0; j < x.a.size(); ++j)
      a_active[i] += G(v, x.a[j]) * r.nu_a[static_cast<Index>(j)];
  }
  const Index count = r.A.rows() - r.reaction.rank();
  r.wish_left = wish - a_active;
  r.nu_a.head(count) = r.V.leftCols(count).transpose().lazyProduct(r.wish_left);
  solve_in_place(r.VV.topLeftCorner(count, count), r.nu_a.head(count));
  a_active += r.V.leftCols(count).lazyProduct(r.nu_a.head(count));
  return left;
}

void UnifiedModel::compute_base_velocity(const Momentum& total, const ConstVectorRef& v,
                                         VectorRef base_rates) {
  Room& r = *room_;
  r.check_updated();
  const System& system = r.robot.system();
  const std::vector<int>& base = r.robot.base().freedoms;
  const BaseKind kind = r.robot.base().kind;
  if (kind != BaseKind::free)
    throw Error(
        fmt::format("the base '{}' is {}: its velocity follows from the momentum of the "
                    "whole only where it floats freely",
                    r.robot.base().body, to_string(kind)));
  door::check_velocity_like(system, v, "v");
  door::check_output(base_rates.size(), 6, "base_rates");
  const ReducedSystem& x = r.as_the_hands_are();
  State& others = r.moving;
  others.q = r.state.q, r.given = v;
  for (const int i : base) r.given[i] = 0;
  // What is held moves with the hands.
  others.v.setZero();
  for (std::size_t j = 0; j < x.reduction.independent().size(); ++j)
    others.v += r.given[x.reduction.independent()[j]] * x.reduction.G().col(static_cast<Index>(j));
  compute_forward_kinematics(r.work.tree(), others, r.zero);
  const Momentum rest = system_momentum(r.work.tree());
  const Vector3 centre = system_centre_of_mass(r.work.tree()).position;
  const Pose at_base = frame_pose(r.work.tree(), r.robot.base().frame);
  // What the base must carry, about its own origin and in its axes: the freedoms of a free joint.
  const Vector3 P = total.linear - rest.linear, c = centre - at_base.translation;
  const Vector3 moment =
                    transpose_times(at_base.rotation, total.angular - rest.angular + cross(c, P)),
                force = transpose_times(at_base.rotation, P);
  base_rates << moment.x, moment.y, moment.z, force.x, force.y, force.z;
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 6; ++j) {
      const auto place = [&](Index k) {
        return x.p[at(std::ranges::find(x.entries_p, base[at(k)]) - x.entries_p.begin())];
      };
      r.L_b(i, j) = x.mass(place(i), place(j));
    }
  if (!factorize_in_place(r.L_b, hardly_any_pivot))
    throw Error("the whole has no mass: its momentum says nothing",
                Error::Kind::failed_computation);
  solve_in_place(r.L_b, base_rates);
}

}  // namespace linkwright::manipulator
