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
    now.state.t = t;
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
  static constexpr double t = 0.4;
};

/// Differences of fourth order of all of it by every state and source.
MatrixXd differences(Whole& whole, const VectorXd& x, const VectorXd& u) {
  VectorXd at(x.size() + u.size());
  at << x, u;
  const auto value = [&] { return whole.rates(at.head(x.size()), at.tail(u.size())); };
  MatrixXd out(value().size(), at.size());
  for (Index j = 0; j < at.size(); ++j) {
    const double middle = at[j], step = 1e-4 * std::max(1.0, std::abs(middle));
    const auto slope = [&](double h) {
      at[j] = middle + h;
      const VectorXd above = value();
      at[j] = middle - h;
      const VectorXd below = value();
      at[j] = middle;
      return VectorXd((above - below) / (2 * h));
    };
    out.col(j) = (4 * slope(step) - slope(2 * step)) / 3;
  }
  return out;
}

/// Differences of fourth order with a step h = 1e-4 leave h⁴ times fifth derivatives, which behind a gear of 60 may be
/// 60⁵ = 8e8: 1e-16 · 8e8 = 8e-8 of tanh, whose torque is a thousandth; and ε f/h = 2e-9 of rounding for values f of a
/// thousand. Together 1e-8 of the row, or of 1.
void expect_equals_differences(const System& system, const Network& wires,
                               const std::vector<std::string>& inputs = {}) {
  const Circuit circuit(wires);
  Whole whole(system, wires);
  ClosedWorkspace work(system);
  NetworkPoint point(system, circuit);
  const Index n = system.nv(), s = static_cast<Index>(circuit.states().size());
  srand(3);
  VectorXd x = VectorXd::Random(2 * n + s), u(circuit.source_count());
  circuit.compute_usual_sources(u);
  point.mechanism.state.t = Whole::t;
  point.mechanism.state.q = x.head(n), point.mechanism.state.v = x.segment(n, n);
  VectorXd values(u.size()), rates(u.size());
  circuit.compute_functions(Whole::t, values, rates);
  values += u;
  point.sources.assign(values.begin(), values.end());
  point.source_rates.assign(rates.begin(), rates.end());
  point.states.assign(x.end() - s, x.end());
  std::vector<std::string> outputs;
  for (const Quantity& output : circuit.outputs()) outputs.push_back(output.name);
  const LinearModel model =
      network::linearize(work, circuit, point, {.inputs = inputs, .outputs = outputs});
  const MatrixXd all = differences(whole, x, u);
  std::vector<Index> columns;
  for (Index j = 0; j < all.cols(); ++j)
    if (inputs.empty() || j < x.size() ||
        std::find(inputs.begin(), inputs.end(),
                  circuit.sources()[static_cast<std::size_t>(j - x.size())].name) != inputs.end())
      columns.push_back(j);
  const MatrixXd found = all(Eigen::all, columns);
  MatrixXd stated(found.rows(), found.cols());
  ASSERT_EQ(model.states.size(), static_cast<std::size_t>(x.size()));
  ASSERT_EQ(model.outputs, outputs);
  stated << model.A.view(), model.B.view(), model.C.view(), model.D.view();
  for (Index i = 0; i < found.rows(); ++i) {
    const double size = found.row(i).norm();
    EXPECT_LT((found.row(i) - stated.row(i)).norm(), 1e-8 * std::max(size, 1.0))
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

/// Sources whose rates matter, where others are the inputs: a speed that a planetary gear shares with a joint and an inertia,
/// and a voltage across a capacitor. Neither stands still where the model is made.
Model with_felt_sources() {
  Model model = read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/network_arm.yaml");
  using namespace network;
  for (const NetworkComponent& component :
       {speed_source("spin", 0, "sun"),
        transformer("planets", {1, 2, -5}, {{"sun", ""}, {"ring", ""}, {"joint:elbow", ""}}),
        inertia("ring", 0.03, "ring"), voltage_source("ripple", 0, "w"),
        capacitor("smooth", 1e-3, "w")})
    model.network.components.push_back(component);
  return reflect_inertias(model);
}

TEST(LinearNetwork, feels_how_fast_its_other_sources_change) {
  const Model model = with_felt_sources();
  Network wires(model);
  for (const char* source : {"spin", "ripple"})
    wires.drive(source, [](double t) {
      return network::SourceValue{3 * std::sin(5 * t), 15 * std::cos(5 * t)};
    });
  expect_equals_differences(compile(model), wires, {"voltage:battery"});
}

/// As inputs they have no place in ẋ = A x + B u, y = C x + D u; beside outputs that do not feel them they have.
TEST(LinearNetwork, refuses_outputs_that_feel_how_fast_an_input_changes) {
  const Model model = with_felt_sources();
  const System system = compile(model);
  const Circuit circuit{Network(model)};
  ClosedWorkspace work(system);
  const NetworkPoint point(system, circuit);
  const auto refusal = [&](const std::string& input, const std::string& output) {
    try {
      (void)network::linearize(work, circuit, point, {.inputs = {input}, .outputs = {output}});
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  for (const char* word : {"'network:smooth:current'", "'voltage:ripple'", "how fast"})
    EXPECT_NE(refusal("voltage:ripple", "network:smooth:current").find(word), std::string::npos)
        << refusal("voltage:ripple", "network:smooth:current");
  EXPECT_EQ(refusal("voltage:ripple", "network:smooth:voltage"), "");
  EXPECT_EQ(refusal("voltage:battery", "network:smooth:current"), "");
  for (const char* word : {"'joint:elbow'", "'speed:spin'"})
    EXPECT_NE(refusal("speed:spin", "q:elbow").find(word), std::string::npos)
        << refusal("speed:spin", "q:elbow");
}

/// A rotor that the mechanism does not have, since it was added behind its back.
TEST(LinearNetwork, refuses_inertias_that_are_not_in_the_model) {
  const Model model = bundled("network_arm.yaml");
  const System system = compile(model);
  Network wires(model);
  wires.add(network::inertia("flywheel", 0.2, "joint:shoulder"));
  const Circuit circuit(wires);
  ClosedWorkspace work(system);
  const auto expect_refused = [](const auto& action) {
    try {
      action();
      FAIL();
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("'flywheel'"), std::string::npos) << e.what();
      EXPECT_EQ(std::string(e.what()).find("'shoulder_rotor'"), std::string::npos) << e.what();
    }
  };
  expect_refused([&] { (void)network::linearize(work, circuit, NetworkPoint(system, circuit)); });
  expect_refused([&] { NetworkEquations(std::make_unique<TreeEquations>(system), wires); });
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

/// Where the motors' torques at standing shafts balance the weight: equations that know nothing of rests agree.
TEST(NetworkRest, nothing_changes_there) {
  for (const bool with_own : {false, true}) {
    const Model model = bundled("network_arm.yaml");
    const System system = compile(model);
    Network wires(model);
    if (with_own) {
      network::OwnComponent lamp{.name = "lamp", .ports = {{"ends", network::Domain::electrical}}};
      lamp.compute = [](const network::OwnMoment& at, std::span<double> through,
                        std::span<double>) { through[0] = 0.3 * std::tanh(at.across[0]); };
      wires.add(lamp, {{"ends", "bus"}});
    }
    const Circuit circuit(wires);
    ClosedWorkspace work(system);
    NetworkPoint point(system, circuit);
    point.sources[0] = -0.9;  // 24 V would turn the arm over
    const linear::Equilibrium found = network::find_equilibrium(work, circuit, point);
    ASSERT_TRUE(found.found) << describe(found);
    EXPECT_FALSE(found.moved.empty());
    Whole whole(system, wires);
    VectorXd x(2 * system.nv() + circuit.linear_states());
    x << point.mechanism.state.q, point.mechanism.state.v,
        Eigen::Map<const VectorXd>(point.states.data(), circuit.linear_states());
    const VectorXd rates = whole.rates(x, VectorXd::Constant(1, -0.9)).head(x.size());
    // Of torques of some N m on inertias of a tenth, currents of some A on millihenries.
    EXPECT_LT(rates.cwiseAbs().maxCoeff(), 1e-7) << rates.transpose();
    EXPECT_GT(std::abs(point.mechanism.state.q[0]), 0.01);
    const LinearModel linear = network::linearize(work, circuit, point);
    EXPECT_LT(linear.drift.view().norm(), 1e-7);
    EXPECT_EQ(point.mechanism.tau, std::vector<double>(point.mechanism.tau.size(), 0.0));
  }
}

TEST(NetworkRest, is_refused_where_there_is_none) {
  Model model = read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/network_arm.yaml");
  model.network.components.push_back(network::inductor("short", 0.1, "cell"));
  model = network::reflect_inertias(model);
  const System system = compile(model);
  const Circuit circuit{Network(model)};
  ClosedWorkspace work(system);
  NetworkPoint point(system, circuit);
  try {
    (void)network::find_equilibrium(work, circuit, point);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), Error::Kind::failed_computation);
    EXPECT_NE(std::string(e.what()).find("'network:short:current'"), std::string::npos) << e.what();
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
