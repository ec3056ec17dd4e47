// Descriptor forms and the method ida: circuits against formulas, loops against other methods, consistent starts.
#include <gtest/gtest.h>

#include <cmath>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/network/components.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "linkwright/simulate/channels.hpp"
#include "linkwright/simulate/descriptor_form.hpp"
#include "linkwright/simulate/network_equations.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "simulate/closed.hpp"
#include "simulate/mechanisms.hpp"

namespace linkwright::testing {
namespace {

using namespace network;
using Eigen::MatrixXd, Eigen::VectorXd;

constexpr SimulationOptions by_ida{
    .method = Method::ida, .relative_tolerance = 1e-9, .absolute_tolerance = 1e-11};

/// A circuit beside a mechanism of which it knows nothing.
struct Bench {
  explicit Bench(const Network& network)
      : system(compile(slider())), simulation(begin(system, network, by_ida)) {}

  static Simulation begin(const System& of, const Network& network,
                          const SimulationOptions& options) {
    auto made = std::make_unique<NetworkEquations>(std::make_unique<TreeEquations>(of), network);
    const FullState start = start_of(of, *made);
    return Simulation(std::move(made), start, options);
  }
  static FullState start_of(const System& of, Equations& all) {
    FullState now{State(of), {}};
    all.compute_start(now);
    return now;
  }
  /// Channel, where the run stands.
  double told(const std::string& name) {
    Channels channels(simulation.equations(), {name});
    Workspace work(system);
    std::vector<double> row(channels.size());
    channels.compute(work, simulation.snapshot(), row);
    for (std::size_t i = 0; i < channels.size(); ++i)
      if (channels.columns()[i].name == name) return row[i];
    ADD_FAILURE() << "no " << name;
    return 0;
  }
  [[nodiscard]] int index() const { return simulation.statistics().index; }

