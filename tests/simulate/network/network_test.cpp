// Networks in simulations: the same motion as through motors, energy, saved runs, inputs, allocations.
#include <gtest/gtest.h>

#include <cmath>

#include "actuation/arms.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/network/components.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "linkwright/simulate/channels.hpp"
#include "linkwright/simulate/driven_equations.hpp"
#include "linkwright/simulate/network_equations.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// Three joints: a rigid gear, an elastic one, and motors without inductance.
Model geared_arm() {
  Model model = arm_of(3);
  Actuator::Motor slow = small_motor();
  slow.La = 0;
  model.actuators = {{.name = "m1", .joint = "j1", .motor = small_motor(), .gear = 60},
                     {.name = "m2",
                      .joint = "j2",
                      .motor = small_motor(),
                      .gear = -40,
                      .elastic = Actuator::Elastic{.stiffness = 8, .damping = 0.01}},
                     {.name = "m3", .joint = "j3", .motor = slow, .gear = 50}};
  return model;
}

Model as_network(const Model& model) {
  return network::reflect_inertias(network::to_network(model));
}

void drive_all(Simulation& simulation, const std::vector<std::string>& motors) {
  std::vector<Eigen::Index> at;
  for (const std::string& motor : motors)
    at.push_back(input_index(simulation.equations(), "voltage:" + motor));
  simulation.add_controller(
      {.name = "volts", .compute = [at](const State& now, const Reference&, VectorXd& input) {
         for (std::size_t i = 0; i < at.size(); ++i)
           input[at[i]] =
               (12.0 + static_cast<double>(i)) * std::cos((2.0 + static_cast<double>(i)) * now.t);
       }});
}

/// Rates at random states, scaled: the extra states of both have other names and meanings, so that the joints and
/// what both have in common are compared.
TEST(Network, accelerations_are_those_of_the_motors) {
  for (const bool coupled : {false, true}) {
    const Model model = coupled ? coupled_arm() : geared_arm();
    const std::vector<std::string> motors =
        coupled ? std::vector<std::string>{"base", "pair", "three", "last"}
                : std::vector<std::string>{"m1", "m2", "m3"};
    const System driven = compile(model), wired = compile(as_network(model));
    const auto left = make_equations(driven, {.voltages = motors});
    const auto right = make_equations(wired, {});
    srand(7);
    for (int trial = 0; trial < 20; ++trial) {
      State state(driven);
      state.q = VectorXd::Random(driven.nq());
      state.v = VectorXd::Random(driven.nv());
      FullState a{state, {}}, b{state, {}};
      left->compute_start(a);
      right->compute_start(b);
      a.extra.setRandom();
      // Currents are common; the twist of an elastic gear is its torque over the stiffness.
      const auto extras = right->extra_states();
      for (std::size_t i = 0; i < extras.size(); ++i) {
        const std::string& name = extras[i].name;
        const std::string motor = name.substr(8, name.find(':', 8) - 8);
        const auto of_motor = [&](const std::string& what) {
          return a.extra[extra_index(*left, "motor:" + motor + ":" + what)];
        };
        double value = 0;
        if (name.ends_with(":La:current"))
          value = of_motor("current");
        else if (name.ends_with(":rotor:speed"))
          value = of_motor("speed");
        else if (name.ends_with(":spring:torque"))
          value = 8 * (of_motor("angle") - -40 * state.q[1]);
        else
          ADD_FAILURE() << name;
        b.extra[static_cast<Eigen::Index>(i)] = value;
      }
      VectorXd u = VectorXd::Random(static_cast<Eigen::Index>(left->inputs().size())), w = u;
      VectorXd acc_a(driven.nv()), acc_b(driven.nv()), rates_a(a.extra.size()),
          rates_b(b.extra.size());
      VectorXd u_right = VectorXd::Zero(static_cast<Eigen::Index>(right->inputs().size()));
      u_right.head(driven.nv()) = u.head(driven.nv());
      u.segment(driven.nv(), u.size() - driven.nv()).setZero();
      for (const std::string& motor : motors) {
        const double volts = 10 * std::sin(trial + static_cast<double>(motor.size()));
        u[input_index(*left, "voltage:" + motor)] = volts;
        u_right[input_index(*right, "voltage:" + motor)] = volts;
      }
      left->compute_rates(a, u, {}, acc_a, rates_a);
      right->compute_rates(b, u_right, {}, acc_b, rates_b);
      EXPECT_LT((acc_a - acc_b).norm(), 1e-12 * acc_a.norm()) << coupled;
      for (std::size_t i = 0; i < extras.size(); ++i) {
        const std::string& name = extras[i].name;
        const std::string motor = name.substr(8, name.find(':', 8) - 8);
        const double mine = rates_b[static_cast<Eigen::Index>(i)];
        const auto rate_of = [&](const std::string& what) {
          return rates_a[extra_index(*left, "motor:" + motor + ":" + what)];
        };
        if (name.ends_with(":La:current")) {
          EXPECT_NEAR(mine, rate_of("current"), 1e-12 * (1 + std::abs(mine)) * 10) << name;
        }
        if (name.ends_with(":rotor:speed")) {
          EXPECT_NEAR(mine, rate_of("speed"), 1e-12 * (1 + std::abs(mine)) * 10) << name;
        }
      }
    }
  }
}

