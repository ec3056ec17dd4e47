#include "rows/derivative_rows.hpp"

#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "agreement.hpp"
#include "clock.hpp"
#include "linkwright/batch/derivatives.hpp"
#include "linkwright/dynamics/derivatives.hpp"
#include "linkwright/dynamics/second_derivatives.hpp"
#include "linkwright_peer.hpp"

namespace bench {
namespace {

using namespace linkwright;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kStates = 32, kBatch = 512;
constexpr double seconds = 0.4;
/// Accelerations carry the condition number of the mass matrix.
constexpr double kAgreementForward = 1e-10;

/// Linkwright's own part: results are those of the last call.
struct Ours {
  Ours(const BenchModel& model, const States& given)
      : system(compile(to_model(model.bodies))),
        work(system),
        second(system),
        by_q(system.nv(), system.nv()),
        by_v(by_q),
        by_x(by_q) {
    for (int i = 0; i < given.count; ++i) {
      State state(system);
      state.q = VectorXd::Map(given.q.data() + i * system.nq(), system.nq());
      state.v = VectorXd::Map(given.v.data() + i * system.nv(), system.nv());
      states.push_back(state);
      a.emplace_back(VectorXd::Map(given.a.data() + i * system.nv(), system.nv()));
      tau.emplace_back(VectorXd::Map(given.tau.data() + i * system.nv(), system.nv()));
    }
  }

  void compute(int quantity, std::size_t i) {
    if (quantity == PEER_INVERSE_DERIVATIVES)
      compute_inverse_dynamics_derivatives(work, states[i], a[i], {}, by_q, by_v, by_x);
    else if (quantity == PEER_FORWARD_DERIVATIVES)
      compute_forward_dynamics_derivatives(work, states[i], tau[i], {}, by_q, by_v, by_x);
    else
      compute_inverse_dynamics_second_derivatives(work, states[i], a[i], {}, second);
  }
  void run(int quantity) {
    for (std::size_t i = 0; i < states.size(); ++i) compute(quantity, i);
  }
  /// In the order of a peer's results.
  std::vector<double> result(int quantity, std::size_t i) {
    compute(quantity, i);
    const Eigen::Index n = system.nv();
    std::vector<double> out;
    if (quantity == PEER_SECOND_DERIVATIVES) {
      for (const auto& cube : {second.dqdq(), second.dvdv(), second.dqdv(), second.dxdq()})
        for (Eigen::Index r = 0; r < n; ++r)
          for (Eigen::Index j = 0; j < n; ++j)
            for (Eigen::Index k = 0; k < n; ++k) out.push_back(cube(r, j + n * k));
      return out;
    }
    for (const MatrixXd* m : {&by_q, &by_v, &by_x})
      for (Eigen::Index r = 0; r < n; ++r)
        for (Eigen::Index c = 0; c < n; ++c) out.push_back((*m)(r, c));
    return out;
  }

  System system;
  Workspace work;
  SecondDerivatives second;
  MatrixXd by_q, by_v, by_x;
  std::vector<State> states;
  std::vector<VectorXd> a, tau;
};

/// The builds of Pinocchio that are there, each with the states set.
struct Rivals {
  Rivals(const BenchModel& model, const States& states, const std::string& folder) {
    for (const char* name : {"clang", "gcc"}) {
      const std::string path = folder + "/peers_pinocchio_derivatives_" + name + ".so";
      void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
      void* entry = library == nullptr ? nullptr : dlsym(library, "linkwright_peer");
      if (entry == nullptr) {
        std::printf("skipped: %s\n", dlerror());
        continue;
      }
      const Peer* peer = reinterpret_cast<PeerEntry>(entry)();
      const char* why = nullptr;
      void* self = peer->create(model.bodies.data(), static_cast<int>(model.bodies.size()), &why);
      peer->set_states(self, states.count, states.q.data(), states.v.data(), states.a.data(),
                       states.tau.data());
      peers.push_back(peer);
      selves.push_back(self);
    }
  }
  ~Rivals() {
    for (std::size_t i = 0; i < peers.size(); ++i) peers[i]->destroy(selves[i]);
  }
  Rivals(const Rivals&) = delete;
  Rivals& operator=(const Rivals&) = delete;

