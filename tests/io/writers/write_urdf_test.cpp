/// Trees written as URDF and read back; what URDF cannot say is refused or told by name.

#include <gtest/gtest.h>

#include <cstdlib>

#include "io/writers/written.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/io/urdf.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::contains;
using testing::error_of;
using testing::expect_same_dynamics;

const std::filesystem::path root = LINKWRIGHT_SOURCE_DIR;

Model urdf_back(const Model& model) { return parse_urdf(write_urdf(model), "back.urdf"); }

/// Poses go through roll, pitch and yaw and so lose some last bits, each of them 1e-16 of a rotation; they
/// add up along a chain.
void expect_folder(const std::filesystem::path& folder, std::size_t at_least) {
  const auto files = testing::files_in(folder, ".urdf");
  EXPECT_GE(files.size(), at_least);
  for (const auto& file : files)
    for (const Base base : {Base::fixed, Base::free, Base::planar}) {
      Model model;
      if (!error_of([&] { model = read_model(file, {.base = base}); }).empty()) continue;
      expect_same_dynamics(model, urdf_back(model), file.string());
      EXPECT_EQ(urdf_back(model).visuals.size(), model.visuals.size());
      EXPECT_EQ(urdf_back(model).collisions.size(), model.collisions.size());
    }
}

TEST(WriteUrdf, bundled_robots_have_the_same_dynamics) { expect_folder(root / "models", 4); }

TEST(WriteUrdf, shared_robots_have_the_same_dynamics) {
  const auto folder = testing::shared_folder("models");
  LINKWRIGHT_SKIP_WITHOUT(folder, "real robots written as URDF");
  expect_folder(folder, 19);
}

TEST(WriteUrdf, random_trees_have_the_same_dynamics) {
  const std::vector<JointType> types{JointType::fixed,      JointType::revolute,
                                     JointType::continuous, JointType::prismatic,
                                     JointType::planar,     JointType::free};
  for (unsigned seed = 0; seed < 30; ++seed) {
    testing::RandomModel random(seed);
    Model model = random.tree(10, seed % 3 == 0 ? Base::fixed : Base::free, types);
    model.gravity = Model{}.gravity;
    for (Joint& joint : model.joints) {
      joint.rotor_inertia.clear();
      if (joint.type == JointType::fixed) continue;
      joint.damping = {random.between(0, 1)}, joint.friction = {{0.5, 0.5}};
      if (joint.type == JointType::revolute) joint.limits = {{.lower = -1, .effort = 3}};
      if (joint.type == JointType::prismatic) joint.limits = {{.velocity = 3}};
    }
    // A joint that sits elsewhere than in its child's frame.
    model.joints.back().at_child = random.pose(0.3);
    const Model back = urdf_back(model);
    expect_same_dynamics(model, back, std::to_string(seed));
  }
}

TEST(WriteUrdf, limits_that_are_not_there_come_back_as_none) {
  testing::RandomModel random(1);
  Model model = random.tree(3, Base::fixed, {JointType::prismatic});
  for (Joint& joint : model.joints) joint.rotor_inertia.clear();
  model.joints[0].limits = {{.upper = 2}};
  model.joints[1].limits = {{.effort = 5}};
  const Model back = urdf_back(model);
  const auto limits = [&](const char* name) {
    for (const Joint& joint : back.joints)
      if (joint.name == name) return joint.limits.at(0);
    return Limits{};
  };
  EXPECT_EQ(limits("joint0").upper, 2);
  EXPECT_TRUE(std::isinf(limits("joint0").lower) && std::isinf(limits("joint0").velocity));
  EXPECT_EQ(limits("joint1").effort, 5);
  EXPECT_TRUE(std::isinf(limits("joint1").upper));
}

TEST(WriteUrdf, gears_are_mimic_joints) {
  Model model = read_model(root / "models/arm7.urdf");
  model.closures.push_back({.name = "mimic:joint3",
                            .kind = Closure::Kind::gear,
                            .leader = "joint1",
                            .follower = "joint3",
                            .ratio = -0.5,
                            .offset = 0.25});
  expect_same_dynamics(model, urdf_back(model), "gear");
  model.closures.push_back(
      {.name = "second", .kind = Closure::Kind::gear, .leader = "joint2", .follower = "joint3"});
  EXPECT_TRUE(contains(error_of([&] { write_urdf(model); }), "closure 'second' is a second gear"));
}