/// Source, resistor, inductor, back-emf, rotor and elastic gear as one network against `actuators`.
TEST(Network, moves_as_the_motors_do) {
  const std::vector<std::string> motors{"m1", "m2", "m3"};
  const System driven = compile(geared_arm()), wired = compile(as_network(geared_arm()));
  for (const Method method : {Method::rk4, Method::bdf, Method::adams, Method::ida}) {
    SimulationOptions options{
        .method = method, .step = 1e-4, .relative_tolerance = 1e-10, .absolute_tolerance = 1e-12};
    Simulation right(wired, State(wired), options);
    options.voltages = motors;
    Simulation left(driven, State(driven), options);
    drive_all(left, motors);
    drive_all(right, motors);
    left.advance_to(0.3);
    right.advance_to(0.3);
    const double bound = method == Method::rk4 ? 1e-9 : 1e-8;
    EXPECT_GT(left.state().q.norm(), 0.05);
    EXPECT_LT((left.state().q - right.state().q).norm(), bound) << to_string(method);
    EXPECT_LT((left.state().v - right.state().v).norm(), 10 * bound) << to_string(method);
    const double current =
        left.full_state().extra[extra_index(left.equations(), "motor:m2:current")];
    EXPECT_NEAR(right.full_state().extra[extra_index(right.equations(), "network:m2:La:current")],
                current, 10 * bound * (1 + std::abs(current)));
  }
}

