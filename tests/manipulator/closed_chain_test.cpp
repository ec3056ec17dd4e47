/// RCCFD1–3 and (b.9), with both ways to solve Ω, against each other, the dense system (2.11) and the closure
/// room.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/manipulator/closed_chain.hpp"
#include "linkwright/manipulator/unified_model.hpp"
#include "manipulator/cells.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
using manipulator::ClosedAlgorithm, manipulator::ClosedChain, manipulator::Manipulator,
    manipulator::OmegaSolve;
using Contact = Grasp::Contact;

constexpr ClosedAlgorithm algorithms[] = {ClosedAlgorithm::RCCFD1, ClosedAlgorithm::RCCFD2,
                                          ClosedAlgorithm::RCCFD3, ClosedAlgorithm::non_rigid};
constexpr OmegaSolve solves[] = {OmegaSolve::structured, OmegaSolve::dense};

struct Case {
  const char* name;
  CellOptions options;
  OmegaSolve solved = OmegaSolve::structured;  ///< what the structured way ends in
  int redundant = 0;
};
const Case cases[] = {
    {"rigid_fixed", {.base = BaseKind::fixed}},
    {"rigid_free", {.base = BaseKind::free}},
    {"rigid_planar", {.base = BaseKind::planar}},
    {"rigid_flexible", {.base = BaseKind::flexible, .joints = {6, 7, 9}}},
    {"mixed_free",
     {.base = BaseKind::free,
      .joints = {7, 6, 8, 7},
      .contacts = {Contact::rigid, Contact::line, Contact::soft_finger, Contact::point}}},
    {"points_fixed", {.joints = {3, 4, 5}, .contacts = {Contact::point}}},
    {"soft_fingers",
     {.base = BaseKind::free, .joints = {4, 5}, .contacts = {Contact::soft_finger}}},
    {"lines", {.base = BaseKind::planar, .joints = {5, 6}, .contacts = {Contact::line}}},
    {"few_joints", {.base = BaseKind::free, .joints = {5, 7, 6}}, OmegaSolve::dense},
    // Two arms with three joints on the world and an object: 12 rows, 12 freedoms.
    {"locked", {.joints = {3, 3}}, OmegaSolve::dense},
    {"redundant", {.joints = {2, 3, 3}}, OmegaSolve::dense, 4},
    {"one_arm", {.base = BaseKind::free, .joints = {7}}},
    {"eight_free", {.base = BaseKind::free, .joints = {7, 7, 7, 7, 7, 7, 7, 7}}},
};

class ClosedChains : public ::testing::TestWithParam<Case> {};

/// (2.11) for v̇ and λ of least norm, all joints and objects in one, by Eigen's complete decomposition.
VectorXd dense_system(Cell& cell) {
  ClosedWorkspace work(cell.system);
  const Index n = cell.system.nv(), r = work.rows();
  MatrixXd K = MatrixXd::Zero(n + r, n + r), J(r, n), mass(n, n);
  VectorXd beta(r), effort(n);
  compute_closure_jacobian(work, cell.state.q, J);
  compute_closure_bias(work, cell.state, beta);
  compute_mass_matrix(work.tree(), cell.state.q, mass);
  compute_inverse_dynamics(work.tree(), cell.state, VectorXd::Zero(n), {}, effort);
  K << mass, -J.transpose(), J, MatrixXd::Zero(r, r);
  VectorXd right(n + r);
  right << cell.tau - effort, -beta;
  const Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver(K);
  VectorXd x = solver.solve(right);
  x += solver.solve(right - K * x);
  return x.head(n);
}

/// |M⁻¹ Jᵀ λ| beside the largest acceleration.
double pushed(Cell& cell, ClosedWorkspace& work, const VectorXd& a) {
  const Index n = cell.system.nv();
  MatrixXd mass(n, n);
  VectorXd effort(n);
  compute_mass_matrix(work.tree(), cell.state.q, mass);
  compute_inverse_dynamics(work.tree(), cell.state, a, {}, effort);
  const VectorXd by_closures = mass.llt().solve(effort - cell.tau);
  return by_closures.norm() / std::max(1.0, a.norm());
}

