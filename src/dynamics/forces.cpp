#include "linkwright/dynamics/forces.hpp"

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/sweeps/forces.hpp"

namespace linkwright {
namespace {

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

}  // namespace

BodyForces<double>::Load to_load(const System& system, const ExternalForce& applied) {
  const FramePlace& place = system.frame(applied.frame);
  const bool in_world = applied.axes == Axes::world;
  Force force = applied.force;
  if (!in_world) force = {place.pose.rotation * force.moment, place.pose.rotation * force.force};
  return {place.node, place.pose.translation, force, in_world, place.body};
}

const Force* gather_body_forces(const System& system, ScratchD& s, const State& state,
                                ExternalForces forces) {
  const TreeD& tree = system.tree();
  if (forces.empty() && !tree.body_forces.any()) return nullptr;
  kernels().poses(tree, s);
  std::fill(s.f_ext.begin(), s.f_ext.end(), Force{});
  for (const ExternalForce& applied : forces) {
    const auto load = to_load(system, applied);
    if (load.node != 0) s.f_ext[static_cast<std::size_t>(load.node)] += sweeps::load_force(s, load);
  }
  if (tree.body_forces.any()) {
    check_springs(system, s);
    kernels().velocities(tree, s, state.v.data());
    kernels().body_forces(tree, s);
  }
  return s.f_ext.data();
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
