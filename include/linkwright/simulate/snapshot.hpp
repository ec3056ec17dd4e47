#pragma once
/// Everything about one moment of a run, as a recorder wants it.
///
///     simulation.run(10, 0.1, [&](const linkwright::Snapshot& at) {
///       std::cout << at.now.state.t << ' ' << at.a.norm() << '\n';
///       return true;  // go on
///     });

#include <span>

#include "linkwright/simulate/equations.hpp"

namespace linkwright {

struct Snapshot {
  const FullState& now;
  const Eigen::VectorXd& a;            ///< accelerations
  const Eigen::VectorXd& input;        ///< what the controllers and the constant inputs give
  const Eigen::VectorXd& tau;          ///< the efforts on the joints that come of it
  ExternalForces forces{};             ///< forces of the loads
  ConstraintErrors errors{};           ///< how far the state is from its constraints
  const Contacts* contacts = nullptr;  ///< friction and stops at that moment; null: there are none
  /// adams, bdf, ida: whether the estimated error has been larger than the tolerance, here or before.
  bool tolerance_missed = false;
  /// Efforts on the motors of closing joints; empty: the inputs behind those of the tree are they, as in
  /// System::effort_names.
  std::span<const double> closing{};
  std::span<const double> outputs{};  ///< what the equations tell besides (Equations::outputs)
  double stored = 0;  ///< energy in the extra states, joules; 0 where it is not known
  std::span<const char>
      released{};  ///< per grasp of the model, whether it has let go; empty: none has
};

}  // namespace linkwright
