#pragma once
/// What a model declares to push on its joints and bodies, resolved to indices of the compiled
/// tree.
///
///     const linkwright::JointForces<double>& forces = system.tree().joint_forces;
///     double damping = forces.damping[system.joint("elbow").v];

#include <vector>

#include "linkwright/spatial/motion.hpp"

namespace linkwright {

/// On joints. The lists have one entry per entry of v.
template <class B>
struct JointForces {
  /// Spring on entry q of the position; its damper is part of `damping`.
  struct Spring {
    int q, v;
    B stiffness, rest;
  };
  /// Springs on a joint that carries a quaternion: on the rotation vector and, for a free joint, on
  /// the position of the child, all at rest in the neutral position.
  struct PoseSpring {
    int q, v;
    B stiffness[6];
    bool has_position;
    int coupling = -1;  // of `couplings`; −1: none
  };
  /// What stands off the diagonals of a free joint's stiffness and damping: symmetric, diagonals 0.
  struct Coupling {
    B stiffness[6][6], damping[6][6];
  };
  std::vector<B> damping, load;
  std::vector<B> friction_forward, friction_backward;  // magnitudes
  std::vector<Spring> springs;
  std::vector<PoseSpring> pose_springs;
  std::vector<Coupling> couplings;
  bool any = false;  // whether there is anything at all
};

/// On bodies. Points are in the node's canonical frame.
template <class B>
struct BodyForces {
  struct LineSpring {
    int node_a, node_b;
    spatial::Vector3<B> at_a, at_b;
    B stiffness, damping, rest_length;
    int body_a, body_b;  // indices into Model::bodies; −1 = world
  };
  struct Load {
    int node;
    spatial::Vector3<B> at;
    spatial::Force<B> force;  // in world axes or canonical axes
    bool in_world;
    int body;  // index into Model::bodies; −1 = world
  };
  std::vector<LineSpring> line_springs;
  std::vector<Load> loads;

  [[nodiscard]] bool any() const { return !line_springs.empty() || !loads.empty(); }
};

}  // namespace linkwright
