// A direct-current motor started on a ramp of voltage and then loaded: current, angle and speed of another
// program, to 1e-4.
#include <gtest/gtest.h>

#include <filesystem>

#include "linkwright/network/mechanism_network.hpp"
#include "linkwright/simulate/driven_equations.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "support/csv.hpp"

namespace linkwright::testing {
namespace {

constexpr double pi = 3.14159265358979323846;

Model motor_and_load() {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies.push_back({.name = "load", .mass = 1, .inertia = {0.1, 0.1, 0.15, 0, 0, 0}});
  model.joints.push_back({.name = "shaft",
                          .type = JointType::continuous,
                          .parent = "world",
                          .child = "load",
                          .axis = {0, 0, 1}});
  model.actuators.push_back(
      {.name = "dc",
       .joint = "shaft",
       .motor = Actuator::Motor{
           .rotor_inertia = 0.15, .Ra = 0.05, .La = 0.0015, .k = 95 / (1425 * 2 * pi / 60)}});
  return model;
}

/// The voltage bends at 0.2 s and 1 s; the load comes on at 1.5 s.
void command(Simulation& simulation) {
  const Eigen::Index voltage = input_index(simulation.equations(), "voltage:dc");
  simulation.add_controller(
      {.name = "ramp",
       .break_times = {0.2, 1.0},
       .compute = [voltage](const State& now, const Reference&, Eigen::VectorXd& input) {
         input[voltage] = 100 * std::clamp((now.t - 0.2) / 0.8, 0.0, 1.0);
       }});
  simulation.add_controller(
      {.name = "load",
       .sample_times = {0, 1.5},
       .compute = [](const State& now, const Reference&, Eigen::VectorXd& input) {
         input[0] = now.t < 1.5 ? 0 : -63.66;
       }});
}

struct Row {
  double time, current, angle, speed;
};

/// Figures at some moments, or all where the whole table is at hand.
std::vector<Row> figures() {
  std::vector<Row> rows{{0.3, 99.458701130528439, 0.34290782816027021, 10.929065740222407},
                        {0.5, 91.915254821428945, 6.7080445935154724, 51.636369606992155},
                        {1, 92.527382097325514, 57.069126266998637, 149.81253747245447},
                        {1.2, -1.2099828240617085, 88.443422413123088, 156.90485422894133},
                        {1.5, 0.020852917493725073, 135.55801015665432, 157.07782899504812},
                        {1.6, 107.48639057541895, 150.5755357538157, 147.67128359238836},
                        {1.8, 99.335323121834094, 180.38243838329311, 149.2243851183714},
                        {2, 99.974346641065665, 210.22598365106813, 149.22784527717297}};
  const std::string whole = LINKWRIGHT_SOURCE_DIR "/../shared/references/modelica_dcpm_start.csv";
  if (!std::filesystem::exists(whole)) {
    std::printf("the whole table of the motor's start is not here: %zu of its rows are checked\n",
                rows.size());
    return rows;
  }
  rows.clear();
  for (const auto& row : read_csv(whole))
    if (row[0] != "time")
      rows.push_back({std::stod(row[0]), std::stod(row[1]), std::stod(row[2]), std::stod(row[3])});
  return rows;
}

class MotorStart : public ::testing::TestWithParam<Method> {};

void expect_published(Simulation& simulation) {
  command(simulation);
  int checked = 0;
  for (const Row& row : figures()) {
    simulation.advance_to(row.time);
    // Of the largest that each comes to: 115 A, 210 rad, 157 rad/s.
    EXPECT_NEAR(simulation.full_state().extra[0], row.current, 1e-4 * 115) << row.time;
    EXPECT_NEAR(simulation.state().q[0], row.angle, 1e-4 * 210) << row.time;
    EXPECT_NEAR(simulation.state().v[0], row.speed, 1e-4 * 157) << row.time;
    ++checked;
  }
  EXPECT_GE(checked, 8);
}

TEST_P(MotorStart, is_the_published_one) {
  const System system = compile(motor_and_load());
  Simulation simulation(system, State(system),
                        {.method = GetParam(), .step = 1e-4, .voltages = {"dc"}});
  expect_published(simulation);
}

/// Source, winding, back-emf, rotor and gear as components of one network.
TEST_P(MotorStart, is_the_published_one_as_a_network) {
  const System system = compile(network::reflect_inertias(network::to_network(motor_and_load())));
  Simulation simulation(system, State(system), {.method = GetParam(), .step = 1e-4});
  ASSERT_EQ(simulation.equations().extra_states()[0].name, "network:dc:La:current");
  expect_published(simulation);
}

INSTANTIATE_TEST_SUITE_P(methods, MotorStart,
                         ::testing::Values(Method::rk4, Method::adams, Method::bdf, Method::ida),
                         [](const auto& method) { return std::string(to_string(method.param)); });

}  // namespace
}  // namespace linkwright::testing
