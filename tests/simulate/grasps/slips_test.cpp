// One-sided contacts in motion: when they let go, how that is told, and what moves afterwards.
#include <gtest/gtest.h>

#include "linkwright/io/system_file.hpp"
#include "linkwright/simulate/closed_equations.hpp"
#include "linkwright/simulate/recording.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "simulate/closed.hpp"
#include "support/files.hpp"
#include "support/squeezed_box.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// The squeeze falls from `from` newtons by `rate` newtons per second.
Controller falling_squeeze(const System& system, double from, double rate) {
  return {.name = "squeeze",
          .compute = [&system, from, rate](const State& now, const Reference&, VectorXd& tau) {
            const double force = from - rate * now.t;
            tau[system.joint("left").v] = tau[system.joint("right").v] = force;
          }};
}

class Slips : public ::testing::TestWithParam<Method> {
 protected:
  [[nodiscard]] SimulationOptions options(OnSlip on_slip) const {
    return {.method = GetParam(),
            .step = 1e-3,
            .relative_tolerance = 1e-9,
            .absolute_tolerance = 1e-11,
            .on_slip = on_slip};
  }
  /// A box under a squeeze that falls until something lets go.
  Simulation stopped(const System& system, double from, double rate) {
    Simulation simulation(system, State(system), options(OnSlip::stop));
    simulation.add_controller(falling_squeeze(system, from, rate));
    simulation.advance_to(100);
    EXPECT_TRUE(simulation.stopped());
    return simulation;
  }
};

TEST_P(Slips, a_box_slips_when_friction_times_the_squeeze_is_half_its_weight) {
  for (const double friction : {0.3, 0.8}) {
    const SqueezedBox box{.friction = friction};
    const System system = compile(box.model());
    const double from = 2 * box.least_squeeze() + 7, rate = 30;
    const Simulation simulation = stopped(system, from, rate);
    EXPECT_NEAR(simulation.time(), (from - box.least_squeeze()) / rate, 1e-9);
    ASSERT_EQ(simulation.statistics().slips.size(), 2U) << "both fingers at once";
    EXPECT_EQ(simulation.statistics().slips[0].loss, ContactLoss::slips);
    EXPECT_EQ(simulation.statistics().slips[0].time, simulation.time());
    ASSERT_FALSE(simulation.occurrences().empty());
    EXPECT_TRUE(contains(simulation.occurrences()[0].name, "contact 'l' slips"));
  }
}

TEST_P(Slips, a_box_that_hangs_aside_twists_when_torsion_times_the_squeeze_is_its_moment) {
  const SqueezedBox box{.torsion = 0.01, .aside = 0.02};
  const System system = compile(box.model());
  const double from = 100, rate = 25;
  const Simulation simulation = stopped(system, from, rate);
  EXPECT_NEAR(simulation.time(), (from - box.mass * box.g * box.aside / box.torsion) / rate, 1e-9);
  ASSERT_EQ(simulation.statistics().slips.size(), 1U);
  EXPECT_EQ(simulation.statistics().slips[0].loss, ContactLoss::twists);
  EXPECT_EQ(simulation.statistics().slips[0].contact, "l");
  EXPECT_TRUE(contains(simulation.occurrences()[0].name, "about its normal"));
}

TEST_P(Slips, without_weight_the_fingers_open_when_they_press_no_more) {
  const SqueezedBox box{.g = 0};
  const System system = compile(box.model());
  const Simulation simulation = stopped(system, 12, 16);
  EXPECT_NEAR(simulation.time(), 0.75, 1e-9);
  ASSERT_EQ(simulation.statistics().slips.size(), 2U);
  EXPECT_EQ(simulation.statistics().slips[0].loss, ContactLoss::opens);
}

