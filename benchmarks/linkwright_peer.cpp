#include "linkwright_peer.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/mass_matrix.hpp"
#include "linkwright/simulate/simulation.hpp"

namespace bench {
namespace {

using namespace linkwright;

struct OneState {
  State state;
  Eigen::VectorXd a, tau;
};

struct Self {
  explicit Self(const Model& model) : system(compile(model)) {}

  System system;
  Workspace work{system};
  Simulation simulation{
      system,
      State(system),
      {.method = Method::semi_implicit, .step = PEER_STEP_LENGTH, .limits = LimitAction::ignore}};
  std::vector<OneState> states;
  Eigen::VectorXd out = Eigen::VectorXd::Zero(system.nv());
  // As those of the peers, which own theirs: zeros by structure are written once.
  MassMatrix matrix{system};
};

JointType type_of(int joint) {
  switch (joint) {
    case PEER_REVOLUTE:
      return JointType::revolute;
    case PEER_PRISMATIC:
      return JointType::prismatic;
    case PEER_FREE:
      return JointType::free;
    default:
      return JointType::fixed;
  }
}

Model to_model(const PeerBody* bodies, int count) {
  Model model;
  for (int k = 0; k < count; ++k) {
    const PeerBody& b = bodies[k];
    const double* I = b.inertia;
    model.bodies.push_back({.name = b.name,
                            .mass = b.mass,
                            .com = {b.com[0], b.com[1], b.com[2]},
                            .inertia = {I[0], I[1], I[2], I[3], I[4], I[5]}});
    Joint joint{.name = b.name, .type = type_of(b.joint), .child = b.name};
    joint.parent = b.parent < 0 ? "world" : bodies[b.parent].name;
    const double* R = b.R;
    joint.pose = {{R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]}, {b.p[0], b.p[1], b.p[2]}};
    joint.axis = {b.axis[0], b.axis[1], b.axis[2]};
    model.joints.push_back(joint);
  }
  return model;
}

void* create(const PeerBody* bodies, int count, const char**) {
  return new Self(to_model(bodies, count));
}

void destroy(void* self) { delete static_cast<Self*>(self); }

const char* why_not(void*, int) { return nullptr; }

void set_states(void* opaque, int count, const double* q, const double* v, const double* a,
                const double* tau) {
  Self& self = *static_cast<Self*>(opaque);
  const int nq = self.system.nq(), nv = self.system.nv();
  self.states.assign(static_cast<std::size_t>(count), {State(self.system), self.out, self.out});
  for (OneState& s : self.states) {
    std::copy_n(q, nq, s.state.q.data());
    std::copy_n(v, nv, s.state.v.data());
    std::copy_n(a, nv, s.a.data());
    std::copy_n(tau, nv, s.tau.data());
    q += nq, v += nv, a += nv, tau += nv;
  }
}

void compute_steps(Self& self, const OneState& s) {
  self.simulation.set_state({s.state, {}});
  for (int i = 0; i < PEER_STEPS; ++i) self.simulation.step();
  self.out = self.simulation.state().v;
}

void compute(Self& self, int quantity, const OneState& s) {
  switch (quantity) {
    case PEER_STEP:
      return compute_steps(self, s);
    case PEER_INVERSE_DYNAMICS:
      return compute_inverse_dynamics(self.work, s.state, s.a, {}, self.out);
    case PEER_FORWARD_DYNAMICS:
      return compute_forward_dynamics(self.work, s.state, s.tau, {}, self.out);
    default:
      return compute_mass_matrix(self.work, s.state.q, self.matrix);
  }
}

void run(void* opaque, int quantity) {
  Self& self = *static_cast<Self*>(opaque);
  if (quantity == PEER_STEP) return compute_steps(self, self.states.front());
  for (const OneState& s : self.states) compute(self, quantity, s);
}

void result(void* opaque, int quantity, int state, double* out) {
  Self& self = *static_cast<Self*>(opaque);
  compute(self, quantity, self.states[static_cast<std::size_t>(state)]);
  const Eigen::Index nv = self.matrix.lower().rows();
  if (quantity == PEER_MASS_MATRIX)
    Eigen::Map<Eigen::MatrixXd>(out, nv, nv) = self.matrix.view();
  else
    std::copy_n(self.out.data(), self.out.size(), out);
}

}  // namespace

linkwright::Model to_model(const std::vector<PeerBody>& bodies) {
  return to_model(bodies.data(), static_cast<int>(bodies.size()));
}

const Peer* linkwright_as_peer() {
  static const Peer peer{"Linkwright " LINKWRIGHT_VERSION,
#ifdef __clang__
                         "clang " __clang_version__,
#else
                         "g++ " __VERSION__,
#endif
                         create,
                         destroy,
                         why_not,
                         set_states,
                         run,
                         result};
  return &peer;
}

}  // namespace bench
