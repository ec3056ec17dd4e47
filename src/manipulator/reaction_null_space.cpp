// Motions that the passive freedoms do not feel, and the base's velocity from the momentum.
#include <algorithm>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "manipulator/cholesky.hpp"
#include "manipulator/unified_room.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {

using Eigen::Index;

/// M_apᵀ, each passive freedom measured by the root of its own inertia, so that metres and radians weigh alike.
void UnifiedModel::Room::find_reaction_space() const {
  check_updated();
  if (reaction_known) return;
  for (Index i = 0; i < scale_p.size(); ++i) scale_p[i] = 1 / std::sqrt(M_p(i, i));
  for (Index i = 0; i < scale_p.size(); ++i) A.col(i) = scale_p[i] * M_ap.row(i).transpose();
  reaction.compute(A, closure::rank_threshold);
  reaction_known = true;
}

int UnifiedModel::coupling_rank() const {
  room_->find_reaction_space();
  return room_->reaction.rank();
}

void UnifiedModel::compute_reaction_null_space(MatrixRef projector) const {
  const Room& r = *room_;
  r.find_reaction_space();
  door::check_output(projector, r.M.rows(), r.M.rows(), "projector");
  const Index count = r.M.rows() - r.reaction.rank();
  r.reaction.null_basis(r.N.leftCols(count));
  projector = r.N.leftCols(count).lazyProduct(r.N.leftCols(count).transpose());
}

double UnifiedModel::compute_still_acceleration(const ConstVectorRef& wish,
                                                VectorRef a_active) const {
  const Room& r = *room_;
  r.find_reaction_space();
  door::check_output(wish.size(), r.M.rows(), "wish");
  door::check_output(a_active.size(), r.M.rows(), "a_active");
  if (r.room_p.size() == 0) {
    a_active = wish;
    return 0;
  }
  // Nearest to the wish: wish + M_ap⁺ (T_p − C_p − M_ap wish).
  r.room_p = r.T_p - r.C_p - r.M_ap.lazyProduct(wish);
  r.room_p.array() *= r.scale_p.array();
  r.reaction.solve_rows(r.room_p, r.room_a);
  a_active = wish + r.room_a;
  r.room_p = r.T_p - r.C_p - r.M_ap.lazyProduct(a_active);
  return r.room_p.cwiseAbs().maxCoeff();
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
  State& others = r.moving;
  others.q = r.state.q, others.v = v;
  for (const int i : base) others.v[i] = 0;
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
  take(r.mass_matrix, base, base, r.L_b);
  if (!factorize_in_place(r.L_b, 1e-14))
    throw Error("the whole has no mass: its momentum says nothing",
                Error::Kind::failed_computation);
  solve_in_place(r.L_b, base_rates);
}

}  // namespace linkwright::manipulator