TEST_P(Slips, a_box_let_go_flies_freely) {
  const SqueezedBox box;
  const System system = compile(box.model());
  const double from = 60, rate = 40, slips = (from - box.least_squeeze()) / rate;
  Simulation simulation(system, State(system), options(OnSlip::release));
  simulation.add_controller(falling_squeeze(system, from, rate));
  simulation.advance_to(slips + 0.4);
  EXPECT_FALSE(simulation.stopped());
  ASSERT_EQ(simulation.statistics().slips.size(), 2U);
  for (const Slip& slip : simulation.statistics().slips) {
    EXPECT_TRUE(slip.released);
    EXPECT_NEAR(slip.time, slips, 1e-9);
  }
  const int height = system.joint("box").q + 6, rises = system.joint("box").v + 5;
  EXPECT_NEAR(simulation.state().q[height], -0.5 * box.g * 0.4 * 0.4, 1e-9);
  EXPECT_NEAR(simulation.state().v[rises], -box.g * 0.4, 1e-8);
  // The fingers, 1 kg each, go on under their motors: from rest under F(t) = least squeeze − rate t.
  const double way = 0.5 * box.least_squeeze() * 0.16 - rate / 6 * 0.064;
  EXPECT_NEAR(simulation.state().q[system.joint("left").q], way, 1e-8);
  EXPECT_EQ(simulation.snapshot().errors.position, 0) << "nothing is left to be kept closed";
}

/// One contact is released, the other holds without friction: from there on it is the system with one grasp.
TEST_P(Slips, after_a_release_the_system_is_the_one_without_that_grasp) {
  SqueezedBox box;
  Model model = box.model();
  model.grasps[1].friction.reset();
  const System system = compile(model);
  const double from = 60, rate = 40, slips = (from - box.least_squeeze()) / rate;
  Simulation simulation(system, State(system), options(OnSlip::release));
  simulation.add_controller(falling_squeeze(system, from, rate));
  simulation.advance_to(slips + 0.2);
  ASSERT_EQ(simulation.statistics().slips.size(), 1U);
  model.grasps.erase(model.grasps.begin());
  const System other = compile(model);
  State start(other);
  start.t = simulation.statistics().slips[0].time;
  Simulation without(other, start, options(OnSlip::release));
  without.add_controller(falling_squeeze(other, from, rate));
  without.advance_to(slips + 0.2);
  EXPECT_LT(distance(system, simulation.state(), without.state()), 1e-7);
  EXPECT_GT(distance(system, simulation.state(), State(system)), 0.1) << "it swings on one finger";
}

/// The finger that is left holds more, and yet not alone: it goes at the same moment.
TEST_P(Slips, a_contact_takes_with_it_those_that_cannot_hold_without_it) {
  SqueezedBox box;
  Model model = box.model();
  model.grasps[1].friction = 0.8;
  const System system = compile(model);
  const double from = 60, rate = 40, slips = (from - box.least_squeeze()) / rate;
  Simulation simulation(system, State(system), options(OnSlip::release));
  simulation.add_controller(falling_squeeze(system, from, rate));
  simulation.advance_to(slips + 0.3);
  ASSERT_EQ(simulation.statistics().slips.size(), 2U);
  EXPECT_EQ(simulation.statistics().slips[0].contact, "l");
  EXPECT_EQ(simulation.statistics().slips[1].contact, "r");
  EXPECT_EQ(simulation.statistics().slips[1].time, simulation.statistics().slips[0].time);
  EXPECT_LT(simulation.statistics().slips[1].margin, -0.1) << "it jumped";
  EXPECT_TRUE(simulation.statistics().slips[1].released);
  EXPECT_NEAR(simulation.state().q[system.joint("box").q + 6], -0.5 * box.g * 0.09, 1e-8);
}

TEST_P(Slips, warned_of_a_slip_the_run_is_that_of_a_contact_that_holds) {
  SqueezedBox box{.friction = 0.3, .aside = 0.01};
  const System one_sided = compile(box.model());
  box.one_sided = false;
  const System holds = compile(box.model());
  Simulation told(one_sided, State(one_sided), options(OnSlip::warn)),
      other(holds, State(holds), options(OnSlip::warn));
  for (Simulation* simulation : {&told, &other}) {
    simulation->add_controller(falling_squeeze(simulation->system(), 40, 100));
    simulation->advance_to(0.5);
  }
  EXPECT_FALSE(told.stopped());
  EXPECT_LT(distance(one_sided, told.state(), other.state()), 1e-9);
  ASSERT_EQ(told.statistics().slips.size(), 2U);
  EXPECT_FALSE(told.statistics().slips[0].released);
  EXPECT_NEAR(told.statistics().slips[0].time, (40 - box.least_squeeze()) / 100, 1e-9);
  ASSERT_TRUE(told.statistics().least_margin.has_value());
  EXPECT_NEAR(told.statistics().least_margin->margin, -3 - box.mass * box.g / 2, 1e-6);
  EXPECT_FALSE(other.statistics().least_margin.has_value());
  EXPECT_TRUE(other.occurrences().empty());
}