/// All that is stored changes by what the sources give less what resistors and dampers turn into heat.
TEST(Network, keeps_the_balance_of_energy) {
  const System system = compile(
      network::reflect_inertias(read_model(LINKWRIGHT_SOURCE_DIR "/models/network_arm.yaml")));
  const double h = 1e-4;
  Simulation simulation(system, State(system), {.step = h});
  Channels channels(simulation.equations(), {"network"});
  Workspace work(system);
  std::vector<double> row(channels.size());
  const auto column = [&](const std::string& name) {
    for (std::size_t i = 0; i < channels.size(); ++i)
      if (channels.columns()[i].name == name) return i;
    throw Error("no column " + name);
  };
  const std::size_t energy = column("energy"), source_v = column("network:battery:voltage"),
                    source_i = column("network:battery:current");
  std::vector<std::pair<std::size_t, std::size_t>> lossy;
  for (const char* name : {"cell_resistance", "shoulder_winding", "elbow_winding"})
    lossy.emplace_back(column(std::string("network:") + name + ":voltage"),
                       column(std::string("network:") + name + ":current"));
  for (const char* name : {"elbow_bearing", "elbow_belt_damping"})
    lossy.emplace_back(column(std::string("network:") + name + ":speed"),
                       column(std::string("network:") + name + ":torque"));
  const std::size_t v1 = column("v:shoulder"), v2 = column("v:elbow");
  double first = 0, last = 0, fed = 0, moved = 0;
  constexpr int rows = 5000;
  int count = 0;
  simulation.run(0.5, h, [&](const Snapshot& at) {
    channels.compute(work, at, row);
    if (count == 0) first = row[energy];
    last = row[energy];
    double net = -row[source_v] * row[source_i];
    for (const auto& [x, y] : lossy) net -= row[x] * row[y];
    net -= 0.05 * (row[v1] * row[v1] + row[v2] * row[v2]);  // the joints' own damping
    const double weight = count == 0 || count == rows ? 1 : count % 2 == 1 ? 4 : 2;
    fed += weight * net * h / 3;
    moved += weight * std::abs(row[source_v] * row[source_i]) * h / 3;
    ++count;
    return true;
  });
  ASSERT_EQ(count, rows + 1);
  EXPECT_GT(moved, 10) << "joules";
  EXPECT_NEAR(last - first, fed, 1e-8 * moved);
}

TEST(Network, without_losses_and_sources_keeps_its_energy) {
  Model model = arm_of(2);
  for (Joint& joint : model.joints) joint.damping.clear();
  model.network.components = {network::gear("g1", 20, {"joint:j1", ""}, {"pulley", ""}),
                              network::inertia("wheel", 50, "pulley"),
                              network::spring("belt", 3, "joint:j2", "drum"),
                              network::inertia("drum", 0.02, "drum")};
  model.network.components[3].initial = 5;
  const System system = compile(network::reflect_inertias(model));
  // The wheel turns with the joint, a twentieth as fast.
  EXPECT_NEAR(system.rotor_inertia()[0], 50.0 / 400, 1e-14);
  State start(system);
  start.q << 0.5, -0.4;
  Simulation simulation(system, start, {.step = 5e-4, .measure_drift = true});
  simulation.advance_to(2);
  ASSERT_TRUE(simulation.statistics().conservation);
  const Conservation& kept = *simulation.statistics().conservation;
  EXPECT_TRUE(kept.is_conservative);
  EXPECT_LT(kept.energy.relative(), 1e-8);
}

TEST(Network, goes_on_from_a_checkpoint_with_the_same_bits) {
  Model model = as_network(geared_arm());
  const System system = compile(model);
  const auto make = [&] {
    Simulation simulation(system, State(system), {.step = 1e-3 / 2});
    VectorXd input = simulation.input();
    input[input_index(simulation.equations(), "voltage:m1")] = 9;
    simulation.set_input(input);
    return simulation;
  };
  Simulation whole = make();
  whole.advance_to(0.1);
  const Checkpoint saved = whole.save();
  whole.advance_to(0.2);
  Simulation again(system, saved, {.step = 1e-3 / 2});
  again.advance_to(0.2);
  EXPECT_EQ(again.state().q, whole.state().q);
  EXPECT_EQ(again.full_state().extra, whole.full_state().extra);
}

TEST(Network, sources_begin_with_the_values_of_the_file) {
  const System system = compile(
      network::reflect_inertias(read_model(LINKWRIGHT_SOURCE_DIR "/models/network_arm.yaml")));
  Simulation simulation(system, State(system), {.step = 5e-4});
  EXPECT_EQ(simulation.input()[input_index(simulation.equations(), "voltage:battery")], -24);
  simulation.advance_to(0.2);
  EXPECT_GT(simulation.state().v.norm(), 0.1);
}

