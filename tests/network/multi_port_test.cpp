// Mechanisms reduced to their terminal behaviour, and used inside others: reduced equals full.
#include <gtest/gtest.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/network/multi_port.hpp"
#include "network/trees.hpp"
#include "support/condition.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using network::MechanismPort, network::MultiPort, network::NetworkWorkspace, network::OnePort;

/// Λ y + β is what forward dynamics says when y acts, at shafts and at frames.
TEST(Ports, answer_as_the_mechanism_does) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    MovingTree tree(random.tree(7, static_cast<Base>(seed % 3), all_joint_types()), random);
    if (tree.system.nv() == 0) continue;
    NetworkWorkspace work(tree.system);
    const MechanismPort ports[]{network::frame_port(tree.system, "tip"),
                                {"last freedom", tree.system.nv() - 1, {}},
                                network::frame_port(tree.system, "body2")};
    const MultiPort reduced = compute_multi_port(work, tree.state, tree.tau, {}, ports);
    ASSERT_EQ(reduced.size(), 13);
    EXPECT_LT((reduced.Lambda() - reduced.Lambda().transpose()).norm(),
              1e-12 * reduced.Lambda().norm());
    const VectorXd y = random.numbers(13, 4);
    VectorXd found(13), tau = tree.tau, a(tree.system.nv());
    reduced.compute_accelerations(y, found);
    tau[tree.system.nv() - 1] += y[6];
    const auto force = [&](int i) {
      return Force{{y[i], y[i + 1], y[i + 2]}, {y[i + 3], y[i + 4], y[i + 5]}};
    };
    const ExternalForce pushes[]{{ports[0].frame, force(0), Axes::world},
                                 {ports[2].frame, force(7), Axes::world}};
    compute_forward_dynamics(tree.work, tree.state, tau, pushes, a);
    compute_forward_kinematics(tree.work, tree.state, a);
    VectorXd expected(13);
    expected << to_eigen(frame_acceleration(tree.work, ports[0].frame, Axes::world)),
        a[tree.system.nv() - 1],
        to_eigen(frame_acceleration(tree.work, ports[2].frame, Axes::world));
    const double condition = tree.M.norm() * tree.M.inverse().norm();
    EXPECT_LT((found - expected).norm(), 4 * condition * 2.2e-16 * 100 * (1 + expected.norm()));
  }
}

/// A chain cut in two at a weld: the outer part floats, and is joined again as a component.
class CutChain : public ::testing::TestWithParam<unsigned> {
 protected:
  /// Bodies in to `cut` stay in the inner model; the others become a model that floats.
  void SetUp() override {
    RandomModel random(GetParam());
    whole = chain_of(random, 6, Base::fixed, {JointType::revolute, JointType::prismatic});
    whole.joints[3].type = JointType::fixed;
    inner = whole, outer = whole;
    inner.bodies.resize(3), inner.joints.resize(3);
    inner.frames = {{"flange", "body2", whole.joints[3].pose, {}},
                    {"hand", "body1", random.pose(0.3), {}}};
    outer.bodies.erase(outer.bodies.begin(), outer.bodies.begin() + 3);
    outer.joints.erase(outer.joints.begin(), outer.joints.begin() + 3);
    outer.joints[0] = {
        .name = "float", .type = JointType::free, .parent = "world", .child = "body3"};
    whole.frames = {{"hand", "body1", inner.frames[1].pose, {}}, outer.frames[0]};
    full.emplace(compile(whole)), in.emplace(compile(inner)), out.emplace(compile(outer));
    state = random.state(*full);
    tau = random.numbers(full->nv());
    inside = State(*in), outside = State(*out);
    tau_in = VectorXd::Zero(in->nv()), tau_out = VectorXd::Zero(out->nv());
    for (const System* part : {&*in, &*out})
      for (const JointPlace& joint : part->joints()) {
        if (joint.name == "float") continue;
        const JointPlace& there = full->joint(joint.name);
        State& own = part == &*in ? inside : outside;
        own.q.segment(joint.q, joint.nq) = state.q.segment(there.q, there.nq);
        own.v.segment(joint.v, joint.nv) = state.v.segment(there.v, there.nv);
        (part == &*in ? tau_in : tau_out).segment(joint.v, joint.nv) =
            tau.segment(there.v, there.nv);
      }
    // The outer part floats where the inner one holds it, and as fast.
    Workspace work(*full);
    compute_forward_kinematics(work, state, VectorXd::Zero(full->nv()));
    const Pose X = frame_pose(work, full->frame("body3"));
    const Quaternion r = spatial::to_quaternion(X.rotation);
    outside.q.head(7) << r.w, r.x, r.y, r.z, X.translation.x, X.translation.y, X.translation.z;
    outside.v.head(6) = to_eigen(frame_velocity(work, full->frame("body3"), Axes::own));
  }
  Model whole, inner, outer;
  std::optional<System> full, in, out;
  State state, inside, outside;
  VectorXd tau, tau_in, tau_out;
};
INSTANTIATE_TEST_SUITE_P(random, CutChain, ::testing::Range(0U, 10U));

