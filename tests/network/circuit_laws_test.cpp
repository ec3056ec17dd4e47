/// Random circuits and shafts: every component's own law, the sums at every node, and the power of all together hold at
/// random states, whatever depends on what.

#include <cmath>
#include <map>
#include <random>

#include "linkwright/model/network_words.hpp"
#include "linkwright/network/descriptor.hpp"
#include "network/circuits.hpp"

namespace circuits {
namespace {

class RandomNetwork {
 public:
  explicit RandomNetwork(unsigned seed) : random_(seed) {}

  /// Circuits and shafts with motors, gears and transformers between them; some have loops of capacitors with
  /// sources, inertias that gears hold together, springs in series, and shafts that are those of joints.
  Network make() {
    Network network;
    const int nodes = 2 + pick(4), count = nodes + 2 + pick(6);
    for (int i = 0; i < count; ++i) {
      const bool electrical = pick(2) == 0;
      const std::string from = node(electrical, nodes), to = other(from, electrical, nodes);
      network.add(one(electrical, "e" + std::to_string(i), from, to));
    }
    for (int i = 0; i < 1 + pick(2); ++i) {
      const std::string a = node(true, nodes), b = node(false, nodes), c = node(false, nodes);
      network.add(motor("m" + std::to_string(i), value(), {a, ""}, {b, ""}));
      if (b != c && pick(2) == 0)
        network.add(gear("g" + std::to_string(i), value(), {b, ""}, {c, ""}));
    }
    return network;
  }
  double value() { return std::exp(std::uniform_real_distribution<>(-3, 3)(random_)); }
  int pick(int count) { return std::uniform_int_distribution<>(0, count - 1)(random_); }

