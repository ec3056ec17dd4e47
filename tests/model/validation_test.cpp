#include "linkwright/model/validation.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "model/arm.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::arm;
using testing::body;
using testing::contains;
using testing::error_of;
using testing::joint;
using testing::warns;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Mistake {
  std::string what;
  std::function<void(Model&)> make;
  std::vector<std::string> words;  ///< that the message must have
};

std::vector<Mistake> mistakes_in_the_tree() {
  return {
      {"unnamed link", [](Model& m) { m.bodies[1].name = ""; }, {"link number 2", "no name"}},
      {"unnamed joint", [](Model& m) { m.joints[0].name = ""; }, {"joint number 1", "no name"}},
      {"same link twice",
       [](Model& m) { m.bodies[2].name = "upper"; },
       {"link 'upper'", "twice", "rename"}},
      {"same joint twice",
       [](Model& m) { m.joints[2].name = "hinge"; },
       {"joint 'hinge'", "twice"}},
      {"same frame twice",
       [](Model& m) { m.frames.push_back(m.frames[0]); },
       {"frame 'tip'", "twice"}},
      {"frame named as a link",
       [](Model& m) { m.frames[0].name = "hand"; },
       {"frame 'hand'", "name of a link"}},
      {"link named world",
       [](Model& m) { m.bodies[0].name = "world"; },
       {"link 'world'", "reserved"}},
      {"unknown parent",
       [](Model& m) { m.joints[1].parent = "uper"; },
       {"joint 'slide'", "parent link 'uper'", "did you mean 'upper'?"}},
      {"unknown child",
       [](Model& m) { m.joints[2].child = "ghost"; },
       {"joint 'ball'", "child link 'ghost'"}},
      {"no parent", [](Model& m) { m.joints[1].parent = ""; }, {"joint 'slide'", "parent"}},
      {"world as child",
       [](Model& m) { m.joints[1].child = "world"; },
       {"joint 'slide'", "'world'", "swap"}},
      {"link with itself",
       [](Model& m) { m.joints[1].parent = "lower"; },
       {"joint 'slide'", "'lower'", "loop of one joint"}},
      {"a loop that hangs on nothing",
       [](Model& m) { m.joints[1].parent = "hand"; },
       {"loop of 2 joints", "'slide'", "'ball'", "nothing ties it to the world"}},
      {"a link without joint",
       [](Model& m) { m.bodies.push_back(body("loose")); },
       {"link 'loose'", "not the child of any joint"}},
      {"several roots",
       [](Model& m) {
         m.bodies.push_back(body("loose"));
         m.bodies.push_back(body("lost"));
       },
       {"2 links", "'loose'", "'lost'", "one root"}},
      {"too many links",
       [](Model& m) { m.bodies.resize(static_cast<std::size_t>(max_bodies) + 1); },
       {"100001 links", "100000"}},
  };
}

