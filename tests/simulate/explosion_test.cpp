// A step too long for a stiff system is told, with time, joint and energy; a wild but honest motion
// is not.
#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/io/read_model.hpp"
#include "simulate/mechanisms.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

Model stiff_slider(double stiffness, double damping) {
  Model model = slider();
  model.joint_springs.push_back({.joint = "rail", .stiffness = stiffness, .damping = damping});
  return model;
}

TEST(Explosion, stops_with_time_joint_and_energy_before_numbers_overflow) {
  for (const auto& [stiffness, damping] : {std::pair{1e8, 0.0}, std::pair{1e3, 1e5}}) {
    const System system = compile(stiff_slider(stiffness, damping));
    State start(system);
    start.q[0] = 0.1;
    for (const Method method : {Method::rk4, Method::semi_implicit}) {
      Simulation simulation(system, start, {.method = method, .step = 0.01});
      double largest = 0;
      std::string message = error_of([&] {
        simulation.run(10, 0.01, [&](const Snapshot& at) {
          largest = std::max(largest, at.now.state.v.cwiseAbs().maxCoeff());
          EXPECT_TRUE(at.now.state.v.allFinite());
          return true;
        });
      });
      EXPECT_TRUE(contains(message, "explodes at t = 0.")) << message;
      EXPECT_TRUE(contains(message, "joint 'rail'")) << message;
      EXPECT_TRUE(contains(message, "the energy has gone from")) << message;
      EXPECT_LT(largest, 1e9) << "the last rows are still believable";
    }
  }
}

TEST(Explosion, numbers_that_overflow_within_one_step_are_caught) {
  const System system = compile(stiff_slider(1e300, 0));
  State start(system);
  start.q[0] = 1;
  Simulation simulation(system, start, {.step = 1});
  const std::string message = error_of([&] { simulation.advance_to(1); });
  EXPECT_TRUE(contains(message, "explodes")) << message;
  EXPECT_TRUE(simulation.state().v.allFinite());
}

TEST(Explosion, a_stiff_method_copes) {
  const System system = compile(stiff_slider(1e3, 1e5));
  State start(system);
  start.q[0] = 0.1;
  Simulation simulation(system, start, {.method = Method::bdf});
  simulation.advance_to(10);
  EXPECT_NEAR(simulation.state().q[0], 0.1 * std::exp(-0.1), 1e-3);
}

TEST(Explosion, honest_motions_are_left_alone) {
  // A long fall from rest, a spring let go, a motor that spins up, a kick by an unknown force.
  const System ball = compile(slider());
  Simulation fall(ball, State(ball), {.step = 0.01});
  EXPECT_EQ(error_of([&] { fall.advance_to(100); }), "");

  const System spring = compile(stiff_slider(1000, 0));
  State pulled(spring);
  pulled.q[0] = 1;
  Simulation snap(spring, pulled, {.step = 1e-3});
  EXPECT_EQ(error_of([&] { snap.advance_to(10); }), "");

  Simulation motor(ball, State(ball), {.step = 0.01});
  motor.set_input(Eigen::VectorXd::Constant(1, 1000));
  EXPECT_EQ(error_of([&] { motor.advance_to(10); }), "");

  Simulation kick(ball, State(ball), {.step = 1e-4});
  kick.add_load({.frame = ball.frame("ball"), .compute = [](const State& s) {
                   return Force{{}, {0, 0, s.t > 0.5 && s.t < 0.51 ? 1e6 : 0.0}};
                 }});
  EXPECT_EQ(error_of([&] { kick.advance_to(1); }), "");

  RandomModel random(9);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const System tree = compile(random.tree(6, Base::free, all_joint_types()));
    Simulation wild(tree, random.state(tree), {.step = 1e-3, .limits = LimitAction::ignore});
    EXPECT_EQ(error_of([&] { wild.advance_to(0.5); }), "") << seed;
  }
}

TEST(Explosion, an_arm_that_friction_holds_does_not_tremble) {
  const System arm = compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/arm6.urdf"));
  for (const Method method : {Method::rk4, Method::semi_implicit}) {
    Simulation simulation(arm, State(arm), {.method = method, .step = 5e-4});
    EXPECT_EQ(error_of([&] { simulation.advance_to(1); }), "") << to_string(method);
    EXPECT_TRUE(simulation.state().q == State(arm).q) << to_string(method);
    EXPECT_TRUE(simulation.state().v == State(arm).v) << to_string(method);
  }
}

TEST(Explosion, the_work_of_loads_is_not_energy_from_nowhere) {
  Model model = slider();
  model.gravity = {};
  Model pulled = model, pushed = model;
  pulled.joint_loads.push_back({.joint = "rail", .effort = 1});
  pushed.body_loads.push_back({.body = "ball", .force = {{}, {0, 0, 1}}});
  for (const Model& loaded : {pulled, pushed}) {
    const System system = compile(loaded);
    for (const Method method : {Method::rk4, Method::semi_implicit, Method::symplectic}) {
      Simulation simulation(system, State(system), {.method = method, .step = 1e-3});
      EXPECT_EQ(error_of([&] { simulation.advance_to(5); }), "") << to_string(method);
      EXPECT_NEAR(simulation.state().v[0], 5, 1e-9) << to_string(method);
    }
  }
}

TEST(Explosion, under_a_load_is_still_noticed) {
  Model model = stiff_slider(1e8, 0);
  model.joint_loads.push_back({.joint = "rail", .effort = 1});
  const System system = compile(model);
  State start(system);
  start.q[0] = 0.1;
  Simulation simulation(system, start, {.step = 0.01});
  simulation.add_load({.frame = system.frame("ball"), .compute = [](const State&) {
                         return Force{{}, {0, 0, 1}};
                       }});
  EXPECT_TRUE(contains(error_of([&] { simulation.advance_to(10); }), "explodes at t = 0."));
}

}  // namespace
}  // namespace linkwright::testing
