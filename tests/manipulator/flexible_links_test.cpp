/// Arms whose base hangs on a beam, arms that bend, and hands that hold one flexible rod: Table I and RCCFD1–3
/// against the closure room.

#include <gtest/gtest.h>

#include "linkwright/manipulator/closed_chain.hpp"
#include "linkwright/manipulator/grasp.hpp"
#include "linkwright/manipulator/unified_model.hpp"
#include "linkwright/model/flexible_links.hpp"
#include "manipulator/cells.hpp"
#include "support/condition.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;
using manipulator::Manipulator, manipulator::ManipulatorOptions, manipulator::UnifiedModel;

FlexibleLink soft_beam(const std::string& body, const Vector3& along) {
  FlexibleLink link{.body = body, .along = along, .EI = {60, 90}, .GJ = 50, .EA = 4e3};
  link.mass_per_length = 4, link.inertia_per_length = 0.05;
  link.elements = 3, link.damping_ratio = 0.02;
  return link;
}

/// The cell's mechanism with these beams: bent at random, closed again, moving.
Cell bent(CellMaker& random, const Model& rigid, const std::vector<FlexibleLink>& beams,
          const VectorXd& q) {
  const Model model = to_elastic_chains(rigid, beams);
  const System system = compile(model);
  VectorXd all = VectorXd::Zero(system.nq());
  all.head(q.size()) = q;
  all.tail(all.size() - q.size()) = random.numbers(static_cast<int>(all.size() - q.size()), 0.02);
  Cell cell(model, all);
  ClosedWorkspace work(cell.system);
  EXPECT_TRUE(assemble(work, {.limits = AssemblyOptions::Limits::ignore}, cell.state.q).assembled);
  cell.state.v = random.numbers(cell.system.nv());
  for (int i = 0; i < 2; ++i) project_velocity(work, cell.state.q, {}, cell.state.v);
  cell.tau = random.numbers(cell.system.nv(), 5);
  for (const int i : cell.system.passive_freedoms()) cell.tau[i] = 0;
  return cell;
}

CellOptions arms_on(BaseKind base, int arms) {
  CellOptions options{.base = base};
  options.joints.assign(static_cast<std::size_t>(arms), 7);
  return options;
}

/// A platform at the tip of a beam.
Cell on_a_beam(unsigned seed, int arms) {
  CellMaker random(seed);
  const Cell cell = random.make(arms_on(BaseKind::free, arms));
  Model model = cell.system.model();
  const Vector3 along{1.5, 0, 0};
  Workspace work(cell.system, Closures::leave_out);
  compute_forward_kinematics(work, cell.state, VectorXd::Zero(cell.system.nv()));
  const Pose base = frame_pose(work, cell.system.frame("base"));
  Joint& joint = model.joints.front();
  EXPECT_EQ(joint.name, "base");
  joint.type = JointType::fixed;
  joint.parent = "boom", joint.pose.translation = along;
  model.bodies.push_back({.name = "boom"});
  model.joints.push_back({.name = "wall", .parent = "world", .child = "boom"});
  model.joints.back().pose = base * Pose{.translation = -along};
  return bent(random, model, {soft_beam("boom", along)}, cell.state.q.tail(cell.system.nq() - 7));
}

/// One link of each arm bends.
Cell with_flexible_arms(unsigned seed, int arms) {
  CellMaker random(seed);
  const Cell cell = random.make(arms_on(BaseKind::free, arms));
  std::vector<FlexibleLink> beams;
  for (int arm = 0; arm < arms; ++arm) {
    const std::string next = CellMaker::name(arm, 3);
    for (const Joint& joint : cell.system.model().joints)
      if (joint.name == next)
        beams.push_back(soft_beam(CellMaker::name(arm, 2), joint.pose.translation));
  }
  EXPECT_EQ(beams.size(), static_cast<std::size_t>(arms));
  return bent(random, cell.system.model(), beams, cell.state.q);
}

/// The box is a rod along x, held where the hands are.
Cell with_flexible_object(unsigned seed, int arms) {
  CellMaker random(seed);
  const Cell cell = random.make(arms_on(BaseKind::fixed, arms));
  FlexibleLink rod = soft_beam("box", {1.2, 0, 0});
  rod.from = {-0.6, 0, 0};
  return bent(random, cell.system.model(), {rod}, cell.state.q);
}

/// 2 κ ε of what is solved: M with J, and Ω. Pieces of a beam weigh a thousandth of what they carry, so that M
/// counts here, and not Ω alone as in cells of rigid bodies.
double tolerance_of(const Cell& cell) {
  ClosedWorkspace work(cell.system);
  return std::max(1e-11, 2 * condition_of_closed(work, cell.state.q) * epsilon);
}

