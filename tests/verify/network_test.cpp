// The network's row: thin rods, whose inertia about their own length is lost among world axes, are allowed for and
// nothing else is.
#include <gtest/gtest.h>

#include "linkwright/network/dynamics.hpp"
#include "linkwright/verify/verification.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace verify;

/// Rods as thin as `radius` times their length; the last one is free to spin about itself.
Model rods(RandomModel& random, int count, double radius) {
  Model model;
  std::string parent = "world";
  for (int k = 0; k < count; ++k) {
    const std::string name = "rod" + std::to_string(k);
    Body body{.name = name, .mass = 1, .com = {0, 0, 0.25}};
    const double across = 1.0 / 48, along = 0.125 * radius * radius;
    body.inertia = {across, across, along, 0, 0, 0};
    model.bodies.push_back(body);
    Joint joint{.name = "joint" + std::to_string(k),
                .type = k % 2 == 0 ? JointType::spherical : JointType::universal,
                .parent = parent,
                .child = name};
    joint.pose = {spatial::from_rpy(random.vector(3)), {0, 0, k == 0 ? 0 : 0.5}};
    joint.axis = {0, 0, 1}, joint.axis2 = {0, 1, 0};
    model.joints.push_back(joint);
    parent = name;
  }
  return model;
}

/// The largest difference to the trunk as a part of the bound that all others have; `bound` its own, likewise.
double worst_of_network(const System& system, double& bound) {
  Verification verification(system, deepest_frame(system), {.count = 10, .seed = 1});
  verification.compare_all();
  const Comparison& found = verification.comparison();
  EXPECT_FALSE(found.disagreement) << to_text(*found.disagreement);
  for (std::size_t i = 0; i < verification.formulations().size(); ++i)
    if (verification.formulations()[i].name == "network") {
      bound = found.differences[i].bound / found.bound;
      return found.differences[i].effort / found.bound;
    }
  ADD_FAILURE() << "there is no row";
  return 0;
}

TEST(NetworkRow, allows_for_thin_rods) {
  RandomModel random(1);
  double thick = 0, thin = 0;
  worst_of_network(compile(rods(random, 5, 0.3)), thick);
  const double error = worst_of_network(compile(rods(random, 5, 2e-3)), thin);
  EXPECT_LT(thick, 100) << "an ordinary rod is judged as all others are";
  EXPECT_GT(thin, 1000);
  EXPECT_GT(error, 1) << "and it is needed";
}

}  // namespace
}  // namespace linkwright::testing
