#include "linkwright/simulate/channels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/grasp_contacts.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "simulate/contacts/mechanism.hpp"
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

Channels::Channels(const System& system, Of of, NamedNumbers names,
                   const std::vector<std::string>& requests, std::vector<UserChannel> own)
    : system_(&system), names_(std::move(names)), joint_count_(system.joints().size()) {
  if (of == Of::mechanism) close(std::vector<char>(system.model().grasps.size(), 0));
  ChannelBuilder builder(*this);
  builder.add_coordinates();
  for (const std::string& request : requests) builder.add_request(request);
  for (UserChannel& channel : own) builder.add_own(std::move(channel));
  builder.add_totals();
  needs_reactions_ = asks_for(Kind::force);
  needs_closures_ = asks_for(Kind::closure) || asks_for(Kind::contact);
  if (needs_reactions_) reactions_.resize(joint_count_ + closure_forces_.size());
  if (!closed_) return;
  efforts_ = Eigen::VectorXd::Zero(system.effort_count());
  a_ = Eigen::VectorXd::Zero(system.nv());
  stores_in_closing_joints_ =
      std::any_of(system.closures().begin(), system.closures().end(),
                  [](const ClosurePlace& c) { return c.has_springs || c.rotors > 0; });
}

void Channels::close(std::span<const char> released) {
  released_.assign(released.begin(), released.end());
  const bool all = std::find(released.begin(), released.end(), 1) == released.end();
  reduced_ = all ? nullptr : std::make_unique<const System>(leave_out_grasps(*system_, released));
  const System& whole = reduced_ ? *reduced_ : *system_;
  smooth_ = without_friction(whole, Closures::refuse);
  closed_ = std::make_unique<ClosedWorkspace>(smooth_ ? *smooth_ : whole);
  closure_forces_.resize(whole.closures().size());
  if (needs_reactions_) reactions_.resize(joint_count_ + closure_forces_.size());
  closure_at_.clear();
  const auto grasps = static_cast<std::size_t>(grasp_closure(*system_, 0));
  int next = 0;
  for (std::size_t i = 0; i < system_->closures().size(); ++i)
    closure_at_.push_back(i >= grasps && released_[i - grasps] != 0 ? -1 : next++);
}

bool Channels::asks_for(Kind kind) const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [kind](const ColumnGroup& group) { return group.kind == kind; });
}

Channels::~Channels() = default;
Channels::Channels(Channels&&) noexcept = default;
Channels& Channels::operator=(Channels&&) noexcept = default;

Channels::Channels(const System& system, const std::vector<std::string>& requests,
                   std::vector<UserChannel> own)
    : Channels(system, kind_of(system), {all_effort_inputs(system)}, requests, std::move(own)) {}

Channels::Channels(const Equations& equations, const std::vector<std::string>& requests,
                   std::vector<UserChannel> own)
    : Channels(equations.system(), equations.obeys_closures() ? Of::mechanism : Of::tree,
               {equations.inputs(), equations.extra_states(), equations.outputs()}, requests,
               std::move(own)) {}

void Channels::write_quaternion(ColumnGroup& group, const Matrix3& rotation, double* out) const {
  const Quaternion q = spatial::to_quaternion(rotation);
  const bool flip = started_ ? dot(q, group.last) < 0 : q.w < 0;
  group.last = flip ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q;
  out[0] = group.last.w;
  put({group.last.x, group.last.y, group.last.z}, out + 1);
}

void Channels::write_pose(ColumnGroup& group, const Pose& pose, double* out) const {
  put(pose.translation, out);
  write_quaternion(group, pose.rotation, out + 3);
}

Matrix3 Channels::contact_rotation(const Workspace& work, const Grasp& grasp) const {
  const Pose arm = frame_pose(work, system_->frame(grasp.arm));
  const Pose object = frame_pose(work, system_->frame(grasp.object));
  return (inverse(arm) * object * grasp.at).rotation;
}

Force Channels::closure_force(int closure) const {
  const int there = closure_at_[static_cast<std::size_t>(closure)];
  return there < 0 ? Force{} : closure_forces_[static_cast<std::size_t>(there)];
}