void expect_table_one(const Cell& cell, const ManipulatorOptions& options, BaseKind kind) {
  const double tolerance = tolerance_of(cell);
  ASSERT_LT(tolerance, 1e-6) << "says nothing";
  const Manipulator robot(cell.system, options);
  EXPECT_EQ(robot.base().kind, kind);
  for (const int i : cell.system.passive_freedoms()) {
    const auto& objects = robot.of_objects();
    if (std::ranges::find(objects, i) == objects.end()) {
      EXPECT_NE(std::ranges::find(robot.passive(), i), robot.passive().end());
    }
  }
  VectorXd tau = cell.tau;
  for (const int i : robot.passive()) tau[i] = 0;
  ClosedWorkspace work(cell.system);
  VectorXd expected(cell.system.nv()), found(cell.system.nv());
  compute_forward_dynamics(work, cell.state, tau, {}, expected, ClosedMethod::independent);
  UnifiedModel model(robot);
  model.update(cell.state, tau);
  model.compute_forward_dynamics(found);
  EXPECT_LT(difference(found, expected), tolerance);
  manipulator::ClosedChain chain(robot);
  using manipulator::ClosedAlgorithm;
  for (const auto algorithm :
       {ClosedAlgorithm::RCCFD1, ClosedAlgorithm::RCCFD2, ClosedAlgorithm::RCCFD3}) {
    chain.compute_forward_dynamics(algorithm, manipulator::OmegaSolve::structured, cell.state, tau,
                                   {}, found);
    EXPECT_LT(difference(found, expected), tolerance) << name(algorithm);
  }
}

class FlexibleManipulator : public ::testing::TestWithParam<int> {};

TEST_P(FlexibleManipulator, hangs_on_a_beam) {
  for (unsigned seed = 1; seed <= 3; ++seed)
    expect_table_one(on_a_beam(seed, GetParam()), {.base = "base"}, BaseKind::jointed);
}

TEST_P(FlexibleManipulator, bends_in_its_arms) {
  for (unsigned seed = 11; seed <= 13; ++seed)
    expect_table_one(with_flexible_arms(seed, GetParam()), {}, BaseKind::free);
}

TEST_P(FlexibleManipulator, holds_a_flexible_rod) {
  for (unsigned seed = 21; seed <= 23; ++seed) {
    const Cell cell = with_flexible_object(seed, GetParam());
    expect_table_one(cell, {}, BaseKind::fixed);
    const Manipulator robot(cell.system);
    ASSERT_EQ(robot.objects().size(), 1U) << "one rod, wherever it is held";
    EXPECT_EQ(robot.objects()[0].name, "box");
    EXPECT_EQ(robot.objects()[0].freedoms.size(), 6U + 3 * 4);
    const auto& grasps = cell.system.model().grasps;
    for (std::size_t i = 0; i < grasps.size(); ++i) {
      EXPECT_EQ(robot.arms()[i].object, 0);
      EXPECT_EQ(robot.arms()[i].held.index, cell.system.frame(grasps[i].object).index);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Arms, FlexibleManipulator, ::testing::Values(2, 3));

/// The grasp map of a rod that is not bent is the rigid rod's: the pieces are one object.
TEST(FlexibleObject, is_held_as_one) {
  CellMaker random(31);
  const Cell rigid = random.make(arms_on(BaseKind::fixed, 2));
  FlexibleLink rod = soft_beam("box", {1.2, 0, 0});
  rod.from = {-0.6, 0, 0};
  const System system = compile(to_elastic_chains(rigid.system.model(), {rod}));
  bool is_held_apart = false;
  for (const Grasp& grasp : system.model().grasps)
    is_held_apart = is_held_apart || grasp.object != system.model().grasps.front().object;
  EXPECT_TRUE(is_held_apart) << "the hands hold different pieces";
  EXPECT_EQ(manipulator::held_objects(system), (std::vector<std::string>{"box"}));
  VectorXd q = VectorXd::Zero(system.nq());
  q.head(rigid.state.q.size()) = rigid.state.q;
  ClosedWorkspace work(system), rigid_work(rigid.system);
  const auto found = manipulator::analyse_grasp(work, q, "box");
  const auto expected = manipulator::analyse_grasp(rigid_work, rigid.state.q, "box");
  ASSERT_EQ(found.map.G.rows(), 6);
  ASSERT_EQ(found.map.G.cols(), expected.map.G.cols());
  EXPECT_EQ(found.map.freedoms, expected.map.freedoms);
  EXPECT_LT((found.map.G.view() - expected.map.G.view()).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(found.map.hand_freedoms, expected.map.hand_freedoms);
  EXPECT_EQ(found.internal.cols(), expected.internal.cols());
  EXPECT_EQ(found.by_motors, expected.by_motors);
  EXPECT_EQ(found.structural, expected.structural);
}

}  // namespace
}  // namespace linkwright::testing
