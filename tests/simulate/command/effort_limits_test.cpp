// Efforts beyond the limits of their joints: cut off where that is asked for, and told.
#include <gtest/gtest.h>

#include "linkwright/simulate/controllers.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

/// A block of 2 kg on rails, whose motor gives 3 N.
Model block() {
  Model model;
  model.gravity = {};
  model.bodies.push_back({.name = "block", .mass = 2, .inertia = {1, 1, 1, 0, 0, 0}});
  model.joints.push_back({.name = "rail",
                          .type = JointType::prismatic,
                          .parent = "world",
                          .child = "block",
                          .limits = {{.effort = 3}}});
  return model;
}

TEST(EffortLimits, cut_off_what_inputs_and_controllers_ask_for_together) {
  const System system = compile(block());
  for (const Method method : {Method::rk4, Method::adams}) {
    Simulation simulation(system, State(system), {.method = method, .cut_efforts = true});
    simulation.set_input(Eigen::VectorXd::Constant(1, 2));
    simulation.add_controller(
        {.name = "more",
         .compute = [](const State&, const Reference&, Eigen::VectorXd& input) { input[0] = 5; }});
    simulation.advance_to(1);
    EXPECT_NEAR(simulation.state().q[0], 0.75, 1e-8);  // 3 N on 2 kg for a second
    EXPECT_EQ(simulation.snapshot().input[0], 3);
    ASSERT_EQ(simulation.occurrences().size(), 1U) << "told once";
    EXPECT_TRUE(contains(simulation.occurrences()[0].name, "joint 'rail' comes to its limit 3"));
  }
  Simulation free(system, State(system), {});
  free.set_input(Eigen::VectorXd::Constant(1, 5));
  free.advance_to(1);
  EXPECT_NEAR(free.state().q[0], 1.25, 1e-12);
  EXPECT_TRUE(free.occurrences().empty());
}

/// Sampled inputs are cut too.
TEST(EffortLimits, hold_for_sampled_controllers) {
  const System system = compile(block());
  Simulation simulation(system, State(system), {.cut_efforts = true});
  simulation.add_controller(
      {.name = "back",
       .period = 0.1,
       .compute = [](const State&, const Reference&, Eigen::VectorXd& input) { input[0] = -50; }});
  simulation.advance_to(1);
  EXPECT_NEAR(simulation.state().q[0], -0.75, 1e-9);
}

/// What a controller blows up is not "fed by nothing".
TEST(Explosions, under_a_controller_do_not_say_that_nothing_feeds_them) {
  const System system = compile(block());
  Simulation simulation(system, State(system), {.step = 0.1});
  simulation.add_controller(
      {.name = "wild", .compute = [](const State&, const Reference&, Eigen::VectorXd& input) {
         input[0] = 1e300;
       }});
  const std::string message = error_of([&] { simulation.advance_to(1000); });
  EXPECT_TRUE(contains(message, "explodes")) << message;
  EXPECT_FALSE(contains(message, "nothing to feed it")) << message;
}

}  // namespace
}  // namespace linkwright::testing
