#pragma once
/// Random mechanisms with physically possible inertias, for laws that must hold on all of them.

#include <random>
#include <string>

#include "linkwright/dynamics/state.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright::testing {

class RandomModel {
 public:
  explicit RandomModel(unsigned seed) : random_(seed) {}

  double between(double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(random_);
  }
  int integer(int a, int b) { return std::uniform_int_distribution<int>(a, b)(random_); }
  Vector3 vector(double size) {
    return {between(-size, size), between(-size, size), between(-size, size)};
  }
  Vector3 direction() {
    Vector3 v;
    do v = vector(1);
    while (norm(v) < 0.1);
    return (1 / norm(v)) * v;
  }
  Pose pose(double size) { return {spatial::from_rpy(vector(3)), vector(size)}; }

  /// Mass, centre and inertia of six point masses: any real body could have them.
  Body body(const std::string& name) {
    Body b{.name = name};
    double m[6];
    Vector3 at[6];
    Vector3 sum;
    for (int i = 0; i < 6; ++i) {
      m[i] = between(0.1, 1);
      at[i] = vector(0.3);
      b.mass += m[i];
      sum += m[i] * at[i];
    }
    b.com = (1 / b.mass) * sum;
    for (int i = 0; i < 6; ++i) b.inertia += spatial::point_inertia(m[i], at[i] - b.com);
    return b;
  }

  Joint joint(const std::string& name, JointType type, const std::string& parent,
              const std::string& child) {
    Joint j{.name = name, .type = type, .parent = parent, .child = child, .pose = pose(0.5)};
    j.axis = direction();
    j.axis2 = direction();
    j.pitch = between(-0.5, 0.5);
    if (type == JointType::custom) j.modes = modes(integer(1, 6));
    return j;
  }

  /// d independent columns; nothing commutes.
  std::vector<std::array<double, 6>> modes(int d) {
    std::vector<std::array<double, 6>> columns(static_cast<std::size_t>(d));
    for (int i = 0; i < d; ++i) {
      for (double& x : columns[static_cast<std::size_t>(i)]) x = between(-0.4, 0.4);
      columns[static_cast<std::size_t>(i)][static_cast<std::size_t>(i)] += 1.5;
    }
    return columns;
  }

  /// A tree of `bodies` bodies; the types are drawn from `types`.
  Model tree(int bodies, Base base, const std::vector<JointType>& types) {
    Model model;
    model.gravity = vector(10);
    const int first = base == Base::fixed ? 0 : 1;
    if (first == 1) {
      model.bodies.push_back(body("body0"));
      model.joints.push_back(joint("base", base == Base::free ? JointType::free : JointType::planar,
                                   "world", "body0"));
    }
    for (int k = first; k < bodies; ++k) {
      const std::string name = "body" + std::to_string(k);
      const int p = k == 0 ? -1 : integer(std::max(base == Base::fixed ? -1 : 0, k - 4), k - 1);
      const JointType type =
          types[static_cast<std::size_t>(integer(0, static_cast<int>(types.size()) - 1))];
      model.bodies.push_back(body(name));
      model.joints.push_back(joint("joint" + std::to_string(k), type,
                                   p < 0 ? "world" : "body" + std::to_string(p), name));
      if (type != JointType::fixed && integer(0, 3) == 0)
        model.joints.back().rotor_inertia = {between(0.01, 0.5)};
    }
    model.frames.push_back({"tip", model.bodies.back().name, pose(0.4), {}});
    return model;
  }

  /// A body with `count` branches of the same joints, each a chain of `types`; their constants differ.
  Model star(int count, Base base, const std::vector<JointType>& types) {
    Model model = tree(1, base, {JointType::revolute});
    for (int branch = 0; branch < count; ++branch) {
      std::string parent = "body0";
      for (std::size_t k = 0; k < types.size(); ++k) {
        const std::string name = "body" + std::to_string(branch) + "_" + std::to_string(k);
        model.bodies.push_back(body(name));
        model.joints.push_back(joint("joint_of_" + name, types[k], parent, name));
        if (types[k] == JointType::custom) model.joints.back().modes = modes(3);
        if (types[k] != JointType::fixed && integer(0, 3) == 0)
          model.joints.back().rotor_inertia = {between(0.01, 0.5)};
        parent = name;
      }
    }
    model.frames = {{"tip", model.bodies.back().name, pose(0.4), {}}};
    return model;
  }

  Eigen::VectorXd numbers(int n, double size = 1) {
    Eigen::VectorXd x(n);
    for (int i = 0; i < n; ++i) x[i] = between(-size, size);
    return x;
  }
  State state(const System& system) {
    State s(system);
    compute_random(system, static_cast<std::uint64_t>(integer(0, 1 << 30)), s.q);
    s.v = numbers(system.nv());
    return s;
  }

 private:
  std::mt19937 random_;
};

inline const std::vector<JointType>& all_joint_types() {
  static const std::vector<JointType> types{
      JointType::fixed,     JointType::revolute,    JointType::continuous, JointType::prismatic,
      JointType::helical,   JointType::cylindrical, JointType::universal,  JointType::planar,
      JointType::spherical, JointType::free,        JointType::custom};
  return types;
}

}  // namespace linkwright::testing
