#include "rows/batch_rows.hpp"

#include <sched.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "agreement.hpp"
#include "clock.hpp"
#include "linkwright/batch/batch.hpp"
#include "linkwright_peer.hpp"
#include "operation_count.hpp"

namespace bench {
namespace {

constexpr int kBatch = 4096;
/// A float has 24 bits; the sweeps lose a few of them.
constexpr double kAgreementFloat = 1e-5;

template <class B>
using Matrix = Eigen::Matrix<B, Eigen::Dynamic, Eigen::Dynamic>;

/// The states of `states`, over and over, one per row.
template <class B>
Matrix<B> repeat(const std::vector<double>& x, int width, int count) {
  Matrix<B> out(kBatch, width);
  for (int s = 0; s < kBatch; ++s)
    for (int i = 0; i < width; ++i)
      out(s, i) = static_cast<B>(x[static_cast<std::size_t>((s % count) * width + i)]);
  return out;
}

template <class B>
struct Load {
  linkwright::BasicBatch<B> batch;
  Matrix<B> q, v, x, out;

  Load(const linkwright::System& system, const States& states, int quantity, int threads)
      : batch(system, {.threads = threads}),
        q(repeat<B>(states.q, system.nq(), states.count)),
        v(repeat<B>(states.v, system.nv(), states.count)),
        x(repeat<B>(quantity == PEER_INVERSE_DYNAMICS ? states.a : states.tau, system.nv(),
                    states.count)),
        out(kBatch, system.nv()),
        quantity_(quantity) {}

  void run() {
    if (quantity_ == PEER_INVERSE_DYNAMICS)
      batch.compute_inverse_dynamics(q, v, x, {}, out);
    else
      batch.compute_forward_dynamics(q, v, x, {}, out);
  }

 private:
  int quantity_;
};

/// Largest disagreement with the reference over the distinct states.
template <class B>
double disagreement(const Load<B>& load, Entry& reference, int quantity, int count) {
  const auto nv = static_cast<int>(load.out.cols());
  std::vector<double> x(static_cast<std::size_t>(nv));
  double worst = 0;
  for (int s = 0; s < count; ++s) {
    for (int i = 0; i < nv; ++i)
      x[static_cast<std::size_t>(i)] = static_cast<double>(load.out(s, i));
    worst = worse(worst, difference(x, reference, quantity, s, nv));
  }
  return worst;
}

void pin_to(const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(static_cast<std::size_t>(core), &set);
  sched_setaffinity(0, sizeof set, &set);
}

void print(const BenchModel& model, const char* quantity, const char* what, double ns, double ratio,
           double share, double error, bool agrees) {
  std::printf("%-12s %-17s %-43s %10.2f ns %7.2fx  %8.1e  %4.0f%% of FMA peak%s\n",
              model.name.c_str(), quantity, what, ns, ratio, error, 100 * share,
              agrees ? "" : "  DISAGREES");
}

}  // namespace

bool run_batch(const BenchModel& model, const States& states, Entry& single,
               const std::vector<Entry*>& baselines, const Peak& peak, nlohmann::json& rows) {
  const linkwright::System system = linkwright::compile(to_model(model.bodies));
  cpu_set_t before;
  sched_getaffinity(0, sizeof before, &before);
  const int home = sched_getcpu();
  bool agreed = true;
  for (const int quantity : {PEER_INVERSE_DYNAMICS, PEER_FORWARD_DYNAMICS}) {
    const char* name = quantity == PEER_INVERSE_DYNAMICS ? "inverse-dynamics" : "forward-dynamics";
    Load<double> wide(system, states, quantity, 1);
    Load<float> narrow(system, states, quantity, 1);
    std::vector<Racer> racers{{[&] { wide.run(); }, kBatch}, {[&] { narrow.run(); }, kBatch}};
    for (Entry* entry : baselines)
      racers.push_back({[entry, quantity] { entry->run(quantity); }, states.count});
    const std::vector<double> ns = race(racers, 0.3);
    double P = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 2; k < ns.size(); ++k) P = std::fmin(P, ns[k]);

    const Operations operations = quantity == PEER_INVERSE_DYNAMICS
                                      ? count_inverse_dynamics(system)
                                      : count_forward_dynamics(system);
    const double flops[2] = {operations.flops(39), operations.flops(27)};
    const double share[2] = {flops[0] / ns[0] / peak.double_flops_per_ns,
                             flops[1] / ns[1] / peak.float_flops_per_ns};
    const double error64 = disagreement(wide, single, quantity, states.count);
    const double error32 = disagreement(narrow, single, quantity, states.count);
    agreed = agreed && error64 <= kAgreement && error32 <= kAgreementFloat;
    print(model, name, "Linkwright batch 4096, double", ns[0], P / ns[0], share[0], error64,
          error64 <= kAgreement);
    print(model, name, "Linkwright batch 4096, float", ns[1], P / ns[1], share[1], error32,
          error32 <= kAgreementFloat);
    for (const int which : {0, 1})
      rows.push_back({{"model", model.name},
                      {"quantity", name},
                      {"library", linkwright_as_peer()->library},
                      {"compiler", linkwright_as_peer()->compiler},
                      {"batch", kBatch},
                      {"scalar", which == 0 ? "double" : "float"},
                      {"threads", 1},
                      {"flops", flops[which]},
                      {"share_of_fma_peak", share[which]},
                      {"ns", ns[static_cast<std::size_t>(which)]},
                      {"ratio_to_P", P / ns[static_cast<std::size_t>(which)]}});

    // Two threads need both cores; new threads inherit the affinity. Anything else that runs on the
    // machine takes one of them for some rounds, so the rounds are compared one by one.
    pin_to({0, 1});
    Load<double> two(system, states, quantity, 2);
    const auto rounds =
        race_rounds({{[&] { wide.run(); }, kBatch}, {[&] { two.run(); }, kBatch}}, 0.5);
    std::vector<double> gains;
    for (std::size_t r = 0; r < rounds[0].size(); ++r) gains.push_back(rounds[0][r] / rounds[1][r]);
    const double gain = median(std::move(gains)), pair = median(rounds[1]);
    pin_to({home});
    std::printf("%-12s %-17s %-43s %10.2f ns %7.2fx of one thread\n", model.name.c_str(), name,
                "Linkwright batch 4096, double, 2 threads", pair, gain);
    rows.push_back({{"model", model.name},
                    {"quantity", name},
                    {"library", linkwright_as_peer()->library},
                    {"compiler", linkwright_as_peer()->compiler},
                    {"batch", kBatch},
                    {"scalar", "double"},
                    {"threads", 2},
                    {"ns", pair},
                    {"gain_over_one_thread", gain},
                    {"ratio_to_P", P / pair}});
  }
  sched_setaffinity(0, sizeof before, &before);
  return agreed;
}

}  // namespace bench
