// The heavy top: m = 15, com (0, 1, 0) from the fixed point, spinning fast.
#include <gtest/gtest.h>

#include "simulate/mechanisms.hpp"

namespace linkwright::testing {
namespace {

Model heavy_top() {
  Model model;
  model.name = "heavy top";
  model.bodies.push_back({.name = "top",
                          .mass = 15,
                          .com = {0, 1, 0},
                          .inertia = {0.234375, 0.46875, 0.234375, 0, 0, 0}});
  model.joints.push_back(
      {.name = "tip", .type = JointType::spherical, .parent = "world", .child = "top"});
  return model;
}

double error_with(const SimulationOptions& options) {
  const System system = compile(heavy_top());
  State start(system);
  start.v << 0, 150, -4.61538;
  const State end = after(system, start, 0.2, options);
  const Eigen::Vector4d published(-0.708279152974313, 0.438781088126582, 0.545728396145418,
                                  0.089399752824005);
  return std::min((end.q - published).cwiseAbs().maxCoeff(),
                  (end.q + published).cwiseAbs().maxCoeff());
}

TEST(HeavyTop, published_orientation) {
  EXPECT_LT(error_with({.method = Method::rk4, .step = 1e-5}), 1e-9);
  for (const Method method : {Method::adams, Method::bdf})
    EXPECT_LT(
        error_with({.method = method, .relative_tolerance = 1e-11, .absolute_tolerance = 1e-11}),
        1e-9)
        << to_string(method);
}

TEST(HeavyTop, success_means_an_error_below_a_hundred_tolerances) {
  for (const Method method : {Method::adams, Method::bdf})
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10})
      EXPECT_LT(
          error_with(
              {.method = method, .relative_tolerance = tolerance, .absolute_tolerance = tolerance}),
          100 * tolerance)
          << to_string(method) << ' ' << tolerance;
}

}  // namespace
}  // namespace linkwright::testing