TEST_P(ClosedChains, all_ways_agree) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Cell cell = CellMaker(seed).make(GetParam().options);
    const Manipulator robot(cell.system);
    ClosedWorkspace work(cell.system);
    VectorXd expected(cell.system.nv()), found(cell.system.nv());
    compute_forward_dynamics(work, cell.state, cell.tau, {}, expected);
    std::vector<Force> forces(cell.system.closures().size());
    closure_forces(work, forces);
    double size = 1;
    for (const Force& f : forces) size += norm(f.moment) + norm(f.force);
    // Where forces cancel the accelerations are what remains of M⁻¹ Jᵀ λ, and of its rounding.
    const double bound = cell.tolerance() * std::max(1.0, pushed(cell, work, expected));
    EXPECT_LT(difference(dense_system(cell), expected), bound) << "seed " << seed;
    ClosedChain chain(robot);
    for (const ClosedAlgorithm algorithm : algorithms)
      for (const OmegaSolve solve : solves) {
        SCOPED_TRACE(std::string(name(algorithm)) + ", " +
                     (solve == OmegaSolve::dense ? "dense" : "structured") + ", seed " +
                     std::to_string(seed));
        const auto report =
            chain.compute_forward_dynamics(algorithm, solve, cell.state, cell.tau, {}, found);
        EXPECT_LT(difference(found, expected), bound);
        EXPECT_EQ(report.rows - report.rank, GetParam().redundant);
        if (solve == OmegaSolve::structured) {
          EXPECT_EQ(report.solved, GetParam().solved);
        }
        for (std::size_t i = 0; i < robot.arms().size(); ++i) {
          const Force f = chain.end_force(static_cast<int>(i));
          EXPECT_LT(norm(f.moment - forces[i].moment) + norm(f.force - forces[i].force),
                    cell.tolerance() * size);
        }
      }
  }
}

