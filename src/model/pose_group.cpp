#include "linkwright/model/pose_group.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "model/motion_algebra.hpp"

namespace linkwright {
namespace {

constexpr double rounding = MotionAlgebra::rounding;

/// Divides lengths by the modes' own: turns and slides then weigh alike.
double length_scale(const Joint& joint) {
  double turn = 0, slide = 0;
  for (const auto& m : joint.modes) {
    turn = std::max(turn, std::hypot(m[0], m[1], m[2]));
    slide = std::max(slide, std::hypot(m[3], m[4], m[5]));
  }
  return turn > 0 && slide > 0 ? slide / turn : 1;
}

/// The mode that turns most.
const Motion& widest(const std::vector<Motion>& basis) {
  return *std::max_element(basis.begin(), basis.end(), [](const Motion& a, const Motion& b) {
    return norm(a.angular) < norm(b.angular);
  });
}
/// Whether all modes turn about one direction.
bool one_direction(const std::vector<Motion>& basis, const Vector3& n) {
  return std::all_of(basis.begin(), basis.end(),
                     [&](const Motion& m) { return norm(cross(n, m.angular)) <= rounding; });
}

/// Three turns about one point c: their linear parts are v = c × ω, so Σ ω × v = Σ (|ω|² − ω ωᵀ) c.
Vector3 common_centre(const std::vector<Motion>& basis) {
  Vector3 right;
  Symmetric3 S;
  for (const Motion& m : basis) {
    const Vector3& w = m.angular;
    right += cross(w, m.linear);
    S += Symmetric3{w.y * w.y + w.z * w.z,
                    w.x * w.x + w.z * w.z,
                    w.x * w.x + w.y * w.y,
                    -w.x * w.y,
                    -w.x * w.z,
                    -w.y * w.z};
  }
  const Vector3 x{S.xx, S.xy, S.xz}, y{S.xy, S.yy, S.yz}, z{S.xz, S.yz, S.zz};
  const double determinant = dot(x, cross(y, z));
  return (1 / determinant) *
         Vector3{dot(right, cross(y, z)), dot(right, cross(z, x)), dot(right, cross(x, y))};
}

}  // namespace

PoseGroup pose_group(const Joint& joint) {
  PoseGroup group;
  if (joint.type != JointType::custom || modes_commute(joint)) return group;
  const double scale = length_scale(joint);
  MotionAlgebra algebra;
  for (const auto& m : joint.modes)
    algebra.add({{m[0], m[1], m[2]}, {m[3] / scale, m[4] / scale, m[5] / scale}});
  algebra.close();
  const std::vector<Motion>& basis = algebra.basis;
  const Motion& turn = widest(basis);
  const Vector3 n = (1 / norm(turn.angular)) * turn.angular;
  const bool flat = one_direction(basis, n);
  if (basis.size() == 3 && !flat) {
    group = {.kind = PoseGroup::Kind::about_point, .dimension = 3};
    group.centre = scale * common_centre(basis);
  } else if (basis.size() == 3) {
    group = {.kind = PoseGroup::Kind::in_plane, .dimension = 3, .axis = n};
    const double pitch = dot(turn.linear, n) / norm(turn.angular);
    if (std::abs(pitch) > rounding) group.pitch = scale * pitch;
  } else if (basis.size() == 4) {
    group = {.kind = PoseGroup::Kind::upright, .dimension = 4, .axis = n};
  }
  return group;
}

std::string describe(const PoseGroup& group) {
  const auto text = [](const Vector3& v) {
    return fmt::format("({:g}, {:g}, {:g})", v.x, v.y, v.z);
  };
  switch (group.kind) {
    case PoseGroup::Kind::all:
      break;
    case PoseGroup::Kind::about_point:
      return "turns about the point " + text(group.centre) + " of the joint frame";
    case PoseGroup::Kind::in_plane:
      return "slides normal to the axis " + text(group.axis) +
             " of the joint frame and turns about it" +
             (group.pitch == 0 ? "" : fmt::format(" that advance {:g} m/rad", group.pitch));
    case PoseGroup::Kind::upright:
      return "slides, and turns about the axis " + text(group.axis) + " of the joint frame";
  }
  return "every pose";
}

}  // namespace linkwright
