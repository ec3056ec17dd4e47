// What a refusal says about the lenient reading, and that it tells each mistake once.

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "linkwright/model/validation.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::contains;
using testing::error_of;
using testing::warns;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// world -hinge- upper -slide- lower, and a motor on the hinge.
Model arm(const std::string& file = "arm.yaml") {
  Model model;
  for (const char* name : {"upper", "lower"})
    model.bodies.push_back(
        {.name = name, .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}, .source = {file, 3}});
  model.joints = {{.name = "hinge",
                   .type = JointType::revolute,
                   .parent = "world",
                   .child = "upper",
                   .source = {file, 5}},
                  {.name = "slide",
                   .type = JointType::prismatic,
                   .parent = "upper",
                   .child = "lower",
                   .source = {file, 6}}};
  model.actuators = {
      {.name = "m",
       .joint = "hinge",
       .motor = Actuator::Motor{.rotor_inertia = 1e-3, .damping = 2e-3, .Ra = 1, .k = 1},
       .source = {file, 8}}};
  return model;
}

std::vector<std::string> mistakes_of(const Model& model) {
  try {
    validate(model);
  } catch (const Error& error) {
    std::vector<std::string> texts;
    for (const Mistake& mistake : error.mistakes()) texts.push_back(mistake.text());
    return texts;
  }
  return {};
}

std::string rest_of(const Model& model) {
  try {
    validate(model);
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).ends_with(error.rest()));
    return error.rest();
  }
  return "accepted";
}

TEST(Lenient, is_recommended_exactly_where_it_helps) {
  Model model = arm();
  model.joints[0].damping = {-1};
  EXPECT_EQ(rest_of(model), "--lenient reads it: taken as 0");
  model.joints[0].rotor_inertia = {-1};
  model.joints[1].limits = {{.effort = -4}};
  EXPECT_EQ(rest_of(model), "--lenient reads it: taken as 0 (2 times), taken as no limit");
  EXPECT_NO_THROW(repair(model));
  model = arm();
  model.joints[0].damping = {-1};
  model.bodies[0].mass = -1;
  EXPECT_EQ(rest_of(model), "--lenient repairs 1 of 2 mistakes, the others it refuses too");
  EXPECT_TRUE(contains(error_of([&] { repair(model); }), "the mass is -1"));
  model.joints[0].damping = {};
  EXPECT_EQ(rest_of(model), "");
}

TEST(Lenient, in_code_is_a_function) {
  Model model = arm("");
  model.joints[0].damping = {-1};
  EXPECT_EQ(rest_of(model), "repair(model) gives it a meaning: taken as 0");
}

struct Slip {
  std::string number;  ///< that is wrong
  std::string word;    ///< of the message
  std::function<void(Actuator&)> make;
  std::string meaning;
};

std::vector<Slip> slips_of_an_actuator() {
  return {
      {"target", "joint 'x' does not exist", [](Actuator& a) { a.joint = "x"; }, "dropped"},
      {"target", "freedom 3", [](Actuator& a) { a.freedom = 3; }, "dropped"},
      {"gear", "gear is 0", [](Actuator& a) { a.gear = 0; }, "taken as 1"},
      {"gear", "gear is nan", [](Actuator& a) { a.gear = nan; }, "taken as 1"},
      {"rotor", "inertia is -1", [](Actuator& a) { a.motor->rotor_inertia = -1; }, "taken as 0"},
      {"damping", "damping is -2", [](Actuator& a) { a.motor->damping = -2; }, "taken as 0"},
      {"Ra", "Ra (ohm) is -3", [](Actuator& a) { a.motor->Ra = -3; }, "electrical side is left"},
      {"La", "La is -4", [](Actuator& a) { a.motor->La = -4; }, "taken as 0"},
      {"limit", "(V) is -5", [](Actuator& a) { a.motor->voltage_limit = -5; }, "as no limit"},
  };
}

