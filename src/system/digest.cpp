#include "linkwright/system/digest.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace linkwright {
namespace {

constexpr int precision = 40;  // bits: 12 digits

/// The power of two that numbers of this size are told apart by; 0 for 0.
double quantum_of(double size) {
  if (!(size > 0) || !std::isfinite(size)) return 0;
  int exponent = 0;
  // A norm that rounding leaves just below a power of two counts as that power.
  if (std::frexp(size, &exponent) > 1 - 0x1.0p-20) ++exponent;
  return std::ldexp(1, exponent - precision);
}

/// FNV-1a, 64 bits, over bytes in an order of their own: the same on every machine.
///
/// Numbers count to 12 digits, but entries of one vector or matrix to 12 digits of the whole, and
/// places to a fixed part of the mechanism: where a sine or a sum should vanish, another machine
/// leaves another residue.
class Digest {
 public:
  /// `length`: metres that places are told apart by, a power of two.
  explicit Digest(double length) : length_(length) {}

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
  void add(const std::optional<double>& x) {
    add(x ? 1 : 0);
    if (x) add(*x);
  }
  /// To whole multiples of a power of two, and no finer than any number: what is less is rounding.
  void add(double x, double quantum) {
    const bool finer = quantum > 0 && std::abs(x) < std::ldexp(quantum, 52);
    add(finer ? quantum * std::nearbyint(x / quantum) : x);
  }
  void add(const Vector3& v, double quantum) {
    add(v.x, quantum), add(v.y, quantum), add(v.z, quantum);
  }
  /// Entries of which the smaller ones are seen against the whole.
  void add(const Vector3& v) { add(v, quantum_of(norm(v))); }
  void add(const Symmetric3& m) {
    const double quantum = quantum_of(m.xx + m.yy + m.zz);
    for (const double x : {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz}) add(x, quantum);
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
  void add_length(double x) { add(x, length_); }
  void add_place(const Vector3& p) { add(p, length_); }
  void add(const Pose& pose) {
    const Matrix3& R = pose.rotation;
    add_direction({R.xx, R.xy, R.xz}), add_direction({R.yx, R.yy, R.yz});
    add_direction({R.zx, R.zy, R.zz});
    add_place(pose.translation);
  }
  /// A moment is a force with an arm.
  void add(const Force& force) {
    const double arm = std::ldexp(quantum_of(norm(force.force)), precision) * length_;
    add(force.force);
    add(force.moment, std::max(quantum_of(norm(force.moment)), arm));
  }
  void add(const std::vector<std::array<double, 6>>& modes) {
    for (const auto& mode : modes) {
      double square = 0;
      for (const double x : mode) square += x * x;
      for (const double x : mode) add(x, quantum_of(std::sqrt(square)));
    }
  }

  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  void add_byte(std::uint64_t byte) { value_ = (value_ ^ byte) * 0x100000001b3ULL; }
  double length_;
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
      d.add_length(pitch);
      return d.add_axis(axis);
    case JointType::custom:
      return d.add(modes);
    case JointType::fixed:
    case JointType::spherical:
    case JointType::free:
      return;
  }
}

void add(Digest& d, const Body& body) {
  d.add(body.mass), d.add_place(body.com), d.add(body.inertia);
}

/// What a pair has besides its shape.
void add_freedoms(Digest& d, const Joint& joint) {
  for (int i = 0; i < velocity_count(joint); ++i) {
    d.add(per_freedom(joint.damping, i, 0.0));
    d.add(per_freedom(joint.rotor_inertia, i, 0.0));
    const Friction friction = per_freedom(joint.friction, i, Friction{});
    d.add(friction.forward), d.add(friction.backward), d.add(friction.breakaway);
    const Limits limits = per_freedom(joint.limits, i, Limits{});
    for (const double x : {limits.lower, limits.upper, limits.velocity, limits.effort,
                           limits.restitution, limits.stiffness, limits.damping})
      d.add(x);
    const bool passive = !joint.passive.empty() &&
                         joint.passive[joint.passive.size() == 1 ? 0 : static_cast<std::size_t>(i)];
    d.add(passive ? 1 : 0);
  }
}

void add(Digest& d, const Joint& joint) {
  d.add(joint.parent), d.add(joint.child), d.add(joint.pose);
  add_pair(d, joint.type, joint.axis, joint.axis2, joint.pitch, joint.modes);
  add_freedoms(d, joint);
}

void add(Digest& d, const std::vector<GearTerm>& terms) {
  for (const GearTerm& term : terms) d.add(term.joint), d.add(term.freedom), d.add(term.ratio);
}

void add(Digest& d, const Closure& closure) {
  d.add(static_cast<int>(closure.kind));
  d.add(closure.body_a), d.add(closure.body_b), d.add(closure.at_a), d.add(closure.at_b);
  if (closure.kind == Closure::Kind::joint)
    add_pair(d, closure.joint, closure.axis, closure.axis2, closure.pitch, closure.modes);
  else if (has_axis(closure))
    d.add_axis(closure.axis);
  if (closure.kind == Closure::Kind::rolling && closure.disc) d.add_axis(closure.axis2);
  d.add_length(closure.distance), d.add(closure.leader), d.add(closure.follower);
  d.add(closure.ratio), d.add(closure.offset);
  add(d, closure.terms);
  add_freedoms(d, to_joint(closure));
}

void add(Digest& d, const Grasp& grasp) {
  d.add(static_cast<int>(grasp.contact));
  d.add(grasp.arm), d.add(grasp.object), d.add(grasp.at);
  d.add_axis(grasp.normal), d.add_axis(grasp.axis);
  d.add(grasp.friction), d.add(grasp.torsion);
}

void add(Digest& d, const LineSpring& spring) {
  d.add(spring.body_a), d.add(spring.body_b), d.add_place(spring.at_a), d.add_place(spring.at_b);
  d.add(spring.stiffness), d.add(spring.damping), d.add_length(spring.rest_length);
}

void add(Digest& d, const JointSpring& spring) {
  d.add(spring.joint), d.add(spring.freedom);
  d.add(spring.stiffness), d.add(spring.damping), d.add(spring.rest);
}

void add(Digest& d, const JointLoad& load) {
  d.add(load.joint), d.add(load.freedom), d.add(load.effort);
}

void add(Digest& d, const BodyLoad& load) {
  d.add(load.body), d.add(load.force), d.add_place(load.at), d.add(load.in_world ? 1 : 0);
}

void add(Digest& d, const Actuator& actuator) {
  d.add(actuator.name), d.add(actuator.joint), d.add(actuator.freedom), d.add(actuator.gear);
  add(d, actuator.transmission);
  d.add(actuator.elastic ? 1 : 0);
  if (actuator.elastic) d.add(actuator.elastic->stiffness), d.add(actuator.elastic->damping);
  d.add(actuator.motor ? 1 : 0);
  if (!actuator.motor) return;
  const Actuator::Motor& motor = *actuator.motor;
  for (const double x :
       {motor.Ra, motor.La, motor.k, motor.field_constant, motor.field_current, motor.rotor_inertia,
        motor.damping, motor.friction.forward, motor.friction.backward, motor.friction.breakaway,
        motor.voltage_limit, motor.current_limit})
    d.add(x);
}

void add(Digest& d, const NetworkComponent& component) {
  d.add(component.name), d.add(static_cast<int>(component.kind)), d.add(component.value);
  for (const double ratio : component.ratios) d.add(ratio);
  d.add(component.electrical ? 1 : 0), d.add(component.initial);
  for (const NetworkWire& wire : component.wires) d.add(wire.from), d.add(wire.to);
}

void add(Digest& d, const FlexibleBase& base) {
  d.add(base.joint);
  for (const PoseMatrix* matrix : {&base.stiffness, &base.damping}) {
    const PoseMatrix& K = *matrix;
    for (int i = 0; i < 6; ++i) d.add(K(i, i));
    if (K.is_diagonal()) continue;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < i; ++j) d.add(K(i, j), quantum_of(std::sqrt(K(i, i) * K(j, j))));
  }
}

