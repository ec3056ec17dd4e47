// Two boxes hinged about z with a damper on the first hinge, against a published simulation.
#include <gtest/gtest.h>

#include "simulate/mechanisms.hpp"
#include "support/csv.hpp"

namespace linkwright::testing {
namespace {

Model double_pendulum() {
  constexpr double length = 0.5, side = 0.06, density = 7700;
  constexpr double mass = length * side * side * density;
  constexpr double along = mass * (side * side + side * side) / 12;
  constexpr double across = mass * (length * length + side * side) / 12;
  Model model;
  model.name = "double pendulum";
  model.gravity = {0, -9.80665, 0};
  for (const std::string name : {"box1", "box2"})
    model.bodies.push_back({.name = name,
                            .mass = mass,
                            .com = {length / 2, 0, 0},
                            .inertia = {along, across, across, 0, 0, 0}});
  model.joints.push_back({.name = "hinge1",
                          .type = JointType::revolute,
                          .parent = "world",
                          .child = "box1",
                          .axis = {0, 0, 1},
                          .damping = {0.1}});
  model.joints.push_back({.name = "hinge2",
                          .type = JointType::revolute,
                          .parent = "box1",
                          .child = "box2",
                          .pose = {.translation = {length, 0, 0}},
                          .axis = {0, 0, 1}});
  return model;
}

TEST(DoublePendulum, published_motion) {
  const auto rows = read_csv(LINKWRIGHT_SOURCE_DIR "/tests/data/double_pendulum_figures.csv");
  ASSERT_EQ(rows.size(), 22U);
  const System system = compile(double_pendulum());
  Simulation simulation(
      system, State(system),
      {.method = Method::adams, .relative_tolerance = 1e-9, .absolute_tolerance = 1e-9});
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double t = std::stod(rows[i][0]);
    simulation.advance_to(t);
    const State& s = simulation.state();
    const double got[] = {s.q[0], s.q[1], s.v[0], s.v[1]};
    for (std::size_t k = 0; k < 4; ++k) {
      const double expected = std::stod(rows[i][k + 1]);
      EXPECT_NEAR(got[k], expected, 1e-3 * std::max(1.0, std::abs(expected))) << "t = " << t;
    }
  }
  EXPECT_GT(simulation.time(), 2.8);
}

}  // namespace
}  // namespace linkwright::testing
