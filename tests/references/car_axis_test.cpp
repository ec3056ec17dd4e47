/// A car's axis on a road that moves as a given function of time, after three seconds.

#include "references/car_axis.hpp"

#include <gtest/gtest.h>

#include "linkwright/simulate/closed_equations.hpp"
#include "linkwright/simulate/simulation.hpp"

namespace linkwright::testing {
namespace {

TEST(CarAxis, arrives_as_published) {
  const System system = compile(car_axis());
  const auto road = [](double t) {
    return GivenValue{0.1 * std::sin(10 * t), std::cos(10 * t), -10 * std::sin(10 * t)};
  };
  Simulation simulation(
      std::make_unique<ClosedEquations>(system, ClosedOptions{.motions = {{"road", road}}}),
      {car_axis_start(system), {}},
      {.method = Method::adams, .relative_tolerance = 1e-10, .absolute_tolerance = 1e-11});
  simulation.advance_to(3);
  const auto q = [&](const char* joint) { return simulation.state().q[system.joint(joint).q]; };
  EXPECT_NEAR(q("left_x"), 0.0493455784275402809122, 1e-10);
  EXPECT_NEAR(q("left_y"), 0.496989460230171153861, 1e-10);
  EXPECT_NEAR(q("right_x"), 1.04174252488542151681, 1e-10);
  EXPECT_NEAR(q("right_y"), 0.373911027265361256927, 1e-10);
}

}  // namespace
}  // namespace linkwright::testing