std::vector<Mistake> mistakes_in_numbers() {
  return {
      {"gravity", [](Model& m) { m.gravity.z = nan; }, {"gravity", "nan"}},
      {"mass nan", [](Model& m) { m.bodies[0].mass = nan; }, {"link 'upper'", "mass is nan"}},
      {"mass infinite", [](Model& m) { m.bodies[0].mass = infinity; }, {"link 'upper'", "inf"}},
      {"mass negative",
       [](Model& m) { m.bodies[0].mass = -2; },
       {"link 'upper'", "mass is -2 kg", "zero or more"}},
      {"com", [](Model& m) { m.bodies[1].com.y = infinity; }, {"link 'lower'", "centre of mass"}},
      {"inertia nan", [](Model& m) { m.bodies[1].inertia.xz = nan; }, {"link 'lower'", "inertia"}},
      {"inertia negative",
       [](Model& m) { m.bodies[1].inertia = {1, 1, -0.1, 0, 0, 0}; },
       {"link 'lower'", "principal moments -0.1, 1, 1"}},
      {"inertia indefinite",
       [](Model& m) { m.bodies[1].inertia = {1, 1, 1, 3, 0, 0}; },
       {"link 'lower'", "principal moments -2, 1, 4"}},
      {"joint position",
       [](Model& m) { m.joints[0].pose.translation.x = nan; },
       {"joint 'hinge'", "pose"}},
      {"joint on the child",
       [](Model& m) { m.joints[0].at_child.translation.x = nan; },
       {"joint 'hinge'", "place on the child"}},
      {"joint rotation",
       [](Model& m) { m.joints[0].pose.rotation.xx = 2; },
       {"joint 'hinge'", "no rotation matrix"}},
      {"mirrored rotation",
       [](Model& m) { m.joints[0].pose.rotation.xx = -1; },
       {"joint 'hinge'", "determinant -1"}},
      {"zero axis",
       [](Model& m) {
         m.joints[0].axis = {0, 0, 0};
       },
       {"joint 'hinge'", "axis is [0, 0, 0]"}},
      {"parallel axes",
       [](Model& m) {
         m.joints[0].type = JointType::universal;
         m.joints[0].axis = m.joints[0].axis2 = {0, 1, 0};
       },
       {"joint 'hinge'", "parallel"}},
      {"pitch",
       [](Model& m) {
         m.joints[0].type = JointType::helical;
         m.joints[0].pitch = nan;
       },
       {"joint 'hinge'", "pitch"}},
      {"damping", [](Model& m) { m.joints[0].damping = {-1}; }, {"joint 'hinge'", "damping is -1"}},
      {"friction",
       [](Model& m) {
         m.joints[0].friction = {{0, -0.5}};
       },
       {"joint 'hinge'", "backward friction", "-0.5"}},
      {"rotor",
       [](Model& m) { m.joints[0].rotor_inertia = {-1e-3}; },
       {"joint 'hinge'", "rotor inertia is -0.001"}},
      {"limits swapped",
       [](Model& m) { m.joints[0].limits = {{.lower = 2, .upper = 1}}; },
       {"joint 'hinge'", "lower limit 2", "upper limit 1"}},
      {"effort limit negative",
       [](Model& m) { m.joints[0].limits = {{.effort = -1}}; },
       {"joint 'hinge'", "effort limit is -1", "zero or more"}},
      {"velocity limit negative",
       [](Model& m) { m.joints[0].limits = {{.velocity = -1}}; },
       {"joint 'hinge'", "velocity limit is -1", "zero or more"}},
      {"limit nan",
       [](Model& m) { m.joints[0].limits = {{.lower = nan}}; },
       {"joint 'hinge'", "limit"}},
      {"list too long",
       [](Model& m) {
         m.joints[2].damping = {1, 2};
       },
       {"joint 'ball'", "damping has 2 entries", "expected 1 or 3"}},
      {"passive too long",
       [](Model& m) {
         m.joints[2].passive = {true, false};
       },
       {"joint 'ball'", "passive has 2 entries"}},
      {"seven modes",
       [](Model& m) {
         m.joints[0].type = JointType::custom;
         m.joints[0].modes.assign(7, {1, 0, 0, 0, 0, 0});
       },
       {"joint 'hinge'", "7 modes", "at most 6"}},
      {"dependent modes",
       [](Model& m) {
         m.joints[0].type = JointType::custom;
         m.joints[0].modes = {{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0}};
       },
       {"joint 'hinge'", "linearly dependent", "rank 2"}},
      {"zero mode",
       [](Model& m) {
         m.joints[0].type = JointType::custom;
         m.joints[0].modes = {{0, 0, 0, 0, 0, 0}};
       },
       {"joint 'hinge'", "mode 1 is zero"}},
  };
}

