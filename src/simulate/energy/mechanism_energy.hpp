#pragma once
/// Energy as the equations of a simulation see it: that of the tree, or of the mechanism whose closing
/// joints carry springs and rotors.

#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/dynamics/energy.hpp"

namespace linkwright {

class MechanismEnergy {
 public:
  /// `closed`: the closures are obeyed.
  MechanismEnergy(const System& system, bool closed) : work_(system), closed_(closed) {}

  [[nodiscard]] const System& system() const { return work_.system(); }
  [[nodiscard]] bool closed() const { return closed_; }
  Energy compute(const State& state) {
    return closed_ ? compute_energy(work_, state) : compute_energy(work_.tree(), state);
  }
  /// Holds the kinematics of that state.
  [[nodiscard]] Workspace& tree() { return work_.tree(); }
  [[nodiscard]] const Workspace& tree() const { return work_.tree(); }

 private:
  ClosedWorkspace work_;
  bool closed_;
};

}  // namespace linkwright
