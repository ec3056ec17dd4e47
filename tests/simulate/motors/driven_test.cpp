// Motors in simulations: currents and shafts as states, limits, energy, saved runs, replayed voltages.
#include <gtest/gtest.h>

#include <numbers>

#include "linkwright/actuation/voltages.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/simulate/channels.hpp"
#include "linkwright/simulate/driven_equations.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// A pendulum behind a gear.
Model driven_pendulum() {
  Model model;
  model.bodies.push_back(
      {.name = "rod", .mass = 2, .com = {0, 0, -0.4}, .inertia = {0.1, 0.1, 0.01, 0, 0, 0}});
  model.joints.push_back({.name = "hinge",
                          .type = JointType::continuous,
                          .parent = "world",
                          .child = "rod",
                          .axis = {0, 1, 0}});
  model.actuators.push_back(
      {.name = "m",
       .joint = "hinge",
       .motor =
           Actuator::Motor{
               .rotor_inertia = 3e-4, .damping = 2e-4, .Ra = 1.2, .La = 5e-3, .k = 0.15},
       .gear = 30});
  return model;
}

void push(Simulation& simulation, double volts, double frequency) {
  const Eigen::Index at = input_index(simulation.equations(), "voltage:m");
  simulation.add_controller(
      {.name = "volts", .compute = [=](const State& now, const Reference&, VectorXd& input) {
         input[at] = volts * std::cos(frequency * now.t);
       }});
}

Simulation swinging(const System& system, const SimulationOptions& options) {
  Simulation simulation(system, State(system), options);
  push(simulation, 12, 3);
  return simulation;
}

/// ½ La i² and the mechanism's energy change by V i less what the coil and the dampers turn into heat.
TEST(Motors, keep_the_balance_of_energy) {
  for (const bool elastic : {false, true}) {
    Model model = driven_pendulum();
    if (elastic) model.actuators[0].elastic = Actuator::Elastic{.stiffness = 20, .damping = 0.01};
    const System system = compile(model);
    const double h = 1e-4;  // a fortieth of La/Ra
    Simulation simulation = swinging(system, {.step = h, .voltages = {"m"}});
    Channels channels(simulation.equations(), {"motor:m:power", "motor:m:heat", "motor:m:speed"});
    Workspace work(system);
    std::vector<double> row(channels.size());
    const auto column = [&](const std::string& name) {
      for (std::size_t i = 0; i < channels.size(); ++i)
        if (channels.columns()[i].name == name) return i;
      throw Error("no column " + name);
    };
    const std::size_t power = column("motor:m:power"), heat = column("motor:m:heat"),
                      speed = column("motor:m:speed"), energy = column("energy");
    // Simpson's rule over the rows, which are at the ends of steps.
    double first = 0, last = 0, fed = 0, weight = 0;
    constexpr int rows = 10000;
    int count = 0;
    simulation.run(1, h, [&](const Snapshot& at) {
      channels.compute(work, at, row);
      if (count == 0) first = row[energy];
      last = row[energy];
      // Behind a rigid gear the motor's own damping is the mechanism's, behind an elastic one part of `heat`.
      const double damping = elastic ? 0 : 2e-4 * row[speed] * row[speed];
      const double net = row[power] - row[heat] - damping;
      weight = count == 0 || count == rows ? 1 : count % 2 == 1 ? 4 : 2;
      fed += weight * net * h / 3;
      ++count;
      return true;
    });
    ASSERT_EQ(count, rows + 1);
    EXPECT_GT(std::abs(last - first), 1) << "joules moved";
    EXPECT_NEAR(last - first, fed, 1e-8 * (1 + std::abs(fed))) << elastic;
  }
}

/// Fewer henries, less difference from none: the error falls with La.
TEST(Motors, without_inductance_are_the_limit_of_little) {
  Model model = driven_pendulum();
  model.actuators[0].motor->La = 0;
  const System system = compile(model);
  Simulation limit = swinging(system, {.step = 1e-3, .voltages = {"m"}});
  EXPECT_TRUE(limit.equations().extra_states().empty());
  limit.advance_to(0.5);
  double before = 0;
  for (const double La : {1e-3, 1e-4, 1e-5}) {
    model.actuators[0].motor->La = La;
    const System some = compile(model);
    Simulation simulation = swinging(some, {.method = Method::bdf, .voltages = {"m"}});
    simulation.advance_to(0.5);
    const double error = std::abs(simulation.state().q[0] - limit.state().q[0]);
    if (before > 0) {
      EXPECT_NEAR(before / error, 10, 1) << La;
    }
    before = error;
  }
}

