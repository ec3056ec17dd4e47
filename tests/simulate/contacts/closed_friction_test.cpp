// Dry friction and stops of mechanisms with loops: redundant, and at closing joints too.
#include <gtest/gtest.h>

#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "simulate/closed.hpp"
#include "simulate/contacts/contacts.hpp"

namespace linkwright::testing {
namespace {

/// A four-bar with friction in all four joints, that of the closing one among them.
Model rubbing(double friction) {
  Model model = four_bar(0.3, 0.9, 0.7, 0.8);
  for (Joint& joint : model.joints) joint.friction = {{friction, friction}};
  for (Closure& closure : model.closures) closure.friction = {{friction, friction}};
  return model;
}

/// The friction, alike in all joints, that just holds the mechanism: virtual work of gravity over the sum
/// of all turns.
double threshold(const FourBar& bar) {
  ClosedWorkspace work(bar.system);
  const int crank = bar.system.joint("j1").v;
  Eigen::VectorXd gravity(1), rates(1);
  const std::vector<int> entries{crank};
  compute_gravity(work, bar.start, entries, gravity);
  State moving = bar.start;
  moving.v[crank] = 1;
  const std::vector<std::string> hold{"j1"};
  project_velocity(work, moving.q, hold, moving.v);
  moving.v /= moving.v[crank];
  compute_closing_rates(work, moving, rates);
  return std::abs(gravity[0]) / (moving.v.cwiseAbs().sum() + std::abs(rates[0]));
}

TEST(ClosedFriction, a_four_bar_holds_below_the_threshold_of_virtual_work_and_slides_above) {
  const double limit = threshold(FourBar(rubbing(0)));
  ASSERT_GT(limit, 0.1);
  for (const Method method : methods_for_closed_systems()) {
    const FourBar holds(rubbing(1.0001 * limit));
    Simulation still(holds.system, holds.start, with_method(method));
    still.advance_to(!has_fixed_step(method) ? 20 : 5);
    EXPECT_LT(distance(holds.system, still.state(), holds.start), 1e-11) << to_string(method);
    const FourBar slides(rubbing(0.9999 * limit));
    Simulation moves(slides.system, slides.start, with_method(method));
    moves.advance_to(1);
    EXPECT_GT(distance(slides.system, moves.state(), slides.start), 1e-5) << to_string(method);
  }
}

double energy_of(ClosedWorkspace& work, const State& s) {
  const Energy e = compute_energy(work, s);
  return e.kinetic + e.potential;
}

TEST(ClosedFriction, what_a_four_bar_loses_is_the_work_of_its_friction) {
  const double friction = 0.2;
  const FourBar bar(rubbing(friction));
  ClosedWorkspace work(bar.system);
  for (const Method method : {Method::rk4, Method::adams}) {
    Simulation simulation(bar.system, bar.start, with_method(method, 5e-4));
    double way = 0;
    State last = bar.start;
    Eigen::VectorXd angle(1), before(1);
    compute_closing_coordinates(work, last.q, before);
    simulation.run(15, 0, [&](const Snapshot& at) {
      const State& now = at.now.state;
      compute_closing_coordinates(work, now.q, angle);
      way += (now.q - last.q).cwiseAbs().sum() + std::abs(angle[0] - before[0]);
      last = now, before = angle;
      return true;
    });
    const double lost = energy_of(work, bar.start) - energy_of(work, simulation.state());
    // Angles turn back within a step of adams only where an event ends it.
    EXPECT_NEAR(lost, friction * way, 2e-4 * lost) << to_string(method);
    EXPECT_LT(simulation.state().v.cwiseAbs().maxCoeff(), 1e-12) << to_string(method);
    EXPECT_LT(simulation.statistics().closure_error, 1e-10) << to_string(method);
  }
}

TEST(ClosedFriction, methods_agree_with_a_refined_reference) {
  const FourBar bar(rubbing(0.2));
  const State reference = after(bar.system, bar.start, 1.5, {.method = Method::rk4, .step = 5e-5});
  const auto error = [&](double step) {
    const SimulationOptions options{.method = Method::rk4, .step = step};
    return distance(bar.system, after(bar.system, bar.start, 1.5, options), reference);
  };
  // Events leave their share of the last step's error: of order 2 at least.
  const double coarse = error(1e-3);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_LT(error(2.5e-4), std::max(coarse / 16, 1e-9));
  for (const Method method : {Method::adams, Method::bdf, Method::ida})
    EXPECT_LT(
        distance(bar.system, after(bar.system, bar.start, 1.5, with_method(method)), reference),
        1e-7)
        << to_string(method);
}

TEST(ClosedFriction, a_five_bar_may_lock_one_freedom_and_move_in_the_other) {
  Model model = read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/five_bar.yaml");
  System plain = compile(model);
  const std::string held = plain.velocity_names().front();
  for (Joint& joint : model.joints)
    if (joint.name == held) joint.friction = {{1e3, 1e3}};
  const System system = compile(model);
  const State start = assembled(system);
  State still = start;
  still.v.setZero();
  const int entry = system.joint(held).v;
  for (const Method method : methods_for_closed_systems()) {
    Simulation simulation(system, still, with_method(method));
    simulation.advance_to(
        0.3);  // before the other motor reaches its limit, whose impact moves both
    EXPECT_NEAR(simulation.state().q[system.joint(held).q], still.q[system.joint(held).q], 1e-12)
        << to_string(method);
    EXPECT_NEAR(simulation.state().v[entry], 0, 1e-12) << to_string(method);
    EXPECT_GT(distance(system, simulation.state(), still), 1e-2) << to_string(method);
    ClosedWorkspace work(system);
    EXPECT_LT(off_closures(work, simulation.state()), 1e-10) << to_string(method);
  }
}

TEST(ClosedFriction, a_closing_joint_stops_at_its_limit_and_rebounds) {
  for (const double e : {0.0, 1.0}) {
    Model model = four_bar(0.3, 0.9, 0.7, 0.8);
    FourBar free(model);
    ClosedWorkspace work(free.system);
    Eigen::VectorXd angle(1);
    Simulation fall(free.system, free.start, {});
    fall.advance_to(0.25);
    compute_closing_coordinates(work, free.start.q, angle);
    const double first = angle[0];
    compute_closing_coordinates(work, fall.state().q, angle);
    const double second = angle[0];
    // Half way there it is stopped.
    const double bound = 0.5 * (first + second);
    Limits limits{.restitution = e};
    (second > first ? limits.upper : limits.lower) = bound;
    model.closures[0].limits = {limits};
    const FourBar bar(model);
    for (const Method method : {Method::rk4, Method::adams}) {
      Simulation simulation(bar.system, bar.start, with_method(method));
      simulation.advance_to(0.6);
      ClosedWorkspace closed(bar.system);
      compute_closing_coordinates(closed, simulation.state().q, angle);
      EXPECT_LE((second > first ? 1 : -1) * (angle[0] - bound), 1e-9) << to_string(method);
      EXPECT_GE(count_of(simulation, "joint 'loop' reaches its"), 1) << to_string(method);
      if (e == 0)
        EXPECT_LT(simulation.state().v.cwiseAbs().maxCoeff(), 1e-9) << to_string(method);
      else
        EXPECT_NEAR(energy_of(closed, simulation.state()), energy_of(closed, bar.start), 1e-8)
            << to_string(method);
    }
  }
}

TEST(ClosedFriction, a_continued_run_gives_the_same_bits) {
  const FourBar bar(rubbing(0.6 * threshold(FourBar(rubbing(0)))));
  Simulation whole(bar.system, bar.start, {}), part(bar.system, bar.start, {});
  whole.advance_to(2);
  for (const double t : {0.3, 1.1}) {
    part.advance_to(t);
    Simulation rest(bar.system, to_checkpoint(to_text(part.save())), {});
    rest.advance_to(2);
    EXPECT_TRUE(whole.state().q == rest.state().q) << t;
    EXPECT_TRUE(whole.state().v == rest.state().v) << t;
  }
  EXPECT_GT(whole.statistics().contacts, 1);
}

}  // namespace
}  // namespace linkwright::testing
