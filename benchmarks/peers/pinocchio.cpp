// Pinocchio, headers only: every template is compiled here, with this object's flags.
#include <chrono>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#if __has_include(<pinocchio/multibody.hpp>)
#include <pinocchio/multibody.hpp>
#else
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>
#endif
#include <string>
#include <vector>

#include "layout.hpp"

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using RowMatrix3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

struct NativeState {
  VectorXd q, v, a, tau;
};

struct Self {
  std::vector<PeerBody> bodies;
  peers::Layout layout;
  pinocchio::Model model;
  std::vector<pinocchio::JointIndex> joint_of;  // per body
  pinocchio::Data data;
  std::vector<NativeState> states;
  // Each algorithm comes in a world and a local flavour; whichever is faster for this model is
  // timed.
  pinocchio::Convention aba = pinocchio::Convention::LOCAL;
  pinocchio::Convention crba = pinocchio::Convention::LOCAL;
};

pinocchio::Inertia inertia_of(const PeerBody& b) {
  Matrix3d about_com;
  about_com << b.inertia[0], b.inertia[3], b.inertia[4], b.inertia[3], b.inertia[1], b.inertia[5],
      b.inertia[4], b.inertia[5], b.inertia[2];
  return {b.mass, Vector3d(b.com[0], b.com[1], b.com[2]), about_com};
}

/// The joint specialised for its axis where Pinocchio has one: that is how a model file loads too.
template <class X, class Y, class Z, class General>
pinocchio::JointModel along(const Vector3d& axis) {
  if (axis == Vector3d::UnitX()) return X();
  if (axis == Vector3d::UnitY()) return Y();
  if (axis == Vector3d::UnitZ()) return Z();
  return General(axis);
}

pinocchio::JointModel joint_of(const PeerBody& b) {
  using namespace pinocchio;
  const Vector3d axis(b.axis[0], b.axis[1], b.axis[2]);
  switch (b.joint) {
    case PEER_REVOLUTE:
      return along<JointModelRX, JointModelRY, JointModelRZ, JointModelRevoluteUnaligned>(axis);
    case PEER_PRISMATIC:
      return along<JointModelPX, JointModelPY, JointModelPZ, JointModelPrismaticUnaligned>(axis);
    default:
      return JointModelFreeFlyer();
  }
}

void* create(const PeerBody* bodies, int count, const char**) {
  auto* self = new Self;
  self->bodies.assign(bodies, bodies + count);
  self->layout = peers::Layout(bodies, count);
  std::vector<pinocchio::SE3> in_joint(static_cast<std::size_t>(count));
  self->joint_of.resize(static_cast<std::size_t>(count));
  // addJoint demands this order; in any other the mass matrix comes out wrong without a word.
  for (const int k : peers::depth_first(bodies, count)) {
    const PeerBody& b = bodies[k];
    const auto at = static_cast<std::size_t>(k);
    const auto up = static_cast<std::size_t>(b.parent);
    pinocchio::SE3 placement(Eigen::Map<const RowMatrix3d>(b.R), Vector3d(b.p[0], b.p[1], b.p[2]));
    if (b.parent >= 0) placement = in_joint[up] * placement;
    const pinocchio::JointIndex parent = b.parent < 0 ? 0 : self->joint_of[up];
    if (b.joint == PEER_FIXED) {
      self->joint_of[at] = parent;
      in_joint[at] = placement;
    } else {
      self->joint_of[at] = self->model.addJoint(parent, joint_of(b), placement, b.name);
      in_joint[at].setIdentity();
    }
    self->model.appendBodyToJoint(self->joint_of[at], inertia_of(b), in_joint[at]);
  }
  self->model.gravity.linear() = Vector3d(0, 0, -9.81);
  self->data = pinocchio::Data(self->model);
  return self;
}

void destroy(void* self) { delete static_cast<Self*>(self); }

const char* why_not(void*, int quantity) {
  return quantity == PEER_STEP ? "Pinocchio has no stepper of its own" : nullptr;
}

/// Calls visit(body, native index, common index) for every freedom; free joints swap their halves.
template <class Visit>
void each_freedom(const Self& self, Visit visit) {
  for (std::size_t k = 0; k < self.bodies.size(); ++k) {
    const int n = peers::freedoms_of(self.bodies[k].joint);
    if (n == 0) continue;
    const int native = self.model.joints[self.joint_of[k]].idx_v();
    for (int i = 0; i < n; ++i) {
      visit(native + (n == 6 ? (i + 3) % 6 : i), self.layout.v_at[k] + i);
    }
  }
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
      for (const auto& s : self.states) pinocchio::rnea(self.model, self.data, s.q, s.v, s.a);
      break;
    case PEER_FORWARD_DYNAMICS:
      for (const auto& s : self.states) {
        pinocchio::aba(self.model, self.data, s.q, s.v, s.tau, self.aba);
      }
      break;
    default:
      for (const auto& s : self.states) pinocchio::crba(self.model, self.data, s.q, self.crba);
  }
}

void set_states(void* opaque, int count, const double* q, const double* v, const double* a,
                const double* tau) {
  auto& self = *static_cast<Self*>(opaque);
  const int nq = self.layout.nq, nv = self.layout.nv;
  self.states.assign(static_cast<std::size_t>(count),
                     {VectorXd(nq), VectorXd(nv), VectorXd(nv), VectorXd(nv)});
  for (auto& s : self.states) {
    for (std::size_t k = 0; k < self.bodies.size(); ++k) {
      const int n = peers::positions_of(self.bodies[k].joint);
      if (n == 0) continue;
      const double* from = q + self.layout.q_at[k];
      const int to = self.model.joints[self.joint_of[k]].idx_q();
      if (n == 1) s.q[to] = from[0];
      if (n == 7)
        s.q.segment<7>(to) << from[4], from[5], from[6], from[1], from[2], from[3], from[0];
    }
    each_freedom(self, [&](int native, int common) {
      s.v[native] = v[common];
      s.a[native] = a[common];
      s.tau[native] = tau[common];
    });
    q += nq, v += nv, a += nv, tau += nv;
  }
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
  const int nv = self.layout.nv;
  if (quantity == PEER_MASS_MATRIX) {
    pinocchio::crba(self.model, self.data, s.q, self.crba);
    const Eigen::MatrixXd full = self.data.M.selfadjointView<Eigen::Upper>();
    each_freedom(self, [&](int row, int common_row) {
      each_freedom(self, [&](int column, int common_column) {
        out[common_row * nv + common_column] = full(row, column);
      });
    });
    return;
  }
  const VectorXd native = quantity == PEER_INVERSE_DYNAMICS
                              ? pinocchio::rnea(self.model, self.data, s.q, s.v, s.a)
                              : pinocchio::aba(self.model, self.data, s.q, s.v, s.tau, self.aba);
  each_freedom(self, [&](int at, int common) { out[common] = native[at]; });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const Peer* linkwright_peer() {
#ifdef __clang__
  static const std::string compiler = "clang " __clang_version__;
#else
  static const std::string compiler = "g++ " __VERSION__;
#endif
  static const Peer peer{"Pinocchio " PINOCCHIO_VERSION,
                         compiler.c_str(),
                         create,
                         destroy,
                         why_not,
                         set_states,
                         run,
                         result};
  return &peer;
}
