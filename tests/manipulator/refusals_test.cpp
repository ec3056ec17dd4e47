/// What is no manipulator, or no state of one, is refused by name.

#include <gtest/gtest.h>

#include "linkwright/manipulator/closed_chain.hpp"
#include "linkwright/manipulator/unified_model.hpp"
#include "manipulator/cells.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;
using manipulator::ClosedAlgorithm, manipulator::ClosedChain, manipulator::Manipulator,
    manipulator::ManipulatorOptions, manipulator::OmegaSolve, manipulator::UnifiedModel;

template <class F>
std::string complaint(F action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}
void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << text;
}

/// Two robots that float apart, each with one arm.
Model two_robots() {
  Model model;
  for (const std::string side : {"left", "right"}) {
    model.bodies.push_back({.name = side + "_bus", .mass = 5, .inertia = {1, 1, 1, 0, 0, 0}});
    model.bodies.push_back({.name = side + "_arm", .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}});
    model.joints.push_back({.name = side + "_free",
                            .type = JointType::free,
                            .parent = "world",
                            .child = side + "_bus"});
    model.joints.push_back({.name = side + "_hinge",
                            .type = JointType::revolute,
                            .parent = side + "_bus",
                            .child = side + "_arm"});
  }
  return model;
}

TEST(Manipulators, without_a_common_base_are_refused) {
  const System system = compile(two_robots());
  expect_words(complaint([&] {
                 Manipulator(system, {.base = {}, .tips = {"left_arm", "right_arm"}});
               }),
               {"left_arm", "right_arm", "left_bus", "right_bus", "no common base"});
  expect_words(complaint([&] { Manipulator(system, {.base = "left_bus", .tips = {"right_arm"}}); }),
               {"right_arm", "left_bus", "no common base"});
  EXPECT_EQ(Manipulator(system, {.base = {}, .tips = {"left_arm"}}).base().body, "left_bus");
}

TEST(Manipulators, need_arms_whose_tips_move) {
  const Cell cell = CellMaker(1).make({});
  const System empty = compile(two_robots());
  expect_words(complaint([&] { Manipulator(empty, {}); }), {"arms", "tips"});
  expect_words(complaint([&] { Manipulator(cell.system, {.base = {}, .tips = {"world"}}); }),
               {"'world'", "not on the manipulator"});
  expect_words(complaint([&] { Manipulator(cell.system, {.base = {}, .tips = {"box"}}); }),
               {"'box'", "not on the manipulator", "hold"});
  expect_words(complaint([&] { Manipulator(cell.system, {.base = {}, .tips = {"hnd0"}}); }),
               {"hnd0", "hand0"});
  expect_words(complaint([&] { Manipulator(cell.system, {.base = "hand0"}); }),
               {"hand0", "name the body"});
}

TEST(Manipulators, do_not_hold_themselves) {
  Model model = CellMaker(1).make({.base = BaseKind::free}).system.model();
  model.grasps[0].object = CellMaker::name(1, 0);
  const System system = compile(model);
  expect_words(complaint([&] { Manipulator robot(system); }),
               {CellMaker::name(1, 0).c_str(), "part of the manipulator", "hand0"});
}

TEST(Manipulators, an_open_grasp_is_named_with_its_gap) {
  Cell cell = CellMaker(3).make({.base = BaseKind::free});
  const Manipulator robot(cell.system);
  UnifiedModel model(robot);
  ClosedChain chain(robot);
  VectorXd a(cell.system.nv());
  const auto run = [&](const State& state) {
    const std::string first = complaint([&] { model.update(state, cell.tau); });
    const std::string second = complaint([&] {
      chain.compute_forward_dynamics(ClosedAlgorithm::RCCFD1, OmegaSolve::dense, state, cell.tau,
                                     {}, a);
    });
    EXPECT_EQ(first, second);
    return first;
  };
  State moved = cell.state;
  moved.q[cell.system.joint(CellMaker::name(1, 6)).q] += 0.02;
  expect_words(run(moved), {"grasp1", "open by"});
  State pulled = cell.state;
  pulled.v[cell.system.joint(CellMaker::name(0, 6)).v] += 1e-3;
  expect_words(run(pulled), {"grasp0", "velocities"});
}

TEST(Manipulators, an_effort_without_a_motor_is_named) {
  Cell cell = CellMaker(3).make({.passive = {2}});
  const Manipulator robot(cell.system);
  UnifiedModel model(robot);
  ClosedChain chain(robot);
  VectorXd a(cell.system.nv());
  cell.tau[cell.system.joint(CellMaker::name(0, 2)).v] = 1;
  const std::string joint = CellMaker::name(0, 2);
  expect_words(complaint([&] { model.update(cell.state, cell.tau); }), {joint.c_str()});
  expect_words(complaint([&] {
                 chain.compute_forward_dynamics(ClosedAlgorithm::RCCFD2, OmegaSolve::structured,
                                                cell.state, cell.tau, {}, a);
               }),
               {joint.c_str()});
}