TEST(Network, refuses_inertias_that_the_mechanism_does_not_know) {
  const System system = compile(network::to_network(geared_arm()));
  try {
    Simulation simulation(system, State(system));
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("m1:rotor"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("reflect_inertias"), std::string::npos) << e.what();
  }
}

/// An inertia that two joints turn together acts on both: as the rotor of a coupled transmission does.
TEST(Network, inertias_on_several_joints_act_on_all) {
  Model shaft = arm_of(2), actuator = arm_of(2);
  shaft.network.components = {
      network::transformer("differential", {1, -30, 20},
                           {{"ring", ""}, {"joint:j1", ""}, {"joint:j2", ""}}),
      network::inertia("ring", 3e-3, "ring")};
  actuator.actuators = {{.name = "m",
                         .motor = Actuator::Motor{.rotor_inertia = 3e-3},
                         .transmission = {{"j1", 0, 30}, {"j2", 0, -20}}}};
  const System left = compile(network::reflect_inertias(shaft)), right = compile(actuator);
  const auto a = make_equations(left, {}), b = make_equations(right, {});
  State state(left);
  state.q << 0.3, 0.8;
  state.v << 1, -2;
  FullState now{state, {}};
  VectorXd none, acc_a(2), acc_b(2);
  a->compute_start(now);
  a->compute_rates(now, VectorXd::Zero(static_cast<Eigen::Index>(a->inputs().size())), {}, acc_a,
                   now.extra);
  b->compute_rates({state, {}}, VectorXd::Zero(static_cast<Eigen::Index>(b->inputs().size())), {},
                   acc_b, none);
  EXPECT_LT((acc_a - acc_b).norm(), 1e-12 * acc_b.norm());
}

/// A planetary gear between a joint and two rotors: one of the rotors is free, the other follows both.
TEST(Network, states_that_joints_move_at_once_are_followed_exactly) {
  Model model = arm_of(1);
  model.network.components = {
      network::transformer("planets", {1, 2, -5}, {{"sun", ""}, {"ring", ""}, {"joint:j1", ""}}),
      network::inertia("sun", 0.01, "sun"), network::inertia("ring", 0.03, "ring")};
  const System system = compile(network::reflect_inertias(model));
  // Least of ½ a s² + ½ b r² under s + 2 r = 5 v: with s = 5v − 2r the joint feels 25 a b / (4 a + b).
  EXPECT_NEAR(system.rotor_inertia()[0], 25 * 0.01 * 0.03 / (4 * 0.01 + 0.03), 1e-14);
  State start(system);
  start.q << 0.7;
  Simulation simulation(system, start, {.step = 1e-3, .measure_drift = true});
  simulation.advance_to(1);
  ASSERT_TRUE(simulation.statistics().conservation);
  EXPECT_LT(simulation.statistics().conservation->energy.relative(), 1e-8);
  // From rest, no torque on the free rotor's own motion: a s = b r / 2 all along.
  Channels channels(simulation.equations(), {"network:sun:speed", "network:ring:speed"});
  Workspace work(system);
  std::vector<double> row(channels.size());
  channels.compute(work, simulation.snapshot(), row);
  double sun = 0, ring = 0;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels.columns()[i].name == "network:sun:speed") sun = row[i];
    if (channels.columns()[i].name == "network:ring:speed") ring = row[i];
  }
  EXPECT_NEAR(sun + 2 * ring, 5 * simulation.state().v[0], 1e-12);
  EXPECT_NEAR(0.01 * sun, 0.03 * ring / 2, 1e-12);
}

