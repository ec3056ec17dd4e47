// Faults of 1e-9 in closures, alike in all formulations but one: absolute coordinates of the sound model see
// them, and are named.
#include <gtest/gtest.h>

#include <functional>

#include "closure/random_mechanism.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/verify/verification.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using namespace verify;

constexpr double fault = 1e-9;
/// In no plane and along no axis of the mechanisms below.
constexpr Vector3 aside{0.36 * fault, 0.48 * fault, 0.8 * fault};

/// All formulations of the spoiled model, and absolute coordinates of the sound one.
Comparison compare_with_sound(const Model& spoiled, const Model& sound) {
  const System system = compile(spoiled);
  const FrameId tip = deepest_frame(system);
  std::vector<Formulation> formulations = make_formulations(system, tip);
  formulations.back() = make_absolute_coordinates(sound, system.frame(tip).name);
  Verification verification(system, tip, {.count = 3, .seed = 1}, std::move(formulations));
  verification.compare_all();
  return verification.comparison();
}

struct Fault {
  std::string what;
  std::function<void(Closure&)> plant;
};
void move(Pose& pose) { pose.translation = pose.translation + aside; }
void turn(Pose& pose) { pose.rotation = pose.rotation * spatial::from_rpy(aside); }
void tilt(Vector3& axis) { axis = axis + cross(axis, aside); }
const Fault places[]{{"the place on a", [](Closure& c) { move(c.at_a); }},
                     {"the place on b", [](Closure& c) { move(c.at_b); }}};
const Fault turn_a{"the attitude on a", [](Closure& c) { turn(c.at_a); }};
const Fault turn_b{"the attitude on b", [](Closure& c) { turn(c.at_b); }};
const Fault axis{"the axis", [](Closure& c) { tilt(c.axis); }};
const Fault axis2{"the second axis", [](Closure& c) { tilt(c.axis2); }};
const Fault length{"the distance", [](Closure& c) { c.distance += fault; }};
const Fault pitch{"the pitch", [](Closure& c) { c.pitch += fault; }};
const Fault mode{"a mode", [](Closure& c) { c.modes[0][4] += fault; }};

/// A kind of closure, and the faults that make a difference to it besides those of its places.
struct Case {
  Closure closure;
  std::vector<Fault> faults{};
};
Case joint(JointType type, std::vector<Fault> faults) {
  Closure closure{.name = std::string(to_string(type)), .joint = type};
  return {closure, std::move(faults)};
}
Case other(const std::string& name, Closure::Kind kind, std::vector<Fault> faults) {
  return {Closure{.name = name, .kind = kind}, std::move(faults)};
}
std::vector<Case> all_cases() {
  std::vector<Case> cases{
      joint(JointType::fixed, {turn_a, turn_b}),
      joint(JointType::revolute, {turn_a, turn_b, axis}),
      joint(JointType::prismatic, {turn_a, turn_b, axis}),
      joint(JointType::helical, {turn_a, turn_b, axis, pitch}),
      joint(JointType::cylindrical, {turn_a, turn_b, axis}),
      joint(JointType::universal, {turn_a, turn_b, axis, axis2}),
      joint(JointType::planar, {turn_a, turn_b, axis}),
      joint(JointType::spherical, {}),
      joint(JointType::custom, {turn_b, mode}),
      other("point_on_line", Closure::Kind::point_on_line, {turn_a, axis}),
      other("point_on_plane", Closure::Kind::point_on_plane, {turn_a, axis}),
      other("distance", Closure::Kind::distance, {length}),
      other("ball", Closure::Kind::rolling, {turn_a, axis, length}),
      other("disc", Closure::Kind::rolling, {turn_a, turn_b, axis, axis2, length})};
  cases.back().closure.disc = true;
  return cases;
}
void PrintTo(const Case& one, std::ostream* out) { *out << one.closure.name; }

class ClosureFaults : public ::testing::TestWithParam<Case> {
 protected:
  /// A chain with more freedoms than any closure takes, whose end the closure ties to its second body.
  static Model mechanism() {
    RandomMechanism random(7);
    Model model = random.tree(1, Base::fixed, {JointType::revolute});
    for (int k = 1; k < 9; ++k) {
      const std::string name = "body" + std::to_string(k);
      model.bodies.push_back(random.body(name));
      model.joints.push_back(random.joint("joint" + std::to_string(k), JointType::revolute,
                                          "body" + std::to_string(k - 1), name));
    }
    Closure closure = random.closure("drawn");
    closure.name = GetParam().closure.name;
    closure.kind = GetParam().closure.kind, closure.joint = GetParam().closure.joint;
    closure.disc = GetParam().closure.disc;
    closure.modes = random.modes(2);
    closure.at_b = random.pose(0.3);
    closure.body_a = "body1", closure.body_b = "body8";
    model.closures = {closure};
    return model;
  }
  static void expect_caught(const Fault& fault_of, const Model& sound) {
    Model spoiled = sound;
    fault_of.plant(spoiled.closures[0]);
    const Comparison comparison = compare_with_sound(spoiled, sound);
    ASSERT_TRUE(comparison.disagreement) << fault_of.what << " was let pass";
    EXPECT_EQ(comparison.disagreement->second, "absolute coordinates")
        << fault_of.what << ": " << to_text(*comparison.disagreement);
  }
};
INSTANTIATE_TEST_SUITE_P(in, ClosureFaults, ::testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.closure.name; });