std::vector<Mistake> mistakes_in_attachments() {
  return {
      {"frame",
       [](Model& m) { m.frames[0].body = "hnad"; },
       {"frame 'tip'", "did you mean 'hand'?"}},
      {"closure", [](Model& m) { m.closures[0].body_b = "x"; }, {"closure 'loop'", "'x'"}},
      {"closure with itself",
       [](Model& m) { m.closures[0].body_b = "hand"; },
       {"closure 'loop'", "itself"}},
      {"closure of links that move as one",
       [](Model& m) {
         m.bodies.push_back(body("tool"));
         m.joints.push_back(joint("flange", JointType::fixed, "hand", "tool"));
         m.closures[0].body_b = "tool";
       },
       {"closure 'loop'", "'hand' and 'tool' move as one"}},
      {"closure of the world with what is welded to it",
       [](Model& m) {
         m.bodies.push_back(body("post"));
         m.joints.push_back(joint("foot", JointType::fixed, "world", "post"));
         m.closures[0].body_a = "post";
       },
       {"closure 'loop'", "'post' and 'world' move as one"}},
      {"closure twice", [](Model& m) { m.closures[1].name = "loop"; }, {"closure 'loop'", "twice"}},
      {"closures that contradict each other",
       [](Model& m) {
         m.closures[0].kind = Closure::Kind::distance;
         m.closures[0].distance = 1;
         m.closures.push_back(m.closures[0]);
         m.closures.back().name = "rod";
         m.closures.back().distance = 2;
       },
       {"closures 'loop' and 'rod' contradict each other"}},
      {"welds at different places",
       [](Model& m) {
         m.closures[0].joint = JointType::fixed;
         m.closures.push_back(m.closures[0]);
         m.closures.back().name = "bolt";
         m.closures.back().at_a.translation.x += 0.1;
       },
       {"closures 'loop' and 'bolt' contradict each other"}},
      {"closure with the name of a joint",
       [](Model& m) { m.closures[0].name = "hinge"; },
       {"closure 'hinge' has the name of a joint"}},
      {"resistance of a closing joint",
       [](Model& m) {
         m.closures[0].joint = JointType::revolute;
         m.closures[0].damping = {-1};
       },
       {"closure 'loop'", "its damping is -1"}},
      {"limits of a closing joint",
       [](Model& m) {
         m.closures[0].joint = JointType::revolute;
         m.closures[0].limits = {{.lower = 2, .upper = 1}};
       },
       {"closure 'loop'", "its lower limit 2 exceeds its upper limit 1"}},
      {"friction of a closing joint, too many",
       [](Model& m) {
         m.closures[0].joint = JointType::revolute;
         m.closures[0].friction = {{1, 1}, {1, 1}};
       },
       {"closure 'loop'", "friction has 2 entries"}},
      {"gear joint",
       [](Model& m) { m.closures[1].leader = "hing"; },
       {"closure 'gear'", "did you mean 'hinge'?"}},
      {"gear freedoms",
       [](Model& m) { m.closures[1].leader = "ball"; },
       {"closure 'gear'", "3 freedoms"}},
      {"gear of one",
       [](Model& m) { m.closures[1].leader = "slide"; },
       {"closure 'gear'", "follows itself"}},
      {"gear that drives nothing",
       [](Model& m) { m.closures[1].ratio = 0; },
       {"closure 'gear'", "its ratio is 0", "joint 'slide' per speed of joint 'hinge'"}},
      {"distance",
       [](Model& m) {
         m.closures[0].kind = Closure::Kind::distance;
         m.closures[0].distance = -1;
       },
       {"closure 'loop'", "distance is -1"}},
      {"no distance",
       [](Model& m) { m.closures[0].kind = Closure::Kind::distance; },
       {"closure 'loop'", "distance is 0", "`joint: spherical`"}},
      {"rolling without radius",
       [](Model& m) { m.closures[0].kind = Closure::Kind::rolling; },
       {"closure 'loop'", "radius is 0"}},
      {"line without direction",
       [](Model& m) {
         m.closures[0].kind = Closure::Kind::point_on_line;
         m.closures[0].axis = {};
       },
       {"closure 'loop'", "its axis is [0, 0, 0]"}},
      {"disc without axle",
       [](Model& m) {
         m.closures[0].kind = Closure::Kind::rolling;
         m.closures[0].distance = 1;
         m.closures[0].disc = true;
         m.closures[0].axis2 = {};
       },
       {"closure 'loop'", "its axle is [0, 0, 0]"}},
      {"grasp arm", [](Model& m) { m.grasps[0].arm = "claw"; }, {"grasp 'grip'", "'claw'"}},
      {"grasp object", [](Model& m) { m.grasps[0].object = "box"; }, {"grasp 'grip'", "'box'"}},
      {"grasp friction", [](Model& m) { m.grasps[0].friction = -1; }, {"grasp 'grip'", "friction"}},
      {"line spring", [](Model& m) { m.line_springs[0].body_a = "x"; }, {"spring 'coil'", "'x'"}},
      {"line spring number",
       [](Model& m) { m.line_springs[0].stiffness = nan; },
       {"spring 'coil'", "stiffness"}},
      {"joint spring", [](Model& m) { m.joint_springs[0].joint = "x"; }, {"spring", "'x'"}},
      {"joint spring freedom",
       [](Model& m) { m.joint_springs[0].freedom = 3; },
       {"freedom 3", "'ball'", "0 to 2"}},
      {"joint load", [](Model& m) { m.joint_loads[0].joint = "x"; }, {"load", "'x'"}},
      {"joint load number", [](Model& m) { m.joint_loads[0].effort = nan; }, {"load", "effort"}},
      {"body load", [](Model& m) { m.body_loads[0].body = "x"; }, {"load", "'x'"}},
      {"actuator", [](Model& m) { m.actuators[0].joint = "x"; }, {"actuator", "'x'"}},
      {"actuator twice",
       [](Model& m) { m.actuators.push_back(m.actuators[0]); },
       {"actuator 'm'", "twice"}},
      {"gear ratio", [](Model& m) { m.actuators[0].gear = 0; }, {"actuator", "gear is 0"}},
      {"motor", [](Model& m) { m.actuators[0].motor->k = 1; }, {"actuator", "Ra (ohm) is 0"}},
      {"rotor",
       [](Model& m) { m.actuators[0].motor->rotor_inertia = -1; },
       {"actuator 'm'", "rotor_inertia is -1"}},
      {"freedom", [](Model& m) { m.actuators[0].freedom = 1; }, {"actuator 'm'", "freedom 1"}},
      {"nameless actuator", [](Model& m) { m.actuators[0].name = ""; }, {"'hinge'", "no name"}},
      {"driven and passive",
       [](Model& m) { m.joints[0].passive = {true}; },
       {"actuator 'm'", "joint 'hinge'", "passive"}},
      {"coordinates",
       [](Model& m) {
         m.coordinates = {"hinge", "hinge"};
       },
       {"coordinates", "'hinge'", "twice"}},
      {"coordinate that is fixed",
       [](Model& m) {
         m.joints[0].type = JointType::fixed;
         m.coordinates = {"hinge"};
         m.closures.clear();
         m.joint_loads.clear();
         m.actuators.clear();
       },
       {"coordinates", "'hinge'", "no freedom"}},
      {"q", [](Model& m) { m.initial.q[0].joint = "x"; }, {"initial q", "'x'"}},
      {"q size",
       [](Model& m) {
         m.initial.q[0].values = {1, 0, 0};
       },
       {"initial q", "'ball'", "3 numbers", "expected 4"}},
      {"q zero",
       [](Model& m) {
         m.initial.q[0].values = {0, 0, 0, 0};
       },
       {"quaternion", "zero"}},
      {"v size", [](Model& m) { m.initial.v[0].values = {1}; }, {"initial v", "expected 3"}},
      {"v nan", [](Model& m) { m.initial.v[0].values[1] = nan; }, {"initial v", "nan"}},
      {"hold", [](Model& m) { m.initial.hold = {"x"}; }, {"hold", "'x'"}},
      {"flexible base",
       [](Model& m) { m.flexible_bases = {{.joint = "hinge"}}; },
       {"flexible base", "expected a free joint"}},
      {"flexible base on no joint",
       [](Model& m) { m.flexible_bases = {{.joint = "hing"}}; },
       {"flexible base", "'hing'", "did you mean 'hinge'"}},
  };
}

