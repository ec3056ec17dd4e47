// Where a peer keeps the numbers of each joint.
#include <algorithm>

#include <fmt/format.h>

#include "linkwright/dynamics/conventions.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

using Kind = ConventionLayout::Kind;

Kind kind_of(const JointPlace& joint, Convention convention) {
  if (joint.type == JointType::spherical) return Kind::spherical;
  if (joint.type == JointType::free) return Kind::free;
  if (convention != Convention::pinocchio) return Kind::same;
  if (joint.type == JointType::continuous) return Kind::cos_sin;
  return joint.type == JointType::planar ? Kind::planar : Kind::same;
}

/// Numbers of the peer's q that stand together, RBDL's w not counted.
int peer_position_count(Kind kind, Convention convention, int ours) {
  switch (kind) {
    case Kind::same:
      return ours;
    case Kind::cos_sin:
      return 2;
    case Kind::planar:
      return 4;
    case Kind::spherical:
      return convention == Convention::drake || convention == Convention::rbdl ? 3 : 4;
    case Kind::free:
      return convention == Convention::rbdl ? 6 : 7;
  }
  return ours;
}

std::vector<const JointPlace*> joints_in_order(const System& system,
                                               std::span<const std::string> order) {
  std::vector<const JointPlace*> joints;
  if (order.empty()) {
    for (const JointPlace& joint : system.joints())
      if (joint.nv > 0) joints.push_back(&joint);
    return joints;
  }
  for (const std::string& name : order) {
    const JointPlace* joint = &system.joint(name);
    if (std::find(joints.begin(), joints.end(), joint) != joints.end())
      throw Error(fmt::format("the joint order names {} twice", in_quotes(name)));
    if (joint->nv > 0) joints.push_back(joint);
  }
  std::vector<std::string> missing;
  for (const JointPlace& joint : system.joints())
    if (joint.nv > 0 && std::find(joints.begin(), joints.end(), &joint) == joints.end())
      missing.push_back(joint.name);
  if (!missing.empty())
    throw Error(fmt::format("the joint order must name every moving joint; {} missing",
                            list_in_quotes(missing)));
  return joints;
}

/// The frame of a joint in the world; the joint's parent must not move.
Pose frame_in_world(const System& system, const JointPlace& place) {
  const auto index = static_cast<std::size_t>(&place - system.joints().data());
  const Joint& joint = system.model().joints[index];
  const FramePlace& parent = system.frame(system.frame(joint.parent));
  if (parent.node != 0)
    throw Error(joint.source, fmt::format("free joint {} hangs on link {}, which moves; MuJoCo has "
                                          "free joints on the world only",
                                          in_quotes(joint.name), in_quotes(joint.parent)));
  return parent.pose * joint.pose;
}

}  // namespace

std::string_view to_string(Convention convention) {
  switch (convention) {
    case Convention::pinocchio:
      return "Pinocchio";
    case Convention::mujoco:
      return "MuJoCo";
    case Convention::drake:
      return "Drake";
    case Convention::rbdl:
      return "RBDL";
  }
  return "unknown";
}

ConventionLayout::ConventionLayout(const System& system, Convention convention,
                                   std::span<const std::string> joint_order)
    : system_(&system), convention_(convention) {
  for (const JointPlace* joint : joints_in_order(system, joint_order)) {
    if (joint->type == JointType::custom && joint->quaternion >= 0)
      throw Error(fmt::format("custom joint {} has modes that do not commute; {} has no such joint",
                              in_quotes(joint->name), to_string(convention)));
    Entry entry{.ours = joint, .kind = kind_of(*joint, convention)};
    entry.q = nq_, entry.v = nv_;
    entry.nq = peer_position_count(entry.kind, convention, joint->nq);
    if (entry.kind == Kind::free && convention == Convention::mujoco)
      entry.parent = frame_in_world(system, *joint);
    nq_ += entry.nq;
    nv_ += joint->nv;
    entries_.push_back(entry);
  }
  if (convention != Convention::rbdl) return;
  for (Entry& entry : entries_)
    if (entry.kind == Kind::spherical || entry.kind == Kind::free) entry.w = nq_++;
}

}  // namespace linkwright
