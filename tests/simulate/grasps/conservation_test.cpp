// What arms that hold an object keep: momentum and energy, while they hold it and when they let go.
#include <gtest/gtest.h>

#include "linkwright/dynamics/energy.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "simulate/closed.hpp"

namespace linkwright::testing {
namespace {

/// Two arms on a free bus, without weight, hold a load between soft fingertips; springs press it.
Model space_arms(const std::string& grips) {
  std::string text = R"(linkwright: 1
gravity: [0, 0, 0]
bodies:
  - {name: bus, mass: 50, inertia: [6, 7, 5, 0, 0, 0]}
)";
  std::string joints = "joints:\n  - {name: base, type: free, parent: world, child: bus}\n",
              springs = "springs:\n";
  for (const std::string side : {"left", "right"}) {
    const std::string y = side == "left" ? "0.6" : "-0.6", sign = side == "left" ? "-1" : "1";
    text += "  - {name: " + side +
            "_arm, mass: 3, com: [0.3, 0, 0], inertia: [0.01, 0.1, 0.1, 0, 0, 0]}\n" +
            "  - {name: " + side +
            "_hand, mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}\n";
    joints += "  - {name: " + side + "_shoulder, type: spherical, parent: bus, child: " + side +
              "_arm, pose: {xyz: [0.5, " + y + ", 0]}}\n" + "  - {name: " + side +
              "_slide, type: prismatic, parent: " + side + "_arm, child: " + side +
              "_hand, pose: {xyz: [0.6, 0, 0]}, axis: [0, " + sign + ", 0]}\n";
    springs += "  - {joint: " + side + "_slide, stiffness: 200, rest: 0.6}\n";
    for (int i = 0; i < 3; ++i)
      springs += "  - {joint: " + side + "_shoulder, freedom: " + std::to_string(i) +
                 ", stiffness: 300}\n";
  }
  return parse_system_file(
      text + joints +
          "objects: [{name: load, mass: 4, inertia: [0.05, 0.04, 0.06, 0, 0, 0], pose: {xyz: "
          "[1.1, 0, 0]}}]\n" +
          "grasps:\n" + grips + springs +
          "state: {q: {left_slide: 0.4, right_slide: 0.4}, v: {base: [0.1, 0.2, -0.1, 0.3, 0, "
          "0.1]}}\n",
      "space.yaml");
}

std::string grip(const std::string& contact) {
  const auto normal = [&](const char* y) {
    return contact == "rigid" ? std::string() : std::string(", normal: [0, ") + y + ", 0]";
  };
  return "  - {name: l, arm: left_hand, object: load, at: {xyz: [0, 0.2, 0]}, "
         "contact: " +
         contact + normal("-1") +
         "}\n  - {name: r, arm: right_hand, object: load, at: {xyz: [0, -0.2, 0]}, contact: " +
         contact + normal("1") + "}\n";
}

double energy_of(const System& system, const State& state) {
  Workspace work(system, Closures::leave_out);
  const Energy e = compute_energy(work, state);
  return e.kinetic + e.potential;
}

State moving_start(const System& system) {
  ClosedWorkspace work(system);
  State state = initial_state(system);
  project_velocity(work, state.q, {}, state.v);
  return state;
}

/// What a run of a second loses with steps of this length.
Conservation kept_with(const System& system, double step) {
  Simulation simulation(system, moving_start(system), {.step = step, .measure_drift = true});
  simulation.advance_to(1);
  EXPECT_LT(simulation.statistics().closure_error, 1e-10);
  return *simulation.statistics().conservation;
}

/// Momentum and energy are lost at the order of the method alone: half the step, a sixteenth of the loss.
TEST(GraspConservation, momentum_and_energy_of_arms_that_hold_a_load) {
  for (const std::string contact : {"rigid", "soft_finger", "point", "line, axis: [1, 0, 0]"}) {
    const System system = compile(space_arms(grip(contact)));
    const Conservation coarse = kept_with(system, 1e-3), fine = kept_with(system, 5e-4);
    EXPECT_TRUE(fine.is_conservative) << contact;
    ASSERT_TRUE(fine.linear_momentum && fine.angular_momentum) << contact;
    EXPECT_LT(fine.energy.relative(), 1e-9) << contact;
    EXPECT_LT(fine.linear_momentum->relative(), 1e-11) << contact;
    EXPECT_LT(fine.angular_momentum->relative(), 2e-11) << contact;
    const auto falls = [](const Drift& before, const Drift& now) {
      return now.relative() < std::max(before.relative() / 8, 1e-13);
    };
    EXPECT_TRUE(falls(coarse.energy, fine.energy)) << contact;
    EXPECT_TRUE(falls(*coarse.linear_momentum, *fine.linear_momentum)) << contact;
    EXPECT_TRUE(falls(*coarse.angular_momentum, *fine.angular_momentum)) << contact;
  }
}

/// A contact that opens without a blow takes neither energy nor momentum away.
TEST(GraspConservation, a_contact_that_lets_go_takes_nothing_with_it) {
  std::string grips = grip("point, friction: 0.6");
  const System system = compile(space_arms(grips));
  const State start = moving_start(system);
  Simulation simulation(system, start, {.step = 5e-4, .on_slip = OnSlip::release});
  const double before = energy_of(system, start);
  Workspace work(system, Closures::leave_out);
  const Momentum at_start = compute_momentum(work, start);
  simulation.advance_to(3);
  ASSERT_FALSE(simulation.statistics().slips.empty())
      << "the springs overshoot, and a finger opens";
  EXPECT_NEAR(energy_of(system, simulation.state()), before, 1e-7 * before);
  const Momentum now = compute_momentum(work, simulation.state());
  EXPECT_LT(norm(now.linear - at_start.linear), 1e-10 * norm(at_start.linear));
}

}  // namespace
}  // namespace linkwright::testing
