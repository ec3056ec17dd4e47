// Closed systems: absolute coordinates share nothing with the three ways of closure/ but the Model, and agree
// with them for every kind of closure, redundant ones among them.
#include <gtest/gtest.h>

#include <numbers>

#include <cmath>

#include "closure/mechanisms.hpp"
#include "closure/random_mechanism.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/verify/verification.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using namespace verify;
using Eigen::VectorXd;

/// The verdict over some states; every formulation takes part.
Comparison compare_ways(const System& system, int states, std::size_t formulations = 10) {
  Verification verification(system, deepest_frame(system), {.count = states, .seed = 1});
  EXPECT_EQ(verification.formulations().size(), formulations);
  verification.compare_all();
  return verification.comparison();
}
void expect_agreement(const Model& model, int states = 3) {
  const System system = compile(model);
  if (system.nv() == 0) return;
  const Comparison comparison = compare_ways(system, states);
  EXPECT_FALSE(comparison.disagreement) << to_text(*comparison.disagreement);
}

/// Absolute coordinates decide for themselves which rows count, by the definition that the others have.
TEST(ClosedSystems, rows_that_count_by_a_hair_count_for_all) {
  for (const double angle : {3e-5, 3e-4}) {
    SCOPED_TRACE(angle);
    expect_agreement(two_hinges_and_slide(angle));
  }
}

/// The mechanism with the position at which it is closed as its start.
Model with_start(const ClosedMechanism& mechanism) {
  Model model = mechanism.model;
  const System system = compile(model);
  for (const JointPlace& joint : system.joints())
    if (joint.nq > 0)
      model.initial.q.push_back(
          {joint.name,
           {mechanism.q.data() + joint.q, mechanism.q.data() + joint.q + joint.nq},
           {}});
  return model;
}

struct Pair {
  Closure::Kind kind;
  JointType joint = JointType::fixed;
  bool disc = false;
};
std::string name_of(const Pair& pair) {
  if (pair.kind == Closure::Kind::joint) return std::string(to_string(pair.joint));
  return std::string(to_string(pair.kind)) + (pair.disc ? "_disc" : "");
}
void PrintTo(const Pair& pair, std::ostream* out) { *out << name_of(pair); }

std::vector<Pair> all_pairs() {
  std::vector<Pair> pairs;
  for (const JointType type : all_joint_types()) pairs.push_back({Closure::Kind::joint, type});
  for (const Closure::Kind kind : {Closure::Kind::point_on_line, Closure::Kind::point_on_plane,
                                   Closure::Kind::distance, Closure::Kind::rolling})
    pairs.push_back({kind});
  pairs.push_back({Closure::Kind::rolling, JointType::fixed, true});
  return pairs;
}

class ClosedBy : public ::testing::TestWithParam<Pair> {};
INSTANTIATE_TEST_SUITE_P(every, ClosedBy, ::testing::ValuesIn(all_pairs()),
                         [](const auto& pair) { return name_of(pair.param); });

TEST_P(ClosedBy, all_ways_agree) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    Closure closure = random.closure("loop");
    closure.kind = GetParam().kind, closure.joint = GetParam().joint;
    closure.disc = GetParam().disc;
    if (closure.joint == JointType::custom) closure.modes = random.modes(random.integer(1, 5));
    const Model tree = random.tree(
        7, static_cast<Base>(seed % 3),
        {JointType::revolute, JointType::spherical, JointType::prismatic, JointType::universal});
    expect_agreement(with_start(random.close(tree, {closure})));
  }
}

TEST(ClosedSystems, all_ways_agree_on_mechanisms_of_many_loops) {
  int redundant = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const Model model =
        with_start(random.closed(random.integer(3, 9), random.integer(1, 6),
                                 static_cast<Base>(random.integer(0, 2)), all_joint_types()));
    const System system = compile(model);
    if (system.nv() == 0) continue;
    int rows = 0;
    for (const ClosurePlace& closure : system.closures()) rows += closure.rows;
    redundant += rows > system.nv() ? 1 : 0;
    expect_agreement(model, 2);
  }
  EXPECT_GT(redundant, 20) << "too few mechanisms with redundant rows to mean anything";
}

TEST(ClosedSystems, all_ways_agree_where_closing_joints_are_alive) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    ClosedMechanism made =
        random.closed(random.integer(3, 9), random.integer(1, 4),
                      static_cast<Base>(random.integer(0, 2)), all_joint_types());
    random.enliven(made.model);
    const Model model = with_start(made);
    if (compile(model).nv() > 0) expect_agreement(model, 2);
  }
}

