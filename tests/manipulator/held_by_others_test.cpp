// Grasps whose contacts are not all alike: idle ones, those of other objects, objects that a joint carries.
#include <gtest/gtest.h>

#include <numbers>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/manipulator/sharing.hpp"
#include "manipulator/grasps.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

constexpr double pi = std::numbers::pi;
using manipulator::GraspAnalysis;

/// f<last> stands on a slide along its normal.
void put_on_slide(Model& model, bool passive) {
  const Frame tip = model.frames.back();
  Body body{.name = "finger"};
  body.mass = 1, body.inertia = {0.01, 0.01, 0.01, 0, 0, 0};
  model.bodies.push_back(body);
  Joint slide{.name = "slide",
              .type = JointType::prismatic,
              .parent = std::string(world_name),
              .child = "finger"};
  slide.axis = model.grasps.back().normal, slide.pose = tip.pose;
  if (passive) slide.passive = {true};
  model.joints.push_back(slide);
  model.frames.pop_back();
  model.grasps.back().arm = "finger";
}

TEST(held_by_others, a_finger_that_cannot_push_takes_nothing_away) {
  const std::vector<Finger> two{on_circle(0), on_circle(pi)};
  std::vector<Finger> three = two;
  three.push_back(on_circle(-pi / 2));
  const GraspAnalysis plain = analyse(held(JointType::planar, two));
  Model model = held(JointType::planar, three);
  put_on_slide(model, true);
  const GraspAnalysis idle = analyse(model);
  EXPECT_TRUE(idle.force_closure.holds) << idle.force_closure.reason;
  EXPECT_NEAR(idle.force_closure.margin, plain.force_closure.margin, 1e-8);
  EXPECT_EQ(idle.force_closure.idle, std::vector<std::string>{"f2"});
  EXPECT_TRUE(plain.force_closure.idle.empty());
  for (int k = idle.map.contacts[2].first; k <= idle.map.contacts[2].normal; ++k)
    EXPECT_NEAR(idle.force_closure.squeeze[static_cast<std::size_t>(k)], 0, 1e-9);
  // With a motor it can push, and nothing pushes back along y but friction.
  Model driven = held(JointType::planar, three);
  put_on_slide(driven, false);
  EXPECT_TRUE(analyse(driven).force_closure.holds);
  EXPECT_TRUE(analyse(driven).force_closure.idle.empty());
  // Where the others do not hold it, the finger that cannot push does not either.
  Model needed = held(JointType::planar, {on_circle(0, 0.0), on_circle(pi, 0.0), on_circle(pi / 2),
                                          on_circle(-pi / 2)});
  EXPECT_TRUE(analyse(needed).force_closure.holds);
  put_on_slide(needed, true);
  const GraspAnalysis loose = analyse(needed);
  EXPECT_FALSE(loose.force_closure.holds);
  EXPECT_EQ(loose.force_closure.reason.find("nothing stops the object"), 0U)
      << loose.force_closure.reason;
}

/// Whether a grasp holds is a matter of places: a smaller friction alone does not undo it.
TEST(held_by_others, small_frictions_are_decided_like_large_ones) {
  for (const double mu : {1e-2, 1e-4, 1e-6, 5e-8, 1e-9}) {
    SCOPED_TRACE(mu);
    const GraspAnalysis pinch =
        analyse(held(JointType::planar, {on_circle(0, mu), on_circle(pi, mu)}));
    EXPECT_TRUE(pinch.force_closure.holds) << pinch.force_closure.reason;
    EXPECT_NEAR(pinch.force_closure.margin, mu, 1e-6 * mu + 1e-8);
    // The line between the fingers leans by twice the friction, and by half of it.
    for (const double lean : {2.0, 0.5}) {
      const auto at = [&](double side) {
        return Finger{{side, side * lean * mu, 0}, {-side, 0, 0}, Grasp::Contact::point, mu, {}};
      };
      EXPECT_EQ(analyse(held(JointType::planar, {at(1), at(-1)})).force_closure.holds, lean < 1)
          << lean;
    }
  }
}

/// The margin is that of the object's own contacts, however near another is to its edge.
TEST(held_by_others, margins_are_the_objects_own) {
  Model model = held(JointType::planar, {on_circle(0), on_circle(pi)});
  Model other = held(JointType::planar, {on_circle(0, 0.1), on_circle(pi, 0.1)});
  other.bodies[0].name = other.joints[0].name = other.joints[0].child = "other";
  model.bodies.push_back(other.bodies[0]), model.joints.push_back(other.joints[0]);
  for (int i : {0, 1}) {
    Frame frame = other.frames[static_cast<std::size_t>(i)];
    Grasp grasp = other.grasps[static_cast<std::size_t>(i)];
    frame.name = "o" + frame.name, grasp.arm = frame.name, grasp.name = "o" + grasp.name;
    grasp.object = "other";
    model.frames.push_back(frame), model.grasps.push_back(grasp);
  }
  EXPECT_NEAR(analyse(model).force_closure.margin, 0.5, 1e-8);
  EXPECT_NEAR(analyse(model, "other").force_closure.margin, 0.1, 1e-8);
}