void expect_each_is_named(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    Model model = arm();
    mistake.make(model);
    const std::string message = error_of([&] { validate(model); });
    EXPECT_FALSE(message.empty()) << mistake.what << " was accepted";
    for (const std::string& word : mistake.words)
      EXPECT_TRUE(contains(message, word))
          << mistake.what << ": no \"" << word << "\" in: " << message;
  }
}

TEST(Validation, AGoodModelHasNoWarnings) { EXPECT_EQ(all_texts(validate(arm())), ""); }

TEST(Validation, WhatHasNoEffectYetIsTold) {
  Model model = arm();
  model.coordinates = model.initial.hold = {"hinge"};
  EXPECT_FALSE(warns(validate(model), {"coordinates: 'hinge'"})) << "loops leave a choice";
  model.closures.clear(), model.grasps.clear();
  EXPECT_TRUE(warns(validate(model), {"coordinates: 'hinge'", "no effect"}));
  EXPECT_TRUE(warns(validate(model), {"hold of 'hinge'", "no effect"}));
  EXPECT_FALSE(warns(validate(model), {"actuator"}));
  *model.actuators[0].motor = {};
  EXPECT_TRUE(warns(validate(model), {"actuator 'm'", "only tells that its joint is driven"}));
  model.actuators[0].motor->Ra = model.actuators[0].motor->k = 1;
  EXPECT_FALSE(warns(validate(model), {"actuator"}));
}

