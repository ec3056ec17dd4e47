// All contestants on the same models and states, in one process, on one core, their timings
// interleaved so that whatever disturbs the machine disturbs all alike. Medians; outputs checked
// against each other.
#include <sched.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "clock.hpp"
#include "closed/closed_derivative_rows.hpp"
#include "closed/closed_rows.hpp"
#include "contestant.hpp"
#include "linkwright_peer.hpp"
#include "models.hpp"
#include "operation_count.hpp"
#include "rows/arm_rows.hpp"
#include "rows/batch_rows.hpp"
#include "rows/derivative_rows.hpp"
#include "rows/network_rows.hpp"
#include "rows/operator_rows.hpp"
#include "rows/step_rows.hpp"

namespace bench {
namespace {

constexpr int kStates = 32;
/// Beyond this many freedoms a dense mass matrix is not what anybody computes.
constexpr int kDense = 300;
constexpr std::array<const char*, 3> kQuantities{"inverse-dynamics", "forward-dynamics",
                                                 "mass-matrix"};

struct Options {
  std::string peers = "build/peers";
  std::string json = "build/bench.json";
  std::string only;                      // part of a model's name; "closed": all closed chains
  double seconds_per_measurement = 0.4;  // per model, quantity and contestant
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string key = argv[i];
    if (i + 1 == argc) throw std::runtime_error(key + " needs a value");
    if (key == "--peers")
      options.peers = argv[i + 1];
    else if (key == "--json")
      options.json = argv[i + 1];
    else if (key == "--only")
      options.only = argv[i + 1];
    else if (key == "--seconds")
      options.seconds_per_measurement = std::stod(argv[i + 1]);
    else
      throw std::runtime_error("unknown option " + key +
                               "; expected --peers, --json, --only or --seconds");
  }
  return options;
}

/// Stays on the core we are on: migrations cost more than what is measured.
void pin_to_one_core() {
  const int core = sched_getcpu();
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(std::max(core, 0)), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) std::puts("note: could not pin to one core");
}

/// Largest disagreement of `entry` with `reference` over all states, relative.
double disagreement(Entry& entry, Entry& reference, int quantity, int nv) {
  const auto n = static_cast<std::size_t>(nv);
  const std::size_t size = quantity == PEER_MASS_MATRIX ? n * n : n;
  std::vector<double> x(size);
  double worst = 0;
  const int states = nv <= kDense ? kStates : 2;
  for (int i = 0; i < states; ++i) {
    entry.result(quantity, i, x.data());
    worst = worse(worst, difference(x, reference, quantity, i, nv));
  }
  return worst;
}

/// How far an entry's mass matrix is from its own inverse dynamics of unit accelerations at rest,
/// relative. Builds of one library share their mistakes, so agreement between them is not enough.
double self_disagreement(Entry& entry, const States& states, const peers::Layout& layout) {
  const auto n = static_cast<std::size_t>(layout.nv);
  std::vector<double> q, zero((n + 1) * n, 0.0), unit((n + 1) * n, 0.0);
  for (std::size_t i = 0; i <= n; ++i) {
    q.insert(q.end(), states.q.begin(), states.q.begin() + layout.nq);
    if (i < n) unit[i * n + i] = 1;
  }
  entry.set_states(layout.nv + 1, q.data(), zero.data(), unit.data(), zero.data());
  std::vector<double> gravity(n), column(n), M(n * n);
  entry.result(PEER_INVERSE_DYNAMICS, layout.nv, gravity.data());
  entry.result(PEER_MASS_MATRIX, 0, M.data());
  double difference = 0, scale = 0;
  for (std::size_t c = 0; c < n; ++c) {
    entry.result(PEER_INVERSE_DYNAMICS, static_cast<int>(c), column.data());
    for (std::size_t r = 0; r < n; ++r) {
      const double d = std::abs(column[r] - gravity[r] - M[r * n + c]);
      if (!(d <= difference)) difference = d;
      // The column is a difference of two forces and inherits the rounding of the larger.
      scale = std::max({scale, std::abs(M[r * n + c]), std::abs(gravity[r])});
    }
  }
  return difference / scale;
}

