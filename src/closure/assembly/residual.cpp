#include "linkwright/closure/residual.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "linkwright/spatial/group.hpp"

namespace linkwright::closure {
namespace {

/// A displacement as rotation vector and translation of its end, in the end's axes: to first order the
/// twist that makes it, and zero for no other.
Motion to_twist(const Pose& E) {
  return {spatial::log_rotation(spatial::to_quaternion(E.rotation)),
          transpose_times(E.rotation, E.translation)};
}
Pose to_pose(const Motion& twist) {
  return {to_matrix(spatial::exp_rotation(twist.angular)),
          spatial::exp_coupling(twist.angular, twist.linear)};
}

/// What a pair's freedoms can remove of a displacement.
struct Share {
  double q[6]{}, size = 0;

  Share(const ClosurePlace& place, const Motion& rest) {
    for (int i = 0; i < place.freedoms; ++i) {
      q[i] = dot(place.dual[i], rest);
      size = std::max(size, std::abs(q[i]));
    }
  }
};

/// How long the steps of Newton's method are.
enum class Steps {
  whole,
  nearer  ///< a part of them where the whole would lead farther away
};

/// Newton's method on the pair's own group: a step removes what its freedoms can remove. Answers whether it
/// came to an end; `rest` is what is left.
bool remove_share(const ClosurePlace& place, const Pose& X, Steps steps, Opening& open,
                  Motion& rest) {
  constexpr int most_steps = 50;
  constexpr double rounding = 1e-15, near = 1e-12, shortest = 1e-3;
  rest = to_twist(inverse(open.joint) * X);
  Share share(place, rest);
  for (int step = 0; step < most_steps && share.size > rounding; ++step) {
    double part = 1;
    for (;; part *= 0.5) {
      Motion move{};
      for (int i = 0; i < place.freedoms; ++i) move += (part * share.q[i]) * place.mode[i];
      const Pose joint = open.joint * to_pose(move);
      const Motion left = to_twist(inverse(joint) * X);
      const Share next(place, left);
      const bool nearer = next.size < share.size;
      if (!nearer && (share.size < near || part < shortest)) return share.size < near;
      if (!nearer && steps == Steps::nearer) continue;
      for (int i = 0; i < place.freedoms; ++i) open.q[i] += part * share.q[i];
      open.joint = joint, rest = left, share = next;
      break;
    }
  }
  return share.size < near;
}

/// What a pair's freedoms leave. Whole steps find the nearest turn; far from where a pair is closed they may
/// lead away without end.
Motion settle(const ClosurePlace& place, const Pose& X, Opening& open) {
  const Opening start = open;
  Motion rest;
  if (remove_share(place, X, Steps::whole, open, rest)) return rest;
  open = start;
  remove_share(place, X, Steps::nearer, open, rest);
  return rest;
}

/// A screw stands elsewhere after a whole turn, in the same attitude: the way tells how many it made.
void count_turns(const ClosurePlace& place, const Motion& rest, Opening& open) {
  const Vector3& u = place.mode[0].angular;
  const double lead = 2 * std::numbers::pi * dot(u, place.mode[0].linear);
  if (lead == 0) return;
  const double turns = std::nearbyint(dot(u, rest.linear) / lead);
  open.q[0] += 2 * std::numbers::pi * turns;
  open.joint.translation += (turns * lead) * u;
}

Opening open_lower_pair(const ClosurePlace& place, const Pose& X) {
  Opening open;
  Motion rest = settle(place, X, open);
  if (place.joint == JointType::helical) {
    count_turns(place, rest, open);
    rest = settle(place, X, open);
  }
  Motion left{};
  for (int i = 0; i < place.position_rows; ++i) {
    open.residual[i] = dot(place.W[i], rest);
    left += open.residual[i] * place.complement[i];
  }
  open.angle = norm(left.angular), open.distance = norm(left.linear);
  return open;
}

/// acos(x) also where rounding leads beyond 1.
double arc_cosine(double x) { return std::acos(std::clamp(x, -1.0, 1.0)); }

/// R = turn(axis, q0) turn(axis2, q1) where it is closed: axis2 shows q0, axis shows q1.
Opening open_universal(const ClosurePlace& place, const Pose& X) {
  Opening open;
  const Vector3 seen = transpose_times(X.rotation, place.axis);
  const Vector3 p = transpose_times(X.rotation, X.translation);
  const double cosine = dot(place.axis, place.axis2);
  open.residual[0] = arc_cosine(dot(seen, place.axis2)) - arc_cosine(cosine);
  open.residual[1] = p.x, open.residual[2] = p.y, open.residual[3] = p.z;
  open.angle = std::abs(open.residual[0]), open.distance = norm(p);
  const Vector3 across = cross(place.axis, place.axis2);
  const Vector3 turned = X.rotation * place.axis2;
  open.q[0] = std::atan2(dot(turned, across), dot(turned, place.axis2 - cosine * place.axis));
  open.q[1] = std::atan2(dot(seen, across), dot(seen, place.axis - cosine * place.axis2));
  open.joint = {to_matrix(spatial::exp_rotation(open.q[0] * place.axis)) *
                    to_matrix(spatial::exp_rotation(open.q[1] * place.axis2)),
                {}};
  return open;
}

Opening open_rolling(const ClosurePlace& place, const Pose& X) {
  double lowest = place.length;
  if (place.disc) {
    const double along = dot(transpose_times(X.rotation, place.axis), place.axis2);
    lowest *= std::sqrt(std::max(0.0, 1 - along * along));
  }
  Opening open;
  open.residual[0] = dot(place.axis, X.translation) - lowest;
  open.distance = std::abs(open.residual[0]);
  return open;
}

}  // namespace

Opening opening(const ClosurePlace& place, const Pose& X) {
  Opening open;
  switch (place.kind) {
    case PairKind::lower_pair:
      return open_lower_pair(place, X);
    case PairKind::universal:
      return open_universal(place, X);
    case PairKind::rolling:
      return open_rolling(place, X);
    case PairKind::point:
      for (int i = 0; i < place.rows; ++i) open.residual[i] = dot(place.W[i].force, X.translation);
      open.distance = std::hypot(open.residual[0], open.residual[1]);
      return open;
    case PairKind::distance:
      open.residual[0] = norm(X.translation) - place.length;
      open.distance = std::abs(open.residual[0]);
      return open;
    case PairKind::gear:
    case PairKind::shaft:
      break;
  }
  return open;
}

}  // namespace linkwright::closure