std::string chain(const std::string& more) {
  return R"(linkwright: 1
gravity: [0, 0, 0]
bodies:
  - {name: A, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
  - {name: B, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
joints:
  - {name: jA, type: planar, parent: world, child: A, axis: [0, 0, 1], passive: true}
  - {name: jB, type: prismatic, parent: world, child: B, axis: [0, 1, 0], pose: {xyz: [1, 0, 0]}, passive: true}
frames:
  - {name: l, body: world, pose: {xyz: [-1, 0, 0]}}
  - {name: fl, body: world, pose: {xyz: [1, -1, 0]}}
  - {name: ceiling, body: world, pose: {xyz: [1, 1, 0]}}
grasps:
  - {name: left, arm: l, object: A, at: {xyz: [-1, 0, 0]}, contact: point, normal: [1, 0, 0], friction: 0.5}
  - {name: right, arm: B, object: A, at: {xyz: [1, 0, 0]}, contact: point, normal: [-1, 0, 0], friction: 0.5}
  - {name: floor, arm: fl, object: B, at: {xyz: [0, -1, 0]}, contact: point, normal: [0, 1, 0], friction: 0.5}
)" + more;
}

GraspAnalysis analyse_text(const std::string& text, const std::string& object) {
  const System system = compile(parse_system_file(text, "case.yaml"));
  ClosedWorkspace work(system);
  return manipulator::analyse_grasp(work, initial_state(system).q, object);
}

/// B rests on the floor and slides up freely: it cannot hold A up against a push upwards.
TEST(held_by_others, grasps_of_other_objects_push_only_as_well) {
  const GraspAnalysis open = analyse_text(chain(""), "A");
  EXPECT_FALSE(open.force_closure.holds);
  ASSERT_EQ(open.force_closure.escape.size(), 3U);
  const GraspAnalysis closed = analyse_text(
      chain("  - {name: top, arm: ceiling, object: B, at: {xyz: [0, 1, 0]}, contact: point, "
            "normal: [0, -1, 0], friction: 0.5}\n"),
      "A");
  EXPECT_TRUE(closed.force_closure.holds) << closed.force_closure.reason;
}

/// A box welded to an arm that leans on a wall: the arm's motors hold it.
TEST(held_by_others, motors_on_the_way_to_the_object_count) {
  const std::string text = R"(linkwright: 1
bodies:
  - {name: upper, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: lower, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: box, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
joints:
  - {name: shoulder, type: revolute, parent: world, child: upper, axis: [0, 1, 0]}
  - {name: elbow, type: revolute, parent: upper, child: lower, axis: [0, 1, 0], pose: {xyz: [1, 0, 0]}}
  - {name: weld, type: fixed, parent: lower, child: box, pose: {xyz: [1, 0, 0]}}
frames: [{name: wall, body: world, pose: {xyz: [1, 0, -1]}}]
grasps: [{name: g, arm: wall, object: box, contact: point, normal: [0, 0, 1], friction: 0.5}]
state: {q: {elbow: 1.5707963267948966}}
)";
  const System system = compile(parse_system_file(text, "welded.yaml"));
  ClosedWorkspace work(system);
  const State state = initial_state(system);
  const GraspAnalysis found = manipulator::analyse_grasp(work, state.q, "box");
  EXPECT_TRUE(found.loose_motions.empty());
  EXPECT_TRUE(found.force_closure.holds) << found.force_closure.reason;
  const auto shared = manipulator::share_load(work, state);
  ASSERT_TRUE(shared.feasible) << shared.reason;
  ASSERT_EQ(shared.motors.size(), 2U);
  EXPECT_EQ(shared.motors[0].name, "shoulder");
  // A body that hands hold both as one with them and by a finger.
  const GraspAnalysis both = analyse(
      held(JointType::free,
           {{{1, 0, 0}, {-1, 0, 0}, Grasp::Contact::rigid, std::nullopt, {}}, on_circle(pi)}));
  EXPECT_TRUE(both.force_closure.holds);
  // Without motors the arm is stiff in the plane all the same, and a push out of the wall wins.
  Model limp = system.model();
  for (Joint& joint : limp.joints) joint.passive = {true};
  EXPECT_FALSE(analyse(limp, "box").force_closure.holds);
}

/// Two fingers hold a box by its lid: they push only, there as well, and are its contacts.
TEST(held_by_others, hands_on_a_lid_are_contacts_of_the_box) {
  const auto with_lid = [](const std::string& joint, const std::string& normal) {
    return R"(linkwright: 1
gravity: [0, 0, 0]
bodies:
  - {name: box, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
  - {name: lid, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
joints:
  - {name: place, type: planar, parent: world, child: box, axis: [0, 0, 1], passive: true}
  - {name: hinge, type: )" +
           joint + R"(, parent: box, child: lid}
frames:
  - {name: l, body: world, pose: {xyz: [-1, 0, 0]}}
  - {name: r, body: world, pose: {xyz: [1, 0, 0]}}
grasps:
  - {name: left, arm: l, object: box, at: {xyz: [-1, 0, 0]}, contact: point, normal: [1, 0, 0], friction: 0.5}
  - {name: right, arm: r, object: lid, at: {xyz: [1, 0, 0]}, contact: point, normal: )" +
           normal + ", friction: 0.5}\n";
  };
  const GraspAnalysis welded = analyse_text(with_lid("fixed", "[-1, 0, 0]"), "box");
  EXPECT_TRUE(welded.force_closure.holds) << welded.force_closure.reason;
  EXPECT_NEAR(welded.force_closure.margin, 0.5, 1e-8);
  EXPECT_EQ(welded.map.contacts.size(), 2U);
  // Both push one way: as glue the lid's finger would hold it.
  const GraspAnalysis pushed = analyse_text(with_lid("fixed", "[1, 0, 0]"), "box");
  EXPECT_FALSE(pushed.force_closure.holds);
  const GraspAnalysis hinged =
      analyse_text(with_lid("revolute, axis: [0, 0, 1], passive: true", "[-1, 0, 0]"), "box");
  EXPECT_EQ(hinged.map.contacts.size(), 2U);
}

}  // namespace
}  // namespace linkwright::testing