  void add(std::vector<Racer>& racers, int quantity) const {
    for (std::size_t i = 0; i < peers.size(); ++i)
      racers.push_back(
          {[peer = peers[i], self = selves[i], quantity] { peer->run(self, quantity); }, kStates});
  }
  std::vector<const Peer*> peers;
  std::vector<void*> selves;
};

/// Matrix by matrix, array by array, relative to the largest number of each.
double difference(const std::vector<double>& x, const std::vector<double>& y, std::size_t blocks) {
  double worst = 0;
  const std::size_t size = x.size() / blocks;
  for (std::size_t b = 0; b < blocks; ++b) {
    double apart = 0, scale = 0;
    for (std::size_t i = b * size; i < (b + 1) * size; ++i) {
      apart = worse(apart, std::abs(x[i] - y[i]));
      scale = std::max(scale, std::abs(y[i]));
    }
    worst = worse(worst, apart / scale);
  }
  return worst;
}

const char* name_of(int quantity) {
  if (quantity == PEER_INVERSE_DERIVATIVES) return "inverse-derivatives";
  return quantity == PEER_FORWARD_DERIVATIVES ? "forward-derivatives" : "second-derivatives";
}

nlohmann::json row(const BenchModel& model, const char* quantity, const char* library,
                   const char* compiler, int batch, double ns, double ratio) {
  return {
      {"model", model.name}, {"quantity", quantity}, {"library", library}, {"compiler", compiler},
      {"batch", batch},      {"scalar", "double"},   {"ns", ns},           {"ratio_to_P", ratio}};
}

double least_of(const std::vector<double>& ns, std::size_t first) {
  double P = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = first; k < ns.size(); ++k) P = std::fmin(P, ns[k]);
  return P;
}

bool race_single(const BenchModel& model, Ours& ours, const Rivals& rivals, int quantity,
                 nlohmann::json& rows) {
  std::vector<Racer> racers{{[&] { ours.run(quantity); }, kStates}};
  rivals.add(racers, quantity);
  const std::vector<double> ns = race(racers, seconds);
  const double P = least_of(ns, 1);
  const std::size_t blocks = quantity == PEER_SECOND_DERIVATIVES ? 4 : 3;
  const double most = quantity == PEER_FORWARD_DERIVATIVES ? kAgreementForward : kAgreement;
  const Peer& own = *linkwright_as_peer();
  const auto print = [&](const Peer& peer, double time, double error) {
    std::printf("%-12s %-20s %-18s %-24.24s %10.1f ns %7.2fx  %8.1e%s\n", model.name.c_str(),
                name_of(quantity), peer.library, peer.compiler, time, P / time, error,
                error <= most ? "" : "  DISAGREES");
    rows.push_back(row(model, name_of(quantity), peer.library, peer.compiler, 1, time, P / time));
  };
  print(own, ns[0], 0);
  bool agreed = true;
  for (std::size_t k = 0; k < rivals.peers.size(); ++k) {
    double error = 0;
    for (int i = 0; i < kStates; i += 8) {
      const std::vector<double> x = ours.result(quantity, static_cast<std::size_t>(i));
      std::vector<double> y(x.size());
      rivals.peers[k]->result(rivals.selves[k], quantity, i, y.data());
      error = worse(error, difference(y, x, blocks));
    }
    print(*rivals.peers[k], ns[k + 1], error);
    agreed = agreed && error <= most;
  }
  std::fflush(stdout);
  return agreed;
}

/// The states over and over, one per row.
MatrixXd repeat(const std::vector<double>& x, int width) {
  MatrixXd out(kBatch, width);
  for (int s = 0; s < kBatch; ++s)
    out.row(s) = VectorXd::Map(x.data() + (s % kStates) * width, width).transpose();
  return out;
}

bool race_batch(const BenchModel& model, Ours& ours, const States& states, const Rivals& rivals,
                int quantity, nlohmann::json& rows) {
  const int nv = ours.system.nv(), size = nv * nv;
  const bool inverse = quantity == PEER_INVERSE_DERIVATIVES;
  DerivativeBatch batch(ours.system);
  const MatrixXd q = repeat(states.q, ours.system.nq()), v = repeat(states.v, nv),
                 x = repeat(inverse ? states.a : states.tau, nv);
  MatrixXd by_q(size, kBatch), by_v(size, kBatch), by_x(inverse ? 0 : size, kBatch);
  const auto run = [&] {
    if (inverse)
      batch.compute_inverse_dynamics_derivatives(q, v, x, {}, by_q, by_v);
    else
      batch.compute_forward_dynamics_derivatives(q, v, x, {}, by_q, by_v, by_x);
  };
  std::vector<Racer> racers{{run, kBatch}};
  rivals.add(racers, quantity);
  const std::vector<double> ns = race(racers, seconds);
  double error = 0;
  for (int s = 0; s < kStates; s += 8) {
    ours.compute(quantity, static_cast<std::size_t>(s));
    const auto apart = [&](const MatrixXd& all, const MatrixXd& one) {
      return (MatrixXd::Map(all.col(s).data(), nv, nv) - one).cwiseAbs().maxCoeff() /
             one.cwiseAbs().maxCoeff();
    };
    error = worse(error, std::max(apart(by_q, ours.by_q), apart(by_v, ours.by_v)));
  }
  const bool agrees = error <= (inverse ? kAgreement : kAgreementForward);
  const Peer& own = *linkwright_as_peer();
  const double ratio = least_of(ns, 1) / ns[0];
  std::printf("%-12s %-20s %-43s %10.1f ns %7.2fx  %8.1e%s\n", model.name.c_str(),
              name_of(quantity), "Linkwright batch 512, double", ns[0], ratio, error,
              agrees ? "" : "  DISAGREES");
  rows.push_back(row(model, name_of(quantity), own.library, own.compiler, kBatch, ns[0], ratio));
  return agrees;
}

}  // namespace

bool run_derivatives(const BenchModel& model, const std::string& folder, nlohmann::json& rows) {
  const States states = random_states(model.layout(), model, kStates);
  Ours ours(model, states);
  const Rivals rivals(model, states, folder);
  bool agreed = true;
  for (const int quantity :
       {PEER_INVERSE_DERIVATIVES, PEER_FORWARD_DERIVATIVES, PEER_SECOND_DERIVATIVES})
    agreed = race_single(model, ours, rivals, quantity, rows) && agreed;
  for (const int quantity : {PEER_INVERSE_DERIVATIVES, PEER_FORWARD_DERIVATIVES})
    agreed = race_batch(model, ours, states, rivals, quantity, rows) && agreed;
  return agreed;
}

}  // namespace bench