TEST(Actuator, tells_every_pair_of_mistakes_at_once_and_all_are_repaired) {
  const auto slips = slips_of_an_actuator();
  for (const Slip& first : slips)
    for (const Slip& second : slips) {
      Model model = arm();
      model.actuators.push_back(model.actuators[0]);  // one that stays, behind it
      model.actuators[1].name = "n";
      first.make(model.actuators[0]);
      second.make(model.actuators[0]);
      const std::string message = error_of([&] { validate(model); });
      const bool both = first.number != second.number;
      EXPECT_TRUE(contains(message, first.word) || !both) << message;
      EXPECT_TRUE(contains(message, second.word) || !both) << message;
      const auto notes = repair(model);
      EXPECT_TRUE(warns(notes, {"actuator 'm'", second.meaning})) << all_texts(notes);
      EXPECT_EQ(error_of([&] { validate(model); }), "") << first.word << ", " << second.word;
      ASSERT_FALSE(model.actuators.empty());
      EXPECT_EQ(model.actuators.back().name, "n");
      EXPECT_EQ(model.actuators.back().motor->rotor_inertia, 1e-3);
    }
}

TEST(Mistakes, are_told_once) {
  Model friction = arm();
  friction.joints[0].friction = {{-1, -1}};
  EXPECT_EQ(mistakes_of(friction).size(), 1U);
  EXPECT_EQ(repair(friction).size(), 1U);
  friction.joints[0].friction = {{-1, -2}};
  EXPECT_EQ(mistakes_of(friction).size(), 2U);

  Model link = arm();  // a copied block: link and joint twice
  link.bodies.push_back(link.bodies[1]);
  link.joints.push_back(link.joints[1]);
  const auto told = mistakes_of(link);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_TRUE(contains(told[0], "link 'lower' is declared twice")) << told[0];
  EXPECT_TRUE(contains(told[1], "joint 'slide' is declared twice")) << told[1];

  Model two_parents = arm();  // not a doubled name, so one closes a loop, and both are coordinates
  two_parents.joints.push_back(two_parents.joints[1]);
  two_parents.joints.back().name = "other";
  two_parents.coordinates = {"slide", "other"};
  ASSERT_EQ(mistakes_of(two_parents).size(), 1U);
  EXPECT_TRUE(contains(mistakes_of(two_parents)[0], "joint 'slide' closes a loop"));

  Model object = arm();
  for (int i = 0; i < 2; ++i) {
    object.bodies.push_back({.name = "box", .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}});
    object.joints.push_back(
        {.name = "box", .type = JointType::free, .parent = "world", .child = "box"});
  }
  EXPECT_EQ(mistakes_of(object).size(), 1U);
}

TEST(Shapes, of_negative_size_are_refused_and_left_out_by_a_repair) {
  using Shape = Visual::Shape;
  struct Case {
    Shape shape;
    Vector3 size;
    std::string word;
  };
  for (const Case& c :
       {Case{Shape::box, {1, -1, 1}, "along y"}, Case{Shape::sphere, {-1, 0, 0}, "radius is -1"},
        Case{Shape::cylinder, {1, -2, 0}, "length is -2"},
        Case{Shape::capsule, {-3, 1, 0}, "radius is -3"}, Case{Shape::mesh, {1, nan, 1}, "scale"}})
    for (const auto list : {&Model::visuals, &Model::collisions}) {
      Model model = arm();
      model.*list = {{.body = "upper", .shape = Shape::box, .size = {1, 1, 1}},
                     {.body = "upper", .shape = c.shape, .size = c.size},
                     {.body = "lower", .shape = Shape::mesh, .size = {1, -1, 1}}};
      EXPECT_TRUE(contains(error_of([&] { validate(model); }), c.word)) << c.word;
      repair(model);
      ASSERT_EQ((model.*list).size(), 2U);
      EXPECT_EQ((model.*list)[1].body, "lower") << "a mesh may be mirrored";
      EXPECT_EQ(error_of([&] { validate(model); }), "");
    }
  Model nowhere = arm();
  nowhere.visuals = {{.body = "tail", .size = {1, 1, 1}}};
  EXPECT_TRUE(contains(error_of([&] { validate(nowhere); }), "'tail' does not exist"));
}

