#include "linkwright/io/urdf.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::contains;
using testing::error_of;
using testing::judged;
using testing::warns;

const std::string box_inertia = "<inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='2.5'/>";

std::string link(const std::string& name) {
  return "<link name='" + name + "'><inertial><mass value='1'/>" + box_inertia +
         "</inertial></link>\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& rest = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + rest + "</joint>\n";
}

Model parse(const std::string& inside, Base base = Base::fixed) {
  return judged(
      parse_urdf("<robot name='r'>\n" + inside + "</robot>", "test.urdf", {.base = base}));
}

const std::string limits = "<limit lower='-1' upper='2' effort='3' velocity='4'/>";

TEST(Urdf, AnArmIsReadInFull) {
  const Model model =
      parse(link("base") + link("arm") +
            joint("turn", "revolute", "base", "arm",
                  "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><axis xyz='0 1 0'/>" + limits +
                      "<dynamics damping='0.5' friction='0.25'/>"));
  EXPECT_EQ(model.name, "r");
  ASSERT_EQ(model.bodies.size(), 2U);
  ASSERT_EQ(model.joints.size(), 2U);
  const Joint& weld = model.joints[0];
  EXPECT_TRUE(weld.implied);
  EXPECT_EQ(weld.name, "base");
  EXPECT_EQ(weld.type, JointType::fixed);
  EXPECT_EQ(weld.parent, world_name);
  const Joint& turn = model.joints[1];
  EXPECT_EQ(turn.type, JointType::revolute);
  EXPECT_EQ(turn.source.text(), "test.urdf:4");
  EXPECT_EQ(turn.pose.translation.z, 3);
  const Vector3 x = turn.pose.rotation * Vector3{1, 0, 0};
  EXPECT_NEAR(x.y, 1, 1e-15);
  EXPECT_EQ(turn.axis.y, 1);
  EXPECT_EQ(turn.limits.at(0).lower, -1);
  EXPECT_EQ(turn.limits.at(0).upper, 2);
  EXPECT_EQ(turn.limits.at(0).effort, 3);
  EXPECT_EQ(turn.limits.at(0).velocity, 4);
  EXPECT_EQ(turn.damping.at(0), 0.5);
  EXPECT_EQ(turn.friction.at(0).backward, 0.25);
  EXPECT_EQ(all_texts(model.warnings), "");
}

TEST(Urdf, TheInertiaIsTurnedIntoTheBodysAxes) {
  const Model model = parse(
      "<link name='a'><inertial><origin xyz='0.1 0.2 0.3' rpy='0.3 -0.7 1.1'/><mass value='2'/>" +
      box_inertia + "</inertial></link>");
  const Body& body = model.bodies.at(0);
  EXPECT_EQ(body.com.y, 0.2);
  const Eigen::Matrix3d R = to_eigen(spatial::from_rpy({0.3, -0.7, 1.1}));
  const Eigen::Matrix3d expected = R * Eigen::Vector3d(1, 2, 2.5).asDiagonal() * R.transpose();
  EXPECT_LT((to_eigen(to_full(body.inertia)) - expected).norm(), 1e-14);
}

TEST(Urdf, EveryJointTypeOfTheFormatIsRead) {
  const std::pair<std::string, JointType> types[] = {
      {"fixed", JointType::fixed},           {"revolute", JointType::revolute},
      {"continuous", JointType::continuous}, {"prismatic", JointType::prismatic},
      {"planar", JointType::planar},         {"floating", JointType::free}};
  for (const auto& [name, type] : types) {
    const Model model = parse(link("a") + link("b") + joint("j", name, "a", "b", limits));
    EXPECT_EQ(model.joints.at(1).type, type) << name;
    EXPECT_EQ(model.joints.at(1).axis.x, 1) << "the format's own default";
  }
  const std::string message =
      error_of([] { parse(link("a") + link("b") + joint("j", "revolut", "a", "b")); });
  for (const char* part :
       {"test.urdf:4", "joint 'j'", "'revolut'", "did you mean 'revolute'", "floating"})
    EXPECT_TRUE(contains(message, part)) << message;
}

TEST(Urdf, TheBaseIsAttachedAsAsked) {
  const std::string arm = link("a") + link("b") + joint("base", "fixed", "a", "b");
  EXPECT_EQ(parse(arm, Base::fixed).joints.at(0).type, JointType::fixed);
  EXPECT_EQ(parse(arm, Base::free).joints.at(0).type, JointType::free);
  EXPECT_EQ(parse(arm, Base::planar).joints.at(0).type, JointType::planar);
  EXPECT_EQ(parse(arm, Base::planar).joints.at(0).axis.z, 1);
  EXPECT_EQ(parse(arm).joints.at(0).name, "base_1") << "'base' is taken by a joint of the file";
}