/// Stiffer gears, less difference from a rigid one: the error falls with 1/K.
TEST(Motors, behind_stiff_gears_are_the_limit_of_rigid_ones) {
  Model model = driven_pendulum();
  const System rigid = compile(model);
  Simulation limit = swinging(rigid, {.step = 5e-4, .voltages = {"m"}});
  limit.advance_to(0.5);
  double before = 0;
  for (const double K : {100.0, 1000.0, 10000.0}) {
    model.actuators[0].elastic = Actuator::Elastic{.stiffness = K, .damping = 0.02 * std::sqrt(K)};
    const System some = compile(model);
    Simulation simulation = swinging(some, {.method = Method::bdf, .voltages = {"m"}});
    simulation.advance_to(0.5);
    EXPECT_NEAR(simulation.full_state().extra[1] / simulation.state().q[0], 30, 1);
    const double error = std::abs(simulation.state().q[0] - limit.state().q[0]);
    if (before > 0) {
      EXPECT_GT(before / error, 5) << K;
    }
    before = error;
  }
  EXPECT_LT(before, 1e-4);
}

TEST(Motors, stay_within_their_limits) {
  Model model = driven_pendulum();
  model.actuators[0].motor->current_limit = 4;
  model.actuators[0].motor->voltage_limit = 10;
  const System system = compile(model);
  double end = 0;
  for (const Method method : {Method::rk4, Method::bdf, Method::ida}) {
    Simulation simulation(system, State(system),
                          {.method = method, .step = 2e-4, .voltages = {"m"}});
    push(simulation, 14, 5);
    double most = 0;
    simulation.run(0.6, 1e-3, [&](const Snapshot& at) {
      most = std::max(most, std::abs(at.now.extra[0]));
      EXPECT_LE(std::abs(at.outputs[1]), 10 * (1 + 1e-12));
      return true;
    });
    EXPECT_NEAR(most, 4, 1e-6) << to_string(method);
    bool comes = false, cut = false;
    for (const Occurrence& what : simulation.occurrences()) {
      comes = comes || contains(what.name, "motor 'm' comes to its current limit, 4 A");
      cut = cut || contains(what.name, "motor 'm' is given more than its voltage limit");
    }
    EXPECT_TRUE(comes && cut);
    if (method == Method::rk4)
      end = simulation.state().q[0];
    else
      EXPECT_NEAR(simulation.state().q[0], end, 1e-5) << "limits are met in time";
  }
}

TEST(Motors, of_which_a_step_is_too_long_are_told) {
  Model model = driven_pendulum();
  model.actuators[0].motor->La = 1e-5;
  const System system = compile(model);
  const std::string message =
      error_of([&] { swinging(system, {.step = 1e-3, .voltages = {"m"}}); });
  EXPECT_TRUE(contains(message, "a step of 0.001 s is too long for 'motor:m:current'") &&
              contains(message, "bdf") && contains(message, "La: 0"))
      << message;
  Simulation stiff = swinging(system, {.method = Method::bdf, .voltages = {"m"}});
  EXPECT_NO_THROW(stiff.advance_to(0.1));
}

/// Terminals that nothing is connected to let no current through, and show k ω.
TEST(Motors, without_a_voltage_have_open_terminals) {
  const System system = compile(driven_pendulum());
  Model dead = driven_pendulum();
  dead.actuators[0].motor->Ra = dead.actuators[0].motor->La = dead.actuators[0].motor->k = 0;
  const System mechanical = compile(dead);
  State start(system);
  start.q[0] = 1;
  Simulation open(system, start), same(mechanical, start);
  EXPECT_TRUE(open.equations().extra_states().empty());
  open.advance_to(0.3), same.advance_to(0.3);
  EXPECT_EQ(open.state().q[0], same.state().q[0]);
  const Snapshot at = open.snapshot();
  EXPECT_EQ(at.outputs[0], 0);
  EXPECT_NEAR(at.outputs[1], 0.15 * 30 * open.state().v[0], 1e-12);
  // Shorted ones brake.
  Simulation shorted(system, start, {.step = 2e-4, .voltages = {"m"}});
  shorted.advance_to(0.3);
  EXPECT_GT(shorted.state().q[0], open.state().q[0] + 0.1);
}