/// Shafts of joints that close loops: damper and rotor of a network against those of the closure itself.
TEST(Network, reaches_joints_that_close_loops) {
  const Model five_bar = read_model(LINKWRIGHT_SOURCE_DIR "/models/five_bar.yaml");
  Model own = five_bar, wired = five_bar;
  const std::string name = five_bar.closures.front().name;
  own.closures.front().damping = {0.4};
  own.closures.front().rotor_inertia = {0.02 * 9};
  wired.network.components = {network::damper("brake", 0.4, "joint:" + name),
                              network::gear("gear", 3, {"shaft", ""}, {"joint:" + name, ""}),
                              network::inertia("wheel", 0.02, "shaft")};
  const System left = compile(own), right = compile(network::reflect_inertias(wired));
  State start(left);
  compute_initial(left, start.q, start.v);
  Simulation a(left, start, {.step = 1e-3}), b(right, start, {.step = 1e-3});
  a.advance_to(0.2);
  b.advance_to(0.2);
  EXPECT_GT((a.state().q - start.q).norm(), 1e-3);
  EXPECT_LT((a.state().q - b.state().q).norm(), 1e-12);
  EXPECT_LT((a.state().v - b.state().v).norm(), 1e-11);
}

/// What an inertia on a closing joint takes is told: its gear's square times itself times the joint's acceleration.
TEST(Network, tells_the_torque_of_inertias_on_joints_that_close_loops) {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/five_bar.yaml");
  const std::string name = model.closures.front().name;
  model.network.components = {network::gear("gear", 3, {"shaft", ""}, {"joint:" + name, ""}),
                              network::inertia("wheel", 0.02, "shaft")};
  const System system = compile(network::reflect_inertias(model));
  State start(system);
  compute_initial(system, start.q, start.v);
  Simulation simulation(system, start, {.step = 1e-3});
  simulation.advance_to(0.1);
  Channels channels(simulation.equations(), {"network:wheel:torque", "network:gear:driven:torque"});
  ClosedWorkspace work(system);
  std::vector<double> row(channels.size());
  const Snapshot now = simulation.snapshot();
  Workspace tree(system, Closures::leave_out);
  channels.compute(tree, now, row);
  const auto closing = static_cast<Eigen::Index>(system.closing_names().size());
  Eigen::MatrixXd L(closing, system.nv());
  VectorXd rates(closing);
  compute_closing_jacobian(work, simulation.state().q, L);
  compute_closing_bias(work, simulation.state(), rates);
  rates += L * now.a;
  const auto& names = system.closing_names();
  const auto at = std::find(names.begin(), names.end(), name) - names.begin();
  ASSERT_LT(at, closing);
  EXPECT_GT(std::abs(rates[at]), 0.1);
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const double told = row[i];
    if (channels.columns()[i].name == "network:wheel:torque") {
      EXPECT_NEAR(told, 0.02 * 3 * rates[at], 1e-12 * (1 + std::abs(told)));
    }
    if (channels.columns()[i].name == "network:gear:driven:torque") {
      EXPECT_NEAR(std::abs(told), std::abs(0.02 * 9 * rates[at]), 1e-12 * (1 + std::abs(told)));
    }
  }
}

/// A capacitor across a source is charged as the run's source charges it, not as the file's.
TEST(Network, starts_are_judged_with_the_inputs_of_the_run) {
  Model model = arm_of(1);
  model.network.components = {
      network::voltage_source("battery", 10, "a"), network::capacitor("first", 1e-3, "a", "b"),
      network::capacitor("second", 1e-3, "b"), network::resistor("leak", 50, "b")};
  model.network.components[2].initial = 4;
  model.network.components[1].initial = 8;  // 12 V together
  const System system = compile(model);
  NetworkEquations equations(std::make_unique<TreeEquations>(system), network::Network(model));
  FullState now{State(system), {}};
  EXPECT_THROW(equations.compute_start(now), Error);
  VectorXd input(static_cast<Eigen::Index>(equations.inputs().size()));
  equations.compute_usual_input(input);
  input[input_index(equations, "voltage:battery")] = 12;
  equations.set_start_input(input);
  now = {State(system), {}};
  equations.compute_start(now);
  EXPECT_EQ(now.extra.size(), 1);
  EXPECT_THROW(equations.set_start_input(VectorXd::Zero(9)), Error);
}

