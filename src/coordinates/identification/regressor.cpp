/// Given    q, v, a
/// Computes Y with tau = Y π (2.29, 2.30 of the trunk's paper, linear in each body's ten numbers)
///          about the origin of a body's frame, in its axes, a₀ = v̇ − g there, h = m·com:
///            f = m a₀ + ω̇ × h + ω × (ω × h)
///            n = I ω̇ + ω × I ω + h × a₀
///          tau of freedom j inboard of it: S_jᵀ [n; f]
/// Cost     60 products for every pair of a body and a freedom inboard of it
#include "linkwright/coordinates/regressor.hpp"

#include <algorithm>
#include <array>

#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "spatial/index.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int per_body = 10;
constexpr std::array<const char*, per_body> letters{"m",   "mx",  "my",  "mz",  "ixx",
                                                    "iyy", "izz", "ixy", "ixz", "iyz"};

/// The ten numbers of a body.
std::array<double, per_body> numbers_of(const Body& body) {
  const Vector3& c = body.com;
  const double m = body.mass;
  const Symmetric3& I = body.inertia;
  return {m,
          m * c.x,
          m * c.y,
          m * c.z,
          I.xx + m * (c.y * c.y + c.z * c.z),
          I.yy + m * (c.x * c.x + c.z * c.z),
          I.zz + m * (c.x * c.x + c.y * c.y),
          I.xy - m * c.x * c.y,
          I.xz - m * c.x * c.z,
          I.yz - m * c.y * c.z};
}

/// The ten columns of [n; f].
std::array<Force, per_body> force_columns(const Vector3& w, const Vector3& dw, const Vector3& a0) {
  std::array<Force, per_body> out{};
  out[0].force = a0;
  const std::array<Vector3, 3> axes{Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}};
  for (std::size_t i = 0; i < 3; ++i)
    out[1 + i] = {cross(axes[i], a0), cross(dw, axes[i]) + cross(w, cross(w, axes[i]))};
  // I ω̇ + ω × I ω for I = e_i e_jᵀ + e_j e_iᵀ, or e_i e_iᵀ on the diagonal.
  const auto product = [&](std::size_t i, std::size_t j, const Vector3& x) {
    const double part[3] = {x.x, x.y, x.z};
    return i == j ? part[i] * axes[i] : part[j] * axes[i] + part[i] * axes[j];
  };
  constexpr std::size_t pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (std::size_t p = 0; p < 6; ++p)
    out[4 + p].moment =
        product(pairs[p][0], pairs[p][1], dw) + cross(w, product(pairs[p][0], pairs[p][1], w));
  return out;
}

}  // namespace

Regressor::Regressor(const System& system, std::vector<JointParameter> joints)
    : system_(&system), joints_(std::move(joints)) {
  std::sort(joints_.begin(), joints_.end());
  joints_.erase(std::unique(joints_.begin(), joints_.end()), joints_.end());
  add_bodies();
  for (const JointParameter kind : joints_) add_joint(kind);
}

bool Regressor::has_friction() const {
  return std::find(joints_.begin(), joints_.end(), JointParameter::friction) != joints_.end();
}

void Regressor::add_bodies() {
  for (const Body& body : system_->model().bodies) {
    frames_.push_back(system_->frame(body.name));
    const std::array<double, per_body> numbers = numbers_of(body);
    for (std::size_t i = 0; i < per_body; ++i) {
      names_.push_back(std::string(letters[i]) + ":" + body.name);
      values_.push_back(numbers[i]);
    }
  }
}

void Regressor::add_joint(JointParameter kind) {
  const auto add = [&](const char* prefix, const std::vector<double>& values) {
    for (std::size_t i = 0; i < at(system_->nv()); ++i) {
      names_.push_back(prefix + system_->velocity_names()[i]);
      values_.push_back(values[i]);
    }
  };
  const JointForces<double>& forces = system_->tree().joint_forces;
  switch (kind) {
    case JointParameter::rotor_inertia:
      return add("rotor:", system_->rotor_inertia());
    case JointParameter::damping:
      return add("damping:", forces.damping);
    case JointParameter::friction:
      add("friction_forward:", forces.friction_forward);
      return add("friction_backward:", forces.friction_backward);
  }
}

