// IFToMM A01: point mass 1 on a massless rod of length 1, released horizontal; exact solution.
#include <gtest/gtest.h>

#include "linkwright/dynamics/kinematics.hpp"
#include "simulate/mechanisms.hpp"

namespace linkwright::testing {
namespace {

struct Published {
  double t, x, z;
};
constexpr Published published[] = {{1, -0.98629175113187532, -0.16501085312554117},
                                   {10, 0.27508746257611686, -0.96141920509912506}};
constexpr double period = 2.367841947576237449;

double error_at(const Published& point, const SimulationOptions& options) {
  const System system = compile(point_pendulum());
  const State end = after(system, State(system), point.t, options);
  Workspace work(system);
  compute_forward_kinematics(work, end, Eigen::VectorXd::Zero(1));
  const Vector3 at = frame_pose(work, system.frame("mass")).translation;
  return std::max(std::abs(at.x - point.x), std::abs(at.z - point.z));
}

TEST(Pendulum, published_positions) {
  for (const Published& point : published) {
    EXPECT_LT(error_at(point, {.method = Method::rk4, .step = 2e-4}), 1e-9) << point.t;
    for (const Method method : {Method::adams, Method::bdf, Method::ida})
      EXPECT_LT(
          error_at(point,
                   {.method = method, .relative_tolerance = 1e-11, .absolute_tolerance = 1e-11}),
          1e-9)
          << to_string(method) << ' ' << point.t;
  }
}

TEST(Pendulum, success_means_an_error_below_a_hundred_tolerances) {
  for (const Method method : {Method::adams, Method::bdf, Method::ida})
    for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12})
      for (const Published& point : published)
        EXPECT_LT(error_at(point, {.method = method,
                                   .relative_tolerance = tolerance,
                                   .absolute_tolerance = tolerance}),
                  100 * tolerance)
            << to_string(method) << ' ' << tolerance << ' ' << point.t;
}

TEST(Pendulum, the_period_is_found_by_an_event) {
  const System system = compile(point_pendulum());
  Simulation simulation(
      system, State(system),
      {.method = Method::adams, .relative_tolerance = 1e-11, .absolute_tolerance = 1e-11});
  simulation.add_event({.name = "turns",
                        .function = [](const State& s) { return s.v[0]; },
                        .direction = Event::Direction::rising});
  simulation.advance_to(5);
  // It turns back at the far side after half a period (rising), and starts again after a whole one.
  ASSERT_EQ(simulation.occurrences().size(), 2U);
  EXPECT_NEAR(simulation.occurrences()[1].time - simulation.occurrences()[0].time, period, 1e-9);
}

}  // namespace
}  // namespace linkwright::testing
