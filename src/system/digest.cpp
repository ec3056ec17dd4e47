#include "linkwright/system/digest.hpp"

#include <cmath>

#include <fmt/format.h>

namespace linkwright {
namespace {

/// FNV-1a, 64 bits, over bytes in an order of their own: the same on every machine.
class Digest {
 public:
  void add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) add_byte((number >> shift) & 0xff);
  }
  void add(int number) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(number))); }
  void add(const std::string& text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
  }
  void add(double x) {
    if (!std::isfinite(x)) return add(std::isnan(x) ? 1 : x > 0 ? 2 : 3);
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent);
    std::int64_t digits = std::llround(std::ldexp(mantissa, precision));
    // What rounds up to the next power of two is that power.
    if (std::abs(digits) == std::int64_t{1} << precision) digits /= 2, ++exponent;
    add(static_cast<std::uint64_t>(digits));
    add(digits == 0 ? 0 : exponent);
  }
  void add(const Vector3& v) { add(v.x), add(v.y), add(v.z); }
  void add(const Symmetric3& m) {
    for (const double x : {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz}) add(x);
  }
  /// Entries of size 1 and less, where 1e-17 means 0.
  void add_direction(const Vector3& v) {
    for (const double x : {v.x, v.y, v.z})
      add(static_cast<std::uint64_t>(std::llround(std::ldexp(x, precision))));
  }
  /// An axis has a direction only.
  void add_axis(const Vector3& v) {
    const double length = norm(v);
    add_direction(length > 0 ? (1 / length) * v : v);
  }
  void add(const Pose& pose) {
    const Matrix3& R = pose.rotation;
    add_direction({R.xx, R.xy, R.xz}), add_direction({R.yx, R.yy, R.yz});
    add_direction({R.zx, R.zy, R.zz});
    add(pose.translation);
  }
  void add(const Force& force) { add(force.moment), add(force.force); }
  void add(const std::vector<std::array<double, 6>>& modes) {
    for (const auto& mode : modes)
      for (const double x : mode) add(x);
  }

  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  static constexpr int precision = 40;  // bits: 12 digits
  void add_byte(std::uint64_t byte) { value_ = (value_ ^ byte) * 0x100000001b3ULL; }
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

/// The kind of a pair, with the numbers that mean something for it.
void add_pair(Digest& d, JointType type, const Vector3& axis, const Vector3& axis2, double pitch,
              const std::vector<std::array<double, 6>>& modes) {
  d.add(std::string(to_string(type)));
  switch (type) {
    case JointType::universal:
      d.add_axis(axis2);
      [[fallthrough]];
    case JointType::revolute:
    case JointType::continuous:
    case JointType::prismatic:
    case JointType::cylindrical:
    case JointType::planar:
      return d.add_axis(axis);
    case JointType::helical:
      d.add(pitch);
      return d.add_axis(axis);
    case JointType::custom:
      return d.add(modes);
    case JointType::fixed:
    case JointType::spherical:
    case JointType::free:
      return;
  }
}

void add(Digest& d, const Body& body) { d.add(body.mass), d.add(body.com), d.add(body.inertia); }

void add(Digest& d, const Joint& joint) {
  d.add(joint.parent), d.add(joint.child), d.add(joint.pose);
  add_pair(d, joint.type, joint.axis, joint.axis2, joint.pitch, joint.modes);
  for (int i = 0; i < velocity_count(joint); ++i) {
    d.add(per_freedom(joint.damping, i, 0.0));
    d.add(per_freedom(joint.rotor_inertia, i, 0.0));
    const Friction friction = per_freedom(joint.friction, i, Friction{});
    d.add(friction.forward), d.add(friction.backward);
    const Limits limits = per_freedom(joint.limits, i, Limits{});
    for (const double x : {limits.lower, limits.upper, limits.velocity, limits.effort}) d.add(x);
    const bool passive = !joint.passive.empty() &&
                         joint.passive[joint.passive.size() == 1 ? 0 : static_cast<std::size_t>(i)];
    d.add(passive ? 1 : 0);
  }
}

