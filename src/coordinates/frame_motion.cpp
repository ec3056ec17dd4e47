#include "linkwright/coordinates/frame_motion.hpp"

#include "coordinates/parameters.hpp"
#include "dynamics/door.hpp"
#include "linkwright/dynamics/sweeps/path_motion.hpp"

namespace linkwright::coordinates {
namespace {

Motion with(const Vector3& w, const Motion& x) { return {cross(w, x.angular), cross(w, x.linear)}; }

/// Numbers in turning axes to numbers in the world's: d/dt (R x) = R (ẋ + ω × x), twice.
FrameMotion in_world(const sweeps::PathMotion<double>& m) {
  const Matrix3& R = m.X.rotation;
  const Vector3 &w = m.V.angular, &w_rate = m.rate.angular;
  const auto turned = [&R](const Motion& x) { return Motion{R * x.angular, R * x.linear}; };
  const Motion acceleration = m.rate + with(w, m.V), quadratic = m.bias + with(w, m.V);
  // Of ω × V both factors change with the whole rate, v̇ included.
  const Motion spinning = with(w_rate, m.V) + with(w, m.rate);
  return {turned(m.V), turned(acceleration), turned(m.second + spinning + with(w, acceleration)),
          turned(quadratic), turned(m.bias_rate + spinning + with(w, quadratic))};
}

FrameMotion motion_at(const System& system, const State& state, const ConstVectorRef& a,
                      const ConstVectorRef& jerk, int node, const Pose& place, Axes axes) {
  door::check_state(system, state);
  door::check_velocity_like(system, a, "a");
  door::check_velocity_like(system, jerk, "jerk");
  const Tree<double>& tree = system.tree();
  const sweeps::PathMotion<double> m = sweeps::path_motion(
      tree, node, 0, place,
      sweeps::JointNumbers<double>{state.q.data(), state.v.data(), a.data(), jerk.data()});
  if (axes == Axes::world) return in_world(m);
  return {m.V, m.rate, m.second, m.bias, m.bias_rate};
}

}  // namespace

FrameMotion compute_frame_motion(const System& system, const State& state, const ConstVectorRef& a,
                                 const ConstVectorRef& jerk, FrameId frame, Axes axes) {
  door::check_frame(system, frame);
  const FramePlace& place = system.frame(frame);
  return motion_at(system, state, a, jerk, place.node, place.pose, axes);
}

FrameMotion compute_point_motion(const System& system, const State& state, const ConstVectorRef& a,
                                 const ConstVectorRef& jerk, FrameId frame, const Vector3& point,
                                 Axes axes) {
  door::check_frame(system, frame);
  check_point(point);
  const FramePlace& place = system.frame(frame);
  return motion_at(system, state, a, jerk, place.node,
                   place.pose * Pose{Matrix3::identity(), point}, axes);
}

}  // namespace linkwright::coordinates