/// Rows of a long step before the release show the contact as it was then.
TEST_P(Slips, channels_tell_the_margin_until_the_contact_is_released_and_zero_from_then_on) {
  const SqueezedBox box;
  const System system = compile(box.model());
  const double from = 60, rate = 40, slips = (from - box.least_squeeze()) / rate;
  Simulation simulation(system, State(system), options(OnSlip::release));
  simulation.add_controller(falling_squeeze(system, from, rate));
  Channels channels(simulation.equations(),
                    {"contact:l", "contact:r:margin", "closure:l", "force:left", "a:box"});
  Workspace work(system, Closures::leave_out);
  Table table(channels.columns());
  std::vector<double> row(channels.size());
  simulation.run(slips + 0.2, 0.0007, [&](const Snapshot& at) {
    channels.compute(work, at, row);
    table.row(row);
    return true;
  });
  const auto time = table.column("time"), margin = table.column("contact:l:margin"),
             other = table.column("contact:r:margin"), normal = table.column("contact:l:normal"),
             force = table.column("closure:l:fx"), falls = table.column("a:box:5"),
             passes = table.column("force:left:fx"), holds = table.column("contact:l:holds");
  int after = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    const bool held = time[i] < slips - 1e-9;
    const double squeeze = from - rate * time[i];
    if (std::abs(time[i] - slips) <= 1e-9) continue;
    EXPECT_NEAR(margin[i], held ? box.friction * (squeeze - box.least_squeeze()) : 0, 1e-8)
        << time[i];
    EXPECT_EQ(holds[i], held ? 1 : 0) << time[i];
    EXPECT_NEAR(other[i], margin[i], 1e-8) << time[i];
    EXPECT_NEAR(normal[i], held ? squeeze : 0, 1e-8) << time[i];
    EXPECT_NEAR(force[i], held ? squeeze : 0, 1e-8) << time[i];
    EXPECT_NEAR(falls[i], held ? 0 : -box.g, 1e-8) << time[i];
    EXPECT_TRUE(std::isfinite(passes[i]));
    after += held ? 0 : 1;
  }
  EXPECT_GT(after, 100);
  EXPECT_NEAR(table.column("contact:l:qw").back(), 1, 1e-9) << "attitudes are told for ever";
}

TEST_P(Slips, a_checkpoint_keeps_what_was_released) {
  const SqueezedBox box;
  const System system = compile(box.model());
  const double from = 60, rate = 40, slips = (from - box.least_squeeze()) / rate;
  const auto equip = [&](Simulation& simulation) {
    simulation.add_controller(falling_squeeze(system, from, rate));
  };
  Simulation whole(system, State(system), options(OnSlip::release));
  equip(whole);
  whole.advance_to(slips + 0.1);
  const std::string text = to_text(whole.save());
  whole.advance_to(slips + 0.2);
  Simulation second(make_equations(system, options(OnSlip::release)), to_checkpoint(text),
                    options(OnSlip::release), equip);
  second.advance_to(slips + 0.2);
  EXPECT_TRUE(whole.state().q == second.state().q && whole.state().v == second.state().v);
  EXPECT_EQ(
      std::count(second.equations().released().begin(), second.equations().released().end(), 1), 2);
}

/// Dry friction at the slides and a contact that lets go at the same time.
TEST_P(Slips, joints_that_rub_go_on_rubbing_after_a_release) {
  const SqueezedBox box{.dry_friction = 2};
  const System system = compile(box.model());
  Simulation simulation(system, State(system), options(OnSlip::release));
  simulation.add_controller(falling_squeeze(system, 60, 40));
  simulation.advance_to(1.4);
  // Friction may hold against the motors while nothing moves, so that the time is open to a few newtons of squeeze;
  // once released, the fingers move under the motor less 2 N.
  ASSERT_EQ(simulation.statistics().slips.size(), 2U);
  const double slipped = simulation.statistics().slips[0].time, left = 1.4 - slipped;
  const double start = 60 - 40 * slipped - 2,
               expected = 0.5 * start * left * left - 40.0 / 6 * left * left * left;
  EXPECT_NEAR(simulation.state().q[system.joint("left").q], expected, 1e-7);
  EXPECT_NEAR(simulation.state().q[system.joint("box").q + 6], -0.5 * box.g * left * left, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Methods, Slips,
                         ::testing::Values(Method::rk4, Method::adams, Method::bdf, Method::ida),
                         [](const auto& method) { return std::string(to_string(method.param)); });

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), Error::Kind::bad_input);
    return e.what();
  }
  return "no error";
}

