#pragma once
/// A tree in motion, and the size of what balances in it: what differences of efforts are measured with.

#include <numeric>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/network/dynamics.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {

/// A chain of `links` bodies whose joints are of these types in turn.
inline Model chain_of(RandomModel& random, int links, Base base,
                      const std::vector<JointType>& types) {
  Model model;
  model.gravity = random.vector(10);
  std::string parent = "world";
  for (int k = 0; k < links; ++k) {
    const std::string name = "body" + std::to_string(k);
    const JointType type = k == 0 && base == Base::free
                               ? JointType::free
                               : types[static_cast<std::size_t>(k) % types.size()];
    model.bodies.push_back(random.body(name));
    model.joints.push_back(random.joint("joint" + std::to_string(k), type, parent, name));
    parent = name;
  }
  model.frames.push_back({"tip", parent, random.pose(0.4), {}});
  return model;
}

struct MovingTree {
  MovingTree(const Model& model, RandomModel& random)
      : system(compile(model)),
        state(random.state(system)),
        a(random.numbers(system.nv(), 3)),
        tau(random.numbers(system.nv(), 5)),
        push{system.frame("tip"), {random.vector(3), random.vector(3)}, Axes::own},
        work(system),
        M(system.nv(), system.nv()) {
    for (const int i : system.passive_freedoms()) tau[i] = 0;
    compute_mass_matrix(work, state.q, M);
  }
  [[nodiscard]] ExternalForces forces() const { return {&push, 1}; }

  /// Of efforts, accelerations times inertia and all that joints pass on.
  [[nodiscard]] double size(const Eigen::VectorXd& efforts, const Eigen::VectorXd& rates) {
    std::vector<Force> reactions(system.joints().size());
    compute_reactions(work, state, rates, forces(), reactions);
    Eigen::VectorXd declared(system.nv());
    compute_joint_forces(work, state, declared);
    double sum = efforts.norm() + declared.norm() + M.norm() * rates.norm();
    for (const Force& f : reactions) sum += norm(f.moment) + norm(f.force);
    return sum;
  }

  System system;
  State state;
  Eigen::VectorXd a, tau;
  ExternalForce push;
  Workspace work;
  Eigen::MatrixXd M;
};

}  // namespace linkwright::testing
