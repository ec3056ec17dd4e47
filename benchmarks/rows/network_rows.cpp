#include "rows/network_rows.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <limits>

#include "agreement.hpp"
#include "clock.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/network/dynamics.hpp"
#include "linkwright_peer.hpp"
#include "models.hpp"

namespace bench {
namespace {

using namespace linkwright;
using Eigen::VectorXd;

constexpr double seconds = 0.05;
constexpr int rounds = 5;
/// Times per body that 1000 bodies may take of what 20 take. What they write no longer fits the nearest caches.
constexpr double most_growth = 1.5;

struct Chain {
  explicit Chain(int bodies)
      : model(chain(bodies)),
        system(compile(to_model(model.bodies))),
        state(system),
        tree(system),
        network(system) {
    const States states = random_states(model.layout(), model, 1);
    state.q = VectorXd::Map(states.q.data(), system.nq());
    state.v = VectorXd::Map(states.v.data(), system.nv());
    a = VectorXd::Map(states.a.data(), system.nv());
    tau = VectorXd::Map(states.tau.data(), system.nv());
    for (VectorXd* x : {&found, &expected, &back}) x->setZero(system.nv());
  }
  /// Efforts by those of the trunk; accelerations by the efforts that they need, so that no condition number enters.
  double error_of_inverse() {
    compute_inverse_dynamics(tree, state, a, {}, expected);
    compute_inverse_dynamics(network, state, a, {}, found);
    return (found - expected).lpNorm<Eigen::Infinity>() / expected.lpNorm<Eigen::Infinity>();
  }
  double error_of_forward() {
    compute_forward_dynamics(network, state, tau, {}, found);
    compute_inverse_dynamics(tree, state, found, {}, back);
    compute_inverse_dynamics(tree, state, VectorXd::Zero(system.nv()), {}, expected);
    return (back - tau).lpNorm<Eigen::Infinity>() /
           (expected.lpNorm<Eigen::Infinity>() + tau.lpNorm<Eigen::Infinity>());
  }

  BenchModel model;
  System system;
  State state;
  Workspace tree;
  network::NetworkWorkspace network;
  VectorXd a, tau, found, expected, back;
};

nlohmann::json row(int bodies, const char* quantity, double ns, double error) {
  return {{"model", fmt::format("network{}", bodies)},
          {"quantity", quantity},
          {"library", linkwright_as_peer()->library},
          {"compiler", linkwright_as_peer()->compiler},
          {"batch", 1},
          {"scalar", "double"},
          {"ns", ns},
          {"ns_per_body", ns / bodies},
          {"error", error},
          {"ratio_to_P", nullptr}};
}

}  // namespace

bool run_network(const std::string& only, nlohmann::json& rows) {
  if (std::string("network").find(only) == std::string::npos) return true;
  std::puts("\nchains as networks: ns per body (largest error), beside the trunk's");
  std::printf("%-8s %-22s %-22s %-10s %-10s\n", "bodies", "network forward", "network inverse",
              "forward", "inverse");
  bool good = true;
  double first[2]{}, last[2]{};
  for (const int bodies : {20, 50, 100, 200, 500, 1000}) {
    Chain one(bodies);
    const std::vector<Racer> racers{
        {[&] { compute_forward_dynamics(one.network, one.state, one.tau, {}, one.found); }, 1},
        {[&] { compute_inverse_dynamics(one.network, one.state, one.a, {}, one.found); }, 1},
        {[&] { compute_forward_dynamics(one.tree, one.state, one.tau, {}, one.found); }, 1},
        {[&] { compute_inverse_dynamics(one.tree, one.state, one.a, {}, one.found); }, 1}};
    std::vector<double> least(racers.size(), std::numeric_limits<double>::infinity());
    for (int round = 0; round < rounds; ++round) {
      const auto times = race(racers, seconds);
      for (std::size_t k = 0; k < times.size(); ++k) least[k] = std::min(least[k], times[k]);
    }
    const double errors[]{one.error_of_forward(), one.error_of_inverse()};
    const bool agrees = errors[0] <= kAgreement && errors[1] <= kAgreement;
    good = good && agrees;
    for (std::size_t k = 0; k < 2; ++k) {
      last[k] = least[k] / bodies;
      if (bodies == 20) first[k] = last[k];
      rows.push_back(row(bodies, k == 0 ? "network-forward-dynamics" : "network-inverse-dynamics",
                         least[k], errors[k]));
    }
    const auto cell = [&](std::size_t k) {
      return fmt::format("{:.0f} ({:.0e})", least[k] / bodies, errors[k]);
    };
    std::printf("%-8d %-22s %-22s %-10.0f %-10.0f%s\n", bodies, cell(0).c_str(), cell(1).c_str(),
                least[2] / bodies, least[3] / bodies, agrees ? "" : "  DISAGREES");
    std::fflush(stdout);
  }
  const bool linear = last[0] <= most_growth * first[0] && last[1] <= most_growth * first[1];
  std::printf("per body of 1000 in terms of 20: forward %.2f, inverse %.2f%s\n", last[0] / first[0],
              last[1] / first[1], linear ? "" : "  SLOW: it should be linear");
  return good && linear;
}

}  // namespace bench