TEST(SlipsAtTheStart, outside_its_cone_a_contact_is_refused_told_or_released) {
  const SqueezedBox box;
  const System system = compile(box.model());
  const auto begin = [&](OnSlip on_slip) {
    Simulation simulation(system, State(system), {.on_slip = on_slip});
    simulation.set_input(squeeze(system, 10));
    return simulation;
  };
  Simulation stops = begin(OnSlip::stop);
  const std::string refused = message_of([&] { stops.step(); });
  EXPECT_TRUE(contains(refused, "where the run starts, contact 'l' slips")) << refused;
  EXPECT_TRUE(contains(refused, "margin -4.81 N")) << refused;
  EXPECT_TRUE(contains(refused, "A normal force of 19.62 N would hold it, 9.62 N more")) << refused;

  Simulation warns = begin(OnSlip::warn);
  warns.advance_to(0.1);
  ASSERT_EQ(warns.statistics().slips.size(), 2U);
  EXPECT_EQ(warns.statistics().slips[0].time, 0);
  EXPECT_NEAR(warns.statistics().slips[0].margin, -4.81, 1e-12);
  EXPECT_TRUE(contains(warns.occurrences()[0].name, "where the run starts"));
  EXPECT_LT(warns.state().v.cwiseAbs().maxCoeff(), 1e-12) << "and yet it holds";

  Simulation releases = begin(OnSlip::release);
  releases.advance_to(0.1);
  EXPECT_NEAR(releases.state().q[system.joint("box").q + 6], -0.5 * box.g * 0.01, 1e-12);
}