/// Runs one model; appends its rows to `rows`; returns whether all outputs agree.
bool run_model(const BenchModel& model, const std::vector<Contestant>& contestants,
               const Options& options, nlohmann::json& rows) {
  const auto layout = model.layout();
  const States states = random_states(layout, model, kStates);
  std::vector<std::unique_ptr<Entry>> entries;
  bool agreed = true;
  for (const auto& who : contestants) {
    if (layout.nv > kDense && &who != &contestants.front()) {
      std::printf("%-12s skipped: %s, whose time or memory grows faster than N\n",
                  model.name.c_str(), who.peer->library);
      continue;
    }
    std::string why;
    auto entry = Entry::make(who, model.bodies, why);
    if (!entry) {
      std::printf("%-12s skipped: %s, %s\n", model.name.c_str(), who.peer->library, why.c_str());
      continue;
    }
    if (layout.nv <= kDense && entry->why_not(PEER_MASS_MATRIX) == nullptr) {
      const double error = self_disagreement(*entry, states, layout);
      if (!(error <= kAgreement)) {
        std::printf("%-12s %s (%s): mass matrix and inverse dynamics DISAGREE by %.1e\n",
                    model.name.c_str(), who.peer->library, who.peer->compiler, error);
        agreed = false;
      }
    }
    entry->set_states(states.count, states.q.data(), states.v.data(), states.a.data(),
                      states.tau.data());
    entries.push_back(std::move(entry));
  }
  for (int quantity = 0; quantity < static_cast<int>(kQuantities.size()); ++quantity) {
    const char* name = kQuantities[static_cast<std::size_t>(quantity)];
    if (quantity == PEER_MASS_MATRIX && layout.nv > kDense) continue;
    std::vector<Entry*> racing;
    for (const auto& entry : entries) {
      if (const char* why = entry->why_not(quantity)) {
        std::printf("%-12s %-17s skipped: %s\n", model.name.c_str(), name, why);
      } else {
        racing.push_back(entry.get());
      }
    }
    if (racing.empty()) continue;
    std::vector<Racer> racers;
    for (Entry* entry : racing)
      racers.push_back({[entry, quantity] { entry->run(quantity); }, states.count});
    const auto times = race(racers, options.seconds_per_measurement);
    double baseline = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < racing.size(); ++k) {
      if (racing[k]->who().is_baseline) baseline = std::fmin(baseline, times[k]);
    }
    for (std::size_t k = 0; k < racing.size(); ++k) {
      const Peer& peer = *racing[k]->who().peer;
      const double error = disagreement(*racing[k], *racing.front(), quantity, layout.nv);
      const bool agrees = error <= kAgreement;
      agreed = agreed && agrees;
      const std::string ratio =
          std::isnan(baseline) ? "-" : fmt::format("{:.2f}x", baseline / times[k]);
      std::printf("%-12s %-17s %-18s %-24.24s %10.1f ns %8s  %8.1e%s\n", model.name.c_str(), name,
                  peer.library, peer.compiler, times[k], ratio.c_str(), error,
                  agrees ? "" : "  DISAGREES");
      nlohmann::json row{{"model", model.name},
                         {"quantity", name},
                         {"library", peer.library},
                         {"compiler", peer.compiler},
                         {"batch", 1},
                         {"scalar", "double"},
                         {"ns", times[k]},
                         {"ratio_to_P", baseline / times[k]}};
      rows.push_back(std::move(row));
    }
    std::fflush(stdout);
  }
  return agreed;
}

/// Small robots as people have them, then sizes for the growth with N.
std::vector<BenchModel> make_models() {
  std::vector<BenchModel> models;
  models.push_back(arm(6));
  models.push_back(arm(7));
  models.push_back(chain(36));
  models.push_back(random_tree(30, Base::free));
  const auto add = [&](const char* name, const std::string& path, Base base) {
    if (auto model = from_file(name, path, base)) models.push_back(std::move(*model));
  };
  add("quadruped", "models/quadruped.urdf", Base::free);
  add("humanoid", "models/humanoid.urdf", Base::free);
  add("iiwa", "../shared/models/drake_kuka_iiwa_robot.urdf", Base::fixed);
  add("anymal_b", "../shared/models/anymal_b.urdf", Base::free);
  add("simple_humanoid", "../shared/models/simple_humanoid.urdf", Base::free);
  for (const int n : {10, 30, 100, 300, 1000, 3000}) {
    models.push_back(chain(n));
    models.push_back(random_tree(n, Base::fixed));
  }
  return models;
}