TEST(Motors, go_on_from_a_checkpoint_with_the_same_bits) {
  Model model = driven_pendulum();
  model.actuators[0].motor->current_limit = 4;
  model.actuators[0].elastic = Actuator::Elastic{.stiffness = 20, .damping = 0.01};
  model.initial.current = {{"m", 0.5, {}}};
  const System system = compile(model);
  for (const Method method :
       {Method::rk4, Method::semi_implicit, Method::adams, Method::bdf, Method::ida}) {
    const SimulationOptions options{.method = method, .step = 2e-4, .voltages = {"m"}};
    Simulation simulation = swinging(system, options);
    EXPECT_EQ(simulation.full_state().extra[0], 0.5) << "the file's state";
    simulation.advance_to(0.15);
    const Checkpoint saved = to_checkpoint(to_text(simulation.save()));
    simulation.advance_to(0.4);
    Simulation again(make_equations(system, options), saved, options,
                     [](Simulation& s) { push(s, 12, 3); });
    again.advance_to(0.4);
    EXPECT_TRUE(again.full_state().extra == simulation.full_state().extra) << to_string(method);
    EXPECT_TRUE(again.state().q == simulation.state().q) << to_string(method);
  }
}

TEST(Motors, are_refused_by_methods_without_extra_states) {
  const System system = compile(driven_pendulum());
  const std::string message = error_of([&] {
    Simulation(system, State(system), {.method = Method::symplectic, .voltages = {"m"}});
  });
  EXPECT_TRUE(contains(message, "motor:m:current")) << message;
}

/// The voltages along a recorded motion, played back, make that motion again.
TEST(Voltages, replayed_make_the_motion_again) {
  Model model = driven_pendulum();
  const System system = compile(model);
  actuation::NominalVoltages nominal(system);
  const auto motion = [&](double t, State& state, VectorXd& a, VectorXd& jerk) {
    const double w = 4;
    state.t = t;
    state.q[0] = 0.5 * (1 - std::cos(w * t)), state.v[0] = 0.5 * w * std::sin(w * t);
    a[0] = 0.5 * w * w * std::cos(w * t), jerk[0] = -0.5 * w * w * w * std::sin(w * t);
  };
  State at(system);
  VectorXd a(1), jerk(1);
  actuation::MotorDemand demand(nominal.drives());
  motion(0, at, a, jerk);
  nominal.compute(at, a, jerk, demand);
  Simulation simulation(make_equations(system, {.voltages = {"m"}}), FullState{at, demand.current},
                        {.step = 1e-3, .voltages = {"m"}});
  simulation.add_controller(
      {.name = "nominal", .compute = [&](const State& now, const Reference&, VectorXd& input) {
         State wanted(system);
         VectorXd rate(1), jolt(1);
         motion(now.t, wanted, rate, jolt);
         actuation::MotorDemand here(nominal.drives());
         nominal.compute(wanted, rate, jolt, here);
         input[1] = here.voltage[0];
       }});
  simulation.advance_to(1);
  motion(1, at, a, jerk);
  EXPECT_NEAR(simulation.state().q[0], at.q[0], 1e-8);
  EXPECT_NEAR(simulation.state().v[0], at.v[0], 1e-8);
}

