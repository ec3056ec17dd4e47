// Beams that are held at two places cannot bend without stretching.
#include <gtest/gtest.h>

#include "support/beams.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

TEST(FlexibleLinks, that_are_held_at_both_ends_must_stretch) {
  Model model = boom_on(JointType::fixed);
  model.bodies.push_back({.name = "post", .mass = 1});
  model.joints.push_back({.name = "post", .parent = "world", .child = "post"});
  model.closures = {{.name = "wall",
                     .body_a = "boom",
                     .body_b = "post",
                     .at_a = {.translation = {2, 0, 0}},
                     .at_b = {.translation = {2, 0, 0}}}};
  FlexibleLink link = strip(4);
  const auto text = [&] { return error_of([&] { (void)to_elastic_chains(model, {link}); }); };
  EXPECT_TRUE(contains(text(), "'root' and 'wall' hold it at two places")) << text();
  EXPECT_TRUE(contains(text(), "axial: true")) << text();
  link.axial = true;
  EXPECT_EQ(text(), "");
  link.axial.reset();
  model.closures[0].joint = JointType::prismatic;
  model.closures[0].axis = {1, 0, 0};
  EXPECT_EQ(text(), "") << "an end that slides may";
  model.closures[0].joint = JointType::fixed;
  model.joints[1].type = JointType::prismatic;
  EXPECT_EQ(text(), "") << "a post that slides may";
}

/// A chain as long as the way between two places cannot move, whatever holds it there.
TEST(FlexibleLinks, that_are_pinned_at_two_places_must_stretch) {
  const auto text = [](const Model& model, bool stretches = false) {
    FlexibleLink link = strip(4);
    link.axial = stretches;
    return error_of([&] { (void)to_elastic_chains(model, {link}); });
  };
  const Pose end{.translation = {2, 0, 0}}, nearer{.translation = {1.9, 0, 0}};
  for (const JointType root : {JointType::fixed, JointType::revolute, JointType::spherical})
    for (const JointType far :
         {JointType::revolute, JointType::spherical, JointType::universal, JointType::prismatic}) {
      Model model = boom_on(root, {2, 0, 0}, {0, 1, 0});
      model.closures = {{.name = "far",
                         .body_a = "world",
                         .body_b = "boom",
                         .at_a = end,
                         .at_b = end,
                         .joint = far,
                         .axis = {0, 1, 0}}};
      model.closures[0].axis2 = {0, 0, 1};
      EXPECT_TRUE(contains(text(model), "'root' and 'far' hold it at two places"))
          << to_string(far);
      EXPECT_EQ(text(model, true), "");
      model.closures[0].at_a = nearer;
      EXPECT_EQ(text(model), "") << "it is bent from the start";
      model.closures[0].at_a = end;
      model.closures[0].axis = {1, 0, 0.3};
      if (far == JointType::prismatic) {
        EXPECT_EQ(text(model), "") << "its end may slide";
      }
    }
  // A hinge beside the axis lets the axis move along itself.
  Model beside = boom_on(JointType::revolute, {2, 0, 0}, {0, 1, 0});
  beside.closures = {{.name = "far",
                      .body_a = "world",
                      .body_b = "boom",
                      .at_a = {.translation = {2, 0, 0.1}},
                      .at_b = {.translation = {2, 0, 0.1}},
                      .joint = JointType::revolute,
                      .axis = {0, 1, 0}}};
  EXPECT_EQ(text(beside), "");
  Model rod = boom_on(JointType::fixed);
  rod.closures = {{.name = "far",
                   .kind = Closure::Kind::distance,
                   .body_a = "boom",
                   .body_b = "world",
                   .at_a = end,
                   .at_b = {.translation = {3, 0, 0}},
                   .distance = 1}};
  EXPECT_TRUE(contains(text(rod), "'far'")) << "a rod in line with the beam";
  rod.closures[0].at_b.translation = {2, 0, 1};
  EXPECT_EQ(text(rod), "") << "a rod across it";
  Model line = boom_on(JointType::fixed);
  line.closures = {{.name = "far",
                    .kind = Closure::Kind::point_on_line,
                    .body_a = "world",
                    .body_b = "boom",
                    .at_a = end,
                    .at_b = end,
                    .axis = {0, 0, 1}}};
  EXPECT_TRUE(contains(text(line), "'far'")) << "a line across the beam";
  line.closures[0].axis = {1, 0, 0};
  EXPECT_EQ(text(line), "") << "a line along it";
}

TEST(FlexibleLinks, that_hands_on_one_body_hold_twice_must_stretch) {
  for (const auto contact : {Grasp::Contact::rigid, Grasp::Contact::point, Grasp::Contact::line,
                             Grasp::Contact::soft_finger}) {
    Model model = boom_on(JointType::free);
    model.bodies.push_back({.name = "cart", .mass = 1});
    model.joints.push_back({.name = "rail",
                            .type = JointType::prismatic,
                            .parent = "world",
                            .child = "cart",
                            .axis = {1, 0, 0}});
    model.frames.push_back({.name = "left", .body = "cart"});
    model.frames.push_back({.name = "right", .body = "cart", .pose = {.translation = {2, 0, 0}}});
    model.grasps = {{.name = "one", .arm = "left", .object = "boom", .contact = contact},
                    {.name = "two",
                     .arm = "right",
                     .object = "boom",
                     .at = {.translation = {2, 0, 0}},
                     .contact = contact}};
    const auto text = [&] { return error_of([&] { (void)to_elastic_chains(model, {strip(3)}); }); };
    EXPECT_TRUE(contains(text(), "'one' and 'two'")) << text();
    model.frames[2].body = "world";
    EXPECT_EQ(text(), "") << "hands that move apart";
  }
}

}  // namespace
}  // namespace linkwright::testing
