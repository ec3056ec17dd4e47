#pragma once
/// Random mechanisms with closures that are closed at a known position.

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/spatial/group.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {

/// A model and a position at which all its closures are closed.
struct ClosedMechanism {
  Model model;
  Eigen::VectorXd q;
};

class RandomMechanism : public RandomModel {
 public:
  using RandomModel::RandomModel;

  /// A tree with `loops` closures of any kind between bodies that move apart, or a body and the world.
  ClosedMechanism closed(int bodies, int loops, Base base, const std::vector<JointType>& types) {
    Model model = tree(bodies, base, types);
    std::vector<Closure> drawn;
    for (int i = 0; i < loops; ++i) drawn.push_back(closure("loop" + std::to_string(i)));
    return close(std::move(model), std::move(drawn));
  }

  /// The tree with these closures between bodies that move apart, or a body and the world; where b's
  /// closure frames are follows from the position drawn.
  ClosedMechanism close(Model model, std::vector<Closure> closures) {
    const System system = compile(model);
    const State start = state(system);
    Workspace work(system);
    compute_forward_kinematics(work, start, Eigen::VectorXd::Zero(system.nv()));
    const int bodies = static_cast<int>(model.bodies.size());
    std::size_t next = 0;
    for (int tries = 0; next < closures.size() && tries < 100; ++tries) {
      const int a = integer(-1, bodies - 1), b = integer(0, bodies - 1);
      const FrameId frame_a{a + 1}, frame_b{b + 1};
      if (system.frame(frame_a).node == system.frame(frame_b).node) continue;
      Closure& c = closures[next++];
      c.body_a = system.frame(frame_a).name, c.body_b = system.frame(frame_b).name;
      const Pose at = frame_pose(work, frame_a) * c.at_a * displacement(c);
      c.at_b = inverse(frame_pose(work, frame_b)) * at;
      model.closures.push_back(c);
    }
    return {model, start.q};
  }

  /// A closure of any kind but gears; every joint type.
  Closure closure(const std::string& name) {
    Closure c{.name = name};
    const int kind = integer(0, 14);
    c.kind = kind < 11 ? Closure::Kind::joint : static_cast<Closure::Kind>(kind - 10);
    if (kind < 11) c.joint = all_joint_types()[static_cast<std::size_t>(kind)];
    c.at_a = pose(0.4);
    c.axis = direction(), c.axis2 = direction();
    c.pitch = between(-0.4, 0.4);
    c.distance = between(0.1, 0.5);
    c.disc = integer(0, 1) == 1;
    if (c.joint == JointType::custom) c.modes = modes(integer(1, 5));
    return c;
  }

  /// Every kind of force on every freedom of the closures' pairs.
  void enliven(Model& model) {
    for (Closure& closure : model.closures) {
      const Joint pair = to_joint(closure);
      for (int i = 0; i < velocity_count(pair); ++i) {
        closure.damping.push_back(between(0, 1));
        closure.friction.push_back({between(0, 1), between(0, 1)});
        closure.rotor_inertia.push_back(integer(0, 1) * between(0.05, 0.5));
        closure.passive.push_back(integer(0, 1) == 1);
        model.joint_loads.push_back({closure.name, i, between(-1, 1), {}});
        if (pair.type == JointType::custom) continue;
        const bool pose = pair.type == JointType::spherical || pair.type == JointType::free;
        model.joint_springs.push_back(
            {closure.name, i, between(1, 5), between(0, 1), pose ? 0 : between(-1, 1), {}});
      }
    }
  }

  /// A pose of b in a that the closure allows.
  Pose displacement(const Closure& c) {
    const Matrix3 any = spatial::from_rpy(vector(3));
    const auto turn = [](const Vector3& u, double angle) {
      return to_matrix(spatial::exp_rotation(angle * u));
    };
    const Vector3 across = [&] {
      const Vector3 t = cross(c.axis, direction());
      return (1 / norm(t)) * t;
    }();
    const double angle = between(-2.5, 2.5), way = between(-0.4, 0.4);
    switch (c.kind) {
      case Closure::Kind::point_on_line:
        return {any, way * c.axis};
      case Closure::Kind::point_on_plane:
        return {any, way * across};
      case Closure::Kind::distance:
        return {any, c.distance * direction()};
      case Closure::Kind::rolling: {
        const double along = dot(transpose_times(any, c.axis), c.axis2);
        const double height = c.disc ? c.distance * std::sqrt(1 - along * along) : c.distance;
        return {any, height * c.axis + way * across};
      }
      case Closure::Kind::joint:
      case Closure::Kind::gear:
      case Closure::Kind::shaft:
        break;
    }
    switch (c.joint) {
      case JointType::revolute:
      case JointType::continuous:
        return {turn(c.axis, angle), {}};
      case JointType::prismatic:
        return {Matrix3::identity(), way * c.axis};
      case JointType::helical:
        return {turn(c.axis, angle), (c.pitch * angle) * c.axis};
      case JointType::cylindrical:
        return {turn(c.axis, angle), way * c.axis};
      case JointType::universal:
        return {turn(c.axis, angle) * turn(c.axis2, between(-2, 2)), {}};
      case JointType::planar:
        return {turn(c.axis, angle), way * across};
      case JointType::spherical:
        return {any, {}};
      case JointType::free:
        return {any, vector(1)};
      default:
        return {};
    }
  }
};

/// Every closure of a random mechanism, alive.
inline void enliven(RandomMechanism& random, Model& model) {
  for (Closure& closure : model.closures) {
    const Joint pair = to_joint(closure);
    for (int i = 0; i < velocity_count(pair); ++i) {
      closure.damping.push_back(random.between(0, 1));
      closure.friction.push_back({random.between(0, 1), random.between(0, 1)});
      closure.rotor_inertia.push_back(random.integer(0, 1) * random.between(0.05, 0.5));
      closure.passive.push_back(random.integer(0, 1) == 1);
      if (pair.type == JointType::custom) continue;
      const bool pose = pair.type == JointType::spherical || pair.type == JointType::free;
      model.joint_springs.push_back({closure.name,
                                     i,
                                     random.between(1, 5),
                                     random.between(0, 1),
                                     pose ? 0 : random.between(-1, 1),
                                     {}});
    }
  }
}

}  // namespace linkwright::testing