TEST(Urdf, TheWorldMayBeNamedOrDeclared) {
  const Model named = parse(link("a") + joint("j", "continuous", "world", "a"));
  EXPECT_EQ(named.bodies.size(), 1U);
  EXPECT_EQ(named.joints.size(), 1U) << "nothing is implied";
  const Model declared =
      parse("<link name='world'/>" + link("a") + joint("j", "continuous", "world", "a"));
  EXPECT_EQ(declared.bodies.size(), 1U);
  EXPECT_EQ(declared.joints.size(), 1U);
  const std::string message =
      error_of([] { parse(link("a") + joint("j", "continuous", "world", "a"), Base::free); });
  EXPECT_TRUE(contains(message, "'world'")) << message;
  EXPECT_TRUE(contains(message, "cannot be free")) << message;
}

TEST(Urdf, MimicBecomesAGear) {
  const Model model =
      parse(link("a") + link("b") + link("c") + joint("lead", "continuous", "a", "b") +
            joint("follow", "continuous", "b", "c",
                  "<mimic joint='lead' multiplier='-2' offset='0.5'/>"));
  ASSERT_EQ(model.closures.size(), 1U);
  const Closure& gear = model.closures[0];
  EXPECT_EQ(gear.kind, Closure::Kind::gear);
  EXPECT_EQ(gear.name, "mimic:follow");
  EXPECT_EQ(gear.leader, "lead");
  EXPECT_EQ(gear.follower, "follow");
  EXPECT_EQ(gear.ratio, -2);
  EXPECT_EQ(gear.offset, 0.5);
  const std::string message = error_of([] {
    parse(link("a") + link("b") + joint("j", "continuous", "a", "b", "<mimic joint='gone'/>"));
  });
  EXPECT_TRUE(contains(message, "'gone'")) << message;
}

TEST(Urdf, WhatIsNotUsedIsToldOncePerKind) {
  const Model model =
      parse("<gazebo/>\n<gazebo/>\n<transmission/>\n" + link("a") + link("b") +
            joint("j", "continuous", "a", "b",
                  "<dynamics damping='1' mu='3'/><safety_controller k_velocity='1'/>"
                  "<origin xyz='0 0 0' xzy='1 1 1'/>"));
  const auto& w = model.warnings;
  EXPECT_TRUE(warns(w, {"test.urdf:2:", "ignored <gazebo> (2 times, first at line 2)"}))
      << all_texts(w);
  EXPECT_TRUE(warns(w, {"ignored <transmission> (once, at line 4)"})) << all_texts(w);
  EXPECT_TRUE(warns(w, {"ignored <safety_controller>"})) << all_texts(w);
  EXPECT_TRUE(warns(w, {"ignored attribute mu of <dynamics>"})) << all_texts(w);
  EXPECT_TRUE(warns(w, {"ignored attribute xzy of <origin>"})) << all_texts(w);
  EXPECT_EQ(w.size(), 5U) << all_texts(w);
}

TEST(Urdf, MacrosMustBeExpandedFirst) {
  const std::string texts[] = {
      "<xacro:include filename='x'/>" + link("a"),
      "<link name='a'><inertial><mass value='${m}'/>" + box_inertia + "</inertial></link>"};
  for (const std::string& text : texts) {
    const std::string message = error_of([&] { parse(text); });
    EXPECT_TRUE(contains(message, "xacro")) << message;
    EXPECT_TRUE(contains(message, "test.urdf:2")) << message;
  }
}

TEST(Urdf, MissingLimitsMeanUnlimitedAndAreTold) {
  const Model none = parse(link("a") + link("b") + joint("j", "revolute", "a", "b"));
  EXPECT_TRUE(none.joints.at(1).limits.empty());
  EXPECT_TRUE(warns(none.warnings, {"without <limit>", "'j'"})) << all_texts(none.warnings);
  const Model effort_only =
      parse(link("a") + link("b") + joint("j", "revolute", "a", "b", "<limit effort='5'/>"));
  EXPECT_TRUE(std::isinf(effort_only.joints.at(1).limits.at(0).upper));
  EXPECT_EQ(effort_only.joints.at(1).limits.at(0).effort, 5);
  EXPECT_TRUE(warns(effort_only.warnings, {"without lower and upper", "'j'"}));
  const Model one_side =
      parse(link("a") + link("b") + joint("j", "prismatic", "a", "b", "<limit upper='5'/>"));
  EXPECT_EQ(one_side.joints.at(1).limits.at(0).lower, 0) << "the format's own default";
}

