// MuJoCo, by its own steps: only those that inverse dynamics, forward dynamics and the mass matrix
// need, so that contacts, actuators and sensors cost it nothing. Copying q and v into mjData is
// part of its interface and is timed. Steps are mj_step, as its users call it.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "layout.hpp"

namespace {

struct NativeState {
  std::vector<mjtNum> q, v, a, tau;
};

struct Self {
  std::vector<PeerBody> bodies;
  peers::Layout layout;
  mjModel* model = nullptr;
  mjData* data = nullptr;
  std::vector<int> joint_of;  // per body, -1 when fixed
  std::vector<NativeState> states;
  std::vector<double> common_q, common_v;
  std::vector<mjtNum> out;
};

void destroy(void* opaque) {
  auto* self = static_cast<Self*>(opaque);
  mj_deleteData(self->data);
  mj_deleteModel(self->model);
  delete self;
}

void add_body(mjsBody* parent, const PeerBody& b, std::vector<mjsBody*>& made) {
  mjsBody* body = mjs_addBody(parent, nullptr);
  mjs_setName(body->element, b.name);
  mju_copy3(body->pos, b.p);
  mju_mat2Quat(body->quat, b.R);
  body->mass = b.mass;
  mju_copy3(body->ipos, b.com);
  std::copy_n(b.inertia, 6, body->fullinertia);
  body->explicitinertial = 1;
  made.push_back(body);
  if (b.joint == PEER_FIXED) return;
  mjsJoint* joint = mjs_addJoint(body, nullptr);
  mjs_setName(joint->element, b.name);
  joint->type = b.joint == PEER_FREE        ? mjJNT_FREE
                : b.joint == PEER_PRISMATIC ? mjJNT_SLIDE
                                            : mjJNT_HINGE;
  joint->align = mjALIGNFREE_FALSE;
  mju_copy3(joint->axis, b.axis);
}

void* create(const PeerBody* bodies, int count, const char** why) {
  if (peers::has_joint(bodies, count, PEER_UNIVERSAL)) {
    *why = "MuJoCo has no universal joint";
    return nullptr;
  }
  mjSpec* spec = mj_makeSpec();
  spec->option.gravity[0] = spec->option.gravity[1] = 0;
  spec->option.gravity[2] = -9.81;
  spec->option.timestep = PEER_STEP_LENGTH;
  spec->option.integrator = mjINT_EULER;
  std::vector<mjsBody*> made;
  for (int k = 0; k < count; ++k) {
    mjsBody* parent = bodies[k].parent < 0 ? mjs_findBody(spec, "world")
                                           : made[static_cast<std::size_t>(bodies[k].parent)];
    add_body(parent, bodies[k], made);
  }
  mjModel* model = mj_compile(spec, nullptr);
  if (model == nullptr) {
    static std::string message;
    message = mjs_getError(spec);
    *why = message.c_str();
    mj_deleteSpec(spec);
    return nullptr;
  }
  mj_deleteSpec(spec);
  auto* self = new Self;
  self->bodies.assign(bodies, bodies + count);
  self->layout = peers::Layout(bodies, count);
  self->model = model;
  self->data = mj_makeData(model);
  for (int k = 0; k < count; ++k) {
    const bool fixed = bodies[k].joint == PEER_FIXED;
    self->joint_of.push_back(fixed ? -1 : mj_name2id(model, mjOBJ_JOINT, bodies[k].name));
  }
  self->out.resize(static_cast<std::size_t>(model->nv));
  return self;
}

const char* why_not(void*, int) { return nullptr; }

/// MuJoCo keeps a free body's linear velocity in world axes, first; ours is in body axes, last.
void linear_to_world(const double* quaternion, const double* body, double* world) {
  mju_rotVecQuat(world, body, quaternion);
}
void linear_to_body(const double* quaternion, const double* world, double* body) {
  double inverse[4];
  mju_negQuat(inverse, quaternion);
  mju_rotVecQuat(body, world, inverse);
}

void set_states(void* opaque, int count, const double* q, const double* v, const double* a,
                const double* tau) {
  auto& self = *static_cast<Self*>(opaque);
  const int nq = self.layout.nq, nv = self.layout.nv;
  self.states.clear();
  self.common_q.assign(q, q + static_cast<std::ptrdiff_t>(count) * nq);
  self.common_v.assign(v, v + static_cast<std::ptrdiff_t>(count) * nv);
  for (int i = 0; i < count; ++i) {
    const auto n = static_cast<std::size_t>(nv);
    NativeState s{std::vector<mjtNum>(static_cast<std::size_t>(nq)), std::vector<mjtNum>(n),
                  std::vector<mjtNum>(n), std::vector<mjtNum>(n)};
    for (std::size_t k = 0; k < self.bodies.size(); ++k) {
      if (self.joint_of[k] < 0) continue;
      mjtNum* to_q = s.q.data() + self.model->jnt_qposadr[self.joint_of[k]];
      const int dof = self.model->jnt_dofadr[self.joint_of[k]];
      const double* from_q = q + self.layout.q_at[k];
      const double *vk = v + self.layout.v_at[k], *ak = a + self.layout.v_at[k],
                   *tk = tau + self.layout.v_at[k];
      if (self.bodies[k].joint != PEER_FREE) {
        to_q[0] = from_q[0];
        s.v[static_cast<std::size_t>(dof)] = vk[0];
        s.a[static_cast<std::size_t>(dof)] = ak[0];
        s.tau[static_cast<std::size_t>(dof)] = tk[0];
        continue;
      }
      std::copy_n(from_q + 4, 3, to_q);
      std::copy_n(from_q, 4, to_q + 3);
      double acceleration[3];
      mju_cross(acceleration, vk, vk + 3);
      mju_addTo3(acceleration, ak + 3);
      linear_to_world(from_q, vk + 3, s.v.data() + dof);
      linear_to_world(from_q, acceleration, s.a.data() + dof);
      linear_to_world(from_q, tk + 3, s.tau.data() + dof);
      std::copy_n(vk, 3, s.v.data() + dof + 3);
      std::copy_n(ak, 3, s.a.data() + dof + 3);
      std::copy_n(tk, 3, s.tau.data() + dof + 3);
    }
    self.states.push_back(std::move(s));
    q += nq, v += nv, a += nv, tau += nv;
  }
}

void inverse_dynamics(const mjModel* m, mjData* d, const NativeState& s, mjtNum* out) {
  mju_copy(d->qpos, s.q.data(), m->nq);
  mju_copy(d->qvel, s.v.data(), m->nv);
  mju_copy(d->qacc, s.a.data(), m->nv);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_comVel(m, d);
  mj_rne(m, d, 1, out);
}

void forward_dynamics(const mjModel* m, mjData* d, const NativeState& s, mjtNum* out) {
  mju_copy(d->qpos, s.q.data(), m->nq);
  mju_copy(d->qvel, s.v.data(), m->nv);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_comVel(m, d);
  mj_rne(m, d, 0, d->qfrc_bias);
  mju_sub(d->qfrc_smooth, s.tau.data(), d->qfrc_bias, m->nv);
  mj_solveM(m, d, out, d->qfrc_smooth, 1);
}

/// MuJoCo's own sparse matrix; spreading it to a dense one happens in `result`, untimed.
void mass_matrix(const mjModel* m, mjData* d, const NativeState& s) {
  mju_copy(d->qpos, s.q.data(), m->nq);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_makeM(m, d);
}

void steps(const mjModel* m, mjData* d, const NativeState& s) {
  mju_copy(d->qpos, s.q.data(), m->nq);
  mju_copy(d->qvel, s.v.data(), m->nv);
  for (int i = 0; i < PEER_STEPS; ++i) mj_step(m, d);
}

void run(void* opaque, int quantity) {
  auto& self = *static_cast<Self*>(opaque);
  if (quantity == PEER_STEP) return steps(self.model, self.data, self.states.front());
  for (const auto& s : self.states) {
    if (quantity == PEER_INVERSE_DYNAMICS) {
      inverse_dynamics(self.model, self.data, s, self.out.data());
    } else if (quantity == PEER_FORWARD_DYNAMICS) {
      forward_dynamics(self.model, self.data, s, self.out.data());
    } else {
      mass_matrix(self.model, self.data, s);
    }
  }
}

/// Row k of the matrix that turns our velocities into MuJoCo's, for the whole model.
std::vector<double> velocity_map(const Self& self, const double* q) {
  const auto nv = static_cast<std::size_t>(self.layout.nv);
  std::vector<double> T(nv * nv, 0.0);
  for (std::size_t k = 0; k < self.bodies.size(); ++k) {
    if (self.joint_of[k] < 0) continue;
    const auto native = static_cast<std::size_t>(self.model->jnt_dofadr[self.joint_of[k]]);
    const auto common = static_cast<std::size_t>(self.layout.v_at[k]);
    if (self.bodies[k].joint != PEER_FREE) {
      T[native * nv + common] = 1;
      continue;
    }
    double R[9];
    mju_quat2Mat(R, q + self.layout.q_at[k]);
    for (std::size_t i = 0; i < 3; ++i) {
      T[(native + 3 + i) * nv + common + i] = 1;
      for (std::size_t j = 0; j < 3; ++j) T[(native + i) * nv + common + 3 + j] = R[3 * i + j];
    }
  }
  return T;
}

void result(void* opaque, int quantity, int state, double* out) {
  auto& self = *static_cast<Self*>(opaque);
  const auto& s = self.states[static_cast<std::size_t>(state)];
  const int nv = self.layout.nv;
  const double* q = self.common_q.data() + static_cast<std::ptrdiff_t>(state) * self.layout.nq;
  const double* v = self.common_v.data() + static_cast<std::ptrdiff_t>(state) * nv;
  if (quantity == PEER_MASS_MATRIX) {
    mass_matrix(self.model, self.data, s);
    const auto size = static_cast<std::size_t>(nv) * static_cast<std::size_t>(nv);
    std::vector<mjtNum> full(size), half(size);
    mj_fullM(self.model, self.data, full.data());
    const auto T = velocity_map(self, q);
    mju_mulMatMat(half.data(), full.data(), T.data(), nv, nv, nv);
    mju_mulMatTMat(out, T.data(), half.data(), nv, nv, nv);
    return;
  }
  const bool inverse = quantity == PEER_INVERSE_DYNAMICS;
  if (quantity == PEER_STEP) {
    steps(self.model, self.data, s);
    mju_copy(self.out.data(), self.data->qvel, nv);
  } else {
    (inverse ? inverse_dynamics : forward_dynamics)(self.model, self.data, s, self.out.data());
  }
  for (std::size_t k = 0; k < self.bodies.size(); ++k) {
    if (self.joint_of[k] < 0) continue;
    const mjtNum* from = self.out.data() + self.model->jnt_dofadr[self.joint_of[k]];
    double* to = out + self.layout.v_at[k];
    if (self.bodies[k].joint != PEER_FREE) {
      to[0] = from[0];
      continue;
    }
    const double* vk = v + self.layout.v_at[k];
    std::copy_n(from + 3, 3, to);
    linear_to_body(q + self.layout.q_at[k], from, to + 3);
    if (!inverse) {
      double spin[3];
      mju_cross(spin, vk, vk + 3);
      mju_subFrom3(to + 3, spin);
    }
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const Peer* linkwright_peer() {
  static const std::string library = std::string("MuJoCo ") + mj_versionString();
  static const Peer peer{library.c_str(), "as distributed", create, destroy,
                         why_not,         set_states,       run,    result};
  return &peer;
}