TEST(Manipulators, readers_before_their_time_say_so) {
  const Cell cell = CellMaker(3).make({});
  const Manipulator robot(cell.system);
  UnifiedModel model(robot);
  ClosedChain chain(robot);
  expect_words(complaint([&] { (void)model.M(); }), {"update"});
  expect_words(complaint([&] { (void)chain.end_force(0); }), {"compute_forward_dynamics"});
  model.update(cell.state, cell.tau);
  expect_words(complaint([&] { (void)model.end_force(0); }), {"compute_forward_dynamics"});
}

TEST(Manipulators, numbers_that_no_arm_has_are_told) {
  const Cell cell = CellMaker(3).make({});
  const Manipulator robot(cell.system);
  UnifiedModel model(robot);
  ClosedChain chain(robot);
  VectorXd a(cell.system.nv());
  model.update(cell.state, cell.tau);
  model.compute_forward_dynamics(a);
  chain.compute_forward_dynamics(ClosedAlgorithm::RCCFD1, OmegaSolve::dense, cell.state, cell.tau,
                                 {}, a);
  expect_words(complaint([&] { (void)model.end_force(99); }), {"no arm 99", "2"});
  expect_words(complaint([&] { (void)chain.end_force(-1); }), {"no arm -1", "2"});
  expect_words(complaint([&] { (void)model.object_acceleration(99); }), {"no object 99", "1"});
}

TEST(Manipulators, an_arm_that_holds_nothing_pulls_nothing) {
  Model model = CellMaker(3).make({}).system.model();
  model.grasps.pop_back();
  const System system = compile(model);
  const Manipulator robot(system, {.base = {}, .tips = {"hand1"}});
  Cell cell = CellMaker(3).make({});
  State state = cell.state;
  state.v.setZero();
  UnifiedModel unified(robot);
  ClosedChain chain(robot);
  VectorXd a(system.nv());
  unified.update(state, cell.tau);
  unified.compute_forward_dynamics(a);
  chain.compute_forward_dynamics(ClosedAlgorithm::RCCFD1, OmegaSolve::dense, state, cell.tau, {},
                                 a);
  EXPECT_EQ(norm(unified.end_force(1).force) + norm(chain.end_force(1).force), 0);
  EXPECT_GT(norm(unified.end_force(0).force), 0);
}

TEST(Manipulators, a_finger_that_rolls_on_a_table_is_no_wheel) {
  Model model = CellMaker(3).make({.base = BaseKind::free, .holds = false}).system.model();
  Closure rolling{.name = "finger",
                  .kind = Closure::Kind::rolling,
                  .body_a = "world",
                  .body_b = CellMaker::name(0, 6)};
  rolling.distance = 0.05;
  model.closures.push_back(rolling);
  const System system = compile(model);
  const ManipulatorOptions hands{.base = {}, .tips = {"hand0", "hand1"}};
  EXPECT_EQ(Manipulator(system, hands).base().kind, BaseKind::free);
  // On a base that is told to be the world, what floats has no motors either.
  EXPECT_EQ(Manipulator(system, {.base = "world", .tips = hands.tips}).passive().size(), 6U);
}

TEST(Manipulators, closed_chains_know_grasps_only) {
  const Cell cell = CellMaker(3).make({.base = BaseKind::wheeled});
  const Manipulator robot(cell.system);
  expect_words(complaint([&] { ClosedChain chain(robot); }), {"roll_left_wheel", "UnifiedModel"});
  const Cell empty = CellMaker(3).make({.holds = false});
  const Manipulator hands(empty.system, {.base = {}, .tips = {"hand0"}});
  expect_words(complaint([&] { ClosedChain chain(hands); }), {"grasp"});
}

TEST(Manipulators, a_weighted_inverse_needs_enough_joints) {
  const Cell cell = CellMaker(3).make({.joints = {4}, .holds = false});
  const Manipulator robot(cell.system, {.base = {}, .tips = {"hand0"}});
  UnifiedModel model(robot);
  model.update(cell.state, cell.tau);
  Eigen::MatrixXd out(4, 6);
  expect_words(complaint([&] { model.compute_weighted_inverse(out); }), {"rank 4", "6x4"});
}

}  // namespace
}  // namespace linkwright::testing