TEST(Urdf, AMissingSideOfALimitIsZeroOrRefusedAsMissing) {
  const auto with = [](const std::string& limit) {
    return link("base") + link("arm") + joint("turn", "revolute", "base", "arm", limit);
  };
  const Model above = parse(with("<limit upper='2' effort='1' velocity='1'/>"));
  EXPECT_EQ(above.joints[1].limits.at(0).lower, 0);
  EXPECT_EQ(above.joints[1].limits.at(0).upper, 2);
  EXPECT_TRUE(warns(above.warnings, {"<limit> without lower, which URDF takes as 0", "'turn'"}));
  for (const auto& [said, words] :
       {std::pair{"<limit lower='0.5'/>", "lower = 0.5 and no upper"},
        std::pair{"<limit upper='-0.5'/>", "upper = -0.5 and no lower"}}) {
    const std::string limit = said;
    const std::string message = error_of([&] { parse(with(limit)); });
    EXPECT_TRUE(contains(message, words) && contains(message, "takes as 0")) << message;
    EXPECT_FALSE(contains(message, "exceeds")) << "told once, and as what it is: " << message;
    const Model lenient =
        parse_urdf("<robot name='r'>" + with(limit) + "</robot>", "test.urdf", {.lenient = true});
    const Limits& taken = lenient.joints[1].limits.at(0);
    EXPECT_TRUE(std::isinf(taken.lower) != std::isinf(taken.upper)) << "one side is unlimited";
  }
}