/// The same behind an elastic gear: without damping the twist follows from the motion's snap and crackle, with
/// damping it is a state of its own, which has settled: what its series leaves out is of the order (D/K)³, D/K a quarter of a
/// millisecond.
TEST(Voltages, behind_an_elastic_gear_make_the_motion_again) {
  for (const double damping : {0.0, 0.001}) {
    Model model = driven_pendulum();
    model.actuators[0].motor->rotor_inertia = 2e-4;
    model.actuators[0].elastic = Actuator::Elastic{.stiffness = 4, .damping = damping};
    const System system = compile(model);
    actuation::NominalVoltages nominal(system);
    ASSERT_EQ(nominal.derivatives_needed(), 4);
    const double gear = model.actuators[0].gear;
    const auto motion = [&](double t, State& state, Eigen::MatrixXd& rates) {
      const double w = 4, size = 0.5;
      state.t = t;
      state.q[0] = size * (1 - std::cos(w * t)), state.v[0] = size * w * std::sin(w * t);
      rates << size * w * w * std::cos(w * t), -size * std::pow(w, 3) * std::sin(w * t),
          -size * std::pow(w, 4) * std::cos(w * t), size * std::pow(w, 5) * std::sin(w * t);
    };
    State at(system);
    Eigen::MatrixXd rates(1, 4);
    actuation::MotorDemand demand(nominal.drives());
    motion(0, at, rates);
    nominal.compute_from(at, rates, demand);
    auto equations = make_equations(system, {.voltages = {"m"}});
    FullState start{at, VectorXd(3)};
    start.extra[extra_index(*equations, "motor:m:current")] = demand.current[0];
    start.extra[extra_index(*equations, "motor:m:angle")] = gear * at.q[0] + demand.twist[0];
    start.extra[extra_index(*equations, "motor:m:speed")] = demand.speed[0];
    Simulation simulation(std::move(equations), start, {.step = 2e-4, .voltages = {"m"}});
    simulation.add_controller(
        {.name = "nominal",
         .compute = [&](const FullState& now, const Reference&, VectorXd& input) {
           State wanted(system);
           Eigen::MatrixXd along(1, 4);
           motion(now.state.t, wanted, along);
           actuation::MotorDemand here(nominal.drives());
           nominal.compute_from(wanted, along, here);
           input[1] = here.voltage[0];
         }});
    simulation.advance_to(0.5);
    motion(0.5, at, rates);
    EXPECT_NEAR(simulation.state().q[0], at.q[0], 1e-7) << damping;
    EXPECT_NEAR(simulation.state().v[0], at.v[0], 1e-6) << damping;
  }
}

/// With damping a shaft that is not where it settles comes there at the rate K/D, as the demand says.
TEST(Voltages, tell_how_a_damped_twist_goes_on) {
  Model model = driven_pendulum();
  model.actuators[0].elastic = Actuator::Elastic{.stiffness = 4, .damping = 0.004};
  const System system = compile(model);
  actuation::NominalVoltages nominal(system);
  actuation::MotorDemand settled(nominal.drives()), off(nominal.drives());
  State at(system);
  at.q[0] = 0.7;
  const Eigen::MatrixXd still = Eigen::MatrixXd::Zero(1, 4);
  nominal.compute_from(at, still, settled);
  EXPECT_NEAR(settled.twist_rate[0], 0, 1e-12);
  nominal.compute_from(at, still, VectorXd::Constant(1, settled.twist[0] + 0.01), off);
  EXPECT_NEAR(off.twist_rate[0], -4 / 0.004 * 0.01, 1e-9);
  EXPECT_NEAR(off.speed[0], off.twist_rate[0], 1e-12);
}

/// An undamped gear with an open motor keeps the energy of all, the shaft's and the spring's included.
TEST(Motors, behind_an_undamped_gear_keep_the_energy_and_it_is_measured) {
  Model model = driven_pendulum();
  model.actuators[0].elastic = Actuator::Elastic{.stiffness = 20, .damping = 0};
  model.actuators[0].motor->damping = 0;
  const auto run = [](const Model& of) {
    const System system = compile(of);
    State start(system);
    start.q[0] = 0.8;
    Simulation simulation(system, start, {.step = 1e-4, .measure_drift = true});
    simulation.advance_to(1);
    return *simulation.statistics().conservation;
  };
  const Conservation kept = run(model);
  EXPECT_TRUE(kept.is_conservative);
  EXPECT_TRUE(kept.energy_is_kept());
  EXPECT_GT(kept.energy.scale, 0.1);
  EXPECT_LT(kept.energy.relative(), 1e-8);
  model.actuators[0].elastic->damping = 1e-3;
  EXPECT_FALSE(run(model).is_conservative) << "the gear rubs";
}

