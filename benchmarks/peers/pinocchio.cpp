// Pinocchio, headers only: every template is compiled here, with this object's flags.
#include <chrono>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <vector>

#include "pinocchio_model.hpp"

namespace {

using Eigen::VectorXd;

struct NativeState {
  VectorXd q, v, a, tau;
};

struct Self {
  Self(const PeerBody* bodies, int count) : tree(bodies, count), data(tree.model) {}

  peers::PinocchioTree tree;
  pinocchio::Data data;
  std::vector<NativeState> states;
  // Each algorithm comes in a world and a local flavour; whichever is faster for this model is
  // timed.
  pinocchio::Convention aba = pinocchio::Convention::LOCAL;
  pinocchio::Convention crba = pinocchio::Convention::LOCAL;
};

void* create(const PeerBody* bodies, int count, const char**) { return new Self(bodies, count); }

void destroy(void* self) { delete static_cast<Self*>(self); }

const char* why_not(void*, int quantity) {
  return quantity == PEER_STEP ? "Pinocchio has no stepper of its own" : nullptr;
}

template <class F>
double seconds(F&& f) {
  double best = 1e300;
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

void run(void* opaque, int quantity) {
  auto& self = *static_cast<Self*>(opaque);
  switch (quantity) {
    case PEER_INVERSE_DYNAMICS:
      for (const auto& s : self.states) pinocchio::rnea(self.tree.model, self.data, s.q, s.v, s.a);
      break;
    case PEER_FORWARD_DYNAMICS:
      for (const auto& s : self.states) {
        pinocchio::aba(self.tree.model, self.data, s.q, s.v, s.tau, self.aba);
      }
      break;
    default:
      for (const auto& s : self.states) pinocchio::crba(self.tree.model, self.data, s.q, self.crba);
  }
}

void set_states(void* opaque, int count, const double* q, const double* v, const double* a,
                const double* tau) {
  auto& self = *static_cast<Self*>(opaque);
  const int nq = self.tree.layout.nq, nv = self.tree.layout.nv;
  self.states.clear();
  for (int i = 0; i < count; ++i, q += nq, v += nv, a += nv, tau += nv)
    self.states.push_back({self.tree.native_position(q), self.tree.native_freedoms(v),
                           self.tree.native_freedoms(a), self.tree.native_freedoms(tau)});
  const auto faster = [&](pinocchio::Convention& convention, int quantity) {
    convention = pinocchio::Convention::WORLD;
    const double world = seconds([&] { run(opaque, quantity); });
    convention = pinocchio::Convention::LOCAL;
    const double local = seconds([&] { run(opaque, quantity); });
    if (world < local) convention = pinocchio::Convention::WORLD;
  };
  faster(self.aba, PEER_FORWARD_DYNAMICS);
  faster(self.crba, PEER_MASS_MATRIX);
}

void result(void* opaque, int quantity, int state, double* out) {
  auto& self = *static_cast<Self*>(opaque);
  const auto& s = self.states[static_cast<std::size_t>(state)];
  const int nv = self.tree.layout.nv;
  if (quantity == PEER_MASS_MATRIX) {
    pinocchio::crba(self.tree.model, self.data, s.q, self.crba);
    const Eigen::MatrixXd full = self.data.M.selfadjointView<Eigen::Upper>();
    self.tree.each_freedom([&](int row, int common_row) {
      self.tree.each_freedom([&](int column, int common_column) {
        out[common_row * nv + common_column] = full(row, column);
      });
    });
    return;
  }
  const VectorXd native =
      quantity == PEER_INVERSE_DYNAMICS
          ? pinocchio::rnea(self.tree.model, self.data, s.q, s.v, s.a)
          : pinocchio::aba(self.tree.model, self.data, s.q, s.v, s.tau, self.aba);
  self.tree.each_freedom([&](int at, int common) { out[common] = native[at]; });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const Peer* linkwright_peer() {
  static const Peer peer{"Pinocchio " PINOCCHIO_VERSION,
                         peers::compiler_name(),
                         create,
                         destroy,
                         why_not,
                         set_states,
                         run,
                         result};
  return &peer;
}