TEST(WriteUrdf, what_it_cannot_say_of_the_dynamics_is_refused_all_at_once_or_left_out) {
  Model model = read_model(root / "models/arm7.urdf");
  model.joints[1].rotor_inertia = {0.5};
  model.joint_springs.push_back({.joint = "joint2", .stiffness = 3});
  model.line_springs.push_back(
      {.name = "coil", .body_a = "world", .body_b = "link3", .stiffness = 1});
  model.joint_loads.push_back({.joint = "joint2", .effort = 1});
  model.body_loads.push_back({.body = "link3", .force = {{}, {1, 0, 0}}});
  model.joints[3].friction = {{0.1, 0.2}};
  model.closures.push_back({.name = "rope",
                            .kind = Closure::Kind::distance,
                            .body_a = "world",
                            .body_b = "link5",
                            .distance = 1});
  const std::string refusal = error_of([&] { write_urdf(model); });
  for (const char* word : {"rotor inertia", "spring on joint 'joint2'",
                           "spring between 'world' and 'link3'", "load on joint", "load on link",
                           "differs by direction", "'rope' closes a loop", "--lenient"})
    EXPECT_TRUE(contains(refusal, word)) << word << " in " << refusal;
  std::vector<Warning> told;
  const Model rest = parse_urdf(write_urdf(model, {.lenient = true}, &told), "back.urdf");
  EXPECT_GE(told.size(), 7U) << all_texts(told);
  expect_same_dynamics(
      read_model(root / "models/arm7.urdf"),
      [&] {
        Model plain = rest;
        for (Joint& joint : plain.joints)
          if (joint.name == "joint3") joint.friction.clear();
        return plain;
      }(),
      "what is left");
}

TEST(WriteUrdf, joints_it_does_not_have_are_refused_even_leniently) {
  const Model car = read_model(root / "tests/data/cell.yaml");
  for (const bool lenient : {false, true})
    EXPECT_TRUE(contains(error_of([&] { write_urdf(car, {.lenient = lenient}); }), "helical"));
}

TEST(WriteUrdf, what_has_no_part_in_the_dynamics_is_told) {
  Model model = read_model(root / "models/arm7.urdf");
  model.gravity = {0, 0, -1.62};
  model.initial.q = {{"joint2", {1}, {}}};
  model.joints[2].passive = {true};
  model.actuators.push_back({.name = "m", .joint = "joint4", .gear = 10});
  model.actuators[0].motor = {.damping = 0.5};
  model.frames.push_back({"tool tip", "link7", {}, {}});
  std::vector<Warning> told;
  const std::string text = write_urdf(model, {}, &told);
  for (const char* word : {"-1.62", "start from", "passive", "actuator 'm'", "frame 'tool tip'"})
    EXPECT_TRUE(contains(all_texts(told), word)) << word << " in " << all_texts(told);
  model.gravity = Model{}.gravity;
  expect_same_dynamics(model, parse_urdf(text, "back.urdf"), "motor's damping");
}

TEST(WriteUrdf, names_are_escaped_or_refused) {
  Model model;
  model.name = "a \"b\" & <c>\n\td";
  model.bodies.push_back({.name = model.name, .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}});
  model.joints.push_back(
      {.name = "j'", .type = JointType::revolute, .parent = "world", .child = model.name});
  const Model back = urdf_back(model);
  EXPECT_EQ(back.name, model.name);
  EXPECT_EQ(back.bodies.at(0).name, model.name);
  model.name = "\x01";
  EXPECT_TRUE(contains(error_of([&] { write_urdf(model); }), "control character"));
}

TEST(WriteUrdf, a_strict_parser_reads_it) {
  if (std::system("python3 -c 'import xml.parsers.expat' 2>/dev/null") != 0) {
    std::cout << "skipped: written URDF in a strict XML parser (no python3 here)\n";
    GTEST_SKIP() << "no python3";
  }
  const testing::TemporaryFolder folder;
  const auto file = folder.write("m.urdf", write_urdf(read_model(root / "models/humanoid.urdf")));
  EXPECT_EQ(
      std::system(("python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' '" +
                   file.string() + "'")
                      .c_str()),
      0);
}

}  // namespace
}  // namespace linkwright