double Channels::contact_number(int grasp, int component) const {
  if (released_[static_cast<std::size_t>(grasp)] != 0) return 0;
  const ContactForce carried =
      to_contact_force(system_->model().grasps[static_cast<std::size_t>(grasp)],
                       closure_force(grasp_closure(*system_, grasp)));
  const double numbers[contact_numbers]{carried.normal, carried.tangential, carried.moment,
                                        carried.margin, 1};
  return numbers[component];
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
    case Kind::output:
      return void(*out = at.outputs[static_cast<std::size_t>(group.index)]);
    case Kind::closure: {
      const Force force = closure_force(group.index);
      return put(force.moment, force.force, out);
    }
    case Kind::attitude:
      return write_quaternion(
          group,
          contact_rotation(work, system_->model().grasps[static_cast<std::size_t>(group.index)]),
          out);
    case Kind::contact:
      return void(*out =
                      contact_number(group.index / contact_numbers, group.index % contact_numbers));
    case Kind::friction:
    case Kind::stop: {
      // Entries of v, those of closing joints behind them.
      const int closing = group.index - system_->nv();
      const int i = at.contacts == nullptr ? -1
                    : closing < 0          ? at.contacts->find(group.index, -1)
                                           : at.contacts->find(-1, closing);
      if (i < 0) return void(*out = 0);
      return void(*out = group.kind == Kind::stop ? at.contacts->stop_force(i)
                                                  : at.contacts->friction_force(i));
    }
    case Kind::velocity_error:
      return void(*out = at.errors.velocity);
    case Kind::tolerance_missed:
      return void(*out = at.tolerance_missed ? 1 : 0);
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
    case Kind::stored:
      return void(*out = at.stored);
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
  expect("input", at.input.size(), names_.inputs.size());
  expect("extra", at.now.extra.size(), names_.extra_states.size());
  expect("outputs", static_cast<Eigen::Index>(at.outputs.size()), names_.outputs.size());
}

void Channels::compute_forces(Workspace& work, const Snapshot& at) {
  if (!closed_) {
    if (needs_reactions_) joint_reactions(work, at.forces, reactions_);
    return;
  }
  if (!needs_reactions_ && !needs_closures_) return;
  if (!at.released.empty() &&
      !std::equal(at.released.begin(), at.released.end(), released_.begin(), released_.end()))
    close(at.released);
  const Eigen::Index motors = efforts_.size() - at.tau.size();
  efforts_.head(at.tau.size()) = at.tau;
  // Inputs begin with the efforts, and voltages or a user's own may stand behind them.
  if (!at.closing.empty())
    efforts_.tail(motors) = Eigen::Map<const Eigen::VectorXd>(at.closing.data(), motors);
  else if (at.input.size() >= efforts_.size())
    efforts_.tail(motors) = at.input.segment(at.tau.size(), motors);
  else
    efforts_.tail(motors).setZero();
  std::fill(closed_->closing_efforts().begin(), closed_->closing_efforts().end(), 0.0);
  if (at.contacts != nullptr) at.contacts->add_forces(efforts_, closed_->closing_efforts());
  if (needs_reactions_) compute_reactions(*closed_, at.now.state, efforts_, at.forces, reactions_);
  if (!needs_closures_) return;
  compute_forward_dynamics(*closed_, at.now.state, efforts_, at.forces, a_);
  linkwright::closure_forces(*closed_, closure_forces_);
}

void Channels::compute(Workspace& work, const Snapshot& at, std::span<double> out) {
  check(work, at, out);
  const State& state = at.now.state;
  compute_forward_kinematics(work, state, at.a);  // checks the state at the door
  compute_forces(work, at);
  const Energy energy =
      stores_in_closing_joints_ ? compute_energy(*closed_, state) : system_energy(work);
  out[0] = state.t;
  std::copy(state.q.begin(), state.q.end(), out.begin() + 1);
  std::copy(state.v.begin(), state.v.end(), out.begin() + 1 + state.q.size());
  for (ColumnGroup& group : groups_) write(group, work, at, energy, out.data() + group.first);
  for (std::size_t i = 0; i < own_.size(); ++i) out[first_own_ + i] = own_[i].value(at.now);
  double* totals = out.data() + first_own_ + own_.size();
  totals[0] = energy.kinetic + energy.potential + at.stored;
  totals[1] = at.errors.position;
  started_ = true;
}

}  // namespace linkwright
