#include "linkwright/io/system_file.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::contains;
using testing::error_of;
using testing::judged;
using testing::warns;

const std::filesystem::path data = std::filesystem::path(LINKWRIGHT_SOURCE_DIR) / "tests/data";

const Model& cell() {
  static const Model model = judged(read_system_file(data / "cell.yaml"));
  return model;
}

template <class T>
const T& named(const std::vector<T>& things, const std::string& name) {
  for (const T& thing : things)
    if (thing.name == name) return thing;
  throw std::runtime_error("no " + name);
}

Model parse(const std::string& text) { return judged(parse_system_file(text, "test.yaml", data)); }

TEST(SystemFile, HeadIsRead) {
  EXPECT_EQ(cell().name, "cell");
  EXPECT_EQ(cell().gravity.z, -1.62);
  EXPECT_EQ(parse("linkwright: 1\nobjects: [{name: a, mass: 1}]").gravity.z, -9.81);
  EXPECT_EQ(parse("linkwright: 1\nobjects: [{name: a, mass: 1}]").name, "test");
}

TEST(SystemFile, ModelsAreIncludedUnderTheirPrefix) {
  for (const char* prefix : {"left/", "right/", "soft/"}) {
    const std::string p = prefix;
    EXPECT_EQ(named(cell().bodies, p + "upper").mass, 2);
    EXPECT_EQ(named(cell().joints, p + "elbow").parent, p + "upper");
    const Closure& gear = named(cell().closures, p + "mimic:elbow");
    EXPECT_EQ(gear.leader, p + "shoulder");
    EXPECT_EQ(gear.follower, p + "elbow");
  }
  EXPECT_EQ(cell().visuals.size(), 3U + 3U + 2U + 2U) << "and pieces of three flexible links";
  EXPECT_EQ(cell().visuals[0].body, "left/upper");
}

TEST(SystemFile, BasesAreAttachedWhereAndAsTheFileSays) {
  const Joint& left = named(cell().joints, "left/base");
  EXPECT_TRUE(left.implied);
  EXPECT_EQ(left.type, JointType::fixed);
  EXPECT_EQ(left.parent, world_name);
  EXPECT_EQ(left.pose.translation.y, 0.5);
  EXPECT_NEAR((left.pose.rotation * Vector3{1, 0, 0}).y, 1, 1e-15);
  EXPECT_EQ(named(cell().joints, "right/base").type, JointType::planar);
  EXPECT_EQ(named(cell().joints, "soft/base").type, JointType::free);
  ASSERT_EQ(cell().flexible_bases.size(), 1U);
  EXPECT_EQ(cell().flexible_bases[0].joint, "soft/base");
  EXPECT_EQ(cell().flexible_bases[0].stiffness(5, 5), 6);
  EXPECT_EQ(cell().flexible_bases[0].damping(0, 0), 6);
  EXPECT_TRUE(cell().flexible_bases[0].stiffness.is_diagonal());
}

