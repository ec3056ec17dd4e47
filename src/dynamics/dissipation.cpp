#include "linkwright/dynamics/dissipation.hpp"

#include <algorithm>

namespace linkwright {
namespace {

bool any_nonzero(const std::vector<double>& values, int first, int count) {
  return std::any_of(values.begin() + first, values.begin() + first + count,
                     [](double x) { return x != 0; });
}

/// Breakaway friction acts at rest, where nothing is lost.
bool drains(const System& system, int first, int count) {
  const JointForces<double>& forces = system.tree().joint_forces;
  return any_nonzero(forces.damping, first, count) ||
         any_nonzero(forces.friction_forward, first, count) ||
         any_nonzero(forces.friction_backward, first, count);
}

template <class Judge>
bool any_closing(const System& system, const Judge& judge) {
  return std::any_of(system.closures().begin(), system.closures().end(),
                     [&](const ClosurePlace& place) {
                       return std::any_of(place.freedom, place.freedom + place.freedoms, judge);
                     });
}

}  // namespace

bool drains_energy(const System& system, const JointPlace& joint) {
  return drains(system, joint.v, joint.nv);
}

bool drains_energy(const System& system) {
  const auto& springs = system.tree().body_forces.line_springs;
  return drains(system, 0, system.nv()) ||
         any_closing(system,
                     [](const ClosingFreedom& f) {
                       return f.damping != 0 || f.friction_forward != 0 || f.friction_backward != 0;
                     }) ||
         std::any_of(springs.begin(), springs.end(),
                     [](const auto& spring) { return spring.damping != 0; });
}

}  // namespace linkwright