  System system;
  Simulation simulation;
};

TEST(Ida, of_a_resistor_and_a_capacitor_is_an_exponential) {
  Network network;
  network.add(voltage_source("battery", 5, "plus"));
  network.add(resistor("r", 1e3, "plus", "c"));
  network.add(capacitor("c", 1e-6, "c"));
  Bench bench(network);
  for (const double t : {1e-4, 1e-3, 4e-3}) {
    bench.simulation.advance_to(t);
    EXPECT_NEAR(bench.told("network:c:voltage"), 5 * (1 - std::exp(-t / 1e-3)), 5e-9);
    EXPECT_NEAR(bench.told("network:r:current"), 5e-3 * std::exp(-t / 1e-3), 5e-12);
  }
  EXPECT_EQ(bench.index(), 1);
  // q and v of the slider, and across and through variables of three components.
  EXPECT_EQ(bench.simulation.statistics().unknowns, 2 + 6);
}

TEST(Ida, of_a_resistor_and_an_inductor_is_an_exponential) {
  Network network;
  network.add(voltage_source("battery", 5, "plus"));
  network.add(resistor("r", 2, "plus", "l"));
  network.add(inductor("l", 0.1, "l"));
  Bench bench(network);
  bench.simulation.advance_to(0.07);
  EXPECT_NEAR(bench.told("network:l:current"), 2.5 * (1 - std::exp(-20 * 0.07)), 3e-9);
}

TEST(Ida, of_resistor_inductor_and_capacitor_rings) {
  constexpr double R = 2, L = 0.1, C = 1e-3, V = 12;
  Network network;
  network.add(voltage_source("battery", V, "plus"));
  network.add(resistor("r", R, "plus", "a"));
  network.add(inductor("l", L, "a", "b"));
  network.add(capacitor("c", C, "b"));
  Bench bench(network);
  const double fade = R / (2 * L), w = std::sqrt(1 / (L * C) - fade * fade);
  for (const double t : {0.01, 0.05, 0.2}) {
    bench.simulation.advance_to(t);
    const double e = std::exp(-fade * t);
    EXPECT_NEAR(bench.told("network:c:voltage"),
                V * (1 - e * (std::cos(w * t) + fade / w * std::sin(w * t))), 1e-8 * V);
    EXPECT_NEAR(bench.told("network:l:current"), V / (w * L) * e * std::sin(w * t), 1e-8 * V);
  }
}

/// A capacitor across a source, an inductor behind one: derivatives of the sources are among what is told, and the states
/// are fewer.
TEST(Ida, of_index_two_is_reduced_and_tells_the_rates_of_sources) {
  constexpr double w = 50;
  Network network;
  network.add(voltage_source("u", 0, "a"));
  network.add(capacitor("c1", 1e-3, "a"));
  network.add(resistor("r", 10, "a", "b"));
  network.add(capacitor("c2", 2e-3, "b"));
  network.add(current_source("i", 0, "d"));
  network.add(inductor("l", 0.2, "d"));
  for (const char* source : {"u", "i"})
    network.drive(source, [](double t) {
      return SourceValue{std::sin(w * t), w * std::cos(w * t)};
    });
  const Circuit circuit(network);
  EXPECT_EQ(circuit.index(), 2);
  EXPECT_EQ(circuit.descriptor().index, 2);
  EXPECT_FALSE(circuit.descriptor().state_variables);
  Bench bench(network);
  const double t = 0.3, a = 1 / (10 * 2e-3);  // v̇₂ = a (sin w t − v₂)
  bench.simulation.advance_to(t);
  const double v2 =
      a / (a * a + w * w) * (a * std::sin(w * t) - w * std::cos(w * t) + w * std::exp(-a * t));
  EXPECT_NEAR(bench.told("network:c2:voltage"), v2, 1e-8);
  EXPECT_NEAR(bench.told("network:c1:current"), 1e-3 * w * std::cos(w * t), 1e-12);
  EXPECT_NEAR(bench.told("network:l:voltage"), 0.2 * w * std::cos(w * t), 1e-10);
  EXPECT_EQ(bench.index(), 0);  // c2 alone is left
}

/// A rectifier: the diode's equation is one of the unknowns' own, and the same motion comes out as where Newton's method
/// solves it inside (bdf).
TEST(Ida, of_components_of_a_users_own_solves_them_with_the_rest) {
  Network network;
  OwnComponent diode{
      .name = "diode", .ports = {{"ends", Domain::electrical}}, .states = {{"heat", "J"}}};
  diode.compute = [](const OwnMoment& at, std::span<double> through, std::span<double> rates) {
    through[0] = 1e-9 * std::expm1(std::min(at.across[0] / 0.05, 60.0));
    rates[0] = through[0] * at.across[0];
  };
  network.add(voltage_source("u", 0, "a"));
  network.drive("u", [](double t) {
    return SourceValue{3 * std::sin(300 * t), 900 * std::cos(300 * t)};
  });
  network.add(resistor("r", 1, "a", "b"));
  network.add(diode, {{"ends", "b", "c"}});
  network.add(capacitor("c", 1e-3, "c"));
  network.add(resistor("load", 20, "c"));
  Bench bench(network);
  SimulationOptions bdf = by_ida;
  bdf.method = Method::bdf;
  Simulation other = Bench::begin(bench.system, network, bdf);
  bench.simulation.advance_to(0.05);
  other.advance_to(0.05);
  const VectorXd &mine = bench.simulation.full_state().extra, &its = other.full_state().extra;
  ASSERT_EQ(mine.size(), 2);
  EXPECT_GT(its[0], 1) << "volts";
  EXPECT_LT((mine - its).cwiseAbs().maxCoeff(), 1e-8 * (1 + its.cwiseAbs().maxCoeff()));
}

/// Rows E ẋ = f at the start, in units of their terms.
void expect_consistent(Equations& equations, const FullState& at, const VectorXd& input) {
  const auto form = equations.make_descriptor_form();
  const Eigen::Index n = form->size();
  VectorXd x(n), rate(n), residual(n), f(n);
  form->compute_start(at, input, {}, x, rate);
  form->compute_residual(at, x, rate, input, {}, residual);
  MatrixXd E(n, n);
  form->compute_E(at, x, input, {}, E);
  form->compute_f(at, x, input, {}, f);
  EXPECT_LT((E * rate - f - residual).norm(), 1e-12 * (E.norm() * rate.norm() + f.norm()));
  EXPECT_LT(residual.norm(), 1e-11 * (1 + E.norm() * rate.norm() + f.norm() + x.norm()));
  FullState read = at;
  form->read(at.state.t, x, read);
  EXPECT_LT((read.state.q - at.state.q).norm(), 1e-15 * (1 + at.state.q.norm()));
  EXPECT_EQ(read.state.v, at.state.v);
  EXPECT_EQ(read.extra, at.extra);
  // What has no rate has no column.
  for (Eigen::Index j = form->state_count(); j < n; ++j)
    EXPECT_LT(E.col(j).norm(), 1e-12 * E.norm())
        << form->variables()[static_cast<std::size_t>(j)].name;
}

TEST(DescriptorForm, begins_consistently) {
  for (const char* file : {"network_arm.yaml", "four_bar.yaml", "stewart.yaml", "bricard.yaml",
                           "puma560_motors.yaml", "five_bar_motors.yaml", "humanoid.urdf"}) {
    SCOPED_TRACE(file);
    const System system =
        compile(reflect_inertias(read_model(LINKWRIGHT_SOURCE_DIR "/models/" + std::string(file))));
    SimulationOptions options{.limits = LimitAction::ignore};
    for (const Actuator& actuator : system.model().actuators)
      if (actuator.motor) options.voltages.push_back(actuator.name);
    const auto equations = make_equations(system, options);
    FullState at{assembled(system), {}};
    RandomModel random(4);
    at.state.v = random.numbers(system.nv());
    ClosedWorkspace work(system);
    if (!system.closures().empty()) project_velocity(work, at.state.q, {}, at.state.v);
    equations->compute_start(at);
    VectorXd input = VectorXd::Zero(static_cast<Eigen::Index>(equations->inputs().size()));
    equations->compute_usual_input(input);
    expect_consistent(*equations, at, input);
  }
}

TEST(DescriptorForm, of_a_tree_has_its_mass_matrix_in_E) {
  RandomModel random(8);
  const System system = compile(random.tree(5, Base::free, all_joint_types()));
  TreeEquations equations(system);
  const auto form = equations.make_descriptor_form();
  EXPECT_EQ(form->index(), 0);
  ASSERT_EQ(form->size(), system.nq() + system.nv());
  EXPECT_EQ(form->variables()[static_cast<std::size_t>(system.nq())].name,
            "v:" + system.velocity_names()[0]);
  const FullState at{random.state(system), {}};
  VectorXd x(form->size()), rate(form->size());
  const VectorXd input = VectorXd::Zero(system.nv());
  form->compute_start(at, input, {}, x, rate);
  MatrixXd E(form->size(), form->size()), M(system.nv(), system.nv());
  form->compute_E(at, x, input, {}, E);
  Workspace work(system);
  compute_mass_matrix(work, at.state.q, M);
  // Columns are differences, off by the rounding of what acts besides.
  VectorXd f(form->size());
  form->compute_f(at, x, input, {}, f);
  EXPECT_LT((E.bottomRightCorner(system.nv(), system.nv()) - M).norm(),
            1e-12 * (M.norm() + f.norm()));
  EXPECT_LT(
      (E.topLeftCorner(system.nq(), system.nq()) - MatrixXd::Identity(system.nq(), system.nq()))
          .norm(),
      1e-12 * (1 + f.norm()));
}

TEST(DescriptorForm, tells_its_index_and_its_variables) {
  const System four_bar = bundled_system("four_bar");
  const auto loops = make_equations(four_bar, {})->make_descriptor_form();
  EXPECT_EQ(loops->index(), 2);
  EXPECT_EQ(loops->size(), 3 + 3 + 5 + 5);
  EXPECT_EQ(loops->variables()[6].name, "closure:rocker_pin:0");
  EXPECT_EQ(loops->variables().back().name, "closure:rocker_pin:4:shift");
  EXPECT_EQ(loops->state_count(), 6);
  // Where friction decides, rates are f.
  Model rubbing = four_bar.model();
  rubbing.joints[0].friction = {{.forward = 0.1, .backward = 0.1}};
  const System system = compile(rubbing);
  const auto decides = make_equations(system, {})->make_descriptor_form();
  EXPECT_EQ(decides->index(), 0);
  EXPECT_EQ(decides->size(), 6);
}

/// Energy, closures and the other methods, of loops with redundant rows too.
TEST(Ida, keeps_loops_closed_and_their_energy) {
  for (const char* name : {"four_bar", "five_bar", "bricard", "planar_platform"}) {
    SCOPED_TRACE(name);
    Model model = bundled_system(name).model();
    for (Joint& joint : model.joints) joint.damping.clear();
    const System system = compile(model);
    const State start = assembled(system);
    SimulationOptions options{
        .method = Method::ida, .limits = LimitAction::ignore, .measure_drift = true};
    Simulation simulation(system, start, options);
    simulation.advance_to(0.5);
    const SimulationStatistics& statistics = simulation.statistics();
    EXPECT_EQ(statistics.index, 2);
    EXPECT_GT((simulation.state().q - start.q).norm(), 0.1);
    EXPECT_LT(statistics.closure_error, 1e-11);
    EXPECT_LT(statistics.velocity_error, 1e-9);
    EXPECT_LT(statistics.error_in_tolerances, 1);
    ASSERT_TRUE(statistics.conservation);
    EXPECT_TRUE(statistics.conservation->is_conservative);
    EXPECT_LT(statistics.conservation->energy.relative(), 1e-8);  // the tolerance
    options.method = Method::bdf;
    options.relative_tolerance = 1e-10, options.absolute_tolerance = 1e-12;
    Simulation other(system, start, options);
    other.advance_to(0.5);
    const double size = 1 + other.state().q.norm() + other.state().v.norm();
    EXPECT_LT((simulation.state().q - other.state().q).norm(), 1e-8 * size);
    EXPECT_LT((simulation.state().v - other.state().v).norm(), 1e-8 * size);
  }
}

/// Past a place where the rows it began with depend on each other, and past singular positions.
TEST(Ida, begins_again_where_its_rows_give_way) {
  const System system = bundled_system("delta");
  const SimulationOptions options{.method = Method::ida, .limits = LimitAction::ignore};
  Simulation simulation(system, assembled(system), options);
  simulation.advance_to(0.3);
  EXPECT_EQ(simulation.time(), 0.3);
  EXPECT_LT(simulation.statistics().closure_error, 1e-11);
}

/// The sum of its unknowns decides, not that of its states.
TEST(Ida, refuses_more_unknowns_than_a_dense_matrix_should_have) {
  Model model;
  std::string parent = "world";
  for (int i = 0; i < 501; ++i) {
    const std::string name = "link" + std::to_string(i);
    model.bodies.push_back({.name = name, .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}});
    model.joints.push_back({.name = "j" + std::to_string(i),
                            .type = JointType::revolute,
                            .parent = parent,
                            .child = name,
                            .axis = {0, 1, 0}});
    parent = name;
  }
  const System system = compile(model);
  try {
    Simulation simulation(system, State(system), {.method = Method::ida});
    FAIL();
  } catch (const Error& e) {
    for (const char* word : {"'ida'", "1000", "1002", "'bdf'"})
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
  }
}

/// A class of a user's own around others has their form, E = 1.
class Cooling final : public WrappingEquations {
 public:
  explicit Cooling(std::unique_ptr<Equations> inside) : WrappingEquations(std::move(inside)) {}
  [[nodiscard]] std::vector<Quantity> extra_states() const override { return {{"heat", "J"}}; }
  void compute_rates(const FullState& now, const VectorXd& input, ExternalForces forces,
                     VectorRef a, VectorRef extra_rates) override {
    inside().compute_rates(now, input, forces, a, extra_rates.head(0));
    extra_rates[0] = -3 * now.extra[0];
  }
};

TEST(DescriptorForm, of_equations_of_a_users_own_has_E_one) {
  const System system = compile(slider());
  auto equations = std::make_unique<Cooling>(std::make_unique<TreeEquations>(system));
  const auto form = equations->make_descriptor_form();
  ASSERT_EQ(form->size(), 3);
  VectorXd x(3), rate(3);
  MatrixXd E(3, 3);
  const FullState at{State(system), VectorXd::Constant(1, 2)};
  form->compute_start(at, VectorXd::Zero(1), {}, x, rate);
  form->compute_E(at, x, VectorXd::Zero(1), {}, E);
  EXPECT_LT((E - MatrixXd::Identity(3, 3)).norm(), 1e-14);
  Simulation simulation(std::move(equations), at, by_ida);
  simulation.advance_to(1);
  EXPECT_NEAR(simulation.full_state().extra[0], 2 * std::exp(-3), 1e-9);
  EXPECT_NEAR(simulation.state().q[0], 0.5 * system.model().gravity.z, 1e-9);
}

}  // namespace
}  // namespace linkwright::testing