TEST(Urdf, AMistakeIsToldOnce) {
  const std::string message = error_of([&] {
    parse(link("base") + link("arm") +
          joint("turn", "continuous", "base", "arm", "<axis xyz='0 0 1'/><axis xyz='0 1 0'/>"));
  });
  EXPECT_TRUE(contains(message, "a second <axis>"));
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(Urdf, AxesAreNormalisedAndTold) {
  const Model model =
      parse(link("a") + link("b") + joint("j", "continuous", "a", "b", "<axis xyz='0 3 4'/>"));
  EXPECT_NEAR(model.joints.at(1).axis.y, 0.6, 1e-16);
  EXPECT_NEAR(model.joints.at(1).axis.z, 0.8, 1e-16);
  EXPECT_TRUE(warns(model.warnings, {"joint 'j'", "length 5", "normalised"}));
  const Model fixed =
      parse(link("a") + link("b") + joint("j", "fixed", "a", "b", "<axis xyz='0 0 0'/>"));
  EXPECT_EQ(all_texts(fixed.warnings), "") << "a fixed joint needs no axis";
}

TEST(Urdf, ShapesAndColoursAreKept) {
  const Model model = parse(
      "<link name='a'>"
      "<visual><origin xyz='1 0 0'/><geometry><box size='1 2 3'/></geometry>"
      "<material name='paint'/></visual>"
      "<visual><geometry><cylinder radius='1' length='2'/></geometry>"
      "<material name=''><color rgba='0 0 1 0.5'/></material></visual>"
      "<visual><geometry><sphere radius='4'/></geometry></visual>"
      "<visual><geometry><capsule radius='1' length='2'/></geometry></visual>"
      "<visual><geometry><mesh filename='package://a.stl' scale='2 2 2'/></geometry></visual>"
      "<visual><geometry><cone/></geometry></visual>"
      "<collision><origin xyz='0 0 5'/><geometry><sphere radius='9'/></geometry></collision>"
      "</link><material name='paint'><color rgba='1 0 0 1'/></material>");
  ASSERT_EQ(model.visuals.size(), 5U);
  EXPECT_EQ(model.visuals[0].shape, Visual::Shape::box);
  EXPECT_EQ(model.visuals[0].size.z, 3);
  EXPECT_EQ(model.visuals[0].pose.translation.x, 1);
  EXPECT_EQ(model.visuals[0].rgba.value()[0], 1) << "declared after its use";
  EXPECT_EQ(model.visuals[1].rgba.value()[3], 0.5);
  EXPECT_EQ(model.visuals[2].shape, Visual::Shape::sphere);
  EXPECT_FALSE(model.visuals[2].rgba.has_value()) << "the file gives no colour";
  EXPECT_EQ(model.visuals[3].shape, Visual::Shape::capsule);
  EXPECT_EQ(model.visuals[4].file, "package://a.stl");
  EXPECT_TRUE(warns(model.warnings, {"<cone>"}));
  EXPECT_FALSE(warns(model.warnings, {"collision"})) << "they are kept";
  ASSERT_EQ(model.collisions.size(), 1U);
  EXPECT_EQ(model.collisions[0].body, "a");
  EXPECT_EQ(model.collisions[0].size.x, 9);
  EXPECT_EQ(model.collisions[0].pose.translation.z, 5);
}

struct Mistake {
  std::string text;
  std::vector<std::string> words;
};

TEST(Urdf, MistakesAreNamedWithTheirLine) {
  const Mistake mistakes[] = {
      {"<link/>", {"test.urdf:2", "<link>", "no attribute name"}},
      {"<link name=''/>", {"test.urdf:2", "empty attribute name"}},
      {"<link name='a'><inertial>" + box_inertia + "</inertial></link>", {"link 'a'", "no <mass>"}},
      {"<link name='a'><inertial><mass value='1'/></inertial></link>",
       {"link 'a'", "no <inertia>"}},
      {"<link name='a'><inertial><mass/>" + box_inertia + "</inertial></link>",
       {"link 'a'", "<mass>", "no attribute value"}},
      {"<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
       "izz='1'/></inertial></link>",
       {"link 'a'", "<inertia>", "ixy"}},
      {"<link name='a'><inertial><mass value='1'/>" + box_inertia +
           "\n</inertial>\n<inertial/></link>",
       {"test.urdf:4", "link 'a'", "second <inertial>", "line 2"}},
      {"<link name='a'><visual><geometry><sphere radius='1'/></geometry>\n<geometry><sphere "
       "radius='2'/></geometry></visual></link>",
       {"test.urdf:3", "link 'a'", "second <geometry>", "line 2"}},
      {"<link name='a'><collision><geometry><sphere radius='1'/>\n<box size='1 1 1'/></geometry>"
       "</collision></link>",
       {"test.urdf:3", "link 'a'", "a <sphere> and a <box>", "expected one shape"}},
      {link("a") + link("b") + "\n" + joint("j", "fixed", "a", "b", "<origin xyz='1 2'/>"),
       {"test.urdf:5", "joint 'j'", "<origin>", "'1 2'", "2 number(s)", "expected 3"}},
      {link("a") + link("b") + joint("j", "fixed", "a", "b", "<origin xyz='1 2 x'/>"),
       {"joint 'j'", "<origin>", "xyz", "'x'"}},
      {link("a") + "<joint name='j'><parent link='world'/><child link='a'/></joint>",
       {"joint 'j'", "no attribute type"}},
      {link("a") + "<joint name='j' type='fixed'><parent link='world'/></joint>",
       {"joint 'j'", "no <child>"}},
      {link("a") + "<joint name='j' type='fixed'><parent/><child link='a'/></joint>",
       {"joint 'j'", "<parent>", "no attribute link"}},
      {link("a") + link("b") + joint("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>"),
       {"test.urdf:4", "joint 'j'", "axis is [0, 0, 0]"}},
      {link("a") + link("b"), {"2 links", "'a'", "'b'", "one root"}},
      {link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "a", "b"),
       {"test.urdf:5", "joint 'k'", "'a' and 'b'", "welded together"}},
      {link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a"),
       {"loop of 2 joints", "'j'", "'k'"}},
      {link("a") + "<link name='b' name='c'/>", {"twice"}},
      {"<link name='a'>" + link("b") + "</link>", {"link 'a'", "<link>", "inside another"}},
      {"<link name='world'/>", {"no link besides 'world'"}},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string message = error_of([&] { parse(mistake.text); });
    EXPECT_FALSE(message.empty()) << "accepted: " << mistake.text;
    EXPECT_TRUE(contains(message, "test.urdf")) << message;
    for (const std::string& word : mistake.words)
      EXPECT_TRUE(contains(message, word)) << "no \"" << word << "\" in: " << message;
  }
}

TEST(Urdf, ANegativeMassIsToldAtItsOwnLine) {
  const std::string message = error_of([] {
    parse("<link name='a'>\n<inertial>\n<mass value='-1'/>" + box_inertia + "</inertial></link>");
  });
  EXPECT_TRUE(contains(message, "test.urdf:4: link 'a'")) << message;
}

}  // namespace
}  // namespace linkwright