/// Motors hand on what the equations inside of them begin with.
TEST(Network, usual_inputs_reach_through_motors) {
  class Loaded final : public WrappingEquations {
   public:
    explicit Loaded(std::unique_ptr<Equations> inside) : WrappingEquations(std::move(inside)) {}
    void compute_usual_input(VectorRef input) const override { input.setConstant(7); }
    void compute_rates(const FullState& now, const VectorXd& input, ExternalForces forces,
                       VectorRef a, VectorRef extra_rates) override {
      inside().compute_rates(now, input, forces, a, extra_rates);
    }
  };
  const System system = compile(geared_arm());
  const std::vector<std::string> voltages{"m1"};
  DrivenEquations equations(std::make_unique<Loaded>(std::make_unique<TreeEquations>(system)),
                            voltages);
  VectorXd input = VectorXd::Zero(static_cast<Eigen::Index>(equations.inputs().size()));
  equations.compute_usual_input(input);
  EXPECT_EQ(input.head(3), VectorXd::Constant(3, 7));
  EXPECT_EQ(input.tail(input.size() - 3).norm(), 0);
}

/// Components of a user's own and functions of time reach the mechanism; motors and a network stand side by side.
TEST(Network, of_components_of_a_users_own_drives_joints) {
  Model model = geared_arm();
  const System system = compile(model);
  network::Network wired;
  network::OwnComponent fan{.name = "fan", .ports = {{"shaft", network::Domain::shaft}}};
  fan.compute = [](const network::OwnMoment& at, std::span<double> through, std::span<double>) {
    through[0] = 0.7 * at.across[0] * std::abs(at.across[0]);
  };
  wired.add(fan, {{"shaft", "joint:j3"}});
  wired.add(network::torque_source("push", 0, "joint:j1"));
  wired.drive("push", [](double t) {
    return network::SourceValue{2 * std::sin(t), 2 * std::cos(t)};
  });
  const std::vector<std::string> voltages{"m2"};
  NetworkEquations equations(
      std::make_unique<DrivenEquations>(std::make_unique<TreeEquations>(system), voltages), wired);
  DrivenEquations plain(std::make_unique<TreeEquations>(system), voltages);
  FullState now{State(system), {}};
  now.state.t = 0.4;
  now.state.v << 0.3, -0.2, 1.5;
  equations.compute_start(now);
  VectorXd input = VectorXd::Zero(static_cast<Eigen::Index>(equations.inputs().size())),
           wanted = VectorXd::Zero(static_cast<Eigen::Index>(plain.inputs().size()));
  wanted[0] = 2 * std::sin(0.4), wanted[2] = -0.7 * 1.5 * 1.5;
  VectorXd a(3), b(3), rates(now.extra.size()), others(now.extra.size());
  equations.compute_rates(now, input, {}, a, rates);
  plain.compute_rates(now, wanted, {}, b, others);
  EXPECT_LT((a - b).norm(), 1e-13 * b.norm());
  EXPECT_LT((rates - others).norm(), 1e-13 * (1 + others.norm()));
  EXPECT_EQ(equations.extra_states().size(), plain.extra_states().size());
}

TEST(Network, refuses_joints_that_are_not_there_or_passive) {
  Model model = arm_of(2);
  model.joints[1].passive = {true};
  const System system = compile(model);
  const auto refused = [&](const char* node) {
    network::Network wired;
    wired.add(network::damper("d", 1, node));
    try {
      NetworkEquations equations(std::make_unique<TreeEquations>(system), wired);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  EXPECT_NE(refused("joint:j3").find("there is no joint 'j3'"), std::string::npos)
      << refused("joint:j3");
  EXPECT_NE(refused("joint:j2").find("passive"), std::string::npos) << refused("joint:j2");
  EXPECT_EQ(refused("joint:j1"), "nothing");
}

}  // namespace
}  // namespace linkwright::testing
