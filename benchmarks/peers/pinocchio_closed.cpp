// Pinocchio's four functions for forward dynamics with constraints, each with several settings, and the
// derivatives that one of them leads to.
#include <cstdio>
#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>
#include <pinocchio/algorithm/pv.hpp>
#include <string>
#include <vector>

#include "closed_peer.h"
#include "pinocchio_model.hpp"

namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using pinocchio::SE3;

enum class Algorithm { constraint_dynamics, lcaba, pv, constrained_aba };

struct Setting {
  Algorithm algorithm;
  double mu, accuracy;
  int iterations;
  std::string text;
};

struct NativeState {
  VectorXd q, v, tau;
};

/// The model, and per family of functions the constraints and the scratch space they want.
struct Self {
  Self(const PeerBody* bodies, int count) : tree(bodies, count) {}

  peers::PinocchioTree tree;
  std::vector<pinocchio::RigidConstraintModel> loops;
  std::vector<pinocchio::RigidConstraintData> loop_data;
  std::vector<pinocchio::FrameAnchorConstraintModel> anchors;  // of contacts with the world only
  std::vector<pinocchio::FrameAnchorConstraintData> anchor_data;
  pinocchio::Data for_dynamics, for_lcaba, for_pv;
  std::vector<pinocchio::JointIndex> loop_joints;  // where lcaba keeps what it must not find again
  std::vector<Setting> settings;
  std::vector<NativeState> states;
};

/// Data without its nv³ tensors, which only second derivatives use.
pinocchio::Data lean_data(const pinocchio::Model& model) {
  pinocchio::Data data(model);
  data.kinematic_hessians.resize(0, 0, 0);
  data.d2tau_dqdq.resize(0, 0, 0);
  data.d2tau_dvdv.resize(0, 0, 0);
  data.d2tau_dqdv.resize(0, 0, 0);
  data.d2tau_dadq.resize(0, 0, 0);
  return data;
}

void add_settings(Self& self, Algorithm algorithm, const std::vector<double>& sizes) {
  for (const double mu : sizes) {
    const auto add = [&](double accuracy, int iterations, const char* stop) {
      char text[64];
      std::snprintf(text, sizeof text, "µ %g, %s", mu, stop);
      self.settings.push_back({algorithm, mu, accuracy, iterations, text});
    };
    add(0, 1, "1 iteration");
    if (mu == 0) continue;
    add(0, 2, "2 iterations");
    add(0, 3, "3 iterations");
    add(0, 5, "5 iterations");
    add(1e-10, 200, "to residual 1e-10");
    add(1e-12, 200, "to residual 1e-12");
  }
}

void add_closure(Self& self, const PeerClosure& c) {
  using namespace pinocchio;
  const auto place = [&](int body, const double* R, const double* p) {
    const SE3 frame(Eigen::Map<const peers::RowMatrix3d>(R), Vector3d(p[0], p[1], p[2]));
    return body < 0 ? frame : self.tree.in_joint[static_cast<std::size_t>(body)] * frame;
  };
  const auto joint = [&](int body) {
    return body < 0 ? JointIndex(0) : self.tree.joint_of[static_cast<std::size_t>(body)];
  };
  JointIndex a = joint(c.a), b = joint(c.b);
  SE3 at_a = place(c.a, c.Ra, c.pa), at_b = place(c.b, c.Rb, c.pb);
  if (a == 0) std::swap(a, b), std::swap(at_a, at_b);  // the world must be the second
  self.loops.emplace_back(c.rows == 3 ? CONTACT_3D : CONTACT_6D, self.tree.model, a, at_a, b, at_b,
                          LOCAL);
  self.loop_joints.push_back(a), self.loop_joints.push_back(b);
  if (b == 0 && c.rows == 6) self.anchors.emplace_back(self.tree.model, a, at_a, b, at_b);
}

void* create(const PeerBody* bodies, int count, const PeerClosure* closures, int closure_count) {
  auto* self = new Self(bodies, count);
  const auto& model = self->tree.model;
  for (int i = 0; i < closure_count; ++i) add_closure(*self, closures[i]);
  for (const auto& loop : self->loops) self->loop_data.push_back(loop.createData());
  self->for_dynamics = lean_data(model);
  pinocchio::initConstraintDynamics(model, self->for_dynamics, self->loops, self->loop_data);
  add_settings(*self, Algorithm::constraint_dynamics,
               {0, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6});
  self->for_lcaba = lean_data(model);
  pinocchio::computeJointMinimalOrdering(model, self->for_lcaba, self->loops);
  add_settings(*self, Algorithm::lcaba, {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3});
  if (self->anchors.size() == self->loops.size()) {
    for (const auto& anchor : self->anchors) self->anchor_data.push_back(anchor.createData());
    self->for_pv = lean_data(model);
    pinocchio::initPvSolver(model, self->for_pv, self->anchors);
    add_settings(*self, Algorithm::pv, {0, 1e-12, 1e-10, 1e-8, 1e-6});
    add_settings(*self, Algorithm::constrained_aba, {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4});
  }
  return self;
}

