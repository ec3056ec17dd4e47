// Pinocchio's derivatives, headers only: every template is compiled here, with this object's flags.
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea-second-order-derivatives.hpp>
#include <vector>

#include "pinocchio_model.hpp"

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct NativeState {
  VectorXd q, v, a, tau;
};

struct Self {
  Self(const PeerBody* bodies, int count) : tree(bodies, count), data(tree.model) {
    data.d2tau_dqdq.setZero();
    data.d2tau_dvdv.setZero();
    data.d2tau_dqdv.setZero();
    data.d2tau_dadq.setZero();
  }

  peers::PinocchioTree tree;
  pinocchio::Data data;
  std::vector<NativeState> states;
};

void* create(const PeerBody* bodies, int count, const char**) { return new Self(bodies, count); }

void destroy(void* self) { delete static_cast<Self*>(self); }

const char* why_not(void*, int quantity) {
  return quantity < PEER_INVERSE_DERIVATIVES ? "this peer computes derivatives" : nullptr;
}

void compute(Self& self, int quantity, const NativeState& s) {
  switch (quantity) {
    case PEER_INVERSE_DERIVATIVES:
      return pinocchio::computeRNEADerivatives(self.tree.model, self.data, s.q, s.v, s.a);
    case PEER_FORWARD_DERIVATIVES:
      return pinocchio::computeABADerivatives(self.tree.model, self.data, s.q, s.v, s.tau);
    default:
      return pinocchio::ComputeRNEASecondOrderDerivatives(self.tree.model, self.data, s.q, s.v,
                                                          s.a);
  }
}

void run(void* opaque, int quantity) {
  auto& self = *static_cast<Self*>(opaque);
  for (const NativeState& s : self.states) compute(self, quantity, s);
}

void set_states(void* opaque, int count, const double* q, const double* v, const double* a,
                const double* tau) {
  auto& self = *static_cast<Self*>(opaque);
  const int nq = self.tree.layout.nq, nv = self.tree.layout.nv;
  self.states.clear();
  for (int i = 0; i < count; ++i, q += nq, v += nv, a += nv, tau += nv)
    self.states.push_back({self.tree.native_position(q), self.tree.native_freedoms(v),
                           self.tree.native_freedoms(a), self.tree.native_freedoms(tau)});
}

template <class Tensor>
void put_tensor(const Self& self, const Tensor& from, double* out) {
  const int nv = self.tree.layout.nv;
  self.tree.each_freedom([&](int i, int common_i) {
    self.tree.each_freedom([&](int j, int common_j) {
      self.tree.each_freedom([&](int k, int common_k) {
        out[(common_i * nv + common_j) * nv + common_k] = from(i, j, k);
      });
    });
  });
}

void result(void* opaque, int quantity, int state, double* out) {
  auto& self = *static_cast<Self*>(opaque);
  const int nv = self.tree.layout.nv;
  compute(self, quantity, self.states[static_cast<std::size_t>(state)]);
  const auto& data = self.data;
  if (quantity == PEER_SECOND_DERIVATIVES) {
    const std::ptrdiff_t cube = static_cast<std::ptrdiff_t>(nv) * nv * nv;
    put_tensor(self, data.d2tau_dqdq, out);
    put_tensor(self, data.d2tau_dvdv, out + cube);
    put_tensor(self, data.d2tau_dqdv, out + 2 * cube);
    put_tensor(self, data.d2tau_dadq, out + 3 * cube);
    return;
  }
  const bool inverse = quantity == PEER_INVERSE_DERIVATIVES;
  const MatrixXd symmetric =
      (inverse ? MatrixXd(data.M) : MatrixXd(data.Minv)).selfadjointView<Eigen::Upper>();
  const MatrixXd* matrices[3];
  const MatrixXd by_q = inverse ? MatrixXd(data.dtau_dq) : MatrixXd(data.ddq_dq);
  const MatrixXd by_v = inverse ? MatrixXd(data.dtau_dv) : MatrixXd(data.ddq_dv);
  matrices[0] = &by_q, matrices[1] = &by_v, matrices[2] = &symmetric;
  for (const MatrixXd* m : matrices) {
    self.tree.each_freedom([&](int row, int common_row) {
      self.tree.each_freedom([&](int column, int common_column) {
        out[common_row * nv + common_column] = (*m)(row, column);
      });
    });
    out += static_cast<std::ptrdiff_t>(nv) * nv;
  }
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
