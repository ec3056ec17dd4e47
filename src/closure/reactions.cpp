#include <vector>

#include "dynamics/door.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

/// A force at a place on a body's node, as one at the body's own frame.
ExternalForce at_body(const System& system, int body, const Pose& place, const Force& force) {
  const FrameId frame{body + 1};
  return {frame, to_parent(inverse(system.frame(frame).pose) * place, force), Axes::own};
}

/// The closures' forces on both of their bodies, behind those given.
std::vector<ExternalForce> add_closures(const ClosedWorkspace& work, ExternalForces given,
                                        const std::vector<Force>& closures) {
  const System& system = work.system();
  const auto& pose = work.tree().scratch().pose;
  std::vector<ExternalForce> all(given.begin(), given.end());
  for (std::size_t i = 0; i < closures.size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    if (is_among_joints(c.kind)) continue;  // an effort, and no force on a body
    const Pose X = closure::relative_pose(c, pose[at(c.node_a)], pose[at(c.node_b)]);
    all.push_back(at_body(system, c.body_b, c.at_b, closures[i]));
    all.push_back(at_body(system, c.body_a, c.at_a, -to_parent(X, closures[i])));
  }
  return all;
}

}  // namespace

void compute_reactions(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                       ExternalForces forces, std::span<Force> reactions) {
  const System& system = work.system();
  const std::size_t joints = system.joints().size(), closures = system.closures().size();
  door::check_output(static_cast<Eigen::Index>(reactions.size()),
                     static_cast<Eigen::Index>(joints + closures), "reactions");
  Eigen::VectorXd a(system.nv());
  compute_forward_dynamics(work, state, tau, forces, a);
  std::vector<Force> through(closures);
  closure_forces(work, through);
  const std::vector<ExternalForce> all = add_closures(work, forces, through);
  for (std::size_t i = 0; i < closures; ++i) {
    const ClosurePlace& c = system.closures()[i];
    reactions[joints + i] =
        is_among_joints(c.kind) ? Force{} : at_body(system, c.body_b, c.at_b, through[i]).force;
  }
  compute_reactions(work.tree(), state, a, all, reactions.first(joints));
}

}  // namespace linkwright
