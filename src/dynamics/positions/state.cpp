#include "linkwright/dynamics/state.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <Eigen/Dense>

#include "dynamics/door.hpp"
#include "dynamics/positions/group_step.hpp"

namespace linkwright {
namespace {

/// splitmix64: the same numbers on every machine, unlike the standard distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  double between(double lower, double upper) { return lower + (upper - lower) * uniform(); }

 private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

/// Shoemake's uniform random orientation.
Quaternion random_orientation(Random& random) {
  const double u = random.uniform(), a = 2 * std::numbers::pi * random.uniform(),
               b = 2 * std::numbers::pi * random.uniform();
  const double s = std::sqrt(1 - u), t = std::sqrt(u);
  return {t * std::cos(b), s * std::sin(a), s * std::cos(a), t * std::sin(b)};
}

/// An orientation that the poses of a group have, uniform among them.
Quaternion random_turn(const PoseGroup& group, Random& random) {
  if (group.kind == PoseGroup::Kind::about_point) return random_orientation(random);
  const double half = 0.5 * random.between(-std::numbers::pi, std::numbers::pi);
  const double s = std::sin(half);
  return {std::cos(half), s * group.axis.x, s * group.axis.y, s * group.axis.z};
}

/// Replaces of a position whatever its group decides.
void bring_into_group(const PoseGroup& group, double* pose) {
  Quaternion r{pose[0], pose[1], pose[2], pose[3]};
  Vector3 p{pose[4], pose[5], pose[6]};
  // From the axis' foot: the turn alone then says how far along it the pose lies.
  if (group.kind == PoseGroup::Kind::in_plane) p += -dot(group.axis, p) * group.axis;
  project(group, r, p);
  pose[4] = p.x, pose[5] = p.y, pose[6] = p.z;
}

double random_coordinate(const Joint& joint, int i, Random& random) {
  const Limits limits = per_freedom(joint.limits, i, Limits{});
  const double reach = slides(joint, i) ? 1.0 : std::numbers::pi;
  const double lower = std::isfinite(limits.lower)   ? limits.lower
                       : std::isfinite(limits.upper) ? std::min(-reach, limits.upper - reach)
                                                     : -reach;
  const double upper = std::isfinite(limits.upper) ? limits.upper : std::max(reach, lower + reach);
  return random.between(lower, upper);
}

double middle_coordinate(const Limits& limits) {
  const bool below = std::isfinite(limits.lower), above = std::isfinite(limits.upper);
  if (below && above) return limits.lower / 2 + limits.upper / 2;
  if (below) return limits.lower < 0 ? 0 : limits.lower + 1;
  if (above) return limits.upper > 0 ? 0 : limits.upper - 1;
  return 0;
}

/// The d numbers whose modes come closest to a twist.
void fit_modes(const System& system, const JointPlace& joint, const Motion& twist, double* v) {
  const Node<double>& node = system.tree().nodes[static_cast<std::size_t>(joint.node)];
  const Modes<double>& modes = system.tree().modes[static_cast<std::size_t>(node.modes)];
  // At most 6×6 on the stack: the group operations must not allocate.
  Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6> A(6, modes.d);
  for (int i = 0; i < modes.d; ++i) A.col(i) = to_eigen(modes.column[i]);
  const Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1> x =
      A.colPivHouseholderQr().solve(to_eigen(twist));
  for (int i = 0; i < modes.d; ++i) v[i] = x[i];
}

/// A screw that has made whole turns has displaced nothing beside its axis: then no constant velocity
/// leads to a place beside it.
bool undoes(const System& system, const JointPlace& joint, const Motion& twist, const double* q0,
            const double* q1) {
  const PoseGroup* group = group::bound_group(system, joint);
  if (group == nullptr || group->pitch == 0) return true;
  const double *a = q0 + joint.q, *b = q1 + joint.q;
  const Vector3 shift = transpose_times(to_matrix(Quaternion{a[0], a[1], a[2], a[3]}),
                                        Vector3{b[4] - a[4], b[5] - a[5], b[6] - a[6]});
  const Vector3 way = spatial::exp_coupling(twist.angular, twist.linear);
  return norm(way - shift) <= 1e-6 * (norm(shift) + std::abs(group->pitch));
}

[[noreturn]] void throw_no_way(const JointPlace& joint) {
  throw Error(
      fmt::format(
          "no constant velocity of joint '{}' leads from q0 to q1: after whole turns of its "
          "screw it stands above where it started, and q1 does not. Go by a position in "
          "between",
          joint.name),
      Error::Kind::failed_computation);
}

}  // namespace

void compute_neutral(const System& system, VectorRef q) {
  door::check_output(q.size(), system.nq(), "q");
  q.setZero();
  for (const int j : system.quaternion_joints())
    q[system.joints()[static_cast<std::size_t>(j)].quaternion] = 1;
}

void compute_initial(const System& system, VectorRef q, VectorRef v) {
  door::check_output(v.size(), system.nv(), "v");
  compute_neutral(system, q);
  v.setZero();
  const auto write = [&](const std::vector<InitialState::Entry>& entries, int JointPlace::*first,
                         VectorRef out) {
    for (const InitialState::Entry& entry : entries)
      for (std::size_t i = 0; i < entry.values.size(); ++i)
        out[system.joint(entry.joint).*first + static_cast<int>(i)] = entry.values[i];
  };
  write(system.model().initial.q, &JointPlace::q, q);
  write(system.model().initial.v, &JointPlace::v, v);
}

void compute_middle(const System& system, VectorRef q) {
  compute_neutral(system, q);
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    if (place.quaternion >= 0) continue;
    for (int i = 0; i < place.nq; ++i)
      q[place.q + i] = middle_coordinate(per_freedom(system.model().joints[j].limits, i, Limits{}));
  }
}