Joint weld(const std::string& parent, const std::string& child) {
  return {.name = parent + "-" + child, .parent = parent, .child = child};
}

TEST(Springs, between_links_that_move_as_one_are_told) {
  Model model = arm();
  for (const char* name : {"plate", "rim", "foot", "post"})
    model.bodies.push_back({.name = name, .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}});
  for (const Joint& joint :
       {weld("upper", "plate"), weld("plate", "rim"), weld("world", "foot"), weld("foot", "post")})
    model.joints.push_back(joint);
  model.joints.back().implied = true;  // as a choice of base makes it
  const auto told = [&](const std::string& a, const std::string& b) {
    Model with = model;
    with.line_springs = {{.name = "coil", .body_a = a, .body_b = b, .stiffness = 3, .damping = 1}};
    return warns(validate(with), {"spring 'coil'", "moves nothing"});
  };
  EXPECT_TRUE(told("upper", "plate") && told("rim", "upper") && told("rim", "plate"));
  EXPECT_TRUE(told("world", "foot") && told("post", "world") && told("foot", "post"));
  EXPECT_TRUE(told("rim", "rim"));
  EXPECT_FALSE(told("rim", "world") || told("lower", "rim") || told("post", "upper"));

  model.body_loads = {{.body = "post", .force = {{}, {0, 0, 1}}}};
  EXPECT_TRUE(
      warns(validate(model), {"load on link 'post'", "welded to the world", "moves nothing"}));
  model.body_loads[0].body = "rim";
  EXPECT_FALSE(warns(validate(model), {"load on link"}));
}

TEST(Inertia, the_triangle_is_judged_of_the_whole_that_moves) {
  Model model = arm();
  model.bodies.push_back({.name = "rotor", .mass = 0.1, .inertia = {1e-4, 1e-4, 4e-4, 0, 0, 0}});
  model.joints.push_back(weld("upper", "rotor"));
  const std::vector<std::string> flaw{"link 'rotor'", "0.0004 > 0.0001 + 0.0001"};
  const auto told = [&](std::vector<std::string> words) {
    words.insert(words.end(), flaw.begin(), flaw.end());
    return warns(validate(model), words);
  };
  EXPECT_TRUE(told({"welded to 'upper', and together they have 1.0001, 1.0001, 1.0004"}))
      << all_texts(validate(model));
  model.bodies[0].inertia = {1, 1, 3, 0, 0, 0};
  EXPECT_TRUE(told({"nor 1.0001, 1.0001, 3.0004", "'upper', welded to it"}))
      << all_texts(validate(model));
  model.joints.back().parent = "world";
  EXPECT_TRUE(told({"welded to the world", "no effect"})) << all_texts(validate(model));
  model.joints.back().type = JointType::revolute;
  EXPECT_TRUE(told({}) && !told({"welded"})) << all_texts(validate(model));
}

TEST(Warnings, of_what_has_no_effect_yet_stand_at_their_line) {
  Model model = arm();
  model.coordinates = model.initial.hold = {"hinge"};
  model.coordinates_source = {"arm.yaml", 20};
  model.initial.hold_source = {"arm.yaml", 21};
  EXPECT_TRUE(warns(validate(model), {"arm.yaml:20: coordinates"}));
  EXPECT_TRUE(warns(validate(model), {"arm.yaml:21: state: hold"}));
  model.initial.hold = {"x"};
  EXPECT_TRUE(contains(error_of([&] { validate(model); }), "arm.yaml:21: state hold"));
}

TEST(Grasps, take_as_many_freedoms_as_their_contact_holds) {
  const auto rows = [](Grasp::Contact contact) { return row_count(Grasp{.contact = contact}); };
  EXPECT_EQ(rows(Grasp::Contact::rigid), 6);
  EXPECT_EQ(rows(Grasp::Contact::line), 5);
  EXPECT_EQ(rows(Grasp::Contact::soft_finger), 4);
  EXPECT_EQ(rows(Grasp::Contact::point), 3);
}

}  // namespace
}  // namespace linkwright
