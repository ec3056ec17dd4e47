#pragma once
/// A loop that may be cut at either of two joints.

#include <gtest/gtest.h>

#include "closure/random_mechanism.hpp"
#include "linkwright/closure/assembly.hpp"

namespace linkwright::testing {

/// Two arms that share their last body, which two joints lead to: either of them may close the loop.
struct TwoArms {
  Model model;
  Eigen::VectorXd q;  ///< of the joints in order, without `right_end`
};
inline TwoArms two_arms(RandomMechanism& random, const std::vector<JointType>& types) {
  const auto type = [&] {
    return types[static_cast<std::size_t>(random.integer(0, static_cast<int>(types.size()) - 1))];
  };
  Model model;
  model.gravity = random.vector(10);
  for (const std::string name : {"left1", "left2", "left3", "right1", "right2", "right3", "shared"})
    model.bodies.push_back(random.body(name));
  const auto add = [&](const std::string& name, JointType kind, const std::string& parent,
                       const std::string& child) {
    model.joints.push_back(random.joint(name, kind, parent, child));
  };
  for (const std::string side : {"left", "right"}) {
    add(side + "_a", JointType::revolute, "world", side + "1");
    add(side + "_b", type(), side + "1", side + "2");
    add(side + "_c", JointType::revolute, side + "2", side + "3");
  }
  // One freedom, so that the shared body cannot spin between its two joints.
  add("left_end", random.integer(0, 1) == 0 ? JointType::revolute : JointType::prismatic, "left3",
      "shared");
  const System open = compile(model);
  const State start = random.state(open);
  Workspace work(open);
  compute_forward_kinematics(work, start, Eigen::VectorXd::Zero(open.nv()));
  Joint last = random.joint("right_end", type(), "right3", "shared");
  Closure pair{.name = "pair", .joint = last.type};
  pair.axis = last.axis, pair.axis2 = last.axis2, pair.pitch = last.pitch;
  last.at_child = inverse(frame_pose(work, open.frame("shared"))) *
                  frame_pose(work, open.frame("right3")) * last.pose * random.displacement(pair);
  model.joints.push_back(last);
  return {model, start.q};
}

/// The same position and velocity in a system that cuts elsewhere: what both have is taken over and held.
inline State carry_over(const System& from, const State& state, ClosedWorkspace& to) {
  const System& system = to.system();
  State out(system);
  std::vector<std::string> common;
  for (const JointPlace& joint : system.joints())
    for (const JointPlace& known : from.joints())
      if (known.name == joint.name && joint.nv > 0) {
        out.q.segment(joint.q, joint.nq) = state.q.segment(known.q, known.nq);
        out.v.segment(joint.v, joint.nv) = state.v.segment(known.v, known.nv);
        common.push_back(joint.name);
      }
  const Assembly closed = assemble(to, {.hold = common}, out.q);
  EXPECT_TRUE(closed.assembled) << describe(system, closed.worst);
  project_velocity(to, out.q, common, out.v);
  return out;
}

}  // namespace linkwright::testing