 private:
  std::string node(bool electrical, int nodes) {
    if (!electrical && pick(6) == 0) return "joint:j" + std::to_string(pick(2));
    return (electrical ? "n" : "s") + std::to_string(pick(nodes));
  }
  std::string other(const std::string& from, bool electrical, int nodes) {
    const std::string to = node(electrical, nodes);
    return to == from || pick(2) == 0 ? std::string{} : to;
  }
  NetworkComponent one(bool electrical, const std::string& name, const std::string& from,
                       const std::string& to) {
    switch (pick(7)) {
      case 0:
      case 1:
        return electrical ? capacitor(name, value(), from, to) : inertia(name, value(), from, to);
      case 2:
      case 3:
        return electrical ? inductor(name, value(), from, to) : spring(name, value(), from, to);
      case 4:
      case 5:
        return electrical ? resistor(name, value(), from, to) : damper(name, value(), from, to);
      default:
        return pick(2) == 0 ? (electrical ? voltage_source(name, value(), from, to)
                                          : speed_source(name, value(), from, to))
                            : (electrical ? current_source(name, value(), from, to)
                                          : torque_source(name, value(), from, to));
    }
  }
  std::mt19937 random_;
};

/// Numbers of one moment: across, then through, per edge.
struct Moment {
  Eigen::VectorXd x, y;
};

Moment moment_of(Running& run, double t, const Eigen::VectorXd& s) {
  run.rates_at(t, s);
  run.circuit.compute_outputs(run.work, Eigen::VectorXd::Zero(run.given.size()), run.outputs);
  const Eigen::Index edges = run.outputs.size() / 2;
  Moment moment{Eigen::VectorXd(edges), Eigen::VectorXd(edges)};
  for (Eigen::Index e = 0; e < edges; ++e)
    moment.x[e] = run.outputs[2 * e], moment.y[e] = run.outputs[2 * e + 1];
  return moment;
}

/// A step of Runge and Kutta, so short that its error is rounding.
Eigen::VectorXd shifted(Running& run, double t, double h, const Eigen::VectorXd& s) {
  const Eigen::VectorXd k1 = run.rates_at(t, s), k2 = run.rates_at(t + h / 2, s + h / 2 * k1),
                        k3 = run.rates_at(t + h / 2, s + h / 2 * k2),
                        k4 = run.rates_at(t + h, s + h * k3);
  return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

void expect_laws(Running& run, unsigned seed) {
  const Network& network = run.circuit.network();
  srand(seed);
  const Eigen::VectorXd s = Eigen::VectorXd::Random(run.states.size());
  const double fastest = s.size() > 0 ? run.circuit.A().cwiseAbs().rowwise().sum().maxCoeff() : 0;
  const double t = 0.3, rate = 1 + fastest, h = 1e-3 / rate;
  const Moment now = moment_of(run, t, s), after = moment_of(run, t + h, shifted(run, t, h, s)),
               before = moment_of(run, t - h, shifted(run, t, -h, s));
  run.rates_at(t, s);
  const Eigen::VectorXd terms = run.circuit.Z().cwiseAbs() * s.cwiseAbs() +
                                run.circuit.U().cwiseAbs() * run.work.w.cwiseAbs() +
                                run.circuit.U1().cwiseAbs() * run.work.w_rates.cwiseAbs();
  const double size = 1 + terms.maxCoeff();
  // What is 1e-11 of the terms that went into it is taken for zero (elimination.hpp), once for every edge at most.
  const double exact = 1e-11 * static_cast<double>(now.x.size()) * size,
               differenced = 1e-5 * size * rate;
  double power = 0;
  std::map<int, double> sums;
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const auto i = static_cast<Eigen::Index>(e);
    const GraphEdge& edge = network.graph().edges()[e];
    sums[edge.from] += now.y[i], sums[edge.to] -= now.y[i];
    power += now.x[i] * now.y[i];
    if (network.edges()[e].kind == NetworkEdge::Kind::joint) {
      const auto& ports = run.circuit.ports();
      const auto port = std::find_if(ports.begin(), ports.end(), [&](const CircuitPort& p) {
        return p.edge == static_cast<int>(e);
      });
      ASSERT_NE(port, ports.end());
      EXPECT_NEAR(now.x[i], run.given[port - ports.begin()], exact) << network.edges()[e].name;
      continue;
    }
    const NetworkComponent& c =
        network.components()[static_cast<std::size_t>(network.edges()[e].index)];
    const double dx = (after.x[i] - before.x[i]) / (2 * h),
                 dy = (after.y[i] - before.y[i]) / (2 * h);
    const std::string thing = "seed " + std::to_string(seed) + ", " + c.name;
    switch (c.kind) {
      case ComponentKind::resistor:
        EXPECT_NEAR(now.x[i], c.value * now.y[i], exact * (1 + c.value)) << thing;
        break;
      case ComponentKind::damper:
        EXPECT_NEAR(now.y[i], c.value * now.x[i], exact * (1 + c.value)) << thing;
        break;
      case ComponentKind::capacitor:
      case ComponentKind::inertia:
        EXPECT_NEAR(c.value * dx, now.y[i], differenced * (1 + c.value)) << thing;
        break;
      case ComponentKind::inductor:
        EXPECT_NEAR(c.value * dy, now.x[i], differenced * (1 + c.value)) << thing;
        break;
      case ComponentKind::spring:
        EXPECT_NEAR(dy, c.value * now.x[i], differenced * (1 + c.value)) << thing;
        break;
      case ComponentKind::voltage_source:
      case ComponentKind::speed_source:
        EXPECT_NEAR(now.x[i], c.value + std::sin(t), exact) << thing;
        break;
      case ComponentKind::current_source:
      case ComponentKind::torque_source:
        EXPECT_NEAR(now.y[i], -c.value - std::sin(t), exact) << thing;
        break;
      default: {  // a motor or gear, from its first edge; that of a joint may stand before its second
        if (network.edges()[e].port > 0) break;
        const bool joint = network.edges()[e + 1].kind == NetworkEdge::Kind::joint;
        const Eigen::Index other = i + (joint ? 2 : 1);
        EXPECT_NEAR(now.x[i], c.value * now.x[other], exact * (1 + c.value)) << thing;
        EXPECT_NEAR(now.y[other], -c.value * now.y[i], exact * (1 + c.value)) << thing;
      }
    }
  }
  for (const auto& [node, sum] : sums)
    if (!network.graph().nodes()[static_cast<std::size_t>(node)].is_reference) {
      EXPECT_NEAR(sum, 0, exact) << "seed " << seed << ", node "
                                 << network.graph().nodes()[static_cast<std::size_t>(node)].name;
    }
  EXPECT_NEAR(power, 0, exact * size * static_cast<double>(now.x.size())) << "seed " << seed;
}

/// The equations as they are written vanish on the motion of the reduced ones, whatever the index: at t = 0 sources go
/// with a constant rate, and ż = Z ṡ + U ẇ. What clean_product (elimination.hpp) takes for zero is 1e-11 of its terms.
void expect_descriptor_form(Running& run, unsigned seed) {
  const CircuitDescriptor& d = run.circuit.descriptor();
  srand(seed);
  const Eigen::VectorXd s = Eigen::VectorXd::Random(run.states.size());
  run.rates_at(0, s);
  const Eigen::VectorXd z = run.work.z, z_rate = run.circuit.Z() * run.work.rates +
                                                 run.circuit.U() * run.work.w_rates;
  const Eigen::VectorXd missing =
      d.E * z_rate - d.A * z - d.B * run.work.w - d.B1 * run.work.w_rates;
  const Eigen::VectorXd size =
      d.E.cwiseAbs() * (run.circuit.Z().cwiseAbs() * run.work.rates.cwiseAbs() +
                        run.circuit.U().cwiseAbs() * run.work.w_rates.cwiseAbs()) +
      d.A.cwiseAbs() * z.cwiseAbs() + d.B.cwiseAbs() * run.work.w.cwiseAbs();
  EXPECT_LT(missing.cwiseAbs().maxCoeff(), 1e-10 * (1 + size.maxCoeff())) << "seed " << seed;

  // det(λ E − A) is, up to a factor, the characteristic polynomial of the reduced equations: same modes, no others.
  double factor = 0;
  for (const double lambda : {-1.3, 0.7, 2.9}) {
    const double written = (lambda * d.E - d.A).determinant();
    const Eigen::Index n = run.circuit.A().rows();
    const double reduced =
        (lambda * Eigen::MatrixXd::Identity(n, n) - run.circuit.A()).determinant();
    if (factor == 0) factor = written / reduced;
    // n digits of cancellation at most in determinants of entries between e⁻⁶ and e⁶.
    EXPECT_NEAR(written / (factor * reduced), 1, 1e-7) << "seed " << seed << ", at " << lambda;
  }
}

/// For a solver of differential-algebraic equations: consistent values have no residual, and it notices others.
void expect_circuit_form(Running& run, unsigned seed) {
  CircuitForm form(run.circuit);
  EXPECT_EQ(form.is_as_written(), run.circuit.index() <= 1) << "seed " << seed;
  srand(seed);
  const Eigen::VectorXd s = Eigen::VectorXd::Random(run.states.size());
  run.rates_at(0, s);
  const auto algebraic = static_cast<Eigen::Index>(form.algebraic().size());
  Eigen::VectorXd y(algebraic), rates(s.size()), residual(s.size() + algebraic);
  form.compute_start(run.work, 0, run.given, run.sources, run.rates, s, y, rates);
  const auto missing = [&] {
    form.compute_residual(run.work, 0, run.given, run.sources, run.rates, s, rates, y, residual);
    return residual.size() == 0 ? 0.0 : residual.cwiseAbs().maxCoeff();
  };
  double size = 1;
  for (const Eigen::VectorXd& x : {s, y, rates})
    if (x.size() > 0) size = std::max(size, x.cwiseAbs().maxCoeff());
  const double values = run.circuit.descriptor().A.cwiseAbs().maxCoeff() +
                        run.circuit.descriptor().E.cwiseAbs().maxCoeff();
  EXPECT_LT(missing(), 1e-10 * size * values) << "seed " << seed;
  if (s.size() == 0) return;
  rates[0] += 1;
  EXPECT_GT(missing(), 1e-3) << "seed " << seed;
}

TEST(Laws, of_components_and_nodes_hold_in_random_networks) {
  int checked = 0, dependent = 0, refused = 0, joints = 0;
  for (unsigned seed = 1; seed <= 600; ++seed) {
    RandomNetwork random(seed);
    Network network = random.make();
    for (const NetworkComponent& c : std::vector<NetworkComponent>(network.components()))
      if (is_source(c.kind))
        network.drive(c.name, [](double t) { return SourceValue{std::sin(t), std::cos(t)}; });
    try {
      Running run(std::move(network));
      for (double& speed : run.given) speed = random.value() - 1;
      joints += run.given.size() > 0 ? 1 : 0;
      expect_laws(run, seed);
      expect_descriptor_form(run, seed);
      expect_circuit_form(run, seed);
      ++checked;
      dependent += run.circuit.dependent().empty() ? 0 : 1;
    } catch (const Error&) {
      ++refused;  // loops of sources, parts that float: circuit_errors_test.cpp names them
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(checked, 100);
  EXPECT_GT(dependent, 50);
  EXPECT_GT(joints, 50);
  std::printf(
      "%d networks, %d of them with dependent stores, %d with joints; %d have no equations\n",
      checked, dependent, joints, refused);
}

}  // namespace
}  // namespace circuits
