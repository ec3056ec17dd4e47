// Controllers, references and loads: asked when they are due, held in between, refused when wrong.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "simulate/mechanisms.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

const std::vector<Method> all_methods{Method::rk4,   Method::semi_implicit, Method::symplectic,
                                      Method::adams, Method::bdf,           Method::ida};

TEST(Controllers, a_sampled_controller_is_asked_exactly_at_its_times) {
  Model model = slider();
  model.gravity = {};
  const System system = compile(model);
  for (const Method method : all_methods) {
    // The step is no divisor of the period: steps are cut at the samples.
    Simulation simulation(system, State(system), {.method = method, .step = 0.03});
    std::vector<double> asked;
    simulation.add_controller(
        {.period = 0.1, .compute = [&](const State& s, const Reference&, Eigen::VectorXd& tau) {
           tau[0] = asked.size() % 2 == 0 ? 1 : -1;
           asked.push_back(s.t);
         }});
    simulation.advance_to(1);
    ASSERT_EQ(asked.size(), 10U) << to_string(method);
    for (std::size_t k = 0; k < asked.size(); ++k)
      EXPECT_NEAR(asked[k], 0.1 * static_cast<double>(k), 1e-12);
    // Efforts ±1 in turn on a mass of 1 kg: five steps of 0.01 m forward, at rest at the end.
    const double tolerance = method == Method::semi_implicit ? 0.02 : 1e-7;
    EXPECT_NEAR(simulation.state().q[0], 0.05, tolerance) << to_string(method);
    EXPECT_NEAR(simulation.state().v[0], 0, 1e-7) << to_string(method);
  }
}

TEST(Controllers, several_rates_and_a_reference_go_together) {
  const System system = compile(slider());
  Simulation simulation(system, State(system), {.step = 1e-3});
  int references = 0, slow = 0;
  simulation.set_reference({.period = 0.05, .compute = [&](double t, Reference& r) {
                              ++references;
                              r.q[0] = t;
                              r.v[0] = 1;
                            }});
  simulation.add_controller(
      {.name = "slow",
       .period = 0.1,
       .compute = [&](const State&, const Reference& r, Eigen::VectorXd& tau) {
         ++slow;
         EXPECT_NEAR(r.q[0], 0.1 * (slow - 1), 1e-12);
         tau[0] = 9.81;
       }});
  simulation.add_controller(
      {.name = "continuous",
       .compute = [](const State& s, const Reference& r, Eigen::VectorXd& tau) {
         tau[0] = 400 * (r.q[0] - s.q[0]) + 40 * (r.v[0] - s.v[0]);
       }});
  simulation.advance_to(1);
  EXPECT_EQ(references, 20);
  EXPECT_EQ(slow, 10);
  EXPECT_NEAR(simulation.state().q[0], 1, 0.06);  // the reference is a staircase of 0.05
}

TEST(Controllers, a_load_and_an_effort_hold_the_weight) {
  const System system = compile(slider(2));
  for (const Method method : all_methods) {
    Simulation simulation(system, State(system), {.method = method, .step = 0.01});
    simulation.set_input(Eigen::VectorXd::Constant(1, 9.81));
    simulation.add_load({.frame = system.frame("ball"), .compute = [](const State&) {
                           return Force{{}, {0, 0, 9.81}};
                         }});
    simulation.advance_to(1);
    EXPECT_NEAR(simulation.state().q[0], 0, 1e-12) << to_string(method);
  }
}

TEST(Controllers, mistakes_are_named_with_time_joint_and_value) {
  const System system = compile(slider());
  const auto message_of = [&](const Controller& controller, Method method) {
    Simulation simulation(system, State(system), {.method = method, .step = 1e-3});
    return error_of([&] {
      simulation.add_controller(controller);
      simulation.advance_to(1);
    });
  };
  for (const Method method : all_methods)
    for (const double period : {0.0, 0.01}) {
      const std::string nan =
          message_of({.name = "pd",
                      .period = period,
                      .compute = [](const State& s, const Reference&,
                                    Eigen::VectorXd& tau) { tau[0] = s.t > 0.015 ? NAN : 0; }},
                     method);
      EXPECT_TRUE(contains(nan, "controller 'pd' gave tau:rail = nan at t = 0.0")) << nan;
      const std::string size =
          message_of({.name = "pd",
                      .period = period,
                      .compute = [](const State&, const Reference&,
                                    Eigen::VectorXd& tau) { tau = Eigen::VectorXd::Zero(3); }},
                     method);
      EXPECT_TRUE(contains(
          size, "controller 'pd' gave 3 inputs at t = 0 s; expected 1, one for each of 'tau:rail'"))
          << size;
    }
  EXPECT_TRUE(contains(message_of({.name = "none"}, Method::rk4), "has no function"));
  EXPECT_TRUE(contains(
      message_of({.period = -1, .compute = [](const State&, const Reference&, Eigen::VectorXd&) {}},
                 Method::rk4),
      "period -1 s"));
}

TEST(Controllers, wrong_references_and_loads_are_named) {
  const System system = compile(slider());
  Simulation simulation(system, State(system), {.step = 1e-3});
  simulation.set_reference(
      {.period = 0.01, .compute = [](double, Reference& r) { r.v.resize(4); }});
  EXPECT_TRUE(contains(error_of([&] { simulation.advance_to(1); }), "4 numbers in v at t = 0 s"));
  Simulation pushed(system, State(system), {.step = 1e-3});
  pushed.add_load({.name = "wind", .frame = system.frame("ball"), .compute = [](const State&) {
                     return Force{{}, {INFINITY, 0, 0}};
                   }});
  EXPECT_TRUE(contains(error_of([&] { pushed.advance_to(1); }), "load 'wind' gave"));
}

TEST(Options, mistakes_are_named) {
  const System system = compile(slider());
  const auto message_of = [&](const SimulationOptions& options) {
    return error_of([&] { Simulation(system, State(system), options); });
  };
  EXPECT_TRUE(contains(message_of({.step = 0}), "the step is 0; expected a positive number"));
  EXPECT_TRUE(contains(message_of({.step = NAN}), "the step is nan"));
  EXPECT_TRUE(contains(message_of({.method = Method::bdf, .relative_tolerance = -1}),
                       "the relative tolerance is -1"));
  EXPECT_TRUE(
      contains(error_of([] { to_method("rk5"); }),
               "there is no method 'rk5'; known are rk4, semi-implicit, symplectic, adams, bdf"));
  Simulation simulation(system, State(system));
  simulation.advance_to(1);
  EXPECT_TRUE(contains(error_of([&] { simulation.advance_to(0.5); }), "the simulation is at 1 s"));
}

}  // namespace
}  // namespace linkwright::testing