bool wants_batch(const BenchModel& model) {
  for (const char* name : {"arm7", "chain36", "quadruped", "humanoid"})
    if (model.name == name) return true;
  return false;
}

bool run_batches(const BenchModel& model, const std::vector<Contestant>& contestants,
                 const Peak& peak, nlohmann::json& rows) {
  const States states = random_states(model.layout(), model, kStates);
  std::vector<std::unique_ptr<Entry>> entries;
  std::vector<Entry*> baselines;
  std::string why;
  const auto single = Entry::make(contestants.front(), model.bodies, why);
  single->set_states(states.count, states.q.data(), states.v.data(), states.a.data(),
                     states.tau.data());
  for (const auto& who : contestants) {
    if (!who.is_baseline) continue;
    entries.push_back(Entry::make(who, model.bodies, why));
    entries.back()->set_states(states.count, states.q.data(), states.v.data(), states.a.data(),
                               states.tau.data());
    baselines.push_back(entries.back().get());
  }
  return run_batch(model, states, *single, baselines, peak, rows);
}

void print_operations(const std::vector<BenchModel>& models) {
  std::puts("\noperations per state: multiplications + additions (divisions, sines with cosines)");
  for (const auto& model : models) {
    if (!wants_batch(model)) continue;
    const linkwright::System system = linkwright::compile(to_model(model.bodies));
    const auto print = [&](const char* quantity, const Operations& o) {
      std::printf("%-12s %-17s %6ld + %6ld (%ld, %ld)\n", model.name.c_str(), quantity,
                  o.multiplications, o.additions, o.divisions, o.sines);
    };
    print("inverse-dynamics", count_inverse_dynamics(system));
    print("forward-dynamics", count_forward_dynamics(system));
    print("mass-matrix", count_mass_matrix(system));
  }
}

int run(const Options& options) {
  pin_to_one_core();
  const auto contestants = load_contestants(options.peers);
  const Peak peak = measure_fma_peak();
  std::printf("FMA peak of this core: %.1f flops/ns double, %.1f float\n", peak.double_flops_per_ns,
              peak.float_flops_per_ns);
  const std::vector<BenchModel> models = make_models();
  std::printf("%-12s %-17s %-18s %-24s %13s %8s  %8s\n", "model", "quantity", "library", "compiler",
              "median", "to P", "differs");
  nlohmann::json rows = nlohmann::json::array();
  bool agreed = true;
  for (const auto& model : models) {
    if (model.name.find(options.only) == std::string::npos) continue;
    agreed = run_model(model, contestants, options, rows) && agreed;
    if (wants_batch(model)) agreed = run_batches(model, contestants, peak, rows) && agreed;
  }
  std::puts("\noperators");
  for (const auto& model : models) {
    const bool wanted = model.name.starts_with("chain") || wants_batch(model);
    if (wanted && model.name.find(options.only) != std::string::npos)
      agreed = run_operators(model, rows) && agreed;
  }
  std::puts("\nsteps of a simulation");
  for (const auto& model : models) {
    const bool wanted = model.name.starts_with("arm") || wants_batch(model);
    if (wanted && model.name.find(options.only) != std::string::npos)
      agreed = run_steps(model, contestants, rows) && agreed;
  }
  std::puts("\nderivatives");
  for (const auto& model : models)
    if (wants_batch(model) && model.name.find(options.only) != std::string::npos)
      agreed = run_derivatives(model, options.peers, rows) && agreed;
  std::puts("\nclosed chains: forward dynamics");
  agreed = run_closed(options.peers, options.only, rows) && agreed;
  agreed = run_arms(options.only, rows) && agreed;
  agreed = run_network(options.only, rows) && agreed;
  std::puts("\nclosed chains: derivatives of accelerations and closure forces");
  agreed = run_closed_derivatives(options.peers, options.only, rows) && agreed;
  print_operations(models);
  std::ofstream(options.json) << rows.dump(1) << '\n';
  std::printf("wrote %s\n", options.json.c_str());
  if (!agreed)
    std::puts("outputs differ or take longer than they may: see DISAGREES and SLOW above");
  return agreed ? 0 : 1;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  return bench::run(bench::read_options(argc, argv));
} catch (const std::exception& error) {
  std::fprintf(stderr, "linkwright_bench: %s\n", error.what());
  return 2;
}
