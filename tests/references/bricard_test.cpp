/// Bricard's linkage as a benchmark of mechanisms that counting calls rigid: one freedom, one redundant row,
/// and the position after one second of falling (IFToMM library of benchmark problems, A04).

#include <gtest/gtest.h>

#include "linkwright/closure/mobility.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/simulate/simulation.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// Rods of 1 m and 1 kg, of square section 0.1 m.
Model linkage() {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/bricard.yaml");
  constexpr double across = 1.01 / 12, along = 0.02 / 12;
  for (Body& body : model.bodies) {
    const auto moment = [](double com) { return com != 0 ? along : across; };
    body.inertia = {moment(body.com.x), moment(body.com.y), moment(body.com.z), 0, 0, 0};
  }
  return model;
}

TEST(Bricard, has_one_freedom_and_one_redundant_row_which_is_named) {
  const System system = compile(linkage());
  ClosedWorkspace work(system);
  const Mobility found = compute_mobility(work, VectorXd::Zero(system.nv()));
  EXPECT_EQ(found.mobility, 1);
  EXPECT_EQ(found.grubler, 0);
  EXPECT_EQ(found.rows, 5);
  EXPECT_EQ(found.rank, 4);
  ASSERT_EQ(found.redundant.size(), 1U);
  EXPECT_EQ(found.redundant[0].closure, "hinge6");
  EXPECT_EQ(found.redundant[0].rows, 1);
  EXPECT_FALSE(found.singular);
  EXPECT_TRUE(found.idle.empty());
  EXPECT_EQ(found.internal_forces.size(), 5U);
}

TEST(Bricard, falls_to_the_published_position) {
  const System system = compile(linkage());
  const Vector3 published{0.27448131926462, -0.88670793873467, -0.46233000268738};
  const auto place = [&](const State& state) {
    Workspace work(system, Closures::leave_out);
    compute_forward_kinematics(work, state, VectorXd::Zero(system.nv()));
    return frame_pose(work, system.frame("rod3")).translation;
  };
  EXPECT_LE(norm(place(State(system)) - Vector3{1, -1, 0}), 1e-15);
  for (const SimulationOptions& options :
       {SimulationOptions{.step = 1e-3},
        SimulationOptions{.method = Method::adams, .relative_tolerance = 1e-10},
        SimulationOptions{.method = Method::bdf, .relative_tolerance = 1e-10}}) {
    Simulation simulation(system, State(system), options);
    simulation.advance_to(1);
    EXPECT_LE(norm(place(simulation.state()) - published), 1e-9) << to_string(options.method);
    EXPECT_LE(simulation.statistics().closure_error, 1e-12);
  }
}

}  // namespace
}  // namespace linkwright::testing
