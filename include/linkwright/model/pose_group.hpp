#pragma once
/// The poses that a custom joint can reach. Its modes, closed under the Lie bracket, span an algebra;
/// the child's pose in the joint frame never leaves the group of that algebra. Of the groups of rigid
/// displacements only four are not commutative, and those are the kinds here.
///
///     linkwright::PoseGroup group = linkwright::pose_group(joint);
///     bool holonomic = group.dimension == linkwright::velocity_count(joint);

#include "linkwright/model/model.hpp"

namespace linkwright {

struct PoseGroup {
  enum class Kind {
    all,          ///< every pose (6)
    about_point,  ///< turns about `centre` (3)
    in_plane,     ///< slides normal to `axis`, turns about it that advance by `pitch` (3)
    upright       ///< all slides, turns about `axis` (4)
  };
  Kind kind = Kind::all;
  int dimension = 6;
  Vector3 axis{0, 0, 1};  ///< unit vector, in the joint frame
  Vector3 centre{};       ///< in the joint frame
  double pitch = 0;       ///< metres per radian
};

/// The group of a custom joint whose position is a pose; `all` for every other joint.
PoseGroup pose_group(const Joint& joint);
/// "turns about the point (0, 0, 1)", for messages.
std::string describe(const PoseGroup& group);

/// How far a pose is from the group: the turn and the way that would bring it there.
struct PoseMisfit {
  double angle = 0, distance = 0;
  double tolerance = 0;  ///< the distance that passes; an angle passes up to angle_tolerance
  static constexpr double angle_tolerance = 1e-3;
  [[nodiscard]] LINKWRIGHT_INLINE bool passes() const {
    return angle <= angle_tolerance && distance <= tolerance;
  }
};

/// Of a turn r (unit norm): its angle about the unit vector n.
LINKWRIGHT_INLINE double angle_about(const Vector3& n, const Quaternion& r) {
  return 2 * std::atan2(r.x * n.x + r.y * n.y + r.z * n.z, r.w);
}

/// What is missing along the axis to the screw of the group, to the nearest whole turn.
LINKWRIGHT_INLINE double missing_advance(const PoseGroup& group, const Quaternion& r,
                                         const Vector3& p) {
  const double missing = group.pitch * angle_about(group.axis, r) - dot(group.axis, p);
  if (group.pitch == 0) return missing;
  const double turn = 2 * 3.14159265358979323846 * group.pitch;
  return missing - turn * std::nearbyint(missing / turn);
}

/// For a turn r of unit norm and a position p. Rounding and few digits pass: 1e-3 of a radian, 1e-3 of
/// the lengths at hand and a micrometre.
LINKWRIGHT_INLINE PoseMisfit misfit(const PoseGroup& group, const Quaternion& r, const Vector3& p) {
  using K = PoseGroup::Kind;
  PoseMisfit out;
  out.tolerance = 1e-6 + 1e-3 * (norm(p) + norm(group.centre) + 3.2 * std::abs(group.pitch));
  const auto R = to_matrix(r);
  if (group.kind == K::about_point) out.distance = norm(R * group.centre + p - group.centre);
  if (group.kind == K::in_plane) out.distance = std::abs(missing_advance(group, r, p));
  if (group.kind == K::in_plane || group.kind == K::upright) {
    const Vector3 carried = R * group.axis;
    out.angle = std::atan2(norm(cross(group.axis, carried)), dot(group.axis, carried));
  }
  return out;
}

/// Moves a pose that passes onto the group.
LINKWRIGHT_INLINE void project(const PoseGroup& group, Quaternion& r, Vector3& p) {
  using K = PoseGroup::Kind;
  const Vector3& n = group.axis;
  if (group.kind == K::in_plane || group.kind == K::upright) {
    const double along = r.x * n.x + r.y * n.y + r.z * n.z;
    r = normalized(Quaternion{r.w, along * n.x, along * n.y, along * n.z});
  }
  if (group.kind == K::about_point) p = group.centre - to_matrix(r) * group.centre;
  if (group.kind == K::in_plane) p += missing_advance(group, r, p) * n;
}

}  // namespace linkwright