/// A finger lifts a box off a table: the finger, which would have to pull, goes; the table, which would then hold the box,
/// stays.
TEST(SlipsAtTheStart, the_worst_contact_goes_and_the_others_are_asked_again) {
  const System system = compile(parse_system_file(R"(linkwright: 1
bodies:
  - {name: finger, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
  - {name: box, mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
joints:
  - {name: lift, type: prismatic, parent: world, child: finger, pose: {xyz: [0, 0, 0.2]}, axis: [0, 0, 1]}
  - {name: rail, type: prismatic, parent: world, child: box, axis: [0, 0, 1], passive: true}
grasps:
  - {name: top, arm: finger, object: box, at: {xyz: [0, 0, 0.2]}, contact: point, normal: [0, 0, -1], friction: 0.5}
  - {name: table, arm: world, object: box, contact: point, normal: [0, 0, 1], friction: 0.5}
)",
                                                  "table.yaml"));
  Simulation simulation(system, State(system), {.on_slip = OnSlip::release});
  VectorXd tau = VectorXd::Zero(system.nv());
  tau[system.joint("lift").v] = 40;
  simulation.set_input(tau);
  simulation.advance_to(0.1);
  ASSERT_EQ(simulation.statistics().slips.size(), 1U);
  EXPECT_EQ(simulation.statistics().slips[0].contact, "top");
  EXPECT_EQ(simulation.state().q[system.joint("rail").q], 0) << "the box stands on the table";
  EXPECT_NEAR(simulation.state().q[system.joint("lift").q], 0.5 * (40 - 9.81) * 0.01, 1e-12);
}

/// Motors press with gear · k · V / Ra while the fingers stand: the slip comes when that has fallen to the least squeeze.
TEST(SlipsAtTheStart, motors_driven_by_a_voltage_squeeze_too) {
  const SqueezedBox box;
  Model model = box.model();
  Actuator::Motor motor;
  motor.Ra = 2, motor.k = 0.1, motor.rotor_inertia = 1e-4;
  for (const char* joint : {"left", "right"})
    model.actuators.push_back(
        {.name = std::string(joint) + "_motor", .joint = joint, .motor = motor, .gear = 50});
  const System system = compile(model);
  Simulation simulation(system, State(system),
                        {.on_slip = OnSlip::stop, .voltages = {"left_motor", "right_motor"}});
  const double per_volt = 50 * 0.1 / 2;
  const Eigen::Index left = input_index(simulation.equations(), "voltage:left_motor"),
                     right = input_index(simulation.equations(), "voltage:right_motor");
  simulation.add_controller({.compute = [&](const State& now, const Reference&, VectorXd& input) {
    input[left] = input[right] = 12 - 10 * now.t;
  }});
  simulation.advance_to(2);
  ASSERT_TRUE(simulation.stopped());
  EXPECT_NEAR(simulation.time(), (12 - box.least_squeeze() / per_volt) / 10, 1e-9);
}

/// The margin that efforts reach only after the simulation was made is the one that counts.
TEST(SlipsAtTheStart, what_acts_at_the_first_step_is_judged) {
  const SqueezedBox box;
  const System system = compile(box.model());
  Simulation simulation(system, State(system), {.on_slip = OnSlip::stop});
  EXPECT_NO_THROW((void)simulation.snapshot());
  simulation.set_input(squeeze(system, 2 * box.least_squeeze()));
  EXPECT_NO_THROW(simulation.advance_to(0.01));
  // A squeeze that drops at once is found at the moment at which it does.
  simulation.set_input(squeeze(system, 0.5 * box.least_squeeze()));
  simulation.advance_to(0.02);
  EXPECT_TRUE(simulation.stopped());
  EXPECT_NEAR(simulation.time(), 0.01, 1e-9);
}

TEST(SlipsAtTheStart, a_state_set_anew_keeps_what_was_released) {
  const SqueezedBox box;
  const System system = compile(box.model());
  Simulation simulation(system, State(system), {.on_slip = OnSlip::release});
  simulation.advance_to(0.01);
  simulation.set_state({State(system), {}});
  simulation.advance_to(0.1);
  EXPECT_NEAR(simulation.state().q[system.joint("box").q + 6], -0.5 * box.g * 0.01, 1e-12);
}

/// Equations that use others and do not hand on what grasps do.
class Deaf final : public Equations {
 public:
  explicit Deaf(const System& system) : inner_(system) {}
  [[nodiscard]] const System& system() const override { return inner_.system(); }
  [[nodiscard]] std::vector<Quantity> inputs() const override { return inner_.inputs(); }
  void compute_rates(const FullState& now, const VectorXd& input, ExternalForces forces,
                     VectorRef a, VectorRef extra_rates) override {
    inner_.compute_rates(now, input, forces, a, extra_rates);
  }
  [[nodiscard]] bool obeys_closures() const override { return true; }
  [[nodiscard]] Contacts* contacts() override { return inner_.contacts(); }

 private:
  ClosedEquations inner_;
};

TEST(SlipsAtTheStart, equations_that_do_not_watch_their_grasps_are_refused) {
  const System system = compile(SqueezedBox{}.model());
  const std::string told = message_of([&] {
    Simulation(std::make_unique<Deaf>(system), {State(system), VectorXd()}, {});
  });
  EXPECT_TRUE(contains(told, "grasp 'l' has friction")) << told;
  EXPECT_TRUE(contains(told, "compute_contacts()")) << told;
  const System holds = compile(SqueezedBox{.one_sided = false}.model());
  EXPECT_NO_THROW(Simulation(std::make_unique<Deaf>(holds), {State(holds), VectorXd()}, {}));
}

/// Attitudes follow from q: controllers and events compute them.
TEST(ContactCoordinates, controllers_and_events_see_them) {
  const SqueezedBox box{.aside = 0.01, .left = "point", .one_sided = false};
  const System system = compile(box.model());
  ClosedWorkspace work(system);
  std::vector<Quaternion> attitude(2);
  Simulation simulation(system, State(system), {});
  simulation.add_event({.name = "a tenth of a radian",
                        .function =
                            [&](const State& now) {
                              compute_contact_attitudes(work, now.q, attitude);
                              return 2 * std::acos(std::min(1.0, attitude[0].w)) - 0.1;
                            },
                        .then = Event::Then::stop});
  simulation.advance_to(5);
  ASSERT_TRUE(simulation.stopped());
  compute_contact_attitudes(work, simulation.state().q, attitude);
  EXPECT_NEAR(2 * std::asin(std::abs(attitude[0].x)), 0.1, 1e-9) << "the box turns about x";
  EXPECT_NEAR(std::hypot(attitude[0].w, attitude[0].x, std::hypot(attitude[0].y, attitude[0].z)), 1,
              1e-15);
}

}  // namespace
}  // namespace linkwright::testing
