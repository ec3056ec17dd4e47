// Linear models of mechanisms with networks: against differences of their equations, against motors, between ports.
#include <gtest/gtest.h>

#include <cmath>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/linear/transfer_function.hpp"
#include "linkwright/network/components.hpp"
#include "linkwright/network/linear_network.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "linkwright/simulate/network_equations.hpp"
#include "linkwright/simulate/simulation.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
using linear::LinearModel;
using network::Circuit, network::Network, network::NetworkPoint;

Model bundled(const std::string& name) {
  return network::reflect_inertias(
      read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/" + name));
}

/// Rates of q, v and the network's states, and what the network tells, of equations that know nothing of
/// linear models; joints of one freedom.
struct Whole {
  explicit Whole(const System& of, Network wires)
      : system(of),
        equations(std::make_unique<TreeEquations>(of), std::move(wires)),
        input(VectorXd::Zero(static_cast<Index>(equations.inputs().size()))) {
    equations.compute_usual_input(input);
  }
  [[nodiscard]] VectorXd rates(const VectorXd& x, const VectorXd& u) {
    const Index n = system.nv(), s = x.size() - 2 * n;
    FullState now{State(system), x.tail(s)};
    now.state.q = x.head(n), now.state.v = x.segment(n, n);
    VectorXd all = input, a(n), extra(s);
    all.tail(u.size()) = u;
    equations.compute_rates(now, all, {}, a, extra);
    told.resize(static_cast<Index>(equations.outputs().size()));
    equations.compute_outputs(now, all, told);
    VectorXd out(x.size() + told.size());
    out << now.state.v, a, extra, told;
    return out;
  }

  const System& system;
  NetworkEquations equations;
  VectorXd input, told;
};

/// Central differences of all of it by every state and source.
MatrixXd differences(Whole& whole, const VectorXd& x, const VectorXd& u) {
  VectorXd at(x.size() + u.size());
  at << x, u;
  const auto value = [&] { return whole.rates(at.head(x.size()), at.tail(u.size())); };
  MatrixXd out(value().size(), at.size());
  for (Index j = 0; j < at.size(); ++j) {
    const double middle = at[j], step = 1e-5 * std::max(1.0, std::abs(middle));
    at[j] = middle + step;
    const VectorXd above = value();
    at[j] = middle - step;
    out.col(j) = (above - value()) / (2 * step);
    at[j] = middle;
  }
  return out;
}

/// Differences of second order with a step h = 1e-5 leave h² = 1e-10 of curvature and ε f/h of rounding: 2e-8 for values
/// f of a thousand in a row whose derivatives are of size 1.
void expect_equals_differences(const System& system, const Network& wires) {
  const Circuit circuit(wires);
  Whole whole(system, wires);
  ClosedWorkspace work(system);
  NetworkPoint point(system, circuit);
  const Index n = system.nv(), s = static_cast<Index>(circuit.states().size());
  srand(3);
  VectorXd x = VectorXd::Random(2 * n + s), u(circuit.source_count());
  circuit.compute_usual_sources(u);
  point.mechanism.state.q = x.head(n), point.mechanism.state.v = x.segment(n, n);
  point.states.assign(x.end() - s, x.end());
  std::vector<std::string> outputs;
  for (const Quantity& output : circuit.outputs()) outputs.push_back(output.name);
  const LinearModel model = network::linearize(work, circuit, point, {.outputs = outputs});
  const MatrixXd found = differences(whole, x, u);
  MatrixXd stated(found.rows(), found.cols());
  ASSERT_EQ(model.states.size(), static_cast<std::size_t>(x.size()));
  ASSERT_EQ(model.outputs, outputs);
  stated << model.A.view(), model.B.view(), model.C.view(), model.D.view();
  for (Index i = 0; i < found.rows(); ++i) {
    const double size = found.row(i).norm();
    EXPECT_LT((found.row(i) - stated.row(i)).norm(), 1e-7 * std::max(size, 1.0))
        << (i < x.size() ? model.states[static_cast<std::size_t>(i)]
                         : outputs[static_cast<std::size_t>(i - x.size())]);
  }
  EXPECT_LT((model.drift.view() - whole.rates(x, u).head(x.size())).norm(),
            1e-10 * model.drift.view().norm());
}

TEST(LinearNetwork, of_the_two_link_arm_is_its_derivative) {
  const Model model = bundled("network_arm.yaml");
  expect_equals_differences(compile(model), Network(model));
}

TEST(LinearNetwork, with_a_component_of_ones_own_is_its_derivative) {
  const Model model = bundled("network_arm.yaml");
  Network wires(model);
  network::OwnComponent brake{.name = "brake", .ports = {{"shaft", network::Domain::shaft}}};
  brake.states = {{"heat", "J"}};
  brake.compute = [](const network::OwnMoment& at, std::span<double> through,
                     std::span<double> rates) {
    through[0] = 1e-3 * std::tanh(at.across[0]) + 1e-7 * std::pow(at.across[0], 3);
    rates[0] = through[0] * at.across[0] - 0.1 * at.states[0];
  };
  wires.add(brake, {{"shaft", "elbow_shaft"}});
  expect_equals_differences(compile(model), wires);
}

/// Motors written as `actuators` and the same ones as a network, on an open arm and on a closed one.
TEST(LinearNetwork, of_motors_is_that_of_the_actuators) {
  for (const char* file : {"puma560_motors.yaml", "five_bar_motors.yaml"}) {
    SCOPED_TRACE(file);
    Model model = read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/" + file);
    for (Actuator& actuator : model.actuators)
      if (actuator.motor)  // a network has no limits
        actuator.motor->voltage_limit = actuator.motor->current_limit =
            std::numeric_limits<double>::infinity();
    const System motors = compile(model);
    const Model wired = network::reflect_inertias(network::to_network(model));
    const System wires = compile(wired);
    const Circuit circuit{Network(wired)};
    ClosedWorkspace left(motors), right(wires);
    const actuation::Drives drives(motors);
    const LinearModel by_actuators =
        linearize(left, linear::OperatingPoint(motors), {.drives = &drives});
    const LinearModel by_network = network::linearize(right, circuit, NetworkPoint(wires, circuit));
    ASSERT_EQ(by_network.inputs, by_actuators.inputs);
    ASSERT_EQ(by_network.outputs, by_actuators.outputs);
    for (const std::string& from : by_network.inputs)
      for (const std::string& to : by_network.outputs) {
        const std::vector<double> at = {0.1, 3, 40, 1000};
        const auto one = compute_frequency_response(by_actuators, from, to, at),
                   other = compute_frequency_response(by_network, from, to, at);
        for (std::size_t i = 0; i < at.size(); ++i)
          EXPECT_LT(std::abs(one.values[i] - other.values[i]),
                    1e-9 * std::abs(one.values[i]) + 1e-15)
              << from << " to " << to << " at " << at[i] << " rad/s";
      }
  }
}

TEST(LinearNetwork, asks_for_one_way_to_write_motors) {
  const Model model = bundled("network_arm.yaml");
  const System system = compile(model);
  const Circuit circuit{Network(model)};
  ClosedWorkspace work(system);
  const NetworkPoint point(system, circuit);
  const actuation::Drives drives(system);
  EXPECT_THROW((void)network::linearize(work, circuit, point, {.drives = &drives}), Error);
  EXPECT_THROW((void)network::linearize(work, circuit, point, {.outputs = {"network:no_such"}}),
               Error);
}

}  // namespace
}  // namespace linkwright::testing
