#include "linkwright/dynamics/forces.hpp"

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/sweeps/forces.hpp"

namespace linkwright {

void check_springs(const System& system, const ScratchD& s) {
  const auto& springs = system.tree().body_forces.line_springs;
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const auto& spring = springs[i];
    const Vector3 d = s.pose[static_cast<std::size_t>(spring.node_b)] * spring.at_b -
                      s.pose[static_cast<std::size_t>(spring.node_a)] * spring.at_a;
    if (spring.rest_length == 0 || norm(d) > 0) continue;
    const LineSpring& described = system.model().line_springs[i];
    throw Error(
        described.source,
        fmt::format("the spring between '{}' and '{}' has both ends in one place, so its force "
                    "has no direction: move an attachment point or set its rest length to 0",
                    described.body_a, described.body_b),
        Error::Kind::failed_computation);
  }
}

BodyForces<double>::Load to_load(const System& system, const ExternalForce& applied) {
  const FramePlace& place = system.frame(applied.frame);
  const bool in_world = applied.axes == Axes::world;
  Force force = applied.force;
  if (!in_world) force = {place.pose.rotation * force.moment, place.pose.rotation * force.force};
  return {place.node, place.pose.translation, force, in_world, place.body};
}

ExternalLoads<double> to_loads(const AppliedForces& applied) {
  return {static_cast<int>(applied.forces.size()), &applied, [](const void* source, int i) {
            const auto& from = *static_cast<const AppliedForces*>(source);
            return to_load(from.system, from.forces[static_cast<std::size_t>(i)]);
          }};
}

void check_forces(const System& system, ExternalForces forces) {
  for (std::size_t i = 0; i < forces.size(); ++i) {
    door::check_frame(system, forces[i].frame);
    const auto x = to_eigen(forces[i].force);
    if (!x.allFinite())
      throw Error(
          fmt::format("external force {} on '{}' is not finite: moment ({}, {}, {}), force "
                      "({}, {}, {})",
                      i, system.frame(forces[i].frame).name, x[0], x[1], x[2], x[3], x[4], x[5]));
  }
}

void compute_joint_forces(Workspace& work, const State& state, VectorRef out) {
  door::check_state(work.system(), state);
  door::check_output(out.size(), work.system().nv(), "out");
  out.setZero();
  kernels().joint_forces(work.system().tree(), state.q.data(), state.v.data(), out.data());
}

}  // namespace linkwright
