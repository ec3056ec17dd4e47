/// Where a mechanism and its network are at rest together.
///
/// Given    sources, and states to begin with
/// Computes s with ṡ(s) = 0 at standing shafts, by Newton's method and steps of least norm: what the network does not
///          decide stays. One step where no component is a user's own. Then the mechanism's rest under the torques.
/// Cost     O(n³) per step, n states

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "linkwright/network/linear_network.hpp"
#include "linkwright/network/shaft_place.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

constexpr int most_steps_to_rest = 50;
/// Of the sizes that cancel in a rate.
constexpr double at_rest = 1e-9;

/// A circuit whose shafts stand still.
struct Standing {
  Standing(const Circuit& of, const NetworkPoint& point)
      : circuit(of),
        work(of),
        t(point.mechanism.state.t),
        still(Eigen::VectorXd::Zero(of.port_count())),
        sources(Eigen::Map<const Eigen::VectorXd>(point.sources.data(), of.source_count())),
        steady(Eigen::VectorXd::Zero(of.source_count())) {}

  const Eigen::VectorXd& rates(const Eigen::VectorXd& s) {
    circuit.compute(work, t, still, sources, steady, s);
    return work.rates;
  }
  Eigen::MatrixXd slopes(const Eigen::VectorXd& s) {
    if (circuit.own_count() == 0) return circuit.A();
    const double part = std::cbrt(std::numeric_limits<double>::epsilon());
    Eigen::MatrixXd out(s.size(), s.size());
    Eigen::VectorXd x = s;
    for (Eigen::Index j = 0; j < s.size(); ++j) {
      const double step = part * std::max(1.0, std::abs(s[j]));
      x[j] = s[j] + step;
      const Eigen::VectorXd above = rates(x);
      x[j] = s[j] - step;
      out.col(j) = (above - rates(x)) / (2 * step);
      x[j] = s[j];
    }
    return out;
  }

  const Circuit& circuit;
  CircuitWorkspace work;
  double t;
  Eigen::VectorXd still, sources, steady;
};

/// The state whose rate is farthest from zero, in units of what its terms are; −1: none is off.
Eigen::Index find_restless(const Eigen::VectorXd& rates, const Eigen::MatrixXd& slopes,
                           const Eigen::VectorXd& s, const Eigen::VectorXd& offset) {
  Eigen::Index worst = -1;
  double most = at_rest;
  for (Eigen::Index i = 0; i < rates.size(); ++i) {
    const double size = slopes.row(i).cwiseAbs().dot(s.cwiseAbs()) + std::abs(offset[i]) + 1e-12;
    if (std::abs(rates[i]) > most * size) worst = i, most = std::abs(rates[i]) / size;
  }
  return worst;
}

void rest(const Circuit& circuit, NetworkPoint& point) {
  Standing standing(circuit, point);
  Eigen::VectorXd s = Eigen::Map<const Eigen::VectorXd>(
      point.states.data(), static_cast<Eigen::Index>(point.states.size()));
  if (s.size() == 0) return;
  const Eigen::VectorXd offset = standing.rates(Eigen::VectorXd::Zero(s.size()));
  Eigen::Index restless = -1;
  for (int step = 0; step < most_steps_to_rest; ++step) {
    const Eigen::VectorXd rates = standing.rates(s);
    const Eigen::MatrixXd slopes = standing.slopes(s);
    restless = find_restless(rates, slopes, s, offset);
    if (restless < 0) break;
    // Rates differ by the time constants: each row counts in its own size.
    const Eigen::VectorXd size = slopes.rowwise().norm().cwiseMax(1e-300);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(1e-10);
    solver.compute(size.cwiseInverse().asDiagonal() * slopes);
    s -= solver.solve(rates.cwiseQuotient(size));
  }
  if (restless >= 0)
    throw Error(
        fmt::format("network: it has no rest under its sources: {} still changes by {:.3g} "
                    "per second while the shafts stand. Give other values of the sources, "
                    "or put a resistor or damper into its way",
                    in_quotes(circuit.states()[at(restless)].name), standing.rates(s)[restless]),
        Error::Kind::failed_computation);
  point.states.assign(s.begin(), s.end());
}

}  // namespace

linear::Equilibrium find_equilibrium(ClosedWorkspace& work, const Circuit& circuit,
                                     NetworkPoint& point,
                                     const linear::EquilibriumOptions& options) {
  if (options.drives != nullptr)
    throw Error(
        "network: motors of `actuators` have no rest together with a network; write them as "
        "components (network::to_network)");
  require_reflected(work.system(), circuit);
  point.mechanism.state.v.setZero();
  if (point.states.empty()) point.states = start_states(work, circuit, point);
  rest(circuit, point);
  Standing standing(circuit, point);
  (void)standing.rates(Eigen::Map<const Eigen::VectorXd>(
      point.states.data(), static_cast<Eigen::Index>(point.states.size())));
  const std::vector<ShaftPlace> places = place_shafts(work.system(), circuit);
  const auto push = [&](double sign) {
    for (std::size_t i = 0; i < places.size(); ++i)
      point.mechanism.tau[at(places[i].effort)] +=
          sign * standing.work.answers[static_cast<Eigen::Index>(i)];
  };
  push(1);
  linear::Equilibrium found = linear::find_equilibrium(work, point.mechanism, options);
  push(-1);
  return found;
}

}  // namespace linkwright::network