TEST(Validation, MistakesInTheTreeAreNamed) { expect_each_is_named(mistakes_in_the_tree()); }
TEST(Validation, MistakesInNumbersAreNamed) { expect_each_is_named(mistakes_in_numbers()); }
TEST(Validation, MistakesInAttachmentsAreNamed) { expect_each_is_named(mistakes_in_attachments()); }

TEST(Validation, MessagesBeginWithFileAndLine) {
  Model model = arm();
  model.bodies[0].mass = -1;
  model.bodies[0].source = {"arm.urdf", 12};
  EXPECT_EQ(error_of([&] { validate(model); }),
            "arm.urdf:12: link 'upper': the mass is -1 kg; expected zero or more");
}

std::vector<Mistake> all_mistakes() {
  std::vector<Mistake> all;
  for (const auto& some :
       {mistakes_in_the_tree(), mistakes_in_numbers(), mistakes_in_attachments()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

TEST(Validation, TwoMistakesAreToldAtOnce) {
  for (const Mistake& mistake : all_mistakes()) {
    if (mistake.what == "too many links") continue;  // told alone: the rest is not looked at
    Model model = arm();
    model.bodies.push_back({.name = "ballast", .mass = -7});
    model.joints.push_back(joint("last", JointType::fixed, "world", "ballast"));
    mistake.make(model);
    const std::string message = error_of([&] { validate(model); });
    EXPECT_TRUE(contains(message, "link 'ballast': the mass is -7 kg"))
        << mistake.what << " hides another mistake: " << message;
    for (const std::string& word : mistake.words)
      EXPECT_TRUE(contains(message, word))
          << mistake.what << ": no \"" << word << "\" in: " << message;
  }
}

TEST(Validation, MistakesComeInTheOrderOfTheirLines) {
  Model model = arm();
  model.bodies[0].mass = -1;
  model.bodies[0].source = {"arm.urdf", 12};
  model.joints[1].axis = {0, 0, 0};
  model.joints[1].source = {"arm.urdf", 7};
  try {
    validate(model);
    FAIL() << "accepted";
  } catch (const Error& error) {
    ASSERT_EQ(error.mistakes().size(), 2U) << error.what();
    EXPECT_EQ(error.mistakes()[0].where.line, 7);
    EXPECT_EQ(error.mistakes()[1].where.line, 12);
    EXPECT_EQ(std::string(error.what()),
              error.mistakes()[0].text() + "\n" + error.mistakes()[1].text());
  }
}

TEST(Validation, ALinkAndAJointMayShareAName) {
  Model model = arm();
  model.joints[2].name = "hand";
  model.initial = {};
  model.joint_springs.clear();
  EXPECT_NO_THROW(validate(model));
}

TEST(Validation, LongChainsAndLongLoopsEnd) {
  Model model;
  const int n = 50000;
  for (int i = 0; i < n; ++i) {
    model.bodies.push_back(body("b" + std::to_string(i)));
    model.joints.push_back(joint("j" + std::to_string(i), JointType::revolute,
                                 i == 0 ? "world" : "b" + std::to_string(i - 1),
                                 "b" + std::to_string(i)));
  }
  EXPECT_NO_THROW(validate(model));
  model.joints[0].parent = "b" + std::to_string(n - 1);
  EXPECT_TRUE(contains(error_of([&] { validate(model); }), "loop of 50000 joints"));
}

}  // namespace
}  // namespace linkwright