TEST_P(ClosureFaults, without_one_all_agree) {
  const Model sound = mechanism();
  const Comparison comparison = compare_with_sound(sound, sound);
  EXPECT_FALSE(comparison.disagreement) << to_text(*comparison.disagreement);
  EXPECT_LT(comparison.bound, 1e-3 * fault);
}

TEST_P(ClosureFaults, are_caught_and_named) {
  const Model sound = mechanism();
  for (const Fault& place : places) {
    // Modes that generate every motion bind velocities as b sees them: where they start from is free.
    if (GetParam().closure.joint == JointType::custom && &place == &places[0]) continue;
    expect_caught(place, sound);
  }
  for (const Fault& one : GetParam().faults) expect_caught(one, sound);
}

TEST(GearFaults, in_ratio_and_offset_are_caught_and_named) {
  const Model sound = read_model(LINKWRIGHT_SOURCE_DIR "/models/gripper.yaml");
  const auto gear =
      std::find_if(sound.closures.begin(), sound.closures.end(),
                   [](const Closure& closure) { return closure.kind == Closure::Kind::gear; });
  ASSERT_NE(gear, sound.closures.end());
  const auto place = gear - sound.closures.begin();
  for (const bool in_ratio : {true, false}) {
    Model spoiled = sound;
    Closure& closure = spoiled.closures[static_cast<std::size_t>(place)];
    (in_ratio ? closure.ratio : closure.offset) += fault;
    const Comparison comparison = compare_with_sound(spoiled, sound);
    ASSERT_TRUE(comparison.disagreement) << in_ratio;
    EXPECT_EQ(comparison.disagreement->second, "absolute coordinates");
    EXPECT_EQ(comparison.disagreement->where, "gears") << to_text(*comparison.disagreement);
  }
}

/// In what is compiled: the frames, and the rows themselves.
TEST(CompiledClosureFaults, are_caught_and_named) {
  for (const std::string name : {"stewart", "spatial_slider_crank", "walking_machine", "delta"}) {
    const Model sound = read_model(LINKWRIGHT_SOURCE_DIR "/models/" + name + ".yaml");
    for (int what = 0; what < 2; ++what) {
      System system = compile(sound);
      auto& place = const_cast<ClosurePlace&>(system.closures().back());
      if (what == 0)
        move(place.at_a);
      else
        place.W[0].moment = place.W[0].moment + aside;  // out of the span of its rows
      const FrameId tip = deepest_frame(system);
      Verification verification(system, tip, {.count = 3, .seed = 1});
      verification.compare_all();
      const auto& found = verification.comparison().disagreement;
      ASSERT_TRUE(found) << name << what;
      EXPECT_EQ(found->second, "absolute coordinates") << to_text(*found);
      EXPECT_EQ(found->where, place.name) << to_text(*found);
    }
  }
}

/// In what a formulation answers: across the motions that the closures allow, and along them.
TEST(ClosedFormulationFaults, in_any_joint_of_any_formulation_are_named) {
  for (const std::string name : {"stewart", "four_bar"}) {
    const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/" + name + ".yaml"));
    const FrameId tip = deepest_frame(system);
    for (std::size_t which = 0; which < 5; ++which)
      for (Eigen::Index i = 0; i < system.nv(); ++i) {
        std::vector<Formulation> all = make_formulations(system, tip);
        const std::string culprit = all[which].name;
        all[which].solve = [honest = all[which].solve, i](const ForwardDynamicsProblem& x,
                                                          Accelerations& out) {
          honest(x, out);
          out.joints[i] += fault * out.magnification * out.joints.norm();
        };
        Verification verification(system, tip, {.count = 1, .seed = 1}, std::move(all));
        verification.compare_all();
        const auto& found = verification.comparison().disagreement;
        ASSERT_TRUE(found) << name << ": entry " << i << " of " << culprit << " was let pass";
        EXPECT_TRUE(found->first == culprit || found->second == culprit) << to_text(*found);
      }
  }
}

/// Bundled mechanisms: the spoiled closure is named.
TEST(BundledFaults, in_a_closures_place_are_named_by_closure) {
  for (const std::string name : {"stewart", "spatial_slider_crank", "ankle", "walking_machine"}) {
    const Model sound = read_model(LINKWRIGHT_SOURCE_DIR "/models/" + name + ".yaml");
    for (std::size_t i = 0; i < sound.closures.size(); ++i) {
      Model spoiled = sound;
      move(spoiled.closures[i].at_b);
      const Comparison comparison = compare_with_sound(spoiled, sound);
      ASSERT_TRUE(comparison.disagreement) << name << " " << sound.closures[i].name;
      EXPECT_EQ(comparison.disagreement->second, "absolute coordinates");
      EXPECT_EQ(comparison.disagreement->where, sound.closures[i].name)
          << name << ": " << to_text(*comparison.disagreement);
    }
  }
}

}  // namespace
}  // namespace linkwright::testing