void add(Digest& d, const Closure& closure) {
  d.add(static_cast<int>(closure.kind));
  d.add(closure.body_a), d.add(closure.body_b), d.add(closure.at_a), d.add(closure.at_b);
  if (closure.kind == Closure::Kind::joint)
    add_pair(d, closure.joint, closure.axis, closure.axis2, closure.pitch, closure.modes);
  d.add(closure.distance), d.add(closure.leader), d.add(closure.follower);
  d.add(closure.ratio), d.add(closure.offset);
}

void add(Digest& d, const Grasp& grasp) {
  d.add(static_cast<int>(grasp.contact));
  d.add(grasp.arm), d.add(grasp.object), d.add(grasp.at);
  d.add_axis(grasp.normal), d.add_axis(grasp.axis), d.add(grasp.friction);
}

void add(Digest& d, const LineSpring& spring) {
  d.add(spring.body_a), d.add(spring.body_b), d.add(spring.at_a), d.add(spring.at_b);
  d.add(spring.stiffness), d.add(spring.damping), d.add(spring.rest_length);
}

void add(Digest& d, const JointSpring& spring) {
  d.add(spring.joint), d.add(spring.freedom);
  d.add(spring.stiffness), d.add(spring.damping), d.add(spring.rest);
}

void add(Digest& d, const JointLoad& load) {
  d.add(load.joint), d.add(load.freedom), d.add(load.effort);
}

void add(Digest& d, const BodyLoad& load) {
  d.add(load.body), d.add(load.force), d.add(load.at), d.add(load.in_world ? 1 : 0);
}

void add(Digest& d, const Actuator& actuator) {
  d.add(actuator.name), d.add(actuator.joint), d.add(actuator.freedom), d.add(actuator.gear);
  d.add(actuator.motor ? 1 : 0);
  if (!actuator.motor) return;
  const Actuator::Motor& motor = *actuator.motor;
  for (const double x : {motor.Ra, motor.La, motor.k, motor.rotor_inertia, motor.damping,
                         motor.voltage_limit, motor.current_limit})
    d.add(x);
}

void add(Digest& d, const FlexibleBase& base) {
  d.add(base.joint);
  for (const double x : base.stiffness) d.add(x);
  for (const double x : base.damping) d.add(x);
}

void add(Digest& d, const Frame& frame) { d.add(frame.body), d.add(frame.pose); }

/// Parts with names are called by them, the others by their number.
template <class Item>
void append(std::vector<PartDigest>& parts, const char* kind, const std::vector<Item>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    Digest d;
    add(d, items[i]);
    std::string name = fmt::format("{} {}", kind, i + 1);
    if constexpr (requires { items[i].name; })
      if (!items[i].name.empty()) name = fmt::format("{} '{}'", kind, items[i].name);
    parts.push_back({std::move(name), d.value()});
  }
}

}  // namespace

std::vector<PartDigest> compute_digests(const System& system) {
  const Model& model = system.model();
  Digest gravity;
  gravity.add(model.gravity);
  std::vector<PartDigest> parts{{"gravity", gravity.value()}};
  append(parts, "body", model.bodies);
  append(parts, "joint", model.joints);
  append(parts, "frame", model.frames);
  append(parts, "closure", model.closures);
  append(parts, "grasp", model.grasps);
  append(parts, "spring", model.line_springs);
  append(parts, "joint spring", model.joint_springs);
  append(parts, "joint load", model.joint_loads);
  append(parts, "body load", model.body_loads);
  append(parts, "actuator", model.actuators);
  append(parts, "flexible base", model.flexible_bases);
  return parts;
}

std::uint64_t digest_of(const std::vector<PartDigest>& parts) {
  Digest all;
  for (const PartDigest& part : parts) all.add(part.part), all.add(part.digest);
  return all.value();
}

std::string first_difference(const std::vector<PartDigest>& before,
                             const std::vector<PartDigest>& now) {
  for (std::size_t i = 0; i < std::max(before.size(), now.size()); ++i) {
    if (i >= now.size()) return before[i].part + ", which is gone";
    if (i >= before.size()) return now[i].part + ", which is new";
    if (before[i].part != now[i].part)
      return fmt::format("{}, where {} was", now[i].part, before[i].part);
    if (before[i].digest != now[i].digest) return now[i].part;
  }
  return {};
}

}  // namespace linkwright
