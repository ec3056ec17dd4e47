#include "linkwright/simulate/channels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "simulate/equations/joint_units.hpp"
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

Channels::Channels(const System& system, std::vector<Quantity> inputs,
                   std::vector<Quantity> extra_states, const std::vector<std::string>& requests,
                   std::vector<UserChannel> own)
    : system_(&system), inputs_(std::move(inputs)), extra_states_(std::move(extra_states)) {
  ChannelBuilder builder(*this);
  builder.add_coordinates();
  for (const std::string& request : requests) builder.add_request(request);
  for (UserChannel& channel : own) builder.add_own(std::move(channel));
  builder.add_totals();
  needs_reactions_ = std::any_of(groups_.begin(), groups_.end(), [](const ColumnGroup& group) {
    return group.kind == Kind::force;
  });
  if (needs_reactions_) reactions_.resize(system.joints().size());
}

Channels::Channels(const System& system, const std::vector<std::string>& requests,
                   std::vector<UserChannel> own)
    : Channels(system, effort_inputs(system), {}, requests, std::move(own)) {}

Channels::Channels(const Equations& equations, const std::vector<std::string>& requests,
                   std::vector<UserChannel> own)
    : Channels(equations.system(), equations.inputs(), equations.extra_states(), requests,
               std::move(own)) {}

void Channels::write_pose(ColumnGroup& group, const Pose& pose, double* out) const {
  const Quaternion q = spatial::to_quaternion(pose.rotation);
  const bool flip = started_ ? dot(q, group.last) < 0 : q.w < 0;
  group.last = flip ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q;
  put(pose.translation, out);
  out[3] = group.last.w;
  put({group.last.x, group.last.y, group.last.z}, out + 4);
}

void Channels::write(ColumnGroup& group, const Workspace& work, const Snapshot& at,
                     const Energy& energy, double* out) const {
  const FrameId frame{group.index};
  const auto put_motion = [out](const Motion& m) { put(m.angular, m.linear, out); };
  switch (group.kind) {
    case Kind::frame:
      return write_pose(group, frame_pose(work, frame), out);
    case Kind::velocity:
      return put_motion(frame_velocity(work, frame, Axes::world));
    case Kind::acceleration:
      return put_motion(frame_acceleration(work, frame, Axes::world));
    case Kind::a:
      return void(*out = at.a[group.index]);
    case Kind::tau:
      return void(*out = at.tau[group.index]);
    case Kind::input:
      return void(*out = at.input[group.index]);
    case Kind::extra:
      return void(*out = at.now.extra[group.index]);
    case Kind::force: {
      const Force& force = reactions_[static_cast<std::size_t>(group.index)];
      return put(force.moment, force.force, out);
    }
    case Kind::momentum: {
      const Momentum momentum = system_momentum(work);
      return put(momentum.angular, momentum.linear, out);
    }
    case Kind::com:
      return put(system_centre_of_mass(work).position, out);
    case Kind::kinetic:
      return void(*out = energy.kinetic);
    case Kind::potential:
      return void(*out = energy.potential);
  }
}

void Channels::check(const Workspace& work, const Snapshot& at, std::span<double> out) const {
  if (&work.system() != system_)
    throw Error("the workspace belongs to another system than the channels; make both from one");
  if (out.size() != size())
    throw Error(fmt::format("the row has room for {} numbers; expected {}", out.size(), size()));
  const auto expect = [](const char* name, Eigen::Index got, std::size_t expected) {
    if (got != static_cast<Eigen::Index>(expected))
      throw Error(fmt::format("the snapshot has {} numbers in {}; these channels expect {}", got,
                              name, expected));
  };
  expect("a", at.a.size(), static_cast<std::size_t>(system_->nv()));
  expect("tau", at.tau.size(), static_cast<std::size_t>(system_->nv()));
  expect("input", at.input.size(), inputs_.size());
  expect("extra", at.now.extra.size(), extra_states_.size());
}

void Channels::compute(Workspace& work, const Snapshot& at, std::span<double> out) {
  check(work, at, out);
  const State& state = at.now.state;
  compute_forward_kinematics(work, state, at.a);  // checks the state at the door
  if (needs_reactions_) joint_reactions(work, at.forces, reactions_);
  const Energy energy = system_energy(work);
  out[0] = state.t;
  std::copy(state.q.begin(), state.q.end(), out.begin() + 1);
  std::copy(state.v.begin(), state.v.end(), out.begin() + 1 + state.q.size());
  for (ColumnGroup& group : groups_) write(group, work, at, energy, out.data() + group.first);
  const std::size_t first_own = size() - 2 - own_.size();
  for (std::size_t i = 0; i < own_.size(); ++i) out[first_own + i] = own_[i].value(at.now);
  out[size() - 2] = energy.kinetic + energy.potential;
  out.back() = at.constraint_error;
  started_ = true;
}

}  // namespace linkwright
