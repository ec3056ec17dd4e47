#include "linkwright/dynamics/energy.hpp"

#include <algorithm>

#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "dynamics/placing.hpp"

namespace linkwright {
namespace {

double rotor_energy(const System& system, const double* v) {
  double twice = 0;
  for (const double rotor : system.rotor_inertia()) twice += rotor * *v * *v, ++v;
  return 0.5 * twice;
}

double spring_energy(const Workspace& work, const double* q) {
  const TreeD& tree = work.system().tree();
  const ScratchD& s = work.scratch();
  double twice = 0;
  for (const auto& spring : tree.joint_forces.springs) {
    const double x = q[spring.q] - spring.rest;
    twice += spring.stiffness * x * x;
  }
  for (const auto& spring : tree.joint_forces.pose_springs) {
    const double* x = q + spring.q;
    const Vector3 phi = spatial::log_rotation(normalized(Quaternion{x[0], x[1], x[2], x[3]}));
    double c[6] = {phi.x, phi.y, phi.z};
    if (spring.has_position) std::copy(x + 4, x + 7, c + 3);
    for (int i = 0; i < 6; ++i) twice += spring.stiffness[i] * c[i] * c[i];
    if (spring.coupling < 0) continue;
    const auto& K =
        tree.joint_forces.couplings[static_cast<std::size_t>(spring.coupling)].stiffness;
    for (int i = 0; i < 36; ++i) twice += K[i / 6][i % 6] * c[i / 6] * c[i % 6];
  }
  for (const auto& spring : tree.body_forces.line_springs) {
    const Vector3 d = s.pose[static_cast<std::size_t>(spring.node_b)] * spring.at_b -
                      s.pose[static_cast<std::size_t>(spring.node_a)] * spring.at_a;
    const double x = norm(d) - spring.rest_length;
    twice += spring.stiffness * x * x;
  }
  return 0.5 * twice;
}

void check_moved(const Workspace& work, const char* reader) {
  door::check_held(work, Held::poses, reader);
  door::check_held(work, Held::velocities, reader);
}

}  // namespace

Energy system_energy(const Workspace& work) {
  check_moved(work, "system_energy");
  // Rotors and springs on joints have no place in the bodies' motion.
  door::check_held(work, Held::state, "system_energy");
  const System& system = work.system();
  const double* q = work.placed().data();
  const ScratchD& s = work.scratch();
  Energy energy{rotor_energy(system, q + system.nq()), spring_energy(work, q)};
  for (std::size_t k = 1; k < system.tree().nodes.size(); ++k) {
    const Inertia& M = system.tree().nodes[k].M;
    energy.kinetic += 0.5 * dot(M * s.V[k], s.V[k]);
    energy.potential -= dot(system.tree().gravity,
                            M.mass * s.pose[k].translation + s.pose[k].rotation * M.first_moment);
  }
  return energy;
}

Momentum system_momentum(const Workspace& work) {
  check_moved(work, "system_momentum");
  const ScratchD& s = work.scratch();
  const CentreOfMass centre = system_centre_of_mass(work);
  Momentum total;
  for (std::size_t k = 1; k < work.system().tree().nodes.size(); ++k) {
    const Force h = work.system().tree().nodes[k].M * s.V[k];
    const Vector3 linear = s.pose[k].rotation * h.force;
    total.linear += linear;
    total.angular +=
        s.pose[k].rotation * h.moment + cross(s.pose[k].translation - centre.position, linear);
  }
  return total;
}

CentreOfMass system_centre_of_mass(const Workspace& work) {
  check_moved(work, "system_centre_of_mass");
  const auto& nodes = work.system().tree().nodes;
  const ScratchD& s = work.scratch();
  CentreOfMass total;
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    const Inertia& M = nodes[k].M;
    total.mass += M.mass;
    total.position += M.mass * s.pose[k].translation + s.pose[k].rotation * M.first_moment;
    total.velocity += s.pose[k].rotation * (M * s.V[k]).force;
  }
  if (total.mass > 0) {
    total.position = (1 / total.mass) * total.position;
    total.velocity = (1 / total.mass) * total.velocity;
  }
  return total;
}

Energy compute_energy(Workspace& work, const State& state) {
  place_and_move(work, state);
  return system_energy(work);
}

Momentum compute_momentum(Workspace& work, const State& state) {
  place_and_move(work, state);
  return system_momentum(work);
}

CentreOfMass compute_centre_of_mass(Workspace& work, const State& state) {
  place_and_move(work, state);
  return system_centre_of_mass(work);
}

}  // namespace linkwright