/// W(0) and Ẇ(0) of (b.9f) are the closing joints' rates and accelerations; Ω is J 𝓜⁻¹ Jᵀ of all rows.
TEST_P(ClosedChains, contacts_roll_as_the_closure_room_says) {
  Cell cell = CellMaker(2).make(GetParam().options);
  const Manipulator robot(cell.system);
  ClosedWorkspace work(cell.system);
  ClosedChain chain(robot);
  const Index n = cell.system.nv(), r = work.rows(),
              c = static_cast<Index>(cell.system.closing_names().size());
  MatrixXd L(c, n), J(r, n), mass(n, n), omega(r, r);
  VectorXd a(n), bias(c);
  compute_closing_jacobian(work, cell.state.q, L);
  compute_closing_bias(work, cell.state, bias);
  compute_closure_jacobian(work, cell.state.q, J);
  compute_mass_matrix(work.tree(), cell.state.q, mass);
  for (const ClosedAlgorithm algorithm : algorithms) {
    chain.compute_forward_dynamics(algorithm, OmegaSolve::dense, cell.state, cell.tau, {}, a);
    const VectorXd rates = L * cell.state.v, accelerations = L * a + bias;
    for (const auto& arm : robot.arms()) {
      const ClosurePlace& place = cell.system.closures()[static_cast<std::size_t>(arm.grasp)];
      VectorXd W(place.freedoms), W_rate(place.freedoms);
      chain.compute_contact_motion(static_cast<int>(&arm - robot.arms().data()), W, W_rate);
      EXPECT_LT(difference(W, rates.segment(place.closing, place.freedoms)), cell.tolerance());
      EXPECT_LT(difference(W_rate, accelerations.segment(place.closing, place.freedoms)),
                cell.tolerance());
    }
  }
  chain.compute_omega(omega);
  const MatrixXd expected = J * mass.llt().solve(J.transpose());
  EXPECT_LT((omega - expected).norm(), 1e-12 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(All, ClosedChains, ::testing::ValuesIn(cases),
                         [](const auto& of) { return std::string(of.param.name); });

/// One hand holds the box, the other is empty: the box might as well be part of the arm.
TEST(OneHand, with_a_box_is_a_longer_arm) {
  for (const BaseKind base : {BaseKind::fixed, BaseKind::free, BaseKind::planar}) {
    Cell cell = CellMaker(4).make({.base = base, .joints = {7, 5}});
    Model model = cell.system.model();
    model.grasps.pop_back();
    Model longer = model;
    const Grasp grasp = longer.grasps.front();
    longer.grasps.clear();
    for (Joint& joint : longer.joints)
      if (joint.name == "box") {
        joint.type = JointType::fixed, joint.parent = CellMaker::name(0, 6);
        joint.pose = longer.frames.front().pose * inverse(grasp.at);
      }
    const System held = compile(model), tree = compile(longer);
    const Manipulator robot(held, {.base = {}, .tips = {"hand1"}});
    ASSERT_EQ(robot.arms().size(), 2U);
    EXPECT_EQ(robot.arms()[1].object, -1);
    const Index n = tree.nv();  // the box's freedoms come last
    State state(tree);
    state.q = cell.state.q.head(tree.nq());
    state.v.setLinSpaced(-1, 1);
    State whole(held);
    whole.q = cell.state.q;
    whole.v.head(n) = state.v;
    ClosedWorkspace work(held);
    std::vector<std::string> all;
    for (const JointPlace& joint : tree.joints())
      if (joint.nv > 0) all.push_back(joint.name);
    project_velocity(work, whole.q, all, whole.v);
    VectorXd tau = VectorXd::Zero(held.nv()), found(held.nv()), expected(n);
    tau.head(n).setLinSpaced(2, -1);
    Workspace open(tree);
    compute_forward_dynamics(open, state, tau.head(n), {}, expected);
    ClosedChain chain(robot);
    for (const ClosedAlgorithm algorithm : algorithms)
      for (const OmegaSolve solve : solves) {
        chain.compute_forward_dynamics(algorithm, solve, whole, tau, {}, found);
        EXPECT_LT(difference(found.head(n), expected), cell.tolerance()) << name(algorithm);
      }
  }
}

/// Two boxes, one of them also held by the world: more than one object, and a hand that has no joints.
TEST(TwoBoxes, one_of_them_held_by_the_world_too) {
  CellMaker random(6);
  Cell cell =
      random.make({.base = BaseKind::free,
                   .joints = {7, 7, 7, 7},
                   .contacts = {Contact::rigid, Contact::point, Contact::rigid, Contact::line}});
  Model model = cell.system.model();
  Workspace place(cell.system, Closures::leave_out);
  compute_forward_kinematics(place, cell.state, VectorXd::Zero(cell.system.nv()));
  model.bodies.push_back(random.body("crate"));
  model.joints.push_back(
      {.name = "crate", .type = JointType::free, .parent = "world", .child = "crate"});
  for (const std::size_t i : {2U, 3U}) {
    model.grasps[i].object = "crate";
    model.grasps[i].at = frame_pose(place, cell.system.frame(model.grasps[i].arm));
  }
  model.frames.push_back({"hook", "world", random.pose(0.5), {}});
  Grasp hook{.name = "hook_hold", .arm = "hook", .object = "crate"};
  hook.at = model.frames.back().pose, hook.contact = Contact::point;
  model.grasps.push_back(hook);
  const System system = compile(model);
  State state(system);
  state.q.head(cell.system.nq()) = cell.state.q;
  state.v = random.numbers(system.nv());
  ClosedWorkspace work(system);
  project_velocity(work, state.q, {}, state.v);
  project_velocity(work, state.q, {}, state.v);
  const VectorXd tau = random.numbers(system.nv());
  Cell both(model, state.q);
  both.condition = CellMaker::condition_of(both);
  const double tolerance = both.tolerance();
  const Manipulator robot(system);
  ASSERT_EQ(robot.objects().size(), 2U);
  EXPECT_TRUE(robot.arms().back().freedoms.empty());
  VectorXd expected(system.nv()), found(system.nv());
  compute_forward_dynamics(work, state, tau, {}, expected);
  ClosedChain chain(robot);
  for (const ClosedAlgorithm algorithm : algorithms)
    for (const OmegaSolve solve : solves) {
      chain.compute_forward_dynamics(algorithm, solve, state, tau, {}, found);
      EXPECT_LT(difference(found, expected), tolerance) << name(algorithm);
    }
  manipulator::UnifiedModel unified(robot);
  unified.update(state, tau);
  EXPECT_EQ(unified.compute_forward_dynamics(found).rank, work.rows());
  EXPECT_LT(difference(found, expected), tolerance);
  // V̇° of the boxes.
  compute_forward_kinematics(work.tree(), state, expected);
  for (const int object : {0, 1}) {
    const Motion there = frame_acceleration(work.tree(),
                                            robot.objects()[static_cast<std::size_t>(object)].frame,
                                            Axes::own),
                 said = unified.object_acceleration(object);
    EXPECT_LT(norm(there.linear - said.linear) + norm(there.angular - said.angular),
              1e-9 * (1 + norm(there.linear)));
  }
}

}  // namespace
}  // namespace linkwright::testing