TEST_P(CutChain, joined_again_is_the_chain) {
  NetworkWorkspace work_in(*in), work_out(*out), work(*full);
  const MechanismPort at_in[]{network::frame_port(*in, "flange"), network::frame_port(*in, "hand"),
                              network::shaft_port(*in, "joint1")};
  const MechanismPort at_out[]{network::frame_port(*out, "body3"), network::frame_port(*out, "tip"),
                               network::shaft_port(*out, "joint5")};
  const MechanismPort at_full[]{
      network::frame_port(*full, "hand"), network::shaft_port(*full, "joint1"),
      network::frame_port(*full, "tip"), network::shaft_port(*full, "joint5")};
  const MultiPort one = compute_multi_port(work_in, inside, tau_in, {}, at_in),
                  other = compute_multi_port(work_out, outside, tau_out, {}, at_out);
  const MultiPort joined = join(one, other, {{"flange", "body3"}}),
                  expected = compute_multi_port(work, state, tau, {}, at_full);
  ASSERT_EQ(joined.size(), expected.size());
  EXPECT_LT((joined.Lambda() - expected.Lambda()).norm(), 1e-10 * expected.Lambda().norm());
  EXPECT_LT((joined.beta() - expected.beta()).norm(), 1e-10 * (1 + expected.beta().norm()));
  for (std::size_t i = 0; i < joined.ports().size(); ++i)
    EXPECT_EQ(joined.ports()[i].name, expected.ports()[i].name);
}

/// The outer part as a one-port on the inner one's flange, Norton's form: as an added body whose force is known.
TEST_P(CutChain, a_norton_one_port_stands_for_the_outer_part) {
  NetworkWorkspace work_in(*in), work_out(*out);
  const MechanismPort grip[]{network::frame_port(*out, "body3")};
  const MultiPort other = compute_multi_port(work_out, outside, tau_out, {}, grip);
  MatrixXd P(6, 6);
  VectorXd u(6);
  other.compute_norton(P, u);
  const double lost = 2 * condition_of(other.Lambda()) * epsilon;  // by the inverse of Λ
  EXPECT_LT((P - P.transpose()).norm(), lost * P.norm());
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(P).eigenvalues().minCoeff(), 0);
  // Its force on the flange at the acceleration that the whole chain has there.
  Workspace work(*full);
  VectorXd a(full->nv()), a_in(in->nv());
  compute_forward_dynamics(work, state, tau, {}, a);
  compute_forward_kinematics(work, state, a);
  const VectorXd x_rate = to_eigen(frame_acceleration(work, full->frame("body3"), Axes::world));
  const VectorXd y = P * x_rate + u;
  const ExternalForce back{
      in->frame("flange"), {{-y[0], -y[1], -y[2]}, {-y[3], -y[4], -y[5]}}, Axes::world};
  compute_forward_dynamics(work_in, inside, tau_in, {&back, 1}, a_in);
  // What y has lost moves the inner part by M⁻¹ Jᵀ; its own forward dynamics loses κ(M).
  Workspace tree(*in);
  MatrixXd M(in->nv(), in->nv()), J(6, in->nv());
  compute_mass_matrix(tree, inside.q, M);
  compute_jacobian(tree, inside.q, in->frame("flange"), Axes::world, J);
  const double bound =
      lost * (P.norm() * x_rate.norm() + u.norm()) * (M.inverse() * J.transpose()).norm() +
      2 * condition_of(M) * epsilon * (1 + a.norm());
  EXPECT_LT(bound, 1e-6 * (1 + a.norm())) << "means nothing";
  for (const JointPlace& joint : in->joints())
    for (int i = 0; i < joint.nv; ++i)
      EXPECT_NEAR(a_in[joint.v + i], a[full->joint(joint.name).v + i], bound);
}