/// A full turn more or less changes what a spring on the closing hinge does.
TEST(ClosedSystems, all_ways_agree_on_turns_of_a_planar_loop) {
  Model model = four_bar(0.1, 0.4, 0.35, 0.3);
  model.closures[0].damping = {0.3};
  model.closures[0].rotor_inertia = {0.02};
  model.joint_springs = {{.joint = "loop", .stiffness = 2, .rest = 0.4}};
  for (const double turns : {-2.0, 0.0, 1.0, 3.0}) {
    SCOPED_TRACE(turns);
    model.initial.q = {
        {"j1", {1 + 2 * std::numbers::pi * turns}, {}}, {"j2", {0.5}, {}}, {"j3", {1.2}, {}}};
    expect_agreement(model, 10);
  }
}

TEST(ClosedSystems, all_ways_agree_on_gears_between_any_two_plain_joints) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    RandomMechanism random(seed);
    Model model = random.tree(6, static_cast<Base>(seed % 3),
                              {JointType::revolute, JointType::prismatic, JointType::helical});
    const auto gear = [&](const std::string& name, const std::string& leader,
                          const std::string& follower) {
      Closure closure{.name = name, .kind = Closure::Kind::gear};
      closure.leader = leader, closure.follower = follower;
      closure.ratio = random.between(-3, 3), closure.offset = random.between(-1, 1);
      model.closures.push_back(closure);
    };
    gear("first", "joint2", "joint4");
    gear("second", "joint4", "joint5");
    expect_agreement(model);
  }
}

TEST(ClosedSystems, all_ways_agree_on_every_grasp) {
  for (const Grasp::Contact contact : {Grasp::Contact::rigid, Grasp::Contact::line,
                                       Grasp::Contact::point, Grasp::Contact::soft_finger}) {
    RandomMechanism random(static_cast<unsigned>(contact));
    Model model = random.tree(6, Base::fixed, {JointType::revolute, JointType::spherical});
    model.bodies.push_back(random.body("box"));
    model.objects = {"box"};
    model.joints.push_back({.name = "box",
                            .type = JointType::free,
                            .parent = std::string(world_name),
                            .child = "box"});
    model.frames.push_back({"palm", "body3", random.pose(0.3), {}});
    for (const std::string arm : {"tip", "palm"}) {
      Grasp grasp{.name = "hold_" + arm, .arm = arm, .object = "box"};
      grasp.contact = contact;
      grasp.at = random.pose(0.3);
      grasp.axis = random.direction();
      if (contact != Grasp::Contact::rigid) grasp.normal = random.direction();
      model.grasps.push_back(grasp);
      if (contact == Grasp::Contact::rigid) break;  // two rigid ones seldom close
    }
    expect_agreement(model);
  }
}

/// The same four-bar, its loop among the joints, cut at each of them.
TEST(ClosedSystems, all_ways_agree_whichever_joint_is_cut) {
  Model model = four_bar(0.3, 0.9, 0.7, 0.8);
  const Closure pin = model.closures[0];
  model.closures.clear();
  Joint closing = hinge("j4", pin.body_a, pin.body_b, pin.at_a.translation);
  closing.at_child = pin.at_b;
  model.joints.push_back(closing);
  model.initial.q = {{"j1", {1}, {}}};
  for (const std::string cut : {"", "j3", "j4"}) {
    SCOPED_TRACE(cut);
    model.cut = cut.empty() ? std::vector<std::string>{} : std::vector<std::string>{cut};
    expect_agreement(model, 10);
  }
}

/// Every bundled model with loops.
TEST(ClosedSystems, all_ways_agree_on_the_bundled_models) {
  int seen = 0;
  for (const auto& file : files_in(LINKWRIGHT_SOURCE_DIR "/models", ".yaml")) {
    const System system = compile(read_model(file.string()));
    if (system.closures().empty()) continue;
    SCOPED_TRACE(file.filename().string());
    const Comparison comparison = compare_ways(system, 20);
    EXPECT_FALSE(comparison.disagreement) << to_text(*comparison.disagreement);
    ++seen;
  }
  EXPECT_GE(seen, 10);
}

