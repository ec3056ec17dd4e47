#include "linkwright/simulate/channels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "simulate/recording/channel_builder.hpp"

namespace linkwright {
namespace {

void put(const Vector3& v, double* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}
void put(const Vector3& first, const Vector3& second, double* out) {
  put(first, out);
  put(second, out + 3);
}

double dot(const Quaternion& a, const Quaternion& b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

}  // namespace

Channels::Channels(const System& system, const std::vector<std::string>& requests,
                   std::vector<UserChannel> own)
    : system_(&system) {
  ChannelBuilder builder(*this);
  builder.add_coordinates();
  for (const std::string& request : requests) builder.add_request(request);
  for (UserChannel& channel : own) builder.add_own(std::move(channel));
  builder.add_totals();
  for (const Piece& piece : pieces_) {
    needs_reactions_ = needs_reactions_ || piece.kind == Kind::force;
    needs_motion_ = needs_motion_ || piece.kind == Kind::frame || piece.kind == Kind::velocity ||
                    piece.kind == Kind::acceleration;
  }
  if (needs_reactions_) reactions_.resize(system.joints().size());
}

/// Reads what compute_forward_kinematics left in the workspace.
void Channels::write_motions(const Workspace& work, std::span<double> out) {
  for (Piece& piece : pieces_) {
    double* const at = out.data() + piece.first;
    const FrameId frame{piece.index};
    if (piece.kind == Kind::frame) {
      const Pose pose = frame_pose(work, frame);
      const Quaternion q = spatial::to_quaternion(pose.rotation);
      const bool flip = started_ ? dot(q, piece.last) < 0 : q.w < 0;
      piece.last = flip ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q;
      put(pose.translation, at);
      at[3] = piece.last.w;
      put({piece.last.x, piece.last.y, piece.last.z}, at + 4);
    } else if (piece.kind == Kind::velocity) {
      const Motion motion = frame_velocity(work, frame, Axes::world);
      put(motion.angular, motion.linear, at);
    } else if (piece.kind == Kind::acceleration) {
      const Motion motion = frame_acceleration(work, frame, Axes::world);
      put(motion.angular, motion.linear, at);
    }
  }
}

/// Quantities of the whole system, each with a sweep of its own.
void Channels::write_whole(Workspace& work, const State& state, std::span<double> out) {
  const Energy energy = compute_energy(work, state);
  out[out.size() - 2] = energy.kinetic + energy.potential;
  for (const Piece& piece : pieces_) {
    double* const at = out.data() + piece.first;
    if (piece.kind == Kind::kinetic) {
      *at = energy.kinetic;
    } else if (piece.kind == Kind::potential) {
      *at = energy.potential;
    } else if (piece.kind == Kind::momentum) {
      const Momentum momentum = compute_momentum(work, state);
      put(momentum.angular, momentum.linear, at);
    } else if (piece.kind == Kind::com) {
      put(compute_centre_of_mass(work, state).position, at);
    }
  }
}

void Channels::compute(Workspace& work, const State& state, const ConstVectorRef& a,
                       const ConstVectorRef& tau, ExternalForces forces, double closure_error,
                       std::span<double> out) {
  if (&work.system() != system_)
    throw Error("the workspace belongs to another system than the channels; make both from one");
  if (out.size() != size())
    throw Error(fmt::format("the row has room for {} numbers; expected {}", out.size(), size()));
  if (a.size() != system_->nv() || tau.size() != system_->nv())
    throw Error(fmt::format("a has {} and tau has {} entries; expected {}", a.size(), tau.size(),
                            system_->nv()));
  write_whole(work, state, out);  // checks the state at the door
  out[0] = state.t;
  std::copy(state.q.begin(), state.q.end(), out.begin() + 1);
  std::copy(state.v.begin(), state.v.end(), out.begin() + 1 + state.q.size());
  if (needs_motion_) {
    compute_forward_kinematics(work, state, a);
    write_motions(work, out);
  }
  if (needs_reactions_) compute_reactions(work, state, a, forces, reactions_);
  for (const Piece& piece : pieces_) {
    double* const at = out.data() + piece.first;
    if (piece.kind == Kind::a) *at = a[piece.index];
    if (piece.kind == Kind::tau) *at = tau[piece.index];
    if (piece.kind != Kind::force) continue;
    const Force& force = reactions_[static_cast<std::size_t>(piece.index)];
    put(force.moment, force.force, at);
  }
  const std::size_t first_own = size() - 2 - own_.size();
  for (std::size_t i = 0; i < own_.size(); ++i) out[first_own + i] = own_[i].value(state);
  out.back() = closure_error;
  started_ = true;
}

}  // namespace linkwright
