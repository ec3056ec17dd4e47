/// Which joints close the loops of a model, and what is refused about it.

#include "linkwright/model/loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::contains;
using testing::error_of;
using Names = std::vector<std::string>;

Body body(const std::string& name) {
  return {.name = name, .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}};
}

Joint joint(const std::string& name, const std::string& parent, const std::string& child,
            JointType type = JointType::revolute) {
  return {.name = name, .type = type, .parent = parent, .child = child};
}

Joint& named(Model& model, const std::string& name) {
  return *std::find_if(model.joints.begin(), model.joints.end(),
                       [&](const Joint& j) { return j.name == name; });
}

/// world -j1- crank -j2- coupler -j4- rocker -j3- world
Model four_bar() {
  Model model;
  model.bodies = {body("crank"), body("coupler"), body("rocker")};
  model.joints = {joint("j1", "world", "crank"), joint("j2", "crank", "coupler"),
                  joint("j3", "world", "rocker"), joint("j4", "coupler", "rocker")};
  return model;
}

/// The four-bar, and a slider that a rod on the coupler drives: j2 and j1 are in both loops.
Model six_bar() {
  Model model = four_bar();
  model.bodies.push_back(body("rod"));
  model.bodies.push_back(body("slider"));
  model.joints.push_back(joint("j5", "coupler", "rod"));
  model.joints.push_back(joint("j6", "world", "slider", JointType::prismatic));
  model.joints.push_back(joint("j7", "rod", "slider"));
  return model;
}

Names sorted(Names names) {
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Loops, are_cut_the_same_way_in_every_order) {
  Model model = four_bar();
  std::vector<int> order{0, 1, 2, 3};
  do {
    Model shuffled = model;
    for (std::size_t i = 0; i < 4; ++i)
      shuffled.joints[i] = model.joints[static_cast<std::size_t>(order[i])];
    EXPECT_NO_THROW(validate(shuffled));
    EXPECT_EQ(compute_closing_joints(shuffled), Names{"j4"});
  } while (std::next_permutation(order.begin(), order.end()));
  model = six_bar();
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::shuffle(model.joints.begin(), model.joints.end(), random);
    std::shuffle(model.bodies.begin(), model.bodies.end(), random);
    EXPECT_EQ(sorted(compute_closing_joints(model)), (Names{"j4", "j7"}));
  }
}

TEST(Loops, are_cut_where_most_moves_far_from_the_world) {
  Model model = four_bar();
  named(model, "j3").type = JointType::spherical;
  EXPECT_EQ(compute_closing_joints(model), Names{"j3"}) << "three freedoms rather than one";
  named(model, "j4").type = JointType::free;
  EXPECT_EQ(compute_closing_joints(model), Names{"j4"});
  model = four_bar();
  model.joints[3].parent = "world";  // beside j3
  EXPECT_EQ(compute_closing_joints(model), Names{"j4"}) << "the last by name";
  std::swap(model.joints[2], model.joints[3]);
  EXPECT_EQ(compute_closing_joints(model), Names{"j4"});
}

/// Whatever the order, and with more than one such joint.
/// Things that a joint may have.
using Things = std::vector<std::function<void(Model&)>>;
Things things_that_act() {
  return {[](Model& m) { named(m, "j4").damping = {0.1}; },
          [](Model& m) {
            named(m, "j4").friction = {{0, 0.1}};
          },
          [](Model& m) { named(m, "j4").rotor_inertia = {0.1}; },
          [](Model& m) { named(m, "j4").limits = {{.upper = 1}}; },
          [](Model& m) { m.joint_springs = {{.joint = "j4", .stiffness = 1}}; },
          [](Model& m) { m.joint_loads = {{.joint = "j4", .effort = 1}}; },
          [](Model& m) { m.actuators = {{.name = "m", .joint = "j4"}}; }};
}
/// Those that only a joint of the tree can have.
Things things_of_the_tree() {
  return {
      [](Model& m) { m.coordinates = {"j4"}; },
      [](Model& m) { m.initial.q = {{.joint = "j4", .values = {1}}}; },
      [](Model& m) { m.initial.v = {{.joint = "j4", .values = {1}}}; },
      [](Model& m) { m.initial.hold = {"j4"}; },
      [](Model& m) {
        m.closures = {{.name = "g", .kind = Closure::Kind::gear, .leader = "j1", .follower = "j4"}};
      }};
}

