#pragma once
/// Shafts behind elastic gears, which move by themselves: what they do to a quantity.

#include <string>

#include "compute/quantities.hpp"
#include "linkwright/actuation/drives.hpp"

namespace linkwright::app {

/// Whether a quantity depends on the angle or speed of a shaft, "motor:m1:angle".
bool uses_shaft(const Quantity& quantity, const System& system, const std::string& name);
/// Tells by name the motors whose rotors are no part of the quantity although they are part of the mechanism.
void note_shafts(const Quantity& quantity, const Model& model);

/// The shafts at one state. Angles and speeds are what the input tells of them, else what the file's state says, else
/// those of the gears.
class Shafts {
 public:
  Shafts(ClosedWorkspace& work, const Input& in);

  /// tau += what the gears pass on to the joints; entries as System::effort_names.
  void add_efforts(Eigen::VectorXd& tau) const;
  /// Of rotors, and in springs.
  [[nodiscard]] double kinetic() const;
  [[nodiscard]] double potential() const;
  /// Of every shaft behind an elastic gear, while no torque acts on it but the gear's and its damping.
  void compute_accelerations(Eigen::Ref<Eigen::VectorXd> out) const;

 private:
  actuation::Drives drives_;
  Eigen::VectorXd angles_, speeds_, x_, u_;
};

}  // namespace linkwright::app
