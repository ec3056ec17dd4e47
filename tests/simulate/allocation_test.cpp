// Counts heap allocations: none may happen in a step of fixed length.
#include <gtest/gtest.h>

#include "linkwright/io/read_model.hpp"
#include "linkwright/network/components.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "linkwright/simulate/channels.hpp"
#include "linkwright/simulate/closed_equations.hpp"
#include "linkwright/simulate/controllers.hpp"
#include "linkwright/simulate/descriptor_form.hpp"
#include "linkwright/simulate/motions.hpp"
#include "linkwright/simulate/network_equations.hpp"
#include "simulate/closed.hpp"
#include "support/count_allocations.hpp"
#include "support/squeezed_box.hpp"

namespace linkwright::testing {
namespace {

TEST(Allocation, a_step_makes_none) {
  RandomModel random(17);
  Model model = random.tree(12, Base::free, all_joint_types());
  for (Joint& joint : model.joints)
    if (joint.type != JointType::fixed) joint.damping = {0.1};
  leave_out_rotors_of_poses(model);
  const System system = compile(model);
  State start = random.state(system);
  start.v *= 0.1;
  for (const Method method : {Method::rk4, Method::semi_implicit, Method::symplectic}) {
    Simulation simulation(system, start, {.method = method, .step = 1e-3});
    simulation.add_controller(
        {.period = 0.002,
         .compute = [](const State& s, const Reference&, Eigen::VectorXd& tau) { tau = -s.v; }});
    simulation.add_controller({.compute = [](const State& s, const Reference&,
                                             Eigen::VectorXd& tau) { tau = -0.1 * s.v; }});
    simulation.add_load({.frame = system.frame("tip"), .compute = [](const State&) {
                           return Force{{}, {1, 0, 0}};
                         }});
    simulation.add_event({.name = "never", .function = [](const State&) { return 1.0; }});
    FullState between{start, {}};
    const long before = allocations;
    for (int i = 0; i < 20; ++i) simulation.step();
    simulation.compute_state_at(simulation.time() - 0.0003, between);
    (void)simulation.snapshot();
    EXPECT_EQ(allocations - before, 0) << to_string(method);
  }
}

/// Margins of contacts are computed at every step, whether rows are redundant (two soft fingers) or not.
TEST(Allocation, watching_contacts_makes_none) {
  for (const char* right : {"point", "soft_finger"}) {
    const System system = compile(SqueezedBox{.right = right}.model());
    Simulation simulation(system, State(system), {.on_slip = OnSlip::stop});
    simulation.set_input(squeeze(system, 100));
    Channels channels(simulation.equations(), {"contact:l", "contact:r:margin"});
    Workspace work(system, Closures::leave_out);
    std::vector<double> row(channels.size());
    for (int i = 0; i < 5; ++i) simulation.step();
    channels.compute(work, simulation.snapshot(), row);
    const long before = allocations;
    for (int i = 0; i < 20; ++i) simulation.step();
    channels.compute(work, simulation.snapshot(), row);
    EXPECT_EQ(allocations - before, 0) << right;
  }
}

TEST(Allocation, steps_of_driven_mechanisms_make_none) {
  for (const char* file : {"puma560_motors.yaml", "five_bar_motors.yaml"}) {
    Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/" + std::string(file));
    model.actuators[0].elastic = Actuator::Elastic{.stiffness = 100, .damping = 0.1};
    model.actuators[0].motor->friction = {};
    const System system = compile(model);
    State start(system);
    compute_initial(system, start.q, start.v);
    SimulationOptions options{.step = 1e-4};
    for (const Actuator& actuator : model.actuators) options.voltages.push_back(actuator.name);
    Simulation simulation(system, start, options);
    Eigen::VectorXd input = simulation.input();
    input.tail(static_cast<Eigen::Index>(options.voltages.size())).setConstant(3);
    simulation.set_input(input);
    for (int i = 0; i < 20; ++i) simulation.step();
    const long before = allocations;
    for (int i = 0; i < 20; ++i) simulation.step();
    (void)simulation.snapshot();
    EXPECT_EQ(allocations - before, 0) << file;
  }
}

/// What the method ida asks for at every iteration, of trees, loops, motors and networks.
TEST(Allocation, residuals_of_descriptor_forms_make_none) {
  for (const char* file :
       {"arm7.urdf", "stewart.yaml", "five_bar_motors.yaml", "network_arm.yaml"}) {
    const System system = compile(network::reflect_inertias(
        read_model(LINKWRIGHT_SOURCE_DIR "/models/" + std::string(file))));
    SimulationOptions options{.limits = LimitAction::ignore};
    for (const Actuator& actuator : system.model().actuators)
      if (actuator.motor) options.voltages.push_back(actuator.name);
    const auto equations = make_equations(system, options);
    const auto form = equations->make_descriptor_form();
    FullState now{assembled(system), {}};
    equations->compute_start(now);
    Eigen::VectorXd input =
        Eigen::VectorXd::Zero(static_cast<Eigen::Index>(equations->inputs().size()));
    equations->compute_usual_input(input);
    Eigen::VectorXd x(form->size()), rate(form->size()), residual(form->size());
    form->compute_start(now, input, {}, x, rate);
    form->compute_residual(now, x, rate, input, {}, residual);
    const long before = allocations;
    form->read(0, x, now);
    form->compute_residual(now, x, rate, input, {}, residual);
    EXPECT_EQ(allocations - before, 0) << file;
  }
}

/// With a component of a user's own, for which Newton's method runs, and with a part.
TEST(Allocation, steps_of_networks_make_none) {
  using namespace network;
  const System system =
      compile(reflect_inertias(read_model(LINKWRIGHT_SOURCE_DIR "/models/network_arm.yaml")));
  Network wired(system.model());
  OwnComponent lamp{
      .name = "lamp", .ports = {{"ends", Domain::electrical}}, .states = {{"heat", "J"}}};
  lamp.compute = [](const OwnMoment& at, std::span<double> through, std::span<double> rates) {
    through[0] = std::tanh(at.across[0]);
    rates[0] = through[0] * at.across[0];
  };
  Network filter;
  filter.add(resistor("r", 3, "in", "c"));
  filter.add(capacitor("c", 1e-3, "c"));
  filter.add_port({"in", Domain::electrical, {"in", ""}, Driver::across});
  wired.add("filter", std::make_shared<Circuit>(std::move(filter)), {{"in", "bus"}});
  wired.add(resistor("wire", 2, "bus", "socket"));
  wired.add(lamp, {{"ends", "socket"}});
  auto equations =
      std::make_unique<NetworkEquations>(std::make_unique<TreeEquations>(system), wired);
  FullState start{State(system), {}};
  equations->compute_start(start);
  Simulation simulation(std::move(equations), start, {.step = 2e-4, .measure_drift = true});
  for (int i = 0; i < 20; ++i) simulation.step();
  const long before = allocations;
  for (int i = 0; i < 20; ++i) simulation.step();
  (void)simulation.snapshot();
  EXPECT_EQ(allocations - before, 0);
  EXPECT_NE(simulation.full_state().extra[extra_index(simulation.equations(), "network:lamp:heat")],
            0);
}

TEST(Allocation, steps_under_friction_and_at_stops_make_none) {
  RandomModel random(19);
  Model model = random.tree(6, Base::fixed, {JointType::revolute, JointType::prismatic});
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const double friction = j % 2 == 0 ? 1e4 : 0.1;  // some stand, some slide
    model.joints[j].friction = {{friction, friction}};
    model.joints[j].limits = {{.lower = -100, .upper = 100}};
  }
  const System system = compile(model);
  for (const Method method : {Method::rk4, Method::semi_implicit}) {
    Simulation simulation(system, State(system), {.method = method});
    simulation.advance_to(0.01);
    ASSERT_TRUE(simulation.snapshot().contacts->any_held());
    const long before = allocations;
    const long told = simulation.statistics().contacts;
    for (int i = 0; i < 10; ++i) simulation.step();
    (void)simulation.snapshot();
    ASSERT_EQ(simulation.statistics().contacts, told);
    EXPECT_EQ(allocations - before, 0) << to_string(method);
  }
}

TEST(Allocation, steps_of_a_closed_mechanism_under_friction_make_none) {
  for (const double friction : {0.05, 50.0}) {  // slides, stands
    Model model = four_bar(0.3, 0.9, 0.7, 0.8);
    for (Joint& joint : model.joints) {
      joint.friction = {{friction, friction}};
      joint.limits = {{.lower = -100, .upper = 100}};
    }
    model.closures[0].friction = {{friction, friction}};
    model.closures[0].limits = {{.lower = -100, .upper = 100}};
    const FourBar bar(model);
    for (const Method method : {Method::rk4, Method::semi_implicit}) {
      Simulation simulation(bar.system, bar.start, {.method = method});
      simulation.advance_to(0.02);
      ASSERT_EQ(simulation.snapshot().contacts->any_held(), friction > 1);
      const long before = allocations;
      for (int i = 0; i < 20; ++i) simulation.step();
      (void)simulation.snapshot();
      EXPECT_EQ(allocations - before, 0) << to_string(method) << " " << friction;
    }
  }
}

/// Falling mechanisms, long enough that the factorisation of the projection is made anew many times.
TEST(Allocation, a_step_of_a_closed_mechanism_makes_none) {
  for (const char* name : {"four_bar", "stewart", "bricard", "delta"}) {
    const System system = bundled_system(name);
    const State start = assembled(system);
    for (const Method method : {Method::rk4, Method::semi_implicit}) {
      Simulation simulation(
          system, start, {.method = method, .limits = LimitAction::ignore, .measure_drift = true});
      FullState between{start, {}};
      simulation.advance_to(0.01);
      (void)simulation.snapshot();
      const long before = allocations;
      for (int i = 0; i < 200; ++i) simulation.step();
      simulation.compute_state_at(simulation.time() - 0.0003, between);
      (void)simulation.snapshot();
      EXPECT_EQ(allocations - before, 0) << name << " " << to_string(method);
    }
  }
}

TEST(Allocation, a_step_under_a_given_motion_makes_none) {
  const FourBar four;
  Simulation simulation(
      std::make_unique<ClosedEquations>(
          four.system, ClosedOptions{.motions = {{"j1",
                                                  [](double t) {
                                                    return GivenValue{1 + 0.5 * t * t, t, 1};
                                                  }}}}),
      {four.start, {}}, {});
  simulation.advance_to(0.01);
  const long before = allocations;
  for (int i = 0; i < 50; ++i) simulation.step();
  EXPECT_EQ(allocations - before, 0);
}

/// Inputs from a table, a reference, and every controller on trees and closed mechanisms.
TEST(Allocation, a_commanded_step_makes_none) {
  const System arm = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm7.urdf"));
  const System five = bundled_system("five_bar"), stewart = bundled_system("stewart");
  const State reach(arm), open = assembled(five), platform = assembled(stewart);
  struct Case {
    const System& system;
    const State& start;
    std::vector<std::string> joints;
  };
  for (const auto& [system, start, joints] :
       {Case{arm, reach, {"joint1", "joint2", "joint3", "joint4", "joint5", "joint6", "joint7"}},
        Case{arm, reach, {"joint2"}}, Case{five, open, {"left_motor", "right_motor"}},
        Case{stewart, platform, {"leg1", "leg2", "leg3", "leg4", "leg5", "leg6"}}})
    for (const auto& make : {&pd, &pd_with_gravity, &computed_torque})
      for (const Between between : {Between::linear, Between::hold}) {
        Simulation simulation(system, start, {.step = 1e-3});
        const auto motion = std::make_shared<PointToPoint>(
            system, start.q, 0,
            std::vector<Move>{{{{joints[0], start.q[system.joint(joints[0]).q] + 0.1}}, 0.5}},
            joints);
        TimeTable table{
            .file = "in.csv",
            .columns = {"tau:" + joints[0], "force:" + system.frames().back().name + ":fx"}};
        for (int i = 0; i < 1000; ++i) {
          table.time.push_back(1e-3 * i);
          table.values.insert(table.values.end(), {0.1 * i, 1});
          table.lines.push_back(i + 2);
        }
        drive(simulation, std::make_shared<InputTable>(simulation.equations(), table, between));
        simulation.set_reference(to_source(motion));
        simulation.add_controller(make(system, {.joints = joints, .kp = {1}, .kd = {0.05}}));
        simulation.advance_to(0.01);
        const long before = allocations;
        for (int i = 0; i < 20; ++i) simulation.step();
        EXPECT_EQ(allocations - before, 0) << system.model().name << joints.size();
      }
}

TEST(Allocation, a_row_of_channels_makes_none) {
  RandomModel random(18);
  const System system = compile(random.tree(12, Base::free, all_joint_types()));
  Workspace work(system);
  const FullState now{random.state(system), {}};
  const Eigen::VectorXd a = random.numbers(system.nv()), tau = random.numbers(system.nv());
  const ExternalForce push{system.frame("tip"), {{}, {1, 2, 3}}, Axes::world};
  Channels channels(system, Channels::known(system));
  std::vector<double> row(channels.size());
  const long before = allocations;
  for (int i = 0; i < 3; ++i) channels.compute(work, {now, a, tau, tau, {&push, 1}}, row);
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace linkwright::testing