TEST(SystemFile, AFlexibleBaseTakesRowsToo) {
  const Model model = parse(R"(linkwright: 1
dh:
  - convention: standard
    base: {flexible: {stiffness: [[2, 1, 0, 0, 0, 0], [1, 2, 0, 0, 0, 0], [0, 0, 3, 0, 0, 0],
                                  [0, 0, 0, 4, 0, 0], [0, 0, 0, 0, 5, 0], [0, 0, 0, 0, 0, 6]]}}
    base_link: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
    links: [{mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]
)");
  ASSERT_EQ(model.flexible_bases.size(), 1U);
  const PoseMatrix& K = model.flexible_bases[0].stiffness;
  const std::array<double, 6> first{2, 1, 0, 0, 0, 0}, second{1, 2, 0, 0, 0, 0};
  EXPECT_EQ(K.rows[0], first);
  EXPECT_EQ(K.rows[1], second);
  EXPECT_EQ(K(5, 5), 6);
  EXPECT_TRUE(model.flexible_bases[0].damping.is_diagonal());
}

TEST(SystemFile, ModelsWithoutPrefixDoNotQuarrelAboutTheirBase) {
  const testing::TemporaryFolder folder;
  for (const char* name : {"a", "b"})
    folder.write(std::string(name) + ".urdf",
                 "<robot name='r'><link name='" + std::string(name) + "'/></robot>");
  const Model model = parse_system_file("linkwright: 1\nmodels: [{file: a.urdf}, {file: b.urdf}]",
                                        "two.yaml", folder.path());
  EXPECT_EQ(model.joints.at(0).name, "base");
  EXPECT_EQ(model.joints.at(1).name, "base_1");
}

TEST(SystemFile, APoseMovesAModelThatHangsFromTheWorldItself) {
  const testing::TemporaryFolder folder;
  folder.write("w.urdf",
               "<robot name='r'><link name='a'/><joint name='j' type='fixed'><parent link='world'/>"
               "<child link='a'/><origin xyz='1 0 0'/></joint></robot>");
  const Model model = parse_system_file(
      "linkwright: 1\nmodels: [{file: w.urdf, pose: {xyz: [0, 2, 0]}}]", "w.yaml", folder.path());
  EXPECT_EQ(model.joints.at(0).pose.translation.x, 1);
  EXPECT_EQ(model.joints.at(0).pose.translation.y, 2);
}

TEST(SystemFile, BodiesAndMergesAreRead) {
  for (const char* name : {"crank", "coupler", "clay"}) {
    const Body& body = named(cell().bodies, name);
    EXPECT_EQ(body.mass, 1);
    EXPECT_EQ(body.com.x, 0.5);
    EXPECT_EQ(body.inertia.yy, 0.2);
    EXPECT_EQ(body.inertia.xy, 0.01);
    EXPECT_EQ(body.inertia.yz, 0.03);
  }
}

TEST(SystemFile, EveryJointTypeIsRead) {
  const std::map<std::string, JointType> types{
      {"j1", JointType::revolute}, {"j2", JointType::continuous},  {"j3", JointType::prismatic},
      {"j4", JointType::helical},  {"j5", JointType::cylindrical}, {"j6", JointType::universal},
      {"j7", JointType::planar},   {"j8", JointType::spherical},   {"j9", JointType::free},
      {"j10", JointType::custom},  {"j11", JointType::fixed}};
  for (const auto& [name, type] : types) EXPECT_EQ(named(cell().joints, name).type, type) << name;
  const auto joint = [](const char* name) { return named(cell().joints, name); };
  EXPECT_EQ(joint("j2").pose.rotation.yy, -1);
  EXPECT_EQ(joint("j2").axis.z, 1) << "the system file's own default";
  EXPECT_NEAR(joint("j3").axis.y, 0.6, 1e-16);
  EXPECT_TRUE(warns(cell().warnings, {"cell.yaml", "joint 'j3'", "length 5"}));
  EXPECT_EQ(joint("j4").pitch, 0.01);
  EXPECT_EQ(joint("j6").axis.x, 1);
  EXPECT_EQ(joint("j6").axis2.z, 1);
  EXPECT_EQ(joint("j10").modes.at(1)[3], 1);
  EXPECT_EQ(joint("j10").passive, (std::vector<bool>{true, false}));
  EXPECT_EQ(joint("j8").passive, std::vector<bool>{true});
}

TEST(SystemFile, WhatAJointFeelsIsReadPerFreedom) {
  const Joint& j1 = named(cell().joints, "j1");
  EXPECT_EQ(j1.damping, std::vector<double>{0.1});
  EXPECT_EQ(j1.friction.at(0).forward, 0.2);
  EXPECT_EQ(j1.friction.at(0).backward, 0.3);
  EXPECT_EQ(j1.rotor_inertia, std::vector<double>{0.4});
  EXPECT_EQ(j1.limits.at(0).lower, -1);
  EXPECT_EQ(j1.limits.at(0).effort, 4);
  const Joint& j5 = named(cell().joints, "j5");
  EXPECT_EQ(j5.damping, (std::vector<double>{1, 2}));
  ASSERT_EQ(j5.limits.size(), 2U);
  EXPECT_EQ(j5.limits[1].lower, -2);
  EXPECT_EQ(j5.limits[1].upper, 3);
  EXPECT_EQ(named(cell().joints, "j7").rotor_inertia.size(), 3U);
  EXPECT_EQ(named(cell().joints, "j3").friction.at(0).backward, 0.5);
}

TEST(SystemFile, FramesMayBeNamedWhereverALinkMay) {
  const Joint& j11 = named(cell().joints, "j11");
  EXPECT_EQ(j11.parent, "crank");
  EXPECT_EQ(j11.pose.translation.x, 1);
  EXPECT_EQ(j11.pose.translation.z, 1);
  EXPECT_EQ(named(cell().frames, "beyond").body, "crank");
  EXPECT_EQ(named(cell().frames, "beyond").pose.translation.x, 2);
  EXPECT_EQ(named(cell().closures, "loop2").body_a, "crank");
  EXPECT_EQ(named(cell().closures, "loop2").at_a.translation.x, 1);
}

TEST(SystemFile, ObjectsAreBodiesOnFreeJoints) {
  EXPECT_EQ(cell().objects, std::vector<std::string>{"box"});
  EXPECT_EQ(named(cell().bodies, "box").mass, 2);
  EXPECT_EQ(named(cell().joints, "box").type, JointType::free);
  EXPECT_EQ(named(cell().joints, "box").pose.translation.z, 5);
}

TEST(SystemFile, ClosuresAreRead) {
  const Closure& loop1 = named(cell().closures, "loop1");
  EXPECT_EQ(loop1.kind, Closure::Kind::joint);
  EXPECT_EQ(loop1.joint, JointType::revolute);
  EXPECT_EQ(loop1.body_b, world_name);
  EXPECT_EQ(loop1.axis.z, 1);
  EXPECT_EQ(loop1.at_a.translation.x, 1);
  EXPECT_EQ(loop1.at_b.translation.x, 2);
  EXPECT_EQ(named(cell().closures, "loop2").joint, JointType::fixed);
  EXPECT_EQ(named(cell().closures, "loop3").kind, Closure::Kind::distance);
  EXPECT_EQ(named(cell().closures, "loop3").distance, 0.7);
  const Closure& gear = named(cell().closures, "gear");
  EXPECT_EQ(gear.kind, Closure::Kind::gear);
  EXPECT_EQ(gear.leader, "j1");
  EXPECT_EQ(gear.follower, "j2");
  EXPECT_EQ(gear.ratio, -3);
  EXPECT_EQ(gear.offset, 0.1);
  EXPECT_EQ(named(cell().closures, "loop4").pitch, 0.02);
  EXPECT_EQ(named(cell().closures, "loop5").axis.x, 1);
  EXPECT_EQ(named(cell().closures, "loop5").axis2.z, 1);
  EXPECT_EQ(named(cell().closures, "loop6").modes.size(), 1U);
  EXPECT_EQ(named(cell().closures, "loop9").axis2.y, 1);
  EXPECT_EQ(named(cell().joints, "j12").child, "crank");
  EXPECT_EQ(named(cell().joints, "j12").at_child.translation.x, 2);
  EXPECT_EQ(cell().cut, std::vector<std::string>{"j12"});
}

TEST(SystemFile, GraspsAreRead) {
  const Grasp& g1 = named(cell().grasps, "g1");
  EXPECT_EQ(g1.arm, "left/lower");
  EXPECT_EQ(g1.object, "box");
  EXPECT_EQ(g1.contact, Grasp::Contact::soft_finger);
  EXPECT_EQ(g1.friction, 0.6);
  EXPECT_EQ(g1.at.translation.x, 0.1);
  EXPECT_EQ(named(cell().grasps, "g2").contact, Grasp::Contact::line);
  EXPECT_EQ(named(cell().grasps, "g2").axis.x, 1);
  EXPECT_EQ(named(cell().grasps, "g3").contact, Grasp::Contact::point);
  EXPECT_EQ(named(cell().grasps, "g4").contact, Grasp::Contact::rigid);
}

TEST(SystemFile, SpringsAndLoadsAreRead) {
  ASSERT_EQ(cell().line_springs.size(), 2U);
  const LineSpring& coil = cell().line_springs[0];
  EXPECT_EQ(coil.name, "coil");
  EXPECT_EQ(coil.at_a.x, 1);
  EXPECT_EQ(coil.at_b.y, 1);
  EXPECT_EQ(coil.stiffness, 4530);
  EXPECT_EQ(coil.damping, 7);
  EXPECT_EQ(coil.rest_length, 0.08);
  EXPECT_EQ(cell().line_springs[1].at_a.x, 1) << "on a frame";
  EXPECT_EQ(cell().line_springs[1].at_a.z, 1);
  EXPECT_EQ(cell().line_springs[1].at_b.x, 2);
  ASSERT_EQ(cell().joint_springs.size(), 2U + 4 * 4 + 3 * 2 + 2 + 2) << "and elastic joints";
  EXPECT_EQ(cell().joint_springs[0].rest, 0.5);
  EXPECT_EQ(cell().joint_springs[1].freedom, 2);
  ASSERT_EQ(cell().joint_loads.size(), 2U);
  EXPECT_EQ(cell().joint_loads[0].effort, 0.033);
  EXPECT_EQ(cell().joint_loads[1].freedom, 1);
  ASSERT_EQ(cell().body_loads.size(), 2U);
  EXPECT_EQ(cell().body_loads[0].force.force.z, 1);
  EXPECT_EQ(cell().body_loads[0].force.moment.y, 1);
  EXPECT_TRUE(cell().body_loads[0].in_world);
  EXPECT_FALSE(cell().body_loads[1].in_world);
  EXPECT_EQ(cell().body_loads[1].body, "crank");
  EXPECT_EQ(cell().body_loads[1].at.x, 1);
}

TEST(SystemFile, ActuationAndStateAreRead) {
  ASSERT_EQ(cell().actuators.size(), 3U);
  EXPECT_EQ(cell().actuators[0].gear, 100);
  EXPECT_EQ(cell().actuators[0].motor->damping, 5);
  EXPECT_FALSE(cell().actuators[1].motor.has_value());
  EXPECT_EQ(cell().actuators[0].motor->rotor_inertia, 4);
  EXPECT_EQ(cell().actuators[0].motor->La, 2);
  EXPECT_EQ(cell().actuators[0].name, "left/shoulder") << "after its joint";
  EXPECT_EQ(cell().actuators[2].name, "turner");
  EXPECT_EQ(cell().actuators[2].freedom, 1);
  EXPECT_EQ(cell().actuators[2].motor->voltage_limit, 24);
  EXPECT_EQ(cell().actuators[2].motor->current_limit, 5);
  for (const char* name : {"j2", "j3"})
    EXPECT_EQ(named(cell().joints, name).passive, std::vector<bool>{true}) << name;
  EXPECT_EQ(cell().coordinates, std::vector<std::string>{"j1"});
  ASSERT_EQ(cell().initial.q.size(), 2U);
  EXPECT_EQ(cell().initial.q[0].joint, "left/shoulder");
  EXPECT_EQ(cell().initial.q[0].values, std::vector<double>{0.3});
  EXPECT_EQ(cell().initial.q[1].values.size(), 4U);
  EXPECT_EQ(cell().initial.v[0].values, std::vector<double>{1.0});
  EXPECT_EQ(cell().initial.hold, std::vector<std::string>{"left/shoulder"});
}

struct Mistake {
  std::string text;  ///< follows a file with link a on the revolute joint j and the object box
  std::vector<std::string> words;
};

TEST(SystemFile, MistakesAreNamedWithTheirLine) {
  const std::string good =
      "linkwright: 1\n"
      "bodies: [{name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]\n"
      "objects: [{name: box, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]\n"
      "joints: [{name: j, type: revolute, parent: world, child: a}]\n";
  ASSERT_NO_THROW(parse(good));
  const Mistake mistakes[] = {
      {"gravty: [0, 0, 0]", {":5:", "'gravty'", "did you mean 'gravity'?"}},
      {"gravity: [0, 0]", {":5:", "gravity", "3 numbers", "list of 2"}},
      {"gravity: [0, 0, x]", {":5:", "gravity[2]", "'x'"}},
      {"gravity: 9.81", {"gravity", "'9.81'"}},
      {"gravity:", {"gravity", "nothing"}},
      {"models: [{fil: x.urdf}]", {":5:", "models[0]", "'fil'", "did you mean 'file'?"}},
      {"models: [{name: x}]", {":5:", "models[0]", "'file'", "missing"}},
      {"models: [{file: gone.urdf}]", {":5:", "gone.urdf"}},
      {"models: [{file: cell.yaml}]", {":5:", "system file"}},
      {"models: [{file: arm.urdf, base: floating}]", {"models[0]", "base", "'floating'", "planar"}},
      {"models: [{file: arm.urdf, base: {flexible: {stiffness: [1]}}}]",
       {"stiffness", "6 numbers"}},
      {"models: [{file: arm.urdf, base: {flexible: {}}}]", {"flexible", "stiffness"}},
      {"models: [{file: arm.urdf, pose: {xyz: [0, 0, 0], rpy: [0, 0, 0], quaternion: [1, 0, 0, "
       "0]}}]",
       {"quaternion", "rpy"}},
      {"models: [{file: arm.urdf, pose: {quaternion: [0, 0, 0, 0]}}]", {"quaternion", "zero"}},
      {"frames: [{name: f, body: aa}]", {":5:", "frame 'f'", "'aa'"}},
      {"frames: [{name: f, body: a, pose: {xzy: [0, 0, 0]}}]", {"frame 'f'", "'xzy'", "'xyz'"}},
      {"frames: [{body: a}]", {"frames[0]", "'name'"}},
      {"frames: {name: f}", {"frames", "expected a list", "a map"}},
      {"closures: [{name: c, between: [a], joint: weld}]", {"closure 'c'", "between", "two"}},
      {"closures: [{name: c, between: [a, box], joint: hinge}]",
       {"closure 'c'", "'hinge'", "weld"}},
      {"closures: [{name: c, between: [a, bax], joint: weld}]", {"closure 'c'", "'bax'", "'box'"}},
      {"closures: [{name: c, between: [a, box], joint: distance}]", {"closure 'c'", "'distance'"}},
      {"closures: [{name: c, joint: gear, joints: [j, k]}]", {"closure 'c'", "'k'"}},
      {"closures: [{name: c, joint: weld, between: [a, box], ratio: 2}]",
       {"closure 'c'", "'ratio'"}},
      {"grasps: [{name: g, arm: a, object: box, contact: sticky}]", {"grasp 'g'", "'sticky'"}},
      {"grasps: [{name: g, arm: a, object: box, contact: line}]", {"grasp 'g'", "'axis'"}},
      {"springs: [{joint: i, stiffness: 1}]", {":5:", "'i'"}},
      {"springs: [{joint: box, stiffness: 1}]", {"'box'", "6 freedoms", "freedom: 0"}},
      {"springs: [{between: [a, box], rest: 1}]", {"'rest'"}},
      {"springs: [{stiffness: 1}]", {"springs[0]", "'between'"}},
      {"loads: [{joint: j}]", {"loads[0]", "torque", "force"}},
      {"loads: [{joint: j, freedom: 1, torque: 1}]", {"freedom 1", "'j'"}},
      {"loads: [{joint: j, freedom: 0.5, torque: 1}]", {"0.5", "whole number"}},
      {"loads: [{body: a, frame: tool}]", {"'tool'", "world or body"}},
      {"actuators: [{joint: j, motor: {k: 1}}]", {"actuators[0]", "motor", "'Ra'"}},
      {"actuators: [{joint: j, gear: 0}]", {"'j'", "gear is 0"}},
      {"actuators: [{joint: j, freedom: 1}]", {"actuator 'j'", "freedom 1"}},
      {"actuators: [{joint: j}, {joint: j}]", {"actuator 'j'", "twice", "name", "add up"}},
      {"actuators: [{joint: j, motor: {Ra: 0, k: 1}}]", {"actuator 'j'", "Ra", "is 0"}},
      {"actuators: [{joint: j, motor: {Ra: 1, k: 1, voltage_limit: 0}}]", {"voltage_limit"}},
      {"actuators: [{joint: j, motor: {rotor_inertia: -1}}]", {"rotor_inertia is -1"}},
      {"actuators: [{name: m, joint: j, transmission: {j: 80}}]",
       {"actuator 'm'", "joint", "beside `transmission`"}},
      {"actuators: [{name: m, transmission: {j: 0}}]", {"actuator 'm'", "ratio", "'j'", "is 0"}},
      {"actuators: [{name: m, transmission: {k: 2}}]", {"actuator 'm'", "'k' does not exist"}},
      {"actuators: [{name: m, transmission: [j]}]", {"actuator 'm'", "{j2: 80, j3: -40}"}},
      {"actuators: [{name: m, transmission: {box: 2}}]", {"'box'", "6 freedoms", "box:0"}},
      {"actuators: [{name: m, joint: j, elastic: {stiffness: 0}, motor: {rotor_inertia: 1}}]",
       {"actuator 'm'", "stiffness", "is 0"}},
      {"actuators: [{name: m, joint: j, elastic: {stiffness: 1}}]",
       {"actuator 'm'", "no rotor_inertia"}},
      {"actuators: [{joint: j, motor: {Ra: 1, k: 1, field_current: 2}}]", {"motor: k", "field"}},
      {"actuators: [{joint: j, motor: {Ra: 1, field_current: 2}}]", {"'field_constant'"}},
      {"state: {current: {m: 1}}", {"current", "'m'", "no such motor"}},
      {"actuators: [{joint: box}]", {"actuators[0]", "'box'", "6 freedoms", "freedom: 0"}},
      {"actuators: [{name: m, joint: j}]\npassive: [j]", {"actuator 'm'", "'j'", "passive"}},
      {"closures: [{name: c, between: [a, box], joint: weld, axis: [0, 0, 1]}]", {"'c'", "axis"}},
      {"closures: [{name: c, between: [a, box], joint: revolute, pitch: 1}]", {"'c'", "helical"}},
      {"grasps: [{name: g, arm: a, object: box, friction: 1}]", {"'g'", "friction", "rigid"}},
      {"grasps: [{name: g, arm: a, object: box, contact: point, torsion: 1}]",
       {"'g'", "torsion", "soft finger"}},
      {"grasps: [{name: g, arm: a, object: box, contact: point, axis: [0, 0, 1]}]",
       {"'g'", "line"}},
      {"passive: [jj]", {":5:", "passive[0]", "'jj'", "did you mean 'j'?"}},
      {"coordinates: [j, j]", {":5:", "coordinates[1]", "twice"}},
      {"state: {q: {jx: 1}}", {":5:", "'jx'", "did you mean 'j'?"}},
      {"state: {q: {j: [1, 2]}}", {":5:", "'j'", "2 numbers", "expected 1"}},
      {"state: {q: {j: 1,5}}", {":5:"}},
      {"state: {hold: [x]}", {":5:", "hold", "'x'"}},
      {"state: {p: {}}", {"state", "'p'"}},
      {"linkwright: 1", {":5:", "'linkwright'", "twice", "line 1"}},
      {"dh: [{links: []}]", {"dh[0]", "'convention'"}},
      {"dh: [{convention: craig, links: []}]", {"'craig'", "modified"}},
      {"dh: [{convention: standard, links: []}]", {"links", "empty"}},
      {"dh: [{convention: standard, links: [{type: ball}]}]", {"'ball'", "prismatic"}},
      {"dh: [{convention: standard, links: [{thta: 1}]}]", {"links[0]", "'thta'", "'theta'"}},
      {"dh: [{convention: standard, base_link: {mass: 1}, links: [{}]}]", {"base_link", "base"}},
      {"dh: [{convention: standard, base: {flexible: {stiffness: [1, 2]}}, links: [{}]}]",
       {"stiffness", "6 numbers", "6 rows of 6"}},
      {"dh: [{convention: standard, base: {flexible: {stiffness: [[1], 2, 3, 4, 5, 6]}}, links: "
       "[{}]}]",
       {"stiffness", "list of 6 numbers"}},
      {"dh: [{convention: standard, base: {flexible: {stiffness: [1, [2], 3, 4, 5, 6]}}, links: "
       "[{}]}]",
       {"stiffness", "number"}},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string message = error_of([&] { parse(good + mistake.text + "\n"); });
    EXPECT_FALSE(message.empty()) << "accepted: " << mistake.text;
    EXPECT_TRUE(contains(message, "test.yaml")) << mistake.text << ": " << message;
    for (const std::string& word : mistake.words)
      EXPECT_TRUE(contains(message, word))
          << mistake.text << ": no \"" << word << "\" in: " << message;
  }
}

TEST(SystemFile, MistakesInJointsAreNamed) {
  const Mistake mistakes[] = {
      {"type: hinge", {"'hinge'", "revolute"}},
      {"type: revolut", {"did you mean 'revolute'?"}},
      {"type: helical", {"'pitch'", "missing"}},
      {"type: custom", {"'modes'", "missing"}},
      {"type: custom, modes: [[1, 2]]", {"modes[0]", "6 numbers"}},
      {"type: revolute, pitch: 1", {"pitch", "helical"}},
      {"type: revolute, axis2: [0, 0, 1]", {"axis2", "universal"}},
      {"type: revolute, dampng: 1", {"'dampng'", "did you mean 'damping'?"}},
      {"type: revolute, damping: -1", {"damping is -1"}},
      {"type: revolute, damping: [1, 2]", {"damping has 2 entries"}},
      {"type: revolute, damping: 1.5kg", {"damping", "'1.5kg'"}},
      {"type: revolute, damping: '1,5'", {"damping", "'1,5'", "decimal point"}},
      {"type: revolute, damping: .nan", {"damping", "'.nan'"}},
      {"type: revolute, friction: {foward: 1}", {"friction", "'foward'", "'forward'"}},
      {"type: revolute, limits: {lower: 1, upper: 0}", {"lower limit 1"}},
      {"type: revolute, limits: {lower: [1, 2]}", {"limits has 2 entries"}},
      {"type: spherical, axis: [0, 0, 1]", {"axis", "spherical joint has no axis"}},
      {"type: fixed, damping: 1", {"damping", "fixed joint does not move"}},
      {"type: fixed, passive: true", {"passive", "fixed joint does not move"}},
      {"type: revolute, passive: maybe", {"passive", "'maybe'", "true or false"}},
      {"type: revolute, axis: [0, 0, 0]", {"axis is [0, 0, 0]"}},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string message = error_of([&] {
      parse(
          "linkwright: 1\nbodies: [{name: a, mass: 1}]\njoints:\n"
          "  - {name: j, parent: world, child: a, " +
          mistake.text + "}\n");
    });
    EXPECT_FALSE(message.empty()) << "accepted: " << mistake.text;
    EXPECT_TRUE(contains(message, "test.yaml:4: joint 'j'")) << mistake.text << ": " << message;
    for (const std::string& word : mistake.words)
      EXPECT_TRUE(contains(message, word))
          << mistake.text << ": no \"" << word << "\" in: " << message;
  }
}

TEST(SystemFile, AnActuatorsMistakesAreToldTogetherAndRepaired) {
  const std::string text =
      "linkwright: 1\n"
      "bodies: [{name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]\n"
      "joints: [{name: j, type: universal, parent: world, child: a}]\n"
      "actuators:\n"
      "  - {joint: k, gear: 0, motor: {damping: -1}}\n"
      "  - {joint: j, gear: 0, motor: {damping: -2, voltage_limit: 1}}\n"
      "  - {joint: j, freedom: 0, elastic: {stiffness: 1}, motor: {rotor_inertia: -3}}\n"
      "  - {transmission: {j: 2}, motor: {damping: 1}}\n"
      "  - {joint: j, freedom: 1, motor: {damping: 0.5}}\n";
  const std::string message = error_of([&] { parse(text); });
  for (const char* word :
       {":5: actuator 'k': the joint 'k' does not exist", ":5: actuator 'k': its gear is 0",
        ":5: actuator 'k': its damping is -1", "has 2 freedoms; say which", "its damping is -2",
        "the key 'Ra' is missing", "the key 'k' is missing", "no rotor_inertia",
        "its rotor_inertia is -3", "j:0", "--lenient reads it"})
    EXPECT_TRUE(contains(message, word)) << word << " is not in:\n" << message;
  EXPECT_FALSE(contains(message, "twice")) << message;
  const Model model = parse_system_file(text, "test.yaml", {}, {.lenient = true});
  ASSERT_EQ(model.actuators.size(), 2U) << all_texts(model.warnings);
  EXPECT_EQ(model.actuators[0].motor->rotor_inertia, 0);
  EXPECT_EQ(model.actuators[1].motor->damping, 0.5);
  EXPECT_EQ(error_of([&] { validate(model); }), "");
}

TEST(SystemFile, AFileThatIsIncludedTwiceTellsItsWarningsOnce) {
  const testing::TemporaryFolder folder;
  folder.write("rod.urdf",
               "<robot name='r' colour='1'><link name='rod'>"
               "<visual><geometry><box size='1'/></geometry></visual></link></robot>");
  const auto path = folder.write("m.yaml",
                                 "linkwright: 1\nmodels:\n  - {file: rod.urdf, name: l}\n"
                                 "  - {file: rod.urdf, name: r}\n");
  const Model model = read_system_file(path, {.lenient = true});
  int attributes = 0, shapes = 0;
  for (const Warning& warning : model.warnings) {
    if (contains(warning.text(), "ignored attribute colour")) ++attributes;
    if (contains(warning.text(), "left out")) ++shapes;
  }
  EXPECT_EQ(attributes, 1) << all_texts(model.warnings);
  EXPECT_EQ(shapes, 1) << all_texts(model.warnings);
}

TEST(SystemFile, TheVersionIsAskedForFirst) {
  EXPECT_TRUE(contains(error_of([] { parse("bodies: []"); }), "linkwright: 1"));
  EXPECT_TRUE(contains(error_of([] { parse("linkwright: 2"); }), "version 2"));
  EXPECT_TRUE(contains(error_of([] { parse("- a"); }), "no system file"));
  EXPECT_TRUE(contains(error_of([] { parse("linkwright: 1"); }), "no link"));
}

TEST(SystemFile, AMistakeInAnIncludedFileIsToldAtItsPlaceThere) {
  const testing::TemporaryFolder folder;
  folder.write("bad.urdf",
               "<robot name='r'>\n<link name='a'><inertial><mass value='1,5'/>"
               "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
               "</link></robot>");
  const std::string message = error_of([&] {
    parse_system_file("linkwright: 1\nmodels: [{file: bad.urdf, name: left}]", "s.yaml",
                      folder.path());
  });
  EXPECT_TRUE(contains(message, "bad.urdf:2: link 'a'")) << message;
}

}  // namespace
}  // namespace linkwright