void destroy(void* self) { delete static_cast<Self*>(self); }

int setting_count(void* self) {
  return static_cast<int>(static_cast<Self*>(self)->settings.size());
}

const char* algorithm_name(void* self, int setting) {
  switch (static_cast<Self*>(self)->settings[static_cast<std::size_t>(setting)].algorithm) {
    case Algorithm::constraint_dynamics:
      return "constraintDynamics";
    case Algorithm::lcaba:
      return "lcaba";
    case Algorithm::pv:
      return "pv";
    default:
      return "constrainedABA";
  }
}

const char* setting_text(void* self, int setting) {
  return static_cast<Self*>(self)->settings[static_cast<std::size_t>(setting)].text.c_str();
}

void set_states(void* opaque, int count, const double* q, const double* v, const double* tau) {
  auto& self = *static_cast<Self*>(opaque);
  const int nq = self.tree.layout.nq, nv = self.tree.layout.nv;
  self.states.clear();
  for (int i = 0; i < count; ++i, q += nq, v += nv, tau += nv)
    self.states.push_back({self.tree.native_position(q), self.tree.native_freedoms(v),
                           self.tree.native_freedoms(tau)});
}

const VectorXd& compute(Self& self, const Setting& how, const NativeState& s) {
  pinocchio::ProximalSettings proximal(how.accuracy, 0., how.mu, how.iterations);
  const auto& model = self.tree.model;
  switch (how.algorithm) {
    case Algorithm::constraint_dynamics:
      return pinocchio::constraintDynamics(model, self.for_dynamics, s.q, s.v, s.tau, self.loops,
                                           self.loop_data, proximal);
    case Algorithm::lcaba:
      // With 6D rows it takes these, of the call before, for part of the bias.
      for (const auto joint : self.loop_joints) self.for_lcaba.oa[joint].setZero();
      return pinocchio::lcaba(model, self.for_lcaba, s.q, s.v, s.tau, self.loops, self.loop_data,
                              proximal);
    case Algorithm::pv:
      return pinocchio::pv(model, self.for_pv, s.q, s.v, s.tau, self.anchors, self.anchor_data,
                           proximal);
    default:
      return pinocchio::constrainedABA(model, self.for_pv, s.q, s.v, s.tau, self.anchors,
                                       self.anchor_data, proximal);
  }
}

void run(void* opaque, int setting) {
  auto& self = *static_cast<Self*>(opaque);
  const Setting& how = self.settings[static_cast<std::size_t>(setting)];
  for (const auto& s : self.states) compute(self, how, s);
}

void result(void* opaque, int setting, int state, double* a) {
  auto& self = *static_cast<Self*>(opaque);
  const VectorXd& native = compute(self, self.settings[static_cast<std::size_t>(setting)],
                                   self.states[static_cast<std::size_t>(state)]);
  self.tree.each_freedom([&](int at, int common) { a[common] = native[at]; });
}

int has_derivatives(void* opaque, int setting) {
  const auto& self = *static_cast<Self*>(opaque);
  return self.settings[static_cast<std::size_t>(setting)].algorithm ==
         Algorithm::constraint_dynamics;
}

void differentiate(Self& self, const Setting& how, const NativeState& s) {
  compute(self, how, s);
  const pinocchio::ProximalSettings proximal(how.accuracy, 0., how.mu, how.iterations);
  pinocchio::computeConstraintDynamicsDerivatives(self.tree.model, self.for_dynamics, self.loops,
                                                  self.loop_data, proximal);
}

void run_derivatives(void* opaque, int setting) {
  auto& self = *static_cast<Self*>(opaque);
  const Setting& how = self.settings[static_cast<std::size_t>(setting)];
  for (const auto& s : self.states) differentiate(self, how, s);
}

void derivatives(void* opaque, int setting, int state, double* out) {
  auto& self = *static_cast<Self*>(opaque);
  differentiate(self, self.settings[static_cast<std::size_t>(setting)],
                self.states[static_cast<std::size_t>(state)]);
  const auto& data = self.for_dynamics;
  const int nv = self.tree.layout.nv;
  const Eigen::MatrixXd all[] = {data.ddq_dq, data.ddq_dv, data.ddq_dtau};
  for (const Eigen::MatrixXd& m : all) {
    self.tree.each_freedom([&](int row, int common_row) {
      self.tree.each_freedom([&](int column, int common_column) {
        out[common_row * nv + common_column] = m(row, column);
      });
    });
    out += static_cast<std::ptrdiff_t>(nv) * nv;
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const ClosedPeer* linkwright_closed_peer() {
  static const ClosedPeer peer{"Pinocchio " PINOCCHIO_VERSION,
                               peers::compiler_name(),
                               create,
                               destroy,
                               setting_count,
                               algorithm_name,
                               setting_text,
                               set_states,
                               run,
                               result,
                               has_derivatives,
                               run_derivatives,
                               derivatives};
  return &peer;
}
