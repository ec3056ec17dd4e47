// What is told of real machines: a motor at every joint moves all of them, whatever the step.
#include <gtest/gtest.h>

#include "linear/mechanisms.hpp"
#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {
namespace {

using namespace linear;

System bundled(const std::string& file, Base base = Base::fixed) {
  return compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/" + file, {.base = base}));
}

void expect_full_ranks(const LinearModel& model, const std::string& what) {
  const auto n = static_cast<int>(model.states.size());
  for (const double step : {0.0, 1e-2, 1e-8}) {
    const Analysis found = analyse(step > 0 ? to_discrete(model, step) : model);
    EXPECT_EQ(found.controllability_rank, n) << what << ", step " << step;
    EXPECT_EQ(found.observability_rank, n) << what << ", step " << step;
  }
}

TEST(Ranks, of_arms_with_a_motor_at_every_joint_are_full) {
  for (const char* file : {"arm6.urdf", "arm7.urdf", "puma560.yaml"}) {
    const System system = bundled(file);
    ClosedWorkspace work(system);
    OperatingPoint point(system);
    expect_full_ranks(linearize(work, point), file);
    for (Eigen::Index i = 0; i < point.state.q.size(); ++i)
      point.state.q[i] = 0.2 + 0.1 * static_cast<double>(i);
    expect_full_ranks(linearize(work, point), file);
  }
}

TEST(Ranks, of_arms_with_motors_and_currents_are_full) {
  const System system = bundled("puma560_motors.yaml");
  ClosedWorkspace work(system);
  const actuation::Drives drives(system);
  expect_full_ranks(linearize(work, OperatingPoint(system), {.drives = &drives}), "puma");
}

/// A free body's six displacements and velocities are a zero that is met many times; rounding scatters it.
TEST(Ranks, a_body_that_floats_is_not_told_to_be_unstable) {
  const System system = bundled("quadruped.urdf", Base::free);
  ClosedWorkspace work(system);
  const Analysis found = analyse(linearize(work, OperatingPoint(system)));
  for (const Mode& mode : found.unstable) EXPECT_GT(mode.eigenvalue.real(), 1e-3);
}

}  // namespace
}  // namespace linkwright::testing
