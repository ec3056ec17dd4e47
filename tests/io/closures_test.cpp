/// Loops in a system file: closures of every kind, joints that close loops, `cut`.

#include <gtest/gtest.h>

#include <utility>

#include "linkwright/io/system_file.hpp"
#include "linkwright/model/loops.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::contains;
using testing::error_of;
using Names = std::vector<std::string>;

const std::string head = R"(linkwright: 1
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: c, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
frames:
  - {name: far_end, body: c, pose: {xyz: [0.7, 0, 0]}}
  - {name: datum, body: world}
joints:
  - {name: j1, type: revolute, parent: world, child: a}
  - {name: j2, type: revolute, parent: a, child: b, pose: {xyz: [0.3, 0, 0]}}
  - {name: j3, type: revolute, parent: world, child: c, pose: {xyz: [0.8, 0, 0]}}
)";

Model parse(const std::string& text) {
  return testing::judged(parse_system_file(head + text, "test.yaml", "."));
}
std::string refusal(const std::string& text) {
  return error_of([&] { parse(text); });
}
Closure closure(const std::string& text) {
  return parse("closures:\n  - {name: k, between: [a, far_end], " + text + "}\n").closures.at(0);
}
std::string closure_refusal(const std::string& text) {
  return refusal("closures:\n  - {name: k, between: [a, far_end], " + text + "}\n");
}

TEST(Closures, of_a_point_on_a_line_or_plane_are_read) {
  const Closure line = closure("joint: point_on_line, axis: [0, 1, 0], at_a: {xyz: [1, 2, 3]}");
  EXPECT_EQ(line.kind, Closure::Kind::point_on_line);
  EXPECT_EQ(line.axis.y, 1);
  EXPECT_EQ(line.at_a.translation.z, 3);
  EXPECT_EQ(line.body_b, "c");
  EXPECT_EQ(line.at_b.translation.x, 0.7);
  EXPECT_EQ(row_count(line), 2);
  const Closure plane = closure("joint: point_on_plane, at_b: {xyz: [1, 0, 0]}");
  EXPECT_EQ(plane.kind, Closure::Kind::point_on_plane);
  EXPECT_EQ(plane.axis.z, 1);
  EXPECT_EQ(plane.at_b.translation.x, 1.7);
  EXPECT_EQ(row_count(plane), 1);
}

TEST(Closures, that_roll_are_balls_or_discs) {
  const Closure ball = closure("joint: rolling, radius: 0.25");
  EXPECT_EQ(ball.kind, Closure::Kind::rolling);
  EXPECT_EQ(ball.distance, 0.25);
  EXPECT_FALSE(ball.disc);
  EXPECT_EQ(ball.axis.z, 1);
  EXPECT_EQ(row_count(ball), 3);
  const Closure disc = closure("joint: rolling, radius: 0.25, axis: [0, 1, 0], axle: [2, 0, 0]");
  EXPECT_TRUE(disc.disc);
  EXPECT_EQ(disc.axis.y, 1);
  EXPECT_EQ(disc.axis2.x, 1) << "made a unit vector";
}

TEST(Closures, refuse_what_they_have_no_use_for) {
  const std::pair<const char*, const char*> cases[]{
      {"joint: point_on_line, axis2: [0, 1, 0]", "axis2"},
      {"joint: point_on_line, radius: 1", "radius"},
      {"joint: point_on_plane, distance: 1", "distance"},
      {"joint: point_on_plane, modes: [[1, 0, 0, 0, 0, 0]]", "modes"},
      {"joint: rolling, radius: 1, axis2: [1, 0, 0]", "axis2"},
      {"joint: rolling, radius: 1, pitch: 1", "pitch"},
      {"joint: distance, distance: 1, axis: [0, 0, 1]", "axis"},
      {"joint: distance, distance: 1, radius: 1", "radius"},
      {"joint: revolute, radius: 1", "radius"},
      {"joint: weld, axle: [0, 0, 1]", "axle"}};
  for (const auto& [text, key] : cases) {
    const std::string refused = closure_refusal(text);
    EXPECT_TRUE(contains(refused, "test.yaml:14")) << text << refused;
    EXPECT_TRUE(contains(refused, "closure 'k'")) << text << refused;
    EXPECT_TRUE(contains(refused, std::string("'") + key + "'")) << text << refused;
  }
}

