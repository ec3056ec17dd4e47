/// Near singular positions: what still has an answer gets it, what has none is refused by name.

#include <gtest/gtest.h>

#include "closure/mechanisms.hpp"
#include "coordinates/compare.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {
namespace {

/// A crank and rocker whose crank and coupler are `bend` away from a straight line: a dead centre of the
/// rocker.
struct DeadCentre {
  explicit DeadCentre(double bend)
      : system(compile(four_bar(0.3, 0.9, 0.7, 0.8))), work(system), state(system) {
    const double reach = std::hypot(0.3 + 0.9 * std::cos(bend), 0.9 * std::sin(bend));
    const double up = std::acos((0.64 + reach * reach - 0.49) / (1.6 * reach));
    const double lean = std::atan2(0.9 * std::sin(bend), 0.3 + 0.9 * std::cos(bend));
    state.q << up - lean, bend, std::atan2(reach * std::sin(up), reach * std::cos(up) - 0.8);
  }
  System system;
  ClosedWorkspace work;
  State state;
};

TEST(DeadCentre, the_rocker_cannot_be_the_coordinate_and_the_crank_can) {
  DeadCentre at(0);
  ASSERT_LT(compute_worst_closure(at.work, at.state.q).gap(), 1e-14);
  const Mechanism by_crank =
      compute_double_transfer(at.work, at.state, {}, joint_influence(at.system, {"j1"}));
  expect_same(at.work, at.state, VectorXd::Unit(3, 0), by_crank, {0}, "dead centre");
  try {
    (void)compute_double_transfer(at.work, at.state, {}, joint_influence(at.system, {"j3"}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::failed_computation);
    EXPECT_NE(std::string(error.what()).find("'j3'"), std::string::npos) << error.what();
  }
  EXPECT_THROW((void)constrain(compute_joint_model(at.work, at.state, {}),
                               compute_closure_influence(at.work, at.state.q), {"j3"}),
               Error);
}

TEST(DeadCentre, close_to_it_the_condition_grows_as_the_distance_shrinks) {
  double before = 0;
  for (const double bend : {1e-1, 1e-2, 1e-3, 1e-4}) {
    DeadCentre at(bend);
    ASSERT_LT(compute_worst_closure(at.work, at.state.q).gap(), 1e-14);
    at.state.v << 1, 2, 3;
    project_velocity(at.work, at.state.q, {"j1"}, at.state.v);
    const Mechanism by_rocker =
        compute_double_transfer(at.work, at.state, {}, joint_influence(at.system, {"j3"}));
    expect_same(at.work, at.state, VectorXd::Unit(3, 0), by_rocker, {2}, std::to_string(bend));
    if (before > 0) {
      EXPECT_NEAR(by_rocker.condition / before, 10, 2) << bend;
    }
    before = by_rocker.condition;
  }
}

/// A stretched leg: the platform's motion does not tell the leg's, the motors' tells all.
TEST(StretchedLeg, keeps_a_coordinate_of_its_own) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/planar_platform.yaml"));
  ClosedWorkspace work(system);
  State state = initial_state(system);
  state.q[system.joint("motor1").q] = -0.9;
  state.q[system.joint("elbow1").q] = 0;
  ASSERT_TRUE(assemble(work, {.hold = {"motor1", "elbow1"}}, state.q).assembled);
  state.v = VectorXd::Ones(system.nv());
  project_velocity(work, state.q, {}, state.v);
  const std::vector<std::string> names{"motor1", "motor2", "motor3"};
  const Mechanism by_motors =
      compute_leg_by_leg(work, state, {}, "platform", joint_influence(system, names));
  const std::vector<int> entries{system.joint("motor1").v, system.joint("motor2").v,
                                 system.joint("motor3").v};
  expect_same(work, state, VectorXd::Unit(9, entries[1]), by_motors, entries, "stretched leg");
  EXPECT_THROW(
      (void)compute_leg_by_leg(work, state, {}, "platform", joint_influence(system, {"floating"})),
      Error);
}

/// Nothing is judged in metres: a machine a thousand times as large is as far from its singularity.
TEST(Condition, does_not_depend_on_the_size) {
  double found[2];
  for (const int large : {0, 1}) {
    const double scale = large == 0 ? 1 : 1000;
    const System system = compile(four_bar(0.3 * scale, 0.9 * scale, 0.7 * scale, 0.8 * scale));
    ClosedWorkspace work(system);
    State state(system);
    state.q << 1, -0.3, 1.4;
    ASSERT_TRUE(assemble(work, {.hold = {"j1"}, .tolerance = 1e-9}, state.q).assembled);
    const Influence pin = select(
        compute_frame_influence(work, state.q, system.frame("rocker"), Axes::world), {"rocker:wz"});
    found[large] = compute_double_transfer(work, state, {}, pin).condition;
  }
  EXPECT_NEAR(found[0], found[1], 1e-6 * found[0]);
}

}  // namespace
}  // namespace linkwright::testing
