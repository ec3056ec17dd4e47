// The numbers themselves: positions, velocities, accelerations and efforts from one layout to the other.
#include "linkwright/dynamics/conventions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/door.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/spatial/rpy.hpp"

namespace linkwright {
namespace {

using Kind = ConventionLayout::Kind;
using Entry = ConventionLayout::Entry;

// ---- the door ----

bool overlap(const ConstVectorRef& a, const VectorRef& b) {
  return a.size() > 0 && b.size() > 0 && a.data() < b.data() + b.size() &&
         b.data() < a.data() + a.size();
}

void check_apart(const ConstVectorRef& in, const char* name, const VectorRef& out) {
  if (overlap(in, out)) throw Error(fmt::format("out shares storage with {}", name));
}

/// The joint that an entry of the peer's q (or v) belongs to, for messages.
const std::string& owner(const ConventionLayout& layout, int index, bool position) {
  const auto& entries = layout.entries();
  for (const Entry& entry : entries) {
    const int first = position ? entry.q : entry.v;
    const int count = position ? entry.nq : entry.ours->nv;
    if ((index >= first && index < first + count) || (position && index == entry.w))
      return entry.ours->name;
  }
  return entries.front().ours->name;
}

void check_peer(const ConventionLayout& layout, const ConstVectorRef& x, bool position,
                const char* name) {
  const int expected = position ? layout.nq() : layout.nv();
  if (x.size() != expected)
    throw Error(fmt::format("{} has {} entries; this system needs {} in {}'s order", name, x.size(),
                            expected, to_string(layout.convention())));
  for (int i = 0; i < expected; ++i)
    if (!std::isfinite(x[i]))
      throw Error(fmt::format("{}[{}] of joint '{}' is {}; expected a finite number", name, i,
                              owner(layout, i, position), x[i]));
}

void check_unit(const Entry& entry, const char* what, double size) {
  if (std::abs(size - 1) > 1e-3)
    throw Error(fmt::format("peer_q of joint '{}' holds a {} of norm {}; expected 1",
                            entry.ours->name, what, size));
}

// ---- positions ----

/// Where the peer keeps w, x, y, z, and the position of a free joint. Drake's ball has no
/// quaternion.
struct Slots {
  int w, x, y, z, p;
};

Slots slots_of(const Entry& entry, Convention convention) {
  const bool free = entry.kind == Kind::free;
  const int q = entry.q, r = free ? q + 3 : q;
  switch (convention) {
    case Convention::pinocchio:
      return {r + 3, r, r + 1, r + 2, q};
    case Convention::mujoco:
      return {r, r + 1, r + 2, r + 3, q};
    case Convention::drake:
      return {q, q + 1, q + 2, q + 3, q + 4};
    case Convention::rbdl:
      return {entry.w, r, r + 1, r + 2, q};
  }
  return {};
}

bool holds_rpy(const Entry& entry, Convention convention) {
  return entry.kind == Kind::spherical && convention == Convention::drake;
}

bool is_identity(const Matrix3& R) { return R.xx == 1 && R.yy == 1 && R.zz == 1; }

/// q of a free or spherical joint, seen from the frame the peer measures in.
struct Placed {
  Quaternion turn;
  Vector3 position;
};

Placed read_ours(const JointPlace& joint, const double* q) {
  Placed at{{q[0], q[1], q[2], q[3]}, {}};
  if (joint.nq == 7) at.position = {q[4], q[5], q[6]};
  return at;
}

Placed seen_from(const Pose& frame, const Placed& at) {
  // Without a turn nothing is multiplied, so that a quaternion goes there and back unchanged.
  const bool turned = !is_identity(frame.rotation);
  return {turned ? spatial::to_quaternion(frame.rotation) * at.turn : at.turn, frame * at.position};
}

void write_position(const Entry& entry, Convention convention, const double* q, VectorRef& out) {
  const double* ours = q + entry.ours->q;
  switch (entry.kind) {
    case Kind::same:
      for (int i = 0; i < entry.nq; ++i) out[entry.q + i] = ours[i];
      return;
    case Kind::cos_sin:
      out[entry.q] = std::cos(ours[0]), out[entry.q + 1] = std::sin(ours[0]);
      return;
    case Kind::planar:
      out[entry.q] = ours[0], out[entry.q + 1] = ours[1];
      out[entry.q + 2] = std::cos(ours[2]), out[entry.q + 3] = std::sin(ours[2]);
      return;
    case Kind::spherical:
    case Kind::free:
      break;
  }
  const Placed at = seen_from(entry.parent, read_ours(*entry.ours, ours));
  if (holds_rpy(entry, convention)) {
    const Vector3 rpy = spatial::to_rpy(to_matrix(at.turn));
    out[entry.q] = rpy.x, out[entry.q + 1] = rpy.y, out[entry.q + 2] = rpy.z;
    return;
  }
  const Slots slot = slots_of(entry, convention);
  out[slot.w] = at.turn.w, out[slot.x] = at.turn.x;
  out[slot.y] = at.turn.y, out[slot.z] = at.turn.z;
  if (entry.kind != Kind::free) return;
  out[slot.p] = at.position.x, out[slot.p + 1] = at.position.y, out[slot.p + 2] = at.position.z;
}

Quaternion peer_quaternion(const Entry& entry, Convention convention, const ConstVectorRef& q) {
  if (holds_rpy(entry, convention))
    return spatial::to_quaternion(spatial::from_rpy({q[entry.q], q[entry.q + 1], q[entry.q + 2]}));
  const Slots slot = slots_of(entry, convention);
  return {q[slot.w], q[slot.x], q[slot.y], q[slot.z]};
}

void check_peer_units(const Entry& entry, Convention convention, const ConstVectorRef& q) {
  if (entry.kind == Kind::cos_sin)
    check_unit(entry, "pair (cos, sin)", std::hypot(q[entry.q], q[entry.q + 1]));
  if (entry.kind == Kind::planar)
    check_unit(entry, "pair (cos, sin)", std::hypot(q[entry.q + 2], q[entry.q + 3]));
  if (entry.kind == Kind::spherical || entry.kind == Kind::free) {
    const Quaternion r = peer_quaternion(entry, convention, q);
    check_unit(entry, "quaternion", std::hypot(std::hypot(r.w, r.x), std::hypot(r.y, r.z)));
  }
}

void read_position(const Entry& entry, Convention convention, const ConstVectorRef& q,
                   double* ours) {
  switch (entry.kind) {
    case Kind::same:
      for (int i = 0; i < entry.nq; ++i) ours[i] = q[entry.q + i];
      return;
    case Kind::cos_sin:
      ours[0] = std::atan2(q[entry.q + 1], q[entry.q]);
      return;
    case Kind::planar:
      ours[0] = q[entry.q], ours[1] = q[entry.q + 1];
      ours[2] = std::atan2(q[entry.q + 3], q[entry.q + 2]);
      return;
    case Kind::spherical:
    case Kind::free:
      break;
  }
  Placed at{peer_quaternion(entry, convention, q), {}};
  if (entry.kind == Kind::free) {
    const int p = slots_of(entry, convention).p;
    at.position = {q[p], q[p + 1], q[p + 2]};
  }
  at = seen_from(inverse(entry.parent), at);
  ours[0] = at.turn.w, ours[1] = at.turn.x, ours[2] = at.turn.y, ours[3] = at.turn.z;
  if (entry.kind == Kind::free)
    ours[4] = at.position.x, ours[5] = at.position.y, ours[6] = at.position.z;
}

// ---- velocities, accelerations, efforts ----

/// The angular and linear numbers of a joint, in velocity space or its dual.
struct AngularLinear {
  Vector3 angular{}, linear{};
};

/// peer = turn · ours, for each part. The turns are rotations, so efforts map as velocities do.
/// `drift`: the peer's linear acceleration is turn.linear · (a + drift · ω × v).
struct Turns {
  Matrix3 angular = Matrix3::identity(), linear = Matrix3::identity();
  double drift = 0;
};

Turns turns_of(const Entry& entry, Convention convention, const double* q) {
  const double* ours = q + entry.ours->q;
  if (entry.kind == Kind::planar) {
    const double c = std::cos(ours[2]), s = std::sin(ours[2]);
    return {Matrix3::identity(), {c, s, 0, -s, c, 0, 0, 0, 1}, -1};
  }
  if (convention == Convention::pinocchio) return {};
  Turns turns;
  const Matrix3 R = entry.parent.rotation * to_matrix(read_ours(*entry.ours, ours).turn);
  if (convention == Convention::drake) turns.angular = R;
  if (entry.kind == Kind::free) turns.linear = R, turns.drift = 1;
  return turns;
}

AngularLinear read_our_parts(const Entry& entry, const double* x) {
  x += entry.ours->v;
  if (entry.kind == Kind::planar) return {{0, 0, x[2]}, {x[0], x[1], 0}};
  if (entry.kind == Kind::spherical) return {{x[0], x[1], x[2]}, {}};
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

void write_our_parts(const Entry& entry, const AngularLinear& parts, double* x) {
  x += entry.ours->v;
  const Vector3 &w = parts.angular, &v = parts.linear;
  if (entry.kind == Kind::planar) {
    x[0] = v.x, x[1] = v.y, x[2] = w.z;
    return;
  }
  x[0] = w.x, x[1] = w.y, x[2] = w.z;
  if (entry.kind == Kind::free) x[3] = v.x, x[4] = v.y, x[5] = v.z;
}

/// Where a peer keeps the linear numbers of a free joint; the angular ones take the other half.
int linear_slot(const Entry& entry, Convention convention) {
  return convention == Convention::drake ? entry.v + 3 : entry.v;
}
int angular_slot(const Entry& entry, Convention convention) {
  return convention == Convention::drake ? entry.v : entry.v + 3;
}

AngularLinear read_peer_parts(const Entry& entry, Convention convention, const double* x) {
  const double* at = x + entry.v;
  if (entry.kind == Kind::planar) return {{0, 0, at[2]}, {at[0], at[1], 0}};
  if (entry.kind == Kind::spherical) return {{at[0], at[1], at[2]}, {}};
  const double* w = x + angular_slot(entry, convention);
  const double* v = x + linear_slot(entry, convention);
  return {{w[0], w[1], w[2]}, {v[0], v[1], v[2]}};
}

void write_peer_parts(const Entry& entry, Convention convention, const AngularLinear& parts,
                      double* x) {
  double* at = x + entry.v;
  const Vector3 &w = parts.angular, &v = parts.linear;
  if (entry.kind == Kind::planar) {
    at[0] = v.x, at[1] = v.y, at[2] = w.z;
    return;
  }
  if (entry.kind == Kind::spherical) {
    at[0] = w.x, at[1] = w.y, at[2] = w.z;
    return;
  }
  double* angular = x + angular_slot(entry, convention);
  double* linear = x + linear_slot(entry, convention);
  angular[0] = w.x, angular[1] = w.y, angular[2] = w.z;
  linear[0] = v.x, linear[1] = v.y, linear[2] = v.z;
}

bool is_plain(Kind kind) { return kind == Kind::same || kind == Kind::cos_sin; }

/// ω × v of a joint, as the turning axes add it to its acceleration; zero when no v is given.
Vector3 drift_of(const Entry& entry, const Turns& turns, const double* v) {
  if (v == nullptr || turns.drift == 0) return {};
  const AngularLinear rate = read_our_parts(entry, v);
  return turns.drift * cross(rate.angular, rate.linear);
}

/// v: null unless x is an acceleration.
void to_peer(const ConventionLayout& layout, const double* q, const double* v, const double* x,
             double* out) {
  for (const Entry& entry : layout.entries()) {
    if (is_plain(entry.kind)) {
      std::copy_n(x + entry.ours->v, entry.ours->nv, out + entry.v);
      continue;
    }
    const Turns turns = turns_of(entry, layout.convention(), q);
    const AngularLinear ours = read_our_parts(entry, x);
    const Vector3 linear = ours.linear + drift_of(entry, turns, v);
    write_peer_parts(entry, layout.convention(),
                     {turns.angular * ours.angular, turns.linear * linear}, out);
  }
}

void from_peer(const ConventionLayout& layout, const double* q, const double* v, const double* x,
               double* out) {
  for (const Entry& entry : layout.entries()) {
    if (is_plain(entry.kind)) {
      std::copy_n(x + entry.v, entry.ours->nv, out + entry.ours->v);
      continue;
    }
    const Turns turns = turns_of(entry, layout.convention(), q);
    const AngularLinear peer = read_peer_parts(entry, layout.convention(), x);
    write_our_parts(entry,
                    {transpose_times(turns.angular, peer.angular),
                     transpose_times(turns.linear, peer.linear) - drift_of(entry, turns, v)},
                    out);
  }
}

void check_to(const ConventionLayout& layout, const ConstVectorRef& q, const ConstVectorRef& x,
              const char* name, const VectorRef& out) {
  door::check_position(layout.system(), q);
  door::check_velocity_like(layout.system(), x, name);
  door::check_output(out.size(), layout.nv(), "out");
  check_apart(q, "q", out);
  check_apart(x, name, out);
}

void check_from(const ConventionLayout& layout, const ConstVectorRef& q, const ConstVectorRef& x,
                const char* name, const VectorRef& out) {
  door::check_position(layout.system(), q);
  check_peer(layout, x, false, name);
  door::check_output(out.size(), layout.system().nv(), "out");
  check_apart(q, "q", out);
  check_apart(x, name, out);
}

}  // namespace

void to_convention_position(const ConventionLayout& layout, const ConstVectorRef& q,
                            VectorRef out) {
  door::check_position(layout.system(), q);
  door::check_output(out.size(), layout.nq(), "out");
  check_apart(q, "q", out);
  for (const Entry& entry : layout.entries())
    write_position(entry, layout.convention(), q.data(), out);
}

void to_convention_velocity(const ConventionLayout& layout, const ConstVectorRef& q,
                            const ConstVectorRef& v, VectorRef out) {
  check_to(layout, q, v, "v", out);
  to_peer(layout, q.data(), nullptr, v.data(), out.data());
}

void to_convention_acceleration(const ConventionLayout& layout, const ConstVectorRef& q,
                                const ConstVectorRef& v, const ConstVectorRef& a, VectorRef out) {
  check_to(layout, q, a, "a", out);
  door::check_velocity_like(layout.system(), v, "v");
  check_apart(v, "v", out);
  to_peer(layout, q.data(), v.data(), a.data(), out.data());
}

void to_convention_effort(const ConventionLayout& layout, const ConstVectorRef& q,
                          const ConstVectorRef& tau, VectorRef out) {
  check_to(layout, q, tau, "tau", out);
  to_peer(layout, q.data(), nullptr, tau.data(), out.data());
}

void from_convention_position(const ConventionLayout& layout, const ConstVectorRef& peer_q,
                              VectorRef out) {
  check_peer(layout, peer_q, true, "peer_q");
  for (const Entry& entry : layout.entries()) check_peer_units(entry, layout.convention(), peer_q);
  door::check_output(out.size(), layout.system().nq(), "out");
  check_apart(peer_q, "peer_q", out);
  for (const Entry& entry : layout.entries())
    read_position(entry, layout.convention(), peer_q, out.data() + entry.ours->q);
}

void from_convention_velocity(const ConventionLayout& layout, const ConstVectorRef& q,
                              const ConstVectorRef& peer_v, VectorRef out) {
  check_from(layout, q, peer_v, "peer_v", out);
  from_peer(layout, q.data(), nullptr, peer_v.data(), out.data());
}

void from_convention_acceleration(const ConventionLayout& layout, const ConstVectorRef& q,
                                  const ConstVectorRef& v, const ConstVectorRef& peer_a,
                                  VectorRef out) {
  check_from(layout, q, peer_a, "peer_a", out);
  door::check_velocity_like(layout.system(), v, "v");
  check_apart(v, "v", out);
  from_peer(layout, q.data(), v.data(), peer_a.data(), out.data());
}

void from_convention_effort(const ConventionLayout& layout, const ConstVectorRef& q,
                            const ConstVectorRef& peer_tau, VectorRef out) {
  check_from(layout, q, peer_tau, "peer_tau", out);
  from_peer(layout, q.data(), nullptr, peer_tau.data(), out.data());
}

}  // namespace linkwright