void compute_random(const System& system, std::uint64_t seed, VectorRef q) {
  door::check_output(q.size(), system.nq(), "q");
  Random random(seed);
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    if (place.quaternion < 0) {
      for (int i = 0; i < place.nq; ++i)
        q[place.q + i] = random_coordinate(system.model().joints[j], i, random);
      continue;
    }
    const PoseGroup* group = group::bound_group(system, place);
    group::write_quaternion(
        group == nullptr ? random_orientation(random) : random_turn(*group, random),
        &q[place.quaternion]);
    for (int i = 4; i < place.nq; ++i) q[place.q + i] = random.between(-1, 1);
    if (group != nullptr) bring_into_group(*group, &q[place.q]);
  }
}

void compute_integral(const System& system, const ConstVectorRef& q, const ConstVectorRef& v,
                      double dt, VectorRef out) {
  door::check_position(system, q);
  door::check_velocity_like(system, v, "v");
  door::check_output(out.size(), system.nq(), "out");
  if (!std::isfinite(dt)) throw Error(fmt::format("dt is {}; expected a finite number", dt));
  out = q;
  group::normalize(system, out.data());  // the door lets pass what is nearly a position
  group::displace(system, out.data(), v.data(), dt, out.data());
}

void compute_difference(const System& system, const ConstVectorRef& q0, const ConstVectorRef& q1,
                        VectorRef out) {
  door::check_position(system, q0, "q0");
  door::check_position(system, q1, "q1");
  door::check_output(out.size(), system.nv(), "out");
  for (const JointPlace& joint : system.joints()) {
    if (joint.quaternion < 0) {
      for (int i = 0; i < joint.nq; ++i) out[joint.v + i] = q1[joint.q + i] - q0[joint.q + i];
      continue;
    }
    const Motion twist = group::pose_difference(system, joint, q0.data(), q1.data());
    if (!undoes(system, joint, twist, q0.data(), q1.data())) throw_no_way(joint);
    fit_modes(system, joint, twist, &out[joint.v]);
  }
}

void normalize(const System& system, VectorRef q) {
  door::check_output(q.size(), system.nq(), "q");
  for (const int j : system.quaternion_joints()) {
    const JointPlace& joint = system.joints()[static_cast<std::size_t>(j)];
    const double size = q.segment<4>(joint.quaternion).norm();
    if (!(size > 0) || !std::isfinite(size))
      throw Error(
          fmt::format("q of joint '{}' holds a quaternion of norm {}; it has no direction to "
                      "normalise",
                      joint.name, size));
  }
  for (const BoundPose& pose : system.tree().bound_poses)
    door::check_bound_pose(system, pose, q, "q");
  group::normalize(system, q.data());
}

}  // namespace linkwright