/// What the recursion itself puts in place of an outboard part: a body with it feels what the whole feels.
TEST(Equivalent, of_the_recursion_is_the_wrench_of_the_joint) {
  RandomModel random(4);
  MovingTree tree(chain_of(random, 5, Base::free, {JointType::revolute}), random);
  NetworkWorkspace work(tree.system);
  VectorXd a(tree.system.nv()), tau(tree.system.nv());
  compute_forward_dynamics(work, tree.state, tree.tau, {}, a);
  network::Recursion recursion(work.placement());
  ASSERT_EQ(recursion.factorize(work.placement()), -1);
  recursion.compute_accelerations(work.placement(), tree.state.v, tree.tau, a);
  const network::Placement& at = work.placement();
  std::vector<network::Vector6> passed;
  for (int j = 1; j < 5; ++j) {
    const network::Placement::Body &body = at.bodies[static_cast<std::size_t>(j)],
                                   &parent = at.bodies[static_cast<std::size_t>(body.parent)];
    Motion x_A = spatial::shift(body.B - parent.B, recursion.rate_at_B(body.parent));
    const OnePort one = recursion.equivalent(j);
    passed.push_back(wrench(one, to_eigen(x_A), network::Vector6::Zero()));
  }
  recursion.compute_efforts(at, tree.state.v, a, tau);
  for (int j = 1; j < 5; ++j)
    EXPECT_LT((passed[static_cast<std::size_t>(j - 1)] - to_eigen(recursion.wrench(j))).norm(),
              1e-11 * tree.size(tau, a));
}

/// Of a closed mechanism: the platform of a Stewart platform, with the loops inside.
TEST(ClosedPorts, answer_as_the_closed_mechanism_does) {
  for (const char* file : {"stewart.yaml", "five_bar.yaml", "four_bar.yaml"}) {
    SCOPED_TRACE(file);
    const System system = compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + file));
    ClosedWorkspace closed(system);
    NetworkWorkspace work(system);
    State state = initial_state(system);
    RandomModel random(1);
    state.v = random.numbers(system.nv());
    project_velocity(closed, state.q, {}, state.v);
    const VectorXd tau = VectorXd::Zero(system.nv());
    const std::string name = file;
    const std::string body = name == "stewart.yaml" ? "plate" : system.model().bodies.back().name;
    const MechanismPort ports[]{network::frame_port(system, body)};
    const MultiPort reduced = compute_multi_port(work, state, tau, {}, ports);
    const VectorXd y = random.numbers(6, 3);
    VectorXd found(6), a(system.nv());
    reduced.compute_accelerations(y, found);
    const ExternalForce push{
        system.frame(body), {{y[0], y[1], y[2]}, {y[3], y[4], y[5]}}, Axes::world};
    compute_forward_dynamics(closed, state, tau, {&push, 1}, a);
    compute_forward_kinematics(closed.tree(), state, a);
    const VectorXd expected =
        to_eigen(frame_acceleration(closed.tree(), system.frame(body), Axes::world));
    EXPECT_LT((found - expected).norm(), 1e-10 * (1 + expected.norm()));
    Eigen::FullPivLU<MatrixXd> factors(reduced.Lambda());
    factors.setThreshold(1e-8);
    EXPECT_EQ(factors.rank(), name == "stewart.yaml" ? 6 : name == "five_bar.yaml" ? 2 : 1);
  }
}

TEST(PortRefusals, name_the_port) {
  RandomModel random(6);
  MovingTree tree(chain_of(random, 3, Base::fixed, {JointType::revolute}), random);
  NetworkWorkspace work(tree.system);
  EXPECT_THROW((void)network::shaft_port(tree.system, "joint0", 1), Error);
  EXPECT_THROW((void)network::shaft_port(tree.system, "joint7"), Error);
  EXPECT_THROW((void)network::frame_port(tree.system, "tipp"), Error);
  const MechanismPort tip[]{network::frame_port(tree.system, "tip")}, twice[]{tip[0], tip[0]},
      shaft[]{network::shaft_port(tree.system, "joint0")};
  EXPECT_THROW((void)compute_multi_port(work, tree.state, tree.tau, {}, twice), Error);
  const MechanismPort beyond[]{{"beyond", 3, {}}};
  EXPECT_THROW((void)compute_multi_port(work, tree.state, tree.tau, {}, beyond), Error);
  const MultiPort a = compute_multi_port(work, tree.state, tree.tau, {}, tip),
                  b = compute_multi_port(work, tree.state, tree.tau, {}, shaft);
  EXPECT_THROW((void)join(a, b, {{"tip", "joint0"}}), Error) << "six numbers and one";
  EXPECT_THROW((void)join(a, b, {{"top", "joint0"}}), Error);
  EXPECT_THROW((void)join(a, a, {{"tip", "tip"}, {"tip", "tip"}}), Error) << "connected twice";
  EXPECT_THROW((void)join(a, a, {}), Error) << "names that meet";
  MatrixXd P(6, 6);
  VectorXd u(6);
  try {
    a.compute_norton(P, u);
    FAIL() << "three joints give the tip three freedoms";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'tip'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace linkwright::testing
