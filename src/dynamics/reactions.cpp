// Joint reactions by the balance of each body as the file has it: welds are joints like any other.
//
//   reaction(j) = M α + b − external forces on the child + Σ reactions of the joints that hang on it
#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/dynamics/sweeps/forces.hpp"

namespace linkwright {
namespace {

/// What it takes to move one body against gravity, about its node's origin.
Force inertial_force(const Workspace& work, int body) {
  const ScratchD& s = work.scratch();
  const FramePlace& place = work.system().frame(FrameId{body + 1});
  const auto k = static_cast<std::size_t>(place.node);
  const Body& described = work.system().model().bodies[static_cast<std::size_t>(body)];
  const Inertia M = to_parent(
      place.pose, spatial::inertia_from_com(described.mass, described.com, described.inertia));
  const Vector3& w = s.V[k].angular;
  Motion alpha = s.alpha[k];
  alpha.linear -= transpose_times(s.pose[k].rotation, work.system().tree().gravity);
  return M * alpha + Force{cross(w, M.rotational * w), cross(w, cross(w, M.first_moment))};
}

void subtract_loads(const Workspace& work, ExternalForces forces, std::span<Force> on_body) {
  const System& system = work.system();
  const ScratchD& s = work.scratch();
  const auto push = [&](int body, const Force& f) {
    if (body >= 0) on_body[static_cast<std::size_t>(body)] -= f;
  };
  for (const ExternalForce& applied : forces) {
    const auto load = to_load(system, applied);
    push(load.body, sweeps::load_force(s, load));
  }
  for (const auto& load : system.tree().body_forces.loads)
    push(load.body, sweeps::load_force(s, load));
  for (const auto& spring : system.tree().body_forces.line_springs) {
    const Vector3 F = sweeps::spring_pull(s, spring);
    push(spring.body_a, sweeps::at_point(s, spring.node_a, spring.at_a, F));
    push(spring.body_b, sweeps::at_point(s, spring.node_b, spring.at_b, -F));
  }
}

}  // namespace

void compute_reactions(Workspace& work, const State& state, const ConstVectorRef& a,
                       ExternalForces forces, std::span<Force> reactions) {
  door::check_output(static_cast<Eigen::Index>(reactions.size()),
                     static_cast<Eigen::Index>(work.system().joints().size()), "reactions");
  check_forces(work.system(), forces);
  compute_forward_kinematics(work, state, a);
  joint_reactions(work, forces, reactions);
}

void joint_reactions(Workspace& work, ExternalForces forces, std::span<Force> reactions) {
  const System& system = work.system();
  door::check_output(static_cast<Eigen::Index>(reactions.size()),
                     static_cast<Eigen::Index>(system.joints().size()), "reactions");
  check_forces(system, forces);
  for (const Held what : {Held::poses, Held::velocities, Held::accelerations})
    door::check_held(work, what, "joint_reactions");
  const ScratchD& s = work.scratch();
  const std::span<Force> on_body = work.body_forces();
  for (std::size_t b = 0; b < on_body.size(); ++b)
    on_body[b] = inertial_force(work, static_cast<int>(b));
  subtract_loads(work, forces, on_body);
  const auto& order = system.body_order();
  for (std::size_t i = order.size(); i-- > 0;) {
    const int body = order[i];
    const auto j = static_cast<std::size_t>(system.joint_of_body(body));
    const Force& total = on_body[static_cast<std::size_t>(body)];
    const FramePlace& child = system.frame(FrameId{body + 1});
    reactions[j] = to_child(child.pose, total);
    const int parent = system.joints()[j].parent;
    if (parent < 0) continue;
    const auto from = static_cast<std::size_t>(child.node),
               to = static_cast<std::size_t>(system.frame(FrameId{parent + 1}).node);
    Force& sum = on_body[static_cast<std::size_t>(parent)];
    sum += from == to ? total : to_parent(inverse(s.pose[to]) * s.pose[from], total);
  }
}

}  // namespace linkwright
