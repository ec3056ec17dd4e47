// The grasp map and what follows from it: squeeze forces, hands, loose objects.
#include <gtest/gtest.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/io/system_file.hpp"
#include "manipulator/grasps.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using manipulator::analyse_grasp;
using manipulator::GraspAnalysis;

/// Two fingers of `joints` hinges each, and one with a hinge that has no motor, pinch a bar from both sides.
std::string pinch(const std::string& contact, const std::string& more = "") {
  return R"(linkwright: 1
bodies:
  - {name: left, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: right, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
joints:
  - {name: left_slide, type: prismatic, parent: world, child: left, axis: [1, 0, 0]}
  - {name: right_slide, type: prismatic, parent: world, child: right, axis: [1, 0, 0]}
objects: [{name: bar, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}]
frames:
  - {name: left_tip, body: left, pose: {xyz: [-1, 0, 0]}}
  - {name: right_tip, body: right, pose: {xyz: [1, 0, 0]}}
grasps:
  - {name: l, arm: left_tip, object: bar, at: {xyz: [-1, 0, 0]}, contact: )" +
         contact + R"(}
  - {name: r, arm: right_tip, object: bar, at: {xyz: [1, 0, 0]}, contact: )" +
         contact + "}\n" + more;
}

struct Case {
  System system;
  ClosedWorkspace work;
  explicit Case(const std::string& text)
      : system(compile(parse_system_file(text, "pinch.yaml"))), work(system) {}
  GraspAnalysis analyse(const std::string& object = "bar") {
    return analyse_grasp(work, initial_state(system).q, object);
  }
};

/// Whatever the hands do, the contacts keep Gᵀ v_object = J_hand v_hands, and internal forces move nothing.
TEST(grasp_map, obeys_its_two_laws) {
  const System system =
      compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/three_fingers_and_ball.yaml"));
  ClosedWorkspace work(system);
  State state = initial_state(system);
  ASSERT_TRUE(assemble(work, {.hold = {"ball"}}, state.q).assembled);
  const GraspAnalysis found = analyse_grasp(work, state.q, "ball");
  EXPECT_EQ(found.rank, 6);
  EXPECT_EQ(found.internal.cols(), 3);
  EXPECT_EQ(found.by_motors, 3);
  EXPECT_LT((found.map.G.view() * found.internal.view()).norm(), 1e-12);
  const MatrixXd unit = found.internal.view().transpose() * found.internal.view();
  EXPECT_LT((unit - MatrixXd::Identity(3, 3)).norm(), 1e-12);
  for (Eigen::Index i = 0; i < state.v.size(); ++i)
    state.v[i] = std::cos(1.0 + 2.0 * static_cast<double>(i));
  project_velocity(work, state.q, {}, state.v);
  const VectorXd object = state.v(found.map.entries), hands = state.v(found.map.hand_entries);
  EXPECT_LT(
      (found.map.G.view().transpose() * object - found.map.hand_jacobian.view() * hands).norm(),
      1e-12 * state.v.norm());
  EXPECT_EQ(found.map.columns.front(), "thumb:f1");
  EXPECT_TRUE(found.defective.empty());
  EXPECT_EQ(found.redundant, 0);
  EXPECT_TRUE(found.loose_motions.empty());
}

TEST(grasp_map, each_contact_has_its_directions) {
  const auto rows = [](const std::string& contact) {
    return Case(pinch(contact)).analyse().map.contacts.front().size;
  };
  EXPECT_EQ(rows("rigid"), 6);
  EXPECT_EQ(rows("line, axis: [0, 1, 0], normal: [1, 0, 0]"), 5);
  EXPECT_EQ(rows("soft_finger, normal: [1, 0, 0]"), 4);
  EXPECT_EQ(rows("point, normal: [1, 0, 0]"), 3);
}

/// Slides push along x alone: that squeeze their motors make. All others the welds bear without them.
TEST(grasp_map, squeeze_is_split_by_who_makes_it) {
  const GraspAnalysis welded = Case(pinch("rigid")).analyse();
  EXPECT_EQ(welded.internal.cols(), 6);
  EXPECT_EQ(welded.by_motors, 1);
  EXPECT_EQ(welded.structural, 5);
  EXPECT_EQ(welded.not_held, 0);
  // The motors' squeeze is that along x and nothing else.
  const VectorXd made = welded.internal.view().col(0).cwiseAbs();
  EXPECT_NEAR(made[3], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(made[9], std::sqrt(0.5), 1e-12);
  // Where the slides have no motor nobody holds it.
  const GraspAnalysis limp = Case(pinch("rigid", "passive: [left_slide, right_slide]\n")).analyse();
  EXPECT_EQ(limp.by_motors, 0);
  EXPECT_EQ(limp.structural, 5);
  EXPECT_EQ(limp.not_held, 1);
  ASSERT_EQ(limp.loose_motions.size(), 1U);
  EXPECT_TRUE(contains(limp.loose_motions.front(), "moving along")) << limp.loose_motions.front();
  EXPECT_FALSE(limp.force_closure.holds);
  EXPECT_TRUE(welded.force_closure.holds);
  // A hand of one joint bears in the five directions it cannot move in.
  ASSERT_EQ(welded.defective.size(), 2U);
  EXPECT_EQ(welded.defective.front().directions, 5);
}

TEST(grasp_map, points_let_the_bar_spin) {
  const GraspAnalysis found = Case(pinch("point, normal: [1, 0, 0]")).analyse();
  EXPECT_EQ(found.rank, 5);
  ASSERT_EQ(found.loose_motions.size(), 1U);
  EXPECT_TRUE(contains(found.loose_motions.front(), "turning about the axis"))
      << found.loose_motions.front();
  EXPECT_NEAR(std::abs(found.loose(0, 0)), found.loose.view().col(0).norm(), 1e-12);
  EXPECT_FALSE(found.force_closure.holds);
  // The world holds it too: a hinge about x is no help, a weld is.
  const std::string hinge =
      "closures: [{name: axle, between: [world, bar], joint: revolute, axis: [1, 0, 0]}]\n";
  EXPECT_EQ(Case(pinch("point, normal: [1, 0, 0]", hinge)).analyse().loose_motions.size(), 1U);
  const std::string weld = "closures: [{name: bolt, between: [world, bar], joint: fixed}]\n";
  const GraspAnalysis bolted = Case(pinch("point, normal: [1, 0, 0]", weld)).analyse();
  EXPECT_TRUE(bolted.force_closure.holds);
  EXPECT_EQ(bolted.rank, 6);
  EXPECT_EQ(bolted.map.contacts.size(), 3U);
}

/// A hand with more joints than its contact has directions can move without moving it.
TEST(grasp_map, redundant_hands_are_counted) {
  Case one(R"(linkwright: 1
bodies: [{name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}, {name: b, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]
joints:
  - {name: s1, type: prismatic, parent: world, child: a, axis: [0, 0, 1]}
  - {name: s2, type: prismatic, parent: a, child: b, axis: [0, 0, 1]}
objects: [{name: bar, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]
grasps: [{name: g, arm: b, object: bar}]
)");
  const GraspAnalysis found = one.analyse();
  EXPECT_EQ(found.redundant, 1);
  EXPECT_EQ(found.map.hand_freedoms, (std::vector<std::string>{"s1", "s2"}));
  EXPECT_TRUE(found.force_closure.holds);
}

/// On a base that floats the grasp is the same: what moves all hands alike decides nothing.
TEST(grasp_map, a_common_base_does_not_matter) {
  const auto on_base = [](const std::string& type, const std::string& more) {
    return Case(R"(linkwright: 1
gravity: [0, 0, 0]
bodies:
  - {name: base, mass: 5, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: left, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: right, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
joints:
  - {name: root, type: )" +
                type + R"(, parent: world, child: base}
  - {name: left_slide, type: prismatic, parent: base, child: left, axis: [1, 0, 0]}
  - {name: right_slide, type: prismatic, parent: base, child: right, axis: [1, 0, 0]}
objects: [{name: bar, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}]
frames:
  - {name: left_tip, body: left, pose: {xyz: [-1, 0, 0]}}
  - {name: right_tip, body: right, pose: {xyz: [1, 0, 0]}}
grasps:
  - {name: l, arm: left_tip, object: bar, at: {xyz: [-1, 0, 0]}, contact: soft_finger, normal: [1, 0, 0], friction: 0.5, torsion: 0.1}
  - {name: r, arm: right_tip, object: bar, at: {xyz: [1, 0, 0]}, contact: soft_finger, normal: [-1, 0, 0], friction: 0.5, torsion: 0.1}
)" + more)
        .analyse();
  };
  const GraspAnalysis fixed = on_base("fixed", ""), floating = on_base("free", "passive: [root]\n");
  EXPECT_TRUE(fixed.force_closure.holds);
  EXPECT_TRUE(floating.force_closure.holds) << floating.force_closure.reason;
  EXPECT_NEAR(fixed.force_closure.margin, floating.force_closure.margin, 1e-8);
  EXPECT_EQ(fixed.by_motors, floating.by_motors);
}

TEST(grasp_map, refuses_objects_that_cannot_be_held) {
  Case fixed(R"(linkwright: 1
bodies: [{name: bar, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]
joints: [{name: weld, type: fixed, parent: world, child: bar}]
grasps: [{name: g, arm: world, object: bar, contact: point}]
)");
  EXPECT_TRUE(contains(error_of([&] { fixed.analyse(); }), "'bar' cannot move"));
  Case itself(R"(linkwright: 1
objects: [{name: bar, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]
frames: [{name: tip, body: bar}]
grasps: [{name: g, arm: tip, object: bar, contact: point}]
)");
  EXPECT_TRUE(contains(error_of([&] { itself.analyse(); }), "nothing but itself"));
}

TEST(grasp_map, refuses_objects_that_nothing_holds) {
  Case one(pinch("rigid"));
  EXPECT_TRUE(contains(error_of([&] { one.analyse("baa"); }), "did you mean 'bar'"));
  const System open = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm6.urdf"));
  ClosedWorkspace work(open);
  EXPECT_TRUE(
      contains(error_of([&] { analyse_grasp(work, State(open).q, "tool"); }), "there is no grasp"));
}

}  // namespace
}  // namespace linkwright::testing
