#include "viewer/skeleton.hpp"

#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/dynamics/workspace.hpp"
#include "viewer/closure_data.hpp"

namespace linkwright::viewer {
namespace {

void place(const System& system, const ConstVectorRef& q, Skeleton& skeleton) {
  Workspace work(system, Closures::leave_out);  // places what is given, computes no motion
  State state(system);
  state.q = q;
  compute_forward_kinematics(work, state, Eigen::VectorXd::Zero(system.nv()));
  for (std::size_t b = 0; b < skeleton.bodies.size(); ++b)
    skeleton.bodies[b].pose = frame_pose(work, {static_cast<int>(b)});
}

void link(const System& system, Skeleton& skeleton) {
  const Model& model = system.model();
  skeleton.order = {0};
  for (const int index : system.body_order()) {
    const auto b = static_cast<std::size_t>(index) + 1;
    const auto j = static_cast<std::size_t>(system.joint_of_body(index));
    SkeletonBody& body = skeleton.bodies[b];
    body.body = &model.bodies[b - 1];
    body.joint = &model.joints[j];
    body.parent = static_cast<std::size_t>(system.joints()[j].parent + 1);
    SkeletonBody& parent = skeleton.bodies[body.parent];
    const bool welded = system.joints()[j].nv == 0;
    body.group = welded ? parent.group : b;
    body.depth = parent.depth + (welded ? 0 : 1);
    parent.children.push_back(b);
    skeleton.order.push_back(b);
  }
}

void find_what_matters(Skeleton& skeleton) {
  for (auto b = skeleton.order.rbegin(); b != skeleton.order.rend(); ++b) {
    SkeletonBody& body = skeleton.bodies[*b];
    body.matters = body.matters || body.has_mass();
    const bool moves = body.joint != nullptr && velocity_count(*body.joint) > 0;
    if (body.joint != nullptr && (body.matters || moves))
      skeleton.bodies[body.parent].matters = true;
  }
}

void add_closures(const System& system, Skeleton& skeleton) {
  for (const ClosurePlace& place : system.closures()) {
    if (is_among_joints(place.kind)) continue;
    const bool is_bearing = place.freedoms > 0 && place.freedoms < 3;
    const auto add = [&](int body, const Pose& at) {
      if (body < 0 && !is_bearing) return;
      skeleton.bodies[static_cast<std::size_t>(body + 1)].closures.push_back(
          in_body(system, body, at).translation);
    };
    add(place.body_a, place.at_a);
    add(place.body_b, place.at_b);
  }
}

}  // namespace

Skeleton make_skeleton(const System& system, const ConstVectorRef& q) {
  Skeleton skeleton;
  skeleton.bodies.resize(system.model().bodies.size() + 1);
  link(system, skeleton);
  place(system, q, skeleton);
  const auto first_frame = skeleton.bodies.size();
  for (std::size_t f = first_frame; f < system.frames().size(); ++f) {
    const auto body = static_cast<std::size_t>(system.frames()[f].body + 1);
    skeleton.bodies[body].frames.push_back(system.model().frames[f - first_frame].pose.translation);
  }
  add_closures(system, skeleton);
  find_what_matters(skeleton);
  return skeleton;
}

}  // namespace linkwright::viewer