void Regressor::compute_body(const Workspace& work, int body, MatrixRef Y) const {
  const FrameId id = frames_[at(body)];
  const Pose pose = frame_pose(work, id);
  const Motion V = frame_velocity(work, id, Axes::own), A = frame_acceleration(work, id, Axes::own);
  const Vector3 a0 = A.linear - transpose_times(pose.rotation, system_->model().gravity);
  const auto columns = force_columns(V.angular, A.angular, a0);
  const auto& nodes = system_->tree().nodes;
  for (int k = system_->frame(id).node; k != 0; k = nodes[at(k)].parent)
    for (int i = 0; i < nodes[at(k)].d; ++i) {
      const Motion S =
          spatial::shift(pose.translation, work.scratch().column(nodes[at(k)].freedom + i));
      const Motion own{transpose_times(pose.rotation, S.angular),
                       transpose_times(pose.rotation, S.linear)};
      for (int c = 0; c < per_body; ++c)
        Y(nodes[at(k)].v + i, per_body * body + c) = dot(columns[at(c)], own);
    }
}

void Regressor::compute_joints(const State& state, const ConstVectorRef& a, MatrixRef Y) const {
  const Index nv = system_->nv();
  Index first = per_body * static_cast<Index>(frames_.size());
  for (const JointParameter kind : joints_) {
    for (Index i = 0; i < nv; ++i) switch (kind) {
        case JointParameter::rotor_inertia:
          Y(i, first + i) = a[i];
          break;
        case JointParameter::damping:
          Y(i, first + i) = state.v[i];
          break;
        case JointParameter::friction:
          Y(i, first + i) = state.v[i] > 0 ? 1 : 0;
          Y(i, first + nv + i) = state.v[i] < 0 ? -1 : 0;
          break;
      }
    first += kind == JointParameter::friction ? 2 * nv : nv;
  }
}

void Regressor::compute(Workspace& work, const State& state, const ConstVectorRef& a,
                        MatrixRef Y) const {
  door::check_output(Y, system_->nv(), size(), "Y");
  compute_forward_kinematics(work, state, a);
  kernels().motion_columns(system_->tree(), work.scratch());
  Y.setZero();
  for (std::size_t b = 0; b < frames_.size(); ++b) compute_body(work, static_cast<int>(b), Y);
  compute_joints(state, a, Y);
}

void Regressor::compute(Workspace& work, const State& state, const ConstVectorRef& a, MatrixRef Y,
                        VectorRef rest) const {
  compute_inverse_dynamics(work, state, a, {}, rest);
  compute(work, state, a, Y);
  rest.noalias() -= Y * values();
}

void Regressor::compute(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
                        std::span<const int> entries, MatrixRef Y, VectorRef rest) const {
  const Index nv = system_->nv(), n = static_cast<Index>(entries.size());
  door::check_output(Y, n, size(), "Y");
  MatrixXd G(nv, n), of_tree(nv, size());
  VectorXd g(nv), tau(system_->effort_count());
  // Any motors that can make the motion will do: Gᵀ tau is the same for all of them.
  const Actuation at_entries{.entries = {entries.begin(), entries.end()}};
  compute_inverse_dynamics(work, state, a, {}, at_entries, tau);
  for (Index i = 0; i < n; ++i) rest[i] = tau[entries[at(i)]];
  compute(work.tree(), state, a, of_tree);
  compute_coordinate_map(work, state, entries, G, g);
  Y.noalias() = G.transpose() * of_tree;
  rest.noalias() -= Y * values();
}

}  // namespace linkwright::coordinates
