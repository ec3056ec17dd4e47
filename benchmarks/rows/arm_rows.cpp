#include "rows/arm_rows.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <limits>

#include "clock.hpp"
#include "closed/closed_models.hpp"
#include "closed/closed_truth.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/manipulator/closed_chain.hpp"
#include "linkwright_peer.hpp"
#include "random.hpp"

namespace bench {
namespace {

using namespace linkwright;
using Eigen::VectorXd;
using manipulator::ClosedAlgorithm, manipulator::OmegaSolve;

constexpr double seconds = 0.05, most_error = 1e-11;
/// Times per arm that 64 arms may take of what 8 take.
constexpr double most_growth = 1.5;
constexpr int rounds = 5;

/// One robot in the position it starts in, moving.
struct Robot {
  explicit Robot(int arms)
      : system(compile(arms_and_object(arms, Stand::floats, Hold::by_grasps))),
        state(initial_state(system)),
        tau(system.nv()),
        work(system),
        robot(system),
        chain(robot),
        a(system.nv()),
        b(system.nv()) {
    Random random;
    for (double& x : state.v) x = random.uniform(-1, 1);
    for (double& x : tau) x = random.uniform(-1, 1);
    project_velocity(work, state.q, {}, state.v);
    project_velocity(work, state.q, {}, state.v);
  }
  void run(OmegaSolve solve) {
    chain.compute_forward_dynamics(ClosedAlgorithm::RCCFD2, solve, state, tau, {}, b);
  }
  /// Errors of the three, relative to the largest acceleration.
  std::vector<double> errors() {
    const ClosedTruth truth(work, {state, tau});
    compute_forward_dynamics(work, state, tau, {}, a);
    std::vector<double> found{truth.judge(a).error};
    for (const OmegaSolve solve : {OmegaSolve::structured, OmegaSolve::dense}) {
      run(solve);
      found.push_back(truth.judge(b).error);
    }
    return found;
  }

  System system;
  State state;
  VectorXd tau;
  ClosedWorkspace work;
  manipulator::Manipulator robot;
  manipulator::ClosedChain chain;
  VectorXd a, b;
};

}  // namespace

bool run_arms(const std::string& only, nlohmann::json& rows) {
  if (std::string("arms").find(only) == std::string::npos) return true;
  std::puts(
      "\narms that hold one object, on a body that floats: forward dynamics, µs (ns per arm)");
  std::printf("%-6s %-24s %-24s %-24s\n", "arms", "closure room", "RCCFD2, structured",
              "RCCFD2, dense");
  bool good = true;
  double at_8 = 0, at_64 = 0;
  for (const int arms : {1, 2, 4, 8, 16, 32, 64}) {
    Robot one(arms);
    const std::vector<Racer> racers{
        {[&] { compute_forward_dynamics(one.work, one.state, one.tau, {}, one.a); }, 1},
        {[&] { one.run(OmegaSolve::structured); }, 1},
        {[&] { one.run(OmegaSolve::dense); }, 1}};
    std::vector<double> least(racers.size(), std::numeric_limits<double>::infinity());
    for (int round = 0; round < rounds; ++round) {
      const auto times = race(racers, seconds);
      for (std::size_t k = 0; k < times.size(); ++k) least[k] = std::min(least[k], times[k]);
    }
    if (arms == 8) at_8 = least[1] / arms;
    if (arms == 64) at_64 = least[1] / arms;
    const std::vector<double> errors = one.errors();
    good = good && errors[1] <= most_error;
    const auto cell = [&](std::size_t k) {
      return fmt::format("{:.2f} ({:.0f}) {:.0e}", least[k] / 1e3, least[k] / arms, errors[k]);
    };
    std::printf("%-6d %-24s %-24s %-24s%s\n", arms, cell(0).c_str(), cell(1).c_str(),
                cell(2).c_str(), errors[1] <= most_error ? "" : "  DISAGREES");
    std::fflush(stdout);
    const char* quantities[] = {"closed-forward-dynamics", "rccfd2-structured", "rccfd2-dense"};
    for (std::size_t k = 0; k < least.size(); ++k)
      rows.push_back({{"model", fmt::format("arms{}", arms)},
                      {"quantity", quantities[k]},
                      {"library", linkwright_as_peer()->library},
                      {"compiler", linkwright_as_peer()->compiler},
                      {"batch", 1},
                      {"scalar", "double"},
                      {"ns", least[k]},
                      {"arms", arms},
                      {"error", errors[k]},
                      {"ratio_to_P", nullptr}});
  }
  const bool linear = at_64 <= most_growth * at_8;
  std::printf("structured: %.0f ns per arm of 8, %.0f of 64%s\n", at_8, at_64,
              linear ? "" : "  SLOW: it should be linear");
  return good && linear;
}

}  // namespace bench
