// Orocos KDL as Debian ships it. It knows no free joint; its forward dynamics and mass matrix know
// chains only.
#include <kdl/config.h>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>

#include <memory>
#include <vector>

#include "layout.hpp"

namespace {

struct NativeState {
  KDL::JntArray q, v, a, tau;
};

struct Self {
  peers::Layout layout;
  KDL::Tree tree{"world"};
  KDL::Chain chain;
  bool is_chain = true;
  std::vector<unsigned> native_of;  // per common freedom
  std::unique_ptr<KDL::TreeIdSolver_RNE> tree_id;
  std::unique_ptr<KDL::ChainIdSolver_RNE> chain_id;
  std::unique_ptr<KDL::ChainFdSolver_RNE> chain_fd;
  std::unique_ptr<KDL::ChainDynParam> chain_mass;
  KDL::Wrenches no_wrenches;
  KDL::WrenchMap no_wrench_map;
  std::vector<NativeState> states;
  KDL::JntArray out;
  KDL::JntSpaceInertiaMatrix mass;
};

KDL::Segment segment_of(const PeerBody& b) {
  const KDL::Rotation R(b.R[0], b.R[1], b.R[2], b.R[3], b.R[4], b.R[5], b.R[6], b.R[7], b.R[8]);
  const KDL::Vector p(b.p[0], b.p[1], b.p[2]);
  const KDL::Vector axis = R * KDL::Vector(b.axis[0], b.axis[1], b.axis[2]);
  const KDL::RigidBodyInertia inertia(
      b.mass, KDL::Vector(b.com[0], b.com[1], b.com[2]),
      KDL::RotationalInertia(b.inertia[0], b.inertia[1], b.inertia[2], b.inertia[3], b.inertia[4],
                             b.inertia[5]));
  const KDL::Joint joint =
      b.joint == PEER_FIXED
          ? KDL::Joint(b.name, KDL::Joint::Fixed)
          : KDL::Joint(b.name, p, axis,
                       b.joint == PEER_REVOLUTE ? KDL::Joint::RotAxis : KDL::Joint::TransAxis);
  return KDL::Segment(b.name, joint, KDL::Frame(R, p), inertia);
}

void* create(const PeerBody* bodies, int count, const char** why) {
  if (peers::has_joint(bodies, count, PEER_FREE) ||
      peers::has_joint(bodies, count, PEER_UNIVERSAL)) {
    *why = "KDL has neither free nor universal joints";
    return nullptr;
  }
  auto* self = new Self;
  self->layout = peers::Layout(bodies, count);
  for (int k = 0; k < count; ++k) {
    const PeerBody& b = bodies[k];
    self->is_chain = self->is_chain && b.parent == k - 1;
    const KDL::Segment segment = segment_of(b);
    self->tree.addSegment(segment, b.parent < 0 ? "world" : bodies[b.parent].name);
    self->chain.addSegment(segment);
  }
  for (int k = 0; k < count; ++k) {
    if (bodies[k].joint != PEER_FIXED) {
      self->native_of.push_back(self->tree.getSegment(bodies[k].name)->second.q_nr);
    }
  }
  const KDL::Vector gravity(0, 0, -9.81);
  const auto nv = static_cast<unsigned>(self->layout.nv);
  self->tree_id = std::make_unique<KDL::TreeIdSolver_RNE>(self->tree, gravity);
  if (self->is_chain) {
    self->chain_id = std::make_unique<KDL::ChainIdSolver_RNE>(self->chain, gravity);
    self->chain_fd = std::make_unique<KDL::ChainFdSolver_RNE>(self->chain, gravity);
    self->chain_mass = std::make_unique<KDL::ChainDynParam>(self->chain, gravity);
  }
  self->no_wrenches.assign(static_cast<std::size_t>(count), KDL::Wrench::Zero());
  self->out.resize(nv);
  self->mass.resize(nv);
  return self;
}

void destroy(void* self) { delete static_cast<Self*>(self); }

const char* why_not(void* opaque, int quantity) {
  if (quantity == PEER_STEP) return "KDL has no stepper of its own";
  const bool known = static_cast<Self*>(opaque)->is_chain || quantity == PEER_INVERSE_DYNAMICS;
  return known ? nullptr : "KDL computes this for chains only";
}

void set_states(void* opaque, int count, const double* q, const double* v, const double* a,
                const double* tau) {
  auto& self = *static_cast<Self*>(opaque);
  const auto nv = static_cast<unsigned>(self.layout.nv);
  self.states.clear();
  for (int i = 0; i < count; ++i) {
    NativeState s{KDL::JntArray(nv), KDL::JntArray(nv), KDL::JntArray(nv), KDL::JntArray(nv)};
    for (unsigned j = 0; j < nv; ++j) {
      const unsigned to = self.native_of[j];
      s.q(to) = q[j];
      s.v(to) = v[j];
      s.a(to) = a[j];
      s.tau(to) = tau[j];
    }
    self.states.push_back(s);
    q += nv, v += nv, a += nv, tau += nv;
  }
}

void compute(Self& self, int quantity, const NativeState& s) {
  if (quantity == PEER_MASS_MATRIX) {
    self.chain_mass->JntToMass(s.q, self.mass);
  } else if (quantity == PEER_FORWARD_DYNAMICS) {
    self.chain_fd->CartToJnt(s.q, s.v, s.tau, self.no_wrenches, self.out);
  } else if (self.is_chain) {
    self.chain_id->CartToJnt(s.q, s.v, s.a, self.no_wrenches, self.out);
  } else {
    self.tree_id->CartToJnt(s.q, s.v, s.a, self.no_wrench_map, self.out);
  }
}

void run(void* opaque, int quantity) {
  auto& self = *static_cast<Self*>(opaque);
  for (const auto& s : self.states) compute(self, quantity, s);
}

void result(void* opaque, int quantity, int state, double* out) {
  auto& self = *static_cast<Self*>(opaque);
  compute(self, quantity, self.states[static_cast<std::size_t>(state)]);
  const std::size_t nv = self.native_of.size();
  for (std::size_t i = 0; i < nv; ++i) {
    if (quantity != PEER_MASS_MATRIX) {
      out[i] = self.out(self.native_of[i]);
      continue;
    }
    for (std::size_t j = 0; j < nv; ++j) {
      out[i * nv + j] = self.mass(self.native_of[i], self.native_of[j]);
    }
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const Peer* linkwright_peer() {
  static const Peer peer{"KDL " KDL_VERSION_STRING,
                         "as distributed",
                         create,
                         destroy,
                         why_not,
                         set_states,
                         run,
                         result};
  return &peer;
}