TEST(Closures, without_size_are_refused) {
  EXPECT_TRUE(contains(closure_refusal("joint: rolling"), "'radius'"));
  EXPECT_TRUE(contains(closure_refusal("joint: rolling, radius: 0"), "its radius is 0"));
  EXPECT_TRUE(contains(closure_refusal("joint: rolling, radius: -1"), "its radius is -1"));
  const std::string point = closure_refusal("joint: distance, distance: 0");
  EXPECT_TRUE(contains(point, "its distance is 0")) << point;
  EXPECT_TRUE(contains(point, "joint: spherical")) << point;
  EXPECT_TRUE(contains(closure_refusal("joint: distance, distance: -0.1"), "distance is -0.1"));
  EXPECT_TRUE(contains(closure_refusal("joint: point_on_line, axis: [0, 0, 0]"), "axis"));
  EXPECT_TRUE(contains(closure_refusal("joint: point_on_lime"), "did you mean 'point_on_line'?"));
}

TEST(Closures, of_a_body_with_itself_are_refused) {
  const auto between = [](const std::string& ends) {
    return refusal("closures:\n  - {name: k, between: [" + ends + "], joint: spherical}\n");
  };
  EXPECT_EQ(between("a, far_end"), "");
  EXPECT_TRUE(contains(between("c, far_end"), "closure 'k': link 'c' is closed with itself"));
  EXPECT_TRUE(contains(between("world, datum"), "closure 'k': link 'world' is closed with itself"));
}

TEST(Joints, may_close_a_loop_at_a_frame_of_their_child) {
  const std::string j4 =
      "  - {name: j4, type: revolute, parent: b, child: far_end, pose: {xyz: [0.9, 0, 0]}}\n";
  const Model model = parse(j4);
  EXPECT_EQ(model.joints.size(), 4U) << "the model keeps what the file says";
  EXPECT_EQ(model.joints[3].child, "c");
  EXPECT_EQ(model.joints[3].at_child.translation.x, 0.7);
  EXPECT_EQ(compute_closing_joints(model), Names{"j4"});
  EXPECT_EQ(compute_closing_joints(parse(j4 + "cut: [j3]\n")), Names{"j3"});
  EXPECT_TRUE(contains(refusal(j4 + "cut: [j5]\n"), "test.yaml:14: cut[0]"))
      << refusal(j4 + "cut: [j5]\n");
  EXPECT_TRUE(contains(refusal(j4 + "cut: [j3, j3]\n"), "twice"));
  const std::string hanging = refusal(j4 + "cut: [j1]\n");
  EXPECT_TRUE(contains(hanging, "test.yaml:14: cut: without joint 'j1' link 'a'")) << hanging;
  EXPECT_TRUE(contains(refusal("cut: [j2]\n"), "joint 'j2' is in no loop"));
  const std::string spring = "springs: [{joint: j4, stiffness: 1}]\n";
  EXPECT_EQ(compute_closing_joints(parse(j4 + spring)), Names{"j3"}) << "where it can act";
  EXPECT_EQ(compute_closing_joints(parse(j4 + spring + "cut: [j4]\n")), Names{"j4"});
  const std::string bound = refusal(j4 + "coordinates: [j4]\ncut: [j4]\n");
  EXPECT_TRUE(contains(bound, "joint 'j4' closes a loop")) << bound;
  EXPECT_TRUE(contains(bound, "a place in `coordinates`")) << bound;
}

}  // namespace
}  // namespace linkwright
