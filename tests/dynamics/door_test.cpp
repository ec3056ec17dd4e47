// Mistakes in arguments: each public function names what is wrong and writes nothing.
#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

#define EXPECT_NAMED(call, ...)                                                    \
  do {                                                                             \
    const std::string text = error_of([&] { call; });                              \
    for (const char* part : {__VA_ARGS__})                                         \
      EXPECT_NE(text.find(part), std::string::npos) << #call << " said: " << text; \
  } while (false)

class Door : public ::testing::Test {
 protected:
  Door() {
    state = random.state(system);
    a = tau = Eigen::VectorXd::Zero(system.nv());
  }
  static Model make() {
    RandomModel r(3);
    Model m = r.tree(4, Base::free, {JointType::revolute, JointType::spherical});
    return m;
  }
  RandomModel random{8};
  System system = compile(make());
  Workspace work{system};
  State state;
  Eigen::VectorXd a, tau, out = Eigen::VectorXd::Constant(system.nv(), 42);
  Eigen::VectorXd shorter = Eigen::VectorXd::Zero(2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
};

TEST_F(Door, wrong_sizes_are_named_with_both_numbers) {
  const std::string nv = std::to_string(system.nv()), nq = std::to_string(system.nq());
  Eigen::MatrixXd small(2, 2);
  EXPECT_NAMED(compute_inverse_dynamics(work, state, shorter, {}, out), "a has 2", nv.c_str());
  EXPECT_NAMED(compute_inverse_dynamics(work, state, a, {}, shorter), "tau has 2", nv.c_str());
  EXPECT_NAMED(compute_forward_dynamics(work, state, shorter, {}, out), "tau has 2");
  EXPECT_NAMED(compute_forward_dynamics(work, state, tau, {}, shorter), "a has 2");
  EXPECT_NAMED(compute_mass_matrix(work, shorter, small), "q has 2", nq.c_str());
  EXPECT_NAMED(compute_mass_matrix(work, state.q, small), "mass_matrix is 2x2");
  EXPECT_NAMED(compute_mass_matrix_inverse(work, state.q, small), "inverse is 2x2");
  EXPECT_NAMED(compute_mass_matrix_solve(work, state.q, shorter, out), "x has 2");
  EXPECT_NAMED(compute_bias(work, state, shorter), "bias has 2");
  EXPECT_NAMED(compute_gravity(work, state.q, shorter), "gravity has 2");
  EXPECT_NAMED(compute_coriolis(work, state, shorter), "has 2");
  EXPECT_NAMED(compute_coriolis_matrix(work, state, small), "coriolis is 2x2");
  EXPECT_NAMED(compute_jacobian(work, state.q, {1}, Axes::own, small), "jacobian is 2x2");
  EXPECT_NAMED(compute_forward_kinematics(work, state, shorter), "a has 2");
  EXPECT_NAMED(compute_joint_forces(work, state, shorter), "out has 2");
  std::vector<Force> none;
  EXPECT_NAMED(compute_reactions(work, state, a, {}, none), "reactions has 0");
  EXPECT_NAMED(compute_neutral(system, shorter), "q has 2");
  EXPECT_NAMED(compute_random(system, 1, shorter), "q has 2");
  EXPECT_NAMED(compute_integral(system, state.q, shorter, 1, out), "v has 2");
  EXPECT_NAMED(compute_difference(system, state.q, shorter, out), "q1 has 2");
}

TEST_F(Door, numbers_that_are_not_finite_are_named_with_their_joint) {
  State bad = state;
  bad.v[7] = nan;
  const std::string joint = system.velocity_names()[7];
  EXPECT_NAMED(compute_forward_dynamics(work, bad, tau, {}, out), "state.v[7]", joint.c_str(),
               "nan");
  EXPECT_NAMED(compute_energy(work, bad), "state.v[7]");
  EXPECT_NAMED(compute_momentum(work, bad), "state.v[7]");
  EXPECT_NAMED(compute_centre_of_mass(work, bad), "state.v[7]");
  EXPECT_NAMED(compute_jacobian_rate_times_velocity(work, bad, {1}, Axes::own), "state.v[7]");
  a[0] = std::numeric_limits<double>::infinity();
  EXPECT_NAMED(compute_inverse_dynamics(work, state, a, {}, out), "a[0]", "inf", "base:0");
  EXPECT_NAMED(compute_integral(system, state.q, state.v, nan, bad.q), "dt is nan");
  const ExternalForce push{system.frame("tip"), {{nan, 0, 0}, {}}, Axes::own};
  EXPECT_NAMED(compute_forward_dynamics(work, state, tau, {&push, 1}, out), "external force 0",
               "'tip'");
  EXPECT_EQ(out, Eigen::VectorXd::Constant(system.nv(), 42)) << "nothing was written";
}

TEST_F(Door, quaternions_must_be_close_to_unit_norm) {
  State bad = state;
  bad.q.head(4) *= 1.1;
  EXPECT_NAMED(compute_forward_dynamics(work, bad, tau, {}, out), "'base'", "norm 1.1");
  normalize(system, bad.q);
  compute_forward_dynamics(work, bad, tau, {}, out);
  bad.q.head(4).setZero();
  EXPECT_NAMED(normalize(system, bad.q), "'base'", "norm 0");
}

TEST_F(Door, unknown_names_and_frames_are_answered_with_the_closest) {
  EXPECT_NAMED((void)system.joint("joint11"), "joint11", "joint1");
  EXPECT_NAMED((void)system.frame("tipp"), "tipp", "did you mean 'tip'");
  EXPECT_NAMED(frame_pose(work, {99}), "frame index 99");
  EXPECT_NAMED(compute_jacobian(work, state.q, {-1}, Axes::own, a), "frame index -1");
}

TEST_F(Door, a_massless_leaf_is_refused_by_name) {
  Model model = make();
  model.bodies.push_back({.name = "feather"});
  model.joints.push_back(
      {.name = "loose", .type = JointType::revolute, .parent = "body3", .child = "feather"});
  for (const JointType type :
       {JointType::revolute, JointType::prismatic, JointType::spherical, JointType::helical}) {
    model.joints.back().type = type;
    const System light = compile(model);
    Workspace w(light);
    Eigen::VectorXd zero = Eigen::VectorXd::Zero(light.nv()), result(light.nv());
    EXPECT_NAMED(compute_forward_dynamics(w, State(light), zero, {}, result), "'loose'",
                 "'feather'");
    EXPECT_NAMED(compute_mass_matrix_solve(w, State(light).q, zero, result), "'loose'");
    compute_inverse_dynamics(w, State(light), zero, {}, result);
    EXPECT_TRUE(result.allFinite()) << "inverse dynamics still has an answer";
  }
}

TEST_F(Door, a_failed_normalisation_writes_nothing) {
  Eigen::VectorXd q = state.q;
  q.head(4) *= 2;
  const auto& last = system.joints()[static_cast<std::size_t>(system.quaternion_joints().back())];
  ASSERT_NE(last.quaternion, 0);
  q.segment(last.quaternion, 4).setZero();
  const Eigen::VectorXd before = q;
  EXPECT_NAMED(normalize(system, q), last.name.c_str());
  EXPECT_EQ(q, before);
}

TEST_F(Door, arguments_may_share_storage_with_results) {
  Model model = make();
  for (Joint& joint : model.joints) joint.rotor_inertia = {0.7};
  const System geared = compile(model);
  Workspace w(geared);
  const State s = random.state(geared);
  const Eigen::VectorXd x = random.numbers(geared.nv());
  Eigen::VectorXd apart(geared.nv()), shared = x;
  compute_inverse_dynamics(w, s, x, {}, apart);
  compute_inverse_dynamics(w, s, shared, {}, shared);
  EXPECT_EQ(shared, apart);
  shared = x;
  compute_forward_dynamics(w, s, x, {}, apart);
  compute_forward_dynamics(w, s, shared, {}, shared);
  EXPECT_EQ(shared, apart);
  shared = x;
  compute_mass_matrix_solve(w, s.q, x, apart);
  compute_mass_matrix_solve(w, s.q, shared, shared);
  EXPECT_EQ(shared, apart);
}

/// A point mass on the joint's axis has no inertia about it, whichever way the axis points.
TEST_F(Door, a_point_mass_on_the_axis_is_refused_by_name) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (const JointType type : {JointType::revolute, JointType::helical, JointType::custom,
                                 JointType::spherical, JointType::free}) {
      RandomModel r(seed);
      Model model = r.tree(3, Base::fixed, {JointType::revolute});
      Joint joint = r.joint("spin", type, "body2", "bead");
      joint.pitch = 0;
      joint.modes = {{joint.axis.x, joint.axis.y, joint.axis.z, 0, 0, 0}};
      model.bodies.push_back({.name = "bead", .mass = 1, .com = 0.3 * joint.axis});
      model.joints.push_back(joint);
      const System light = compile(model);
      Workspace w(light);
      const State s = r.state(light);
      Eigen::VectorXd zero = Eigen::VectorXd::Zero(light.nv()), result(light.nv());
      EXPECT_NAMED(compute_forward_dynamics(w, s, zero, {}, result), "'spin'", "'bead'");
    }
  }
}

}  // namespace
}  // namespace linkwright::testing
