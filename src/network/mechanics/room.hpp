#pragma once
/// What a NetworkWorkspace holds.

#include <optional>

#include "linkwright/network/dynamics.hpp"
#include "network/mechanics/loop_solver.hpp"

namespace linkwright::network::mechanics {

/// The loops of a closed system.
struct ClosedRoom {
  ClosedRoom(const System& system, const Placement& placement);

  ClosedWorkspace work;
  LoopEquations equations;
  LoopSolver solver;
  Eigen::VectorXd
      closing_effort;  // on the freedoms of closing joints, rotors included after the accelerations
  // Of the whole, where it is needed: P, what is to be accelerated, room.
  Eigen::MatrixXd P;
  Eigen::VectorXd right, rest, unit, column;
  LoopReport report;
  bool has_forces = false;
};

struct Room {
  Room(const System& system, Loops loops);

  /// The tree's workspace; that of the closed one where loops are kept.
  [[nodiscard]] Workspace& tree() { return closed ? closed->work.tree() : *open; }

  const System& system;
  SystemGraph graph;
  Placement placement;
  Recursion recursion;
  std::vector<int> body_of_node;
  std::unique_ptr<Workspace> open;
  std::unique_ptr<ClosedRoom> closed;
  Eigen::VectorXd efforts;  // of motors and of what the model declares at its joints
  bool has_wrenches = false, has_rates = false;
};

/// After place(): what motors and the model's own springs, damping and loads do at the joints, into room.efforts.
void find_joint_efforts(Room& room, const State& state, const ConstVectorRef& tau);
/// Of a closed room, after LoopEquations::update: efforts on closing joints enter all joints of their circuits.
void find_closing_efforts(Room& room, const State& state, const ConstVectorRef& tau);

}  // namespace linkwright::network::mechanics