/// A snapshot of a user's own, without efforts of closing motors: they are among the inputs behind those of the
/// tree, and not the last ones, which are voltages.
TEST(Motors, of_closing_joints_are_found_among_the_inputs) {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/four_bar.yaml");
  Actuator motor = driven_pendulum().actuators[0];
  motor.joint = "rocker_pin";
  model.actuators = {motor};
  const System system = compile(model);
  Simulation simulation(system, initial_state(system), {.step = 1e-4, .voltages = {"m"}});
  VectorXd input = simulation.input();
  input[input_index(simulation.equations(), "tau:rocker_pin")] = 0.5;
  input[input_index(simulation.equations(), "voltage:m")] = 7;  // no current yet
  simulation.set_input(input);
  Channels channels(simulation.equations(), {"closure:rocker_pin"});
  Workspace work(system, Closures::leave_out);
  std::vector<double> told(channels.size()), found(channels.size());
  const Snapshot at = simulation.snapshot();
  channels.compute(work, at, told);
  const Snapshot own{at.now,    at.a,       at.input,    at.tau,
                     at.forces, at.errors,  at.contacts, at.tolerance_missed,
                     {},        at.outputs, at.stored};
  channels.compute(work, own, found);
  EXPECT_EQ(told, found);
}

/// In a planar loop the angle of the joint that closes it is the sum of the others': a motor there does what one
/// on a shaft of all three does, whose path through the equations is another.
TEST(Motors, on_closing_joints_are_those_on_coupled_shafts) {
  for (const bool elastic : {false, true}) {
    Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/four_bar.yaml");
    for (Joint& joint : model.joints) joint.passive.clear();
    Actuator motor = driven_pendulum().actuators[0];
    motor.joint = "rocker_pin";
    motor.motor->rotor_inertia = 2e-5;
    if (elastic) motor.elastic = Actuator::Elastic{.stiffness = 5, .damping = 0.002};
    model.actuators = {motor};
    const System closing = compile(model);
    model.actuators[0].joint.clear();
    model.actuators[0].transmission = {
        {"rocker_pivot", 0, 30}, {"crank_pivot", 0, -30}, {"crank_pin", 0, -30}};
    const System coupled = compile(model);
    std::vector<VectorXd> ends;
    for (const System* system : {&closing, &coupled}) {
      State start(*system);
      compute_initial(*system, start.q, start.v);
      Simulation simulation(*system, start, {.step = 5e-4, .voltages = {"m"}});
      push(simulation, 8, 6);
      simulation.advance_to(0.4);
      ends.push_back(simulation.state().q);
      ends.back().conservativeResize(4);
      ends.back()[3] = simulation.full_state().extra[0];
    }
    EXPECT_LT((ends[0] - ends[1]).norm(), 1e-8) << elastic;
    EXPECT_GT(std::abs(ends[0][0] - 1.047), 0.1) << "it moved";
  }
}

/// The same through the loop of a five-bar, whose motors are on the ground.
TEST(Motors, drive_closed_mechanisms) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/five_bar_motors.yaml"));
  State start(system);
  compute_initial(system, start.q, start.v);
  const SimulationOptions options{.step = 1e-4, .voltages = {"left", "right"}};
  Simulation simulation(system, start, options);
  VectorXd input = simulation.input();
  input[input_index(simulation.equations(), "voltage:left")] = 6;
  input[input_index(simulation.equations(), "voltage:right")] = -6;
  simulation.set_input(input);
  simulation.advance_to(0.2);
  EXPECT_LT(simulation.statistics().closure_error, 1e-10);
  SimulationOptions other = options;
  other.method = Method::bdf;
  Simulation same(system, start, other);
  same.set_input(input);
  same.advance_to(0.2);
  EXPECT_LT((simulation.state().q - same.state().q).norm(), 1e-6);
  EXPECT_LT((simulation.full_state().extra - same.full_state().extra).norm(), 1e-4);
}

}  // namespace
}  // namespace linkwright::testing