TEST(Loops, spare_joints_that_have_something_of_their_own) {
  const Things act = things_that_act();
  for (std::size_t i = 0; i < act.size(); ++i) {
    Model model = four_bar();
    act[i](model);
    EXPECT_EQ(compute_closing_joints(model), Names{"j3"}) << i;
    model.cut = {"j4"};
    EXPECT_EQ(error_of([&] { validate(model); }), "") << i << ": it acts there too";
    EXPECT_EQ(compute_closing_joints(model), Names{"j4"}) << i;
  }
  const Things bound = things_of_the_tree();
  for (std::size_t i = 0; i < bound.size(); ++i) {
    Model model = four_bar();
    bound[i](model);
    EXPECT_EQ(compute_closing_joints(model), Names{"j3"}) << i;
    EXPECT_EQ(error_of([&] { validate(model); }), "") << i;
    model.cut = {"j4"};
    const std::string refused = error_of([&] { validate(model); });
    EXPECT_TRUE(contains(refused, "joint 'j4' closes a loop")) << i << refused;
    EXPECT_TRUE(contains(refused, "name another joint of the loop in `cut`: 'j3'")) << refused;
  }
  Model none = four_bar();
  named(none, "j4").damping = {0};
  named(none, "j4").limits = {{}};
  named(none, "j4").passive = {true};
  EXPECT_EQ(compute_closing_joints(none), Names{"j4"}) << "nothing there acts";
}

TEST(Loops, that_only_a_bound_joint_could_close_name_it) {
  Model model;  // world - a - b - a: b's joint to a is a coordinate, but a must hang on the world
  model.bodies = {body("a"), body("b")};
  model.joints = {joint("j1", "world", "a"), joint("j2", "a", "b"), joint("j3", "b", "a")};
  model.coordinates = {"j3"};
  const std::string refused = error_of([&] { validate(model); });
  EXPECT_TRUE(contains(refused, "joint 'j3' closes a loop, where what it has means nothing"))
      << refused;
  EXPECT_TRUE(contains(refused, "a place in `coordinates`")) << refused;
  EXPECT_TRUE(contains(refused, "swap parent and child")) << refused;
  model.coordinates.clear();
  EXPECT_EQ(error_of([&] { validate(model); }), "");
  EXPECT_EQ(compute_closing_joints(model), Names{"j3"});
}

TEST(Loops, are_cut_where_the_user_says) {
  Model model = six_bar();
  model.cut = {"j3"};
  EXPECT_EQ(error_of([&] { validate(model); }), "");
  EXPECT_EQ(compute_closing_joints(model), (Names{"j3", "j7"}));
  model.cut = {"j6", "j3"};
  EXPECT_EQ(error_of([&] { validate(model); }), "");
  EXPECT_EQ(compute_closing_joints(model), (Names{"j3", "j6"}));
}

TEST(Loops, cut_as_they_cannot_be_are_refused_by_name) {
  const auto refusal = [](const Names& cut) {
    Model model = six_bar();
    model.bodies.push_back(body("flag"));
    model.joints.push_back(joint("mast", "slider", "flag"));
    model.cut = cut;
    return error_of([&] { validate(model); });
  };
  EXPECT_EQ(refusal({"j3"}), "");
  EXPECT_TRUE(contains(refusal({"j33"}), "cut: the joint 'j33' does not exist"))
      << refusal({"j33"});
  EXPECT_TRUE(contains(refusal({"j3", "j3"}), "'j3' is listed twice"));
  const std::string no_loop = refusal({"mast"});
  EXPECT_TRUE(contains(no_loop, "joint 'mast' is in no loop, and link 'flag'")) << no_loop;
  const std::string hanging = refusal({"j2"});
  EXPECT_TRUE(contains(hanging, "without joint 'j2' link 'coupler' hangs in the air")) << hanging;
  EXPECT_FALSE(contains(hanging, "not the child of any joint")) << "told once: " << hanging;
  const std::string both = refusal({"j3", "j4"});
  for (const char* name : {"'j3'", "'j4'"})
    EXPECT_TRUE(contains(both, std::string("without joint ") + name)) << both;
}

