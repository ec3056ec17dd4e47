// Faults of 1e-9 in what is compiled, all formulations but one alike: only one that shares nothing with
// them can see these, and must, whatever the condition number.
#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/verify/verification.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using namespace verify;

constexpr double fault = 1e-9;
/// In no plane and along no axis of the mechanisms below.
constexpr Vector3 aside{0.36 * fault, 0.48 * fault, 0.8 * fault};

struct Mechanism {
  std::string name, file, tip;
  Base base = Base::fixed;
};
void PrintTo(const Mechanism& mechanism, std::ostream* out) { *out << mechanism.name; }
const Mechanism mechanisms[]{
    {"arm", LINKWRIGHT_SOURCE_DIR "/models/arm7.urdf", "tool"},
    {"humanoid", LINKWRIGHT_SOURCE_DIR "/models/humanoid.urdf", "right_hand", Base::free},
    {"ill_conditioned", LINKWRIGHT_SOURCE_DIR "/tests/data/ill_conditioned.yaml", "point"}};

/// Springs of every kind on it: on each plain freedom, between bodies, and on a free base.
void add_springs(Model& model) {
  for (const Joint& joint : model.joints) {
    // Strong enough to be felt beside efforts of ±5.
    if (velocity_count(joint) == 1) model.joint_springs.push_back({joint.name, 0, 20, 0, 0.3, {}});
    if (joint.type == JointType::free)
      for (int i = 0; i < 6; ++i)
        model.joint_springs.push_back({joint.name, i, 200.0 + i, 0, 0, {}});
  }
  model.line_springs.push_back(
      {"line", "world", model.joints[2].child, {0.5, 1, 2}, {0.02, 0.03, 0.01}, 100, 0, 0.2, {}});
}

class PlantedFaults : public ::testing::TestWithParam<Mechanism> {
 protected:
  PlantedFaults() : model(load()) {}
  static Model load() {
    const std::string file = GetParam().file;
    Model model =
        file.ends_with(".urdf") ? read_model(file, {.base = GetParam().base}) : read_model(file);
    add_springs(model);
    return model;
  }

  /// All formulations of the compiled system, and absolute coordinates of the sound model.
  Comparison compare_with_sound(const System& system) const {
    std::vector<Formulation> formulations = make_formulations(system, system.frame(GetParam().tip));
    formulations.back() = make_absolute_coordinates(model, GetParam().tip);
    Verification verification(system, system.frame(GetParam().tip), {.count = 3, .seed = 1},
                              std::move(formulations));
    verification.compare_all();
    return verification.comparison();
  }
  void expect_caught(const System& system, const std::string& what) const {
    const Comparison comparison = compare_with_sound(system);
    ASSERT_TRUE(comparison.disagreement) << what << " was let pass";
    EXPECT_EQ(comparison.disagreement->second, "absolute coordinates")
        << what << ": " << to_text(*comparison.disagreement);
  }
  /// Compiles the model with one joint spoiled, for each joint below another that moves.
  template <class F>
  void expect_each_joint_caught(F spoil, const std::string& what) const {
    int seen = 0;
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
      // Where the first joint stands in the world makes no difference to anything.
      if (velocity_count(model.joints[j]) == 0 || model.joints[j].parent == world_name) continue;
      Model spoiled = model;
      spoil(spoiled.joints[j]);
      expect_caught(compile(spoiled), what + " of joint " + model.joints[j].name);
      ++seen;
    }
    EXPECT_GT(seen, 3);
  }

  Model model;
};
INSTANTIATE_TEST_SUITE_P(of, PlantedFaults, ::testing::ValuesIn(mechanisms),
                         [](const auto& mechanism) { return mechanism.param.name; });

TEST_P(PlantedFaults, without_one_all_agree) {
  const System system = compile(model);
  const Comparison comparison = compare_with_sound(system);
  EXPECT_FALSE(comparison.disagreement) << to_text(*comparison.disagreement);
  EXPECT_LT(comparison.bound, 1e-3 * fault);
}

TEST_P(PlantedFaults, in_where_a_joint_stands_are_caught) {
  expect_each_joint_caught(
      [](Joint& joint) { joint.pose.translation = joint.pose.translation + aside; }, "the place");
}

TEST_P(PlantedFaults, in_how_a_joint_stands_are_caught) {
  expect_each_joint_caught(
      [](Joint& joint) { joint.pose.rotation = joint.pose.rotation * spatial::from_rpy(aside); },
      "the attitude");
}

TEST_P(PlantedFaults, in_a_joints_axis_are_caught) {
  expect_each_joint_caught([](Joint& joint) { joint.axis = joint.axis + cross(joint.axis, aside); },
                           "the axis");
}

/// The tree of a system, to be spoiled. Bundles hold copies of its constants: without them every sweep
/// reads the same numbers.
Tree<double>& to_spoil(System& system) {
  auto& tree = const_cast<BundledTree&>(system.tree());
  tree.bundles.clear();
  tree.trunk = tree.runs;
  return tree;
}

/// The sweep that places the joints turns one by 1e-9 too far.
TEST_P(PlantedFaults, in_the_placement_of_an_angle_are_caught) {
  System system = compile(model);
  auto& turning = to_spoil(system).turning;
  for (std::size_t i = 0; i < turning.size(); ++i) {
    if (system.tree().nodes[static_cast<std::size_t>(turning[i].node)].parent == 0) continue;
    const double sound = turning[i].offset;
    turning[i].offset += fault;
    expect_caught(system, "the angle of node " + std::to_string(turning[i].node));
    turning[i].offset = sound;
  }
}

/// compile puts a canonical frame aside, or a body's mass, or the user's frame on its node.
TEST_P(PlantedFaults, in_compiled_frames_are_caught) {
  System system = compile(model);
  auto& nodes = to_spoil(system).nodes;
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    if (nodes[k].parent == 0) continue;
    const Node<double> sound = nodes[k];
    nodes[k].p0.x += fault;
    nodes[k].p0.z += fault;
    expect_caught(system, "the frame of node " + std::to_string(k));
    nodes[k] = sound;
    nodes[k].M.first_moment = nodes[k].M.first_moment + nodes[k].M.mass * aside;
    expect_caught(system, "the centre of mass of node " + std::to_string(k));
    nodes[k] = sound;
  }
  const FrameId tip = system.frame(GetParam().tip);
  Pose& pose = const_cast<FramePlace&>(system.frame(tip)).pose;
  pose.translation = pose.translation + aside;
  expect_caught(system, "the place of the tip on its node");
}

TEST_P(PlantedFaults, in_a_spring_are_caught) {
  for (std::size_t i = 0; i < model.joint_springs.size(); ++i) {
    Model spoiled = model;
    spoiled.joint_springs[i].stiffness *= 1 + fault;
    expect_caught(compile(spoiled),
                  "the stiffness of the spring on " + spoiled.joint_springs[i].joint);
  }
  Model stiff = model, longer = model, moved = model;
  stiff.line_springs[0].stiffness *= 1 + fault;
  longer.line_springs[0].rest_length += fault;
  moved.line_springs[0].at_b = moved.line_springs[0].at_b + aside;
  expect_caught(compile(stiff), "the stiffness of the line spring");
  expect_caught(compile(longer), "the rest length of the line spring");
  expect_caught(compile(moved), "the end of the line spring");
}

TEST(IllConditioned, is_so) {
  const System system = compile(read_model(mechanisms[2].file));
  Verification verification(system, system.frame("point"), {.count = 3, .seed = 1});
  verification.compare_all();
  EXPECT_GE(verification.condition(), 1e12);
}

}  // namespace
}  // namespace linkwright::testing
