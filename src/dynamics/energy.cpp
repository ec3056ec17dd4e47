#include "linkwright/dynamics/energy.hpp"

#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"

namespace linkwright {
namespace {

void place_and_move(Workspace& work, const State& state) {
  const System& system = work.system();
  door::check_state(system, state);
  ScratchD& s = work.scratch();
  kernels().place(system.tree(), s, state.q.data());
  kernels().poses(system.tree(), s);
  kernels().velocities(system.tree(), s, state.v.data());
}

double rotor_energy(const System& system, const State& state) {
  double twice = 0;
  for (std::size_t k = 1; k < system.tree().nodes.size(); ++k) {
    const Node<double>& node = system.tree().nodes[k];
    for (int i = 0; i < node.d; ++i) {
      const double rotor = node.modes < 0
                               ? node.rotor
                               : system.tree().modes[static_cast<std::size_t>(node.modes)].rotor[i];
      twice += rotor * state.v[node.v + i] * state.v[node.v + i];
    }
  }
  return 0.5 * twice;
}

double spring_energy(const Workspace& work, const State& state) {
  const TreeD& tree = work.system().tree();
  const ScratchD& s = work.scratch();
  double twice = 0;
  for (const auto& spring : tree.joint_forces.springs) {
    const double x = state.q[spring.q] - spring.rest;
    twice += spring.stiffness * x * x;
  }
  for (const auto& spring : tree.joint_forces.pose_springs) {
    const double* q = state.q.data() + spring.q;
    const Vector3 phi = spatial::log_rotation(normalized(Quaternion{q[0], q[1], q[2], q[3]}));
    const auto& k = spring.stiffness;
    twice += k[0] * phi.x * phi.x + k[1] * phi.y * phi.y + k[2] * phi.z * phi.z;
    if (spring.has_position) twice += k[3] * q[4] * q[4] + k[4] * q[5] * q[5] + k[5] * q[6] * q[6];
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

Energy system_energy(const Workspace& work, const State& placed) {
  check_moved(work, "system_energy");
  const System& system = work.system();
  const ScratchD& s = work.scratch();
  Energy energy{rotor_energy(system, placed), spring_energy(work, placed)};
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
  return system_energy(work, state);
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