TEST(Loops, that_hang_on_nothing_cannot_be_cut) {
  Model model = four_bar();
  model.bodies.push_back(body("a"));
  model.bodies.push_back(body("b"));
  model.joints.push_back(joint("k1", "a", "b"));
  model.joints.push_back(joint("k2", "b", "a"));
  const std::string refused = error_of([&] { validate(model); });
  EXPECT_TRUE(contains(refused, "a loop of 2 joints cannot be cut because nothing ties it"));
  for (const char* name : {"'k1'", "'k2'"}) EXPECT_TRUE(contains(refused, name)) << refused;
  model.bodies.push_back(body("root"));  // then the loop is no mistake, the loose link is
  model.joints.push_back(joint("k3", "root", "a"));
  const std::string loose = error_of([&] { validate(model); });
  EXPECT_FALSE(contains(loose, "nothing ties")) << loose;
  EXPECT_TRUE(contains(loose, "link 'root' is not the child of any joint")) << loose;
}

TEST(Loops, of_links_that_move_as_one_are_refused) {
  Model model = four_bar();
  for (const char* name : {"j1", "j2", "j3", "j4"}) named(model, name).type = JointType::fixed;
  EXPECT_TRUE(contains(error_of([&] { validate(model); }), "links that move as one"));
  named(model, "j4").type = JointType::revolute;
  EXPECT_TRUE(contains(error_of([&] { validate(model); }), "joint 'j4' closes a loop of links"));
  named(model, "j1").type = JointType::revolute;
  EXPECT_EQ(error_of([&] { validate(model); }), "");
}

TEST(Loops, may_be_closed_by_a_weld) {
  Model model = four_bar();
  named(model, "j4").type = JointType::fixed;
  model.cut = {"j4"};
  EXPECT_EQ(error_of([&] { validate(model); }), "");
  const Model tree = to_tree_with_closures(model);
  ASSERT_EQ(tree.closures.size(), 1U);
  EXPECT_EQ(tree.closures[0].joint, JointType::fixed);
  EXPECT_EQ(row_count(tree.closures[0]), 6);
}

TEST(Loops, close_under_a_name_of_their_own) {
  Model model = four_bar();
  model.closures = {{.name = "j4", .body_a = "crank", .body_b = "world"}};
  EXPECT_TRUE(contains(error_of([&] { validate(model); }), "closure 'j4' has the name of a joint"));
  model.closures[0].name = "j3";
  EXPECT_TRUE(contains(error_of([&] { validate(model); }), "closure 'j3' has the name of a joint"));
}

/// What comes out is a model of its own: valid, without loops, and split no further.
TEST(Loops, cut_leave_a_valid_tree) {
  Model model = six_bar();
  named(model, "j3").at_child.translation = {0.5, 0, 0};
  for (const Names& cut : {Names{}, Names{"j3"}, Names{"j6", "j4"}}) {
    model.cut = cut;
    const Model tree = to_tree_with_closures(model);
    EXPECT_EQ(error_of([&] { validate(tree); }), "");
    EXPECT_TRUE(compute_closing_joints(tree).empty());
    EXPECT_EQ(tree.joints.size(), tree.bodies.size());
    EXPECT_EQ(to_tree_with_closures(tree).closures.size(), 2U);
  }
}

}  // namespace
}  // namespace linkwright
