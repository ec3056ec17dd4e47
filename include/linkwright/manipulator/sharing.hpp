#pragma once
/// Who carries how much: contact forces and motor efforts for a load, within friction cones and effort
/// limits.
///
///     using namespace linkwright::manipulator;
///     LoadSharing shared = share_load(work, state, {.rule = SharingRule::least_torque});
///     if (!shared.feasible) fmt::print("{}\n", shared.reason);
///     double left = shared.contacts[0].normal;             // newtons along the normal
///
/// Given accelerations, the forces c of the contacts, λ of all other closures and τ of the motors must do
///     J_cᵀ c + J_eᵀ λ + T τ = M v̇ + bias − joint_forces − Σ Jᵀ f
/// and what is left open is chosen: least Σ weight |c|² or least Σ τ². Whatever the rule does not see is
/// least in size. Solved by cones/csdp.cpp and then exactly on the conditions that turn out to be active.

#include <string>
#include <vector>

#include "linkwright/dynamics/forces.hpp"
#include "linkwright/manipulator/grasp.hpp"

namespace linkwright::manipulator {

enum class SharingRule {
  least_squares,  ///< least Σ |force|² + |moment / length|² over all contacts
  weighted,       ///< the same with a weight for each contact
  least_torque    ///< least Σ τ² over all motors, newtons and newton metres alike
};

struct SharingOptions {
  SharingRule rule = SharingRule::least_squares;
  std::vector<double> weights{};  ///< weighted: one per grasp of the model, positive
  enum class Bounds { respect, ignore };
  Bounds cones = Bounds::respect, efforts = Bounds::respect;
  double reserve = 0;  ///< part of the friction that is kept back: contacts use (1 − reserve) of it
  /// Accelerations of an object's own freedoms; the hands follow. Empty: nothing accelerates but what the
  /// closures demand. What no motor and no contact can hold, a base that floats or a limp joint, moves as
  /// the forces make it, as long as the objects do as they are told.
  std::string object{};
  std::vector<double> acceleration{};
};

/// What one grasp gives.
struct SharedContact {
  std::string name{};
  std::vector<double> forces{};                  ///< in the directions of GraspContact
  double force = 0, moment = 0;                  ///< the sizes of all it passes on
  double normal = 0, tangential = 0, twist = 0;  ///< of a rigid contact, which has no normal: 0
  double margin = 0;  ///< newtons, as in closure/grasp_contacts.hpp; infinite: it holds both ways
};
/// What one motor gives.
struct SharedEffort {
  std::string name{};
  double effort = 0;
  double limit = 0;  ///< may be infinite
};

struct LoadSharing {
  bool feasible = false;
  /// Otherwise: which contacts and motors stand in the way, and by how much.
  std::string reason{};
  std::vector<std::string> blocking{};  ///< their names
  double shortage = 0;  ///< newtons by which all cones and limits would have to be wider
  std::vector<SharedContact>
      contacts{};  ///< of all grasps; not feasible: the ones that come nearest
  std::vector<SharedEffort> motors{};
  double cost = 0;      ///< what the rule makes least
  double residual = 0;  ///< of the equations of motion, relative
  /// How far from the best: length of the gradient that no active condition carries, relative.
  double optimality = 0;
  /// Feasible, but the solver stopped short of its tolerance of 1e-9, and what follows it did not make
  /// up for that: `optimality` says by how much.
  bool approximate = false;
};

LoadSharing share_load(ClosedWorkspace& work, const State& state,
                       const SharingOptions& options = {}, ExternalForces forces = {});

}  // namespace linkwright::manipulator
