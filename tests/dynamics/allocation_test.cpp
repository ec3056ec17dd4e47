// Counts heap allocations: none may happen once the workspace exists.
#include <gtest/gtest.h>

#include "linkwright/dynamics/conventions.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/dynamics/mass_matrix.hpp"
#include "support/count_allocations.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

TEST(Allocation, the_counter_counts) {
  const long before = allocations;
  Eigen::VectorXd* heap = new Eigen::VectorXd(100);
  EXPECT_GE(allocations - before, 2);
  delete heap;
}

TEST(Allocation, nothing_allocates_after_the_workspace_exists) {
  RandomModel random(17);
  Model model = random.tree(20, Base::free, all_joint_types());
  for (Joint& joint : model.joints)
    if (joint.type != JointType::fixed) joint.damping = {0.1};
  for (const std::string arm : {"left", "right"}) {  // equal branches
    model.bodies.push_back(random.body(arm));
    model.joints.push_back(random.joint("shoulder_" + arm, JointType::revolute, "body0", arm));
    model.bodies.push_back(random.body(arm + "_hand"));
    model.joints.push_back(random.joint("wrist_" + arm, JointType::spherical, arm, arm + "_hand"));
  }
  model.line_springs.push_back(
      {"spring", "body0", "body3", {0.1, 0, 0}, {0, 0.2, 0}, 10, 1, 0.3, {}});
  model.body_loads.push_back({"body1", {{}, {1, 2, 3}}, {}, true, {}});
  const System system = compile(model);
  ASSERT_FALSE(system.tree().bundles.empty());
  Workspace work(system);
  const int n = system.nv();
  State state = random.state(system), other = random.state(system);
  Eigen::VectorXd a = random.numbers(n), tau(n), out(n), q(system.nq());
  Eigen::MatrixXd square(n, n), jacobian(6, n);
  MassMatrix again(system);
  std::vector<Force> reactions(system.joints().size());
  const FrameId tip = system.frame("tip");
  const ExternalForce push{tip, {{}, {1, 2, 3}}, Axes::world};
  const long before = allocations;
  compute_inverse_dynamics(work, state, a, {&push, 1}, tau);
  compute_forward_dynamics(work, state, tau, {&push, 1}, out);
  compute_mass_matrix(work, state.q, square);
  compute_mass_matrix(work, state.q, again);
  compute_mass_matrix_solve(work, state.q, tau, out);
  compute_mass_matrix_inverse(work, state.q, square);
  compute_bias(work, state, out);
  compute_gravity(work, state.q, out);
  compute_coriolis(work, state, out);
  compute_coriolis_matrix(work, state, square);
  compute_joint_forces(work, state, out);
  compute_reactions(work, state, a, {&push, 1}, reactions);
  compute_forward_kinematics(work, state, a);
  frame_acceleration(work, tip, Axes::own);
  compute_jacobian(work, state.q, tip, Axes::world, jacobian);
  compute_jacobian_rate_times_velocity(work, state, tip, Axes::own);
  compute_energy(work, state);
  compute_momentum(work, state);
  compute_centre_of_mass(work, state);
  compute_integral(system, state.q, a, 0.1, q);
  compute_difference(system, state.q, other.q, out);
  compute_neutral(system, q);
  compute_random(system, 1, q);
  EXPECT_EQ(allocations - before, 0);
}

TEST(Allocation, converters_to_other_libraries_make_none) {
  RandomModel random(5);
  const System system = compile(random.tree(
      12, Base::free,
      {JointType::revolute, JointType::continuous, JointType::planar, JointType::spherical}));
  const State state = random.state(system);
  const Eigen::VectorXd a = random.numbers(system.nv());
  Eigen::VectorXd q(system.nq()), v(system.nv());
  for (const Convention convention :
       {Convention::pinocchio, Convention::mujoco, Convention::drake, Convention::rbdl}) {
    const ConventionLayout layout(system, convention);
    Eigen::VectorXd peer_q(layout.nq()), peer_v(layout.nv());
    const long before = allocations;
    to_convention_position(layout, state.q, peer_q);
    to_convention_acceleration(layout, state.q, state.v, a, peer_v);
    to_convention_effort(layout, state.q, a, peer_v);
    to_convention_velocity(layout, state.q, state.v, peer_v);
    from_convention_position(layout, peer_q, q);
    from_convention_velocity(layout, state.q, peer_v, v);
    from_convention_acceleration(layout, state.q, state.v, peer_v, v);
    from_convention_effort(layout, state.q, peer_v, v);
    EXPECT_EQ(allocations - before, 0) << to_string(convention);
  }
}

}  // namespace
}  // namespace linkwright::testing
