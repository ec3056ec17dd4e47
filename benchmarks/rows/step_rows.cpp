#include "rows/step_rows.hpp"

#include <cstdio>

#include "agreement.hpp"
#include "clock.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "linkwright_peer.hpp"

namespace bench {
namespace {

using namespace linkwright;

constexpr double seconds = 0.3;

nlohmann::json row(const BenchModel& model, const char* quantity, const Peer& peer, double ns) {
  return {{"model", model.name},
          {"quantity", quantity},
          {"library", peer.library},
          {"compiler", peer.compiler},
          {"batch", 1},
          {"scalar", "double"},
          {"ns", ns},
          {"ratio_to_P", nullptr}};
}

/// Steps of a microsecond hardly move, so that both sides see the same numbers all the time.
void race_runge_kutta(const BenchModel& model, const State& start, const System& system,
                      nlohmann::json& rows) {
  Workspace work(system);
  Simulation simulation(system, start, {.step = 1e-6, .limits = LimitAction::ignore});
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(system.nv());
  Eigen::VectorXd a(system.nv());
  const auto ns = race({{[&] {
                           for (int i = 0; i < 4; ++i)
                             compute_forward_dynamics(work, start, tau, {}, a);
                         },
                         1},
                        {[&] { simulation.step(); }, 1}},
                       seconds);
  std::printf("%-12s %-43s %10.1f ns\n", model.name.c_str(), "four forward dynamics", ns[0]);
  std::printf("%-12s %-43s %10.1f ns  %5.2f times the four\n", model.name.c_str(),
              "one Runge-Kutta step", ns[1], ns[1] / ns[0]);
  rows.push_back(row(model, "four-forward-dynamics", *linkwright_as_peer(), ns[0]));
  rows.push_back(row(model, "rk4-step", *linkwright_as_peer(), ns[1]));
  rows.back()["ratio_to_four"] = ns[1] / ns[0];
}

bool race_steppers(const BenchModel& model, const std::vector<Contestant>& contestants,
                   const States& states, nlohmann::json& rows) {
  std::vector<std::unique_ptr<Entry>> entries;
  std::vector<Racer> racers;
  for (const Contestant& who : contestants) {
    std::string why;
    auto entry = Entry::make(who, model.bodies, why);
    if (!entry || entry->why_not(PEER_STEP) != nullptr) continue;
    entry->set_states(1, states.q.data(), states.v.data(), states.a.data(), states.tau.data());
    racers.push_back({[e = entry.get()] { e->run(PEER_STEP); }, PEER_STEPS});
    entries.push_back(std::move(entry));
  }
  const auto ns = race(racers, seconds);
  bool agreed = true;
  std::vector<double> v(static_cast<std::size_t>(model.layout().nv));
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Peer& peer = *entries[k]->who().peer;
    entries[k]->result(PEER_STEP, 0, v.data());
    const double error = difference(v, *entries.front(), PEER_STEP, 0, model.layout().nv);
    agreed = agreed && error <= kAgreement;
    std::printf("%-12s %-24s %-18s %10.1f ns  %5.2f times ours  %8.1e\n", model.name.c_str(),
                "a semi-implicit step", peer.library, ns[k], ns[k] / ns[0], error);
    rows.push_back(row(model, "semi-implicit-step", peer, ns[k]));
  }
  return agreed;
}

}  // namespace

bool run_steps(const BenchModel& model, const std::vector<Contestant>& contestants,
               nlohmann::json& rows) {
  const System system = compile(to_model(model.bodies));
  const States states = random_states(model.layout(), model, 1);
  State start(system);
  start.q = Eigen::VectorXd::Map(states.q.data(), system.nq());
  start.v = Eigen::VectorXd::Map(states.v.data(), system.nv());
  race_runge_kutta(model, start, system, rows);
  if (!system.quaternion_joints().empty()) return true;  // see PEER_STEP
  return race_steppers(model, contestants, states, rows);
}

}  // namespace bench