void add(Digest& d, const Frame& frame) { d.add(frame.body), d.add(frame.pose); }

/// Parts with names are called by them, the others by their number.
template <class Item>
void append(std::vector<PartDigest>& parts, const char* kind, const std::vector<Item>& items,
            double length) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    Digest d(length);
    add(d, items[i]);
    std::string name = fmt::format("{} {}", kind, i + 1);
    if constexpr (requires { items[i].name; })
      if (!items[i].name.empty()) name = fmt::format("{} '{}'", kind, items[i].name);
    parts.push_back({std::move(name), d.value()});
  }
}

/// The class of size that a mechanism belongs to: 0 from 2 mm to 128 m, the next ones 65536 times
/// larger or smaller. So coarse that a change of one length hardly ever changes it.
int size_class(const Model& model) {
  double largest = 0;
  for (const Body& body : model.bodies) {
    const Symmetric3& I = body.inertia;
    largest = std::max(largest, norm(body.com));
    if (body.mass > 0) largest = std::max(largest, std::sqrt((I.xx + I.yy + I.zz) / body.mass));
  }
  for (const Joint& joint : model.joints) largest = std::max(largest, norm(joint.pose.translation));
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  return static_cast<int>(std::floor((std::ilogb(largest) + 9) / 16.0));
}
/// Below this, a place in a mechanism of that class is rounding: 1e-13 m in the class 0.
double length_quantum(int size_class) { return std::ldexp(1, 16 * size_class - precision - 3); }

}  // namespace

std::vector<PartDigest> compute_digests(const System& system) {
  const Model& model = system.model();
  const int size = size_class(model);
  const double length = length_quantum(size);
  Digest mechanism(length), gravity(length);
  mechanism.add(size);
  gravity.add(model.gravity);
  std::vector<PartDigest> parts{{"size of the mechanism", mechanism.value()},
                                {"gravity", gravity.value()}};
  append(parts, "body", model.bodies, length);
  append(parts, "joint", model.joints, length);
  append(parts, "frame", model.frames, length);
  append(parts, "closure", model.closures, length);
  append(parts, "grasp", model.grasps, length);
  append(parts, "spring", model.line_springs, length);
  append(parts, "joint spring", model.joint_springs, length);
  append(parts, "joint load", model.joint_loads, length);
  append(parts, "body load", model.body_loads, length);
  append(parts, "actuator", model.actuators, length);
  append(parts, "network component", model.network.components, length);
  append(parts, "flexible base", model.flexible_bases, length);
  return parts;
}

std::uint64_t digest_of(const std::vector<std::string>& words, std::span<const double> numbers) {
  Digest all(0);
  for (const std::string& word : words) all.add(word);
  for (const double number : numbers) all.add(number);
  return all.value();
}

std::uint64_t digest_of(const std::vector<PartDigest>& parts) {
  Digest all(0);
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