/// Both cranks turn by θ, the coupler moves on a circle: J θ̈ = τ − g Σ m r cos θ.
TEST(ClosedSystems, absolute_coordinates_move_a_parallelogram_by_its_closed_form) {
  constexpr double r = 0.4, ground = 0.9, g = 9.81;
  AbsoluteCoordinates parallelogram(four_bar(r, ground, r, ground));
  const double inertia = 1 * r * r / 3 + 1.5 * r * r / 3 + 2 * r * r;
  const double moment = (1 * r / 2 + 1.5 * r / 2 + 2 * r) * g;
  for (const double theta : {0.3, 1.0, 1.7, 2.6}) {
    VectorXd a(3);
    parallelogram.compute_forward_dynamics(VectorXd{{theta, -theta, theta}}, VectorXd{{2, -2, 2}},
                                           VectorXd{{3, 0, 0}}, {}, a);
    const double expected = (3 - moment * std::cos(theta)) / inertia;
    EXPECT_LE((a - VectorXd{{expected, -expected, expected}}).norm(), 4e-15 * std::abs(expected));
  }
}

/// A pendulum held to the world by a rod without a joint, of which only the length is known.
TEST(ClosedSystems, absolute_coordinates_swing_a_body_on_a_rod) {
  Model model;
  model.bodies = {{.name = "stone", .mass = 2, .inertia = {1, 2, 3, 0, 0, 0}}};
  model.joints = {{.name = "air", .type = JointType::free, .parent = "world", .child = "stone"}};
  Closure rod{.name = "rod", .kind = Closure::Kind::distance};
  rod.body_a = "world", rod.body_b = "stone", rod.distance = 0.5;
  model.closures = {rod};
  AbsoluteCoordinates stone(model);
  const double angle = 0.7, rate = 1.3, l = 0.5;
  VectorXd q{{1, 0, 0, 0, l * std::sin(angle), 0, -l * std::cos(angle)}};
  VectorXd v{{0, 0, 0, rate * l * std::cos(angle), 0, rate * l * std::sin(angle)}}, a(6);
  stone.compute_forward_dynamics(q, v, VectorXd::Zero(6), {}, a);
  const double along = -9.81 * std::sin(angle), inward = l * rate * rate;
  EXPECT_NEAR(a[3], along * std::cos(angle) - inward * std::sin(angle), 1e-14);
  EXPECT_NEAR(a[5], along * std::sin(angle) + inward * std::cos(angle), 1e-14);
}

/// The states are closed, at rest against every row, differ from each other, and are the same again.
TEST(ClosedSystems, are_compared_where_they_are_closed) {
  const System system =
      compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/spatial_slider_crank.yaml"));
  ClosedWorkspace work(system);
  const FrameId tip = deepest_frame(system);
  VectorXd before;
  for (int number = 1; number <= 20; ++number) {
    const ForwardDynamicsProblem problem = make_closed_problem(work, tip, 3, number);
    EXPECT_LE(compute_worst_closure(work, problem.state.q).gap(), 1e-14);
    Eigen::MatrixXd J(work.rows(), system.nv());
    compute_closure_jacobian(work, problem.state.q, J);
    EXPECT_LE((J * problem.state.v).norm(), 1e-14);
    EXPECT_GT(problem.state.v.norm(), 0.01);
    EXPECT_TRUE(number == 1 || (problem.state.q - before).norm() > 0.01);
    before = problem.state.q;
    EXPECT_EQ(make_closed_problem(work, tip, 3, number).state.q, before);
  }
}

TEST(ClosedSystems, that_cannot_be_closed_are_told_by_the_closure) {
  const System system = compile(four_bar(0.1, 0.1, 0.1, 0.8));
  ClosedWorkspace work(system);
  const std::string told = error_of([&] { make_closed_problem(work, FrameId{1}, 1, 1); });
  EXPECT_TRUE(contains(told, "closure 'loop' is open by")) << told;
}

/// The coupler has no inertia about its own joint: the open tree has no answer, the loop has.
TEST(ClosedSystems, the_recursion_is_left_out_where_the_open_tree_has_no_answer) {
  Model model = four_bar(0.3, 0.9, 0.7, 0.8);
  model.bodies[1] = {.name = "coupler"};
  model.initial.q = {{"j1", {1}, {}}};
  const System system = compile(model);
  const Comparison comparison = compare_ways(system, 5, 9);
  EXPECT_FALSE(comparison.disagreement) << to_text(*comparison.disagreement);
  const std::vector<std::string> reasons = formulations_left_out(system);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_TRUE(contains(reasons[0], "recursion: left out")) << reasons[0];
  EXPECT_TRUE(contains(reasons[0], "'j2'")) << reasons[0];
}

}  // namespace
}  // namespace linkwright::testing
