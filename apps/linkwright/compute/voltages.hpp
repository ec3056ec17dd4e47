#pragma once
/// Voltages along rows of a motion, and which of them no motor could take.

#include <optional>
#include <string>
#include <vector>

#include "linkwright/actuation/voltages.hpp"
#include "shell/state/coordinates.hpp"

namespace linkwright::app {

class VoltageRows {
 public:
  /// The System must outlive it.
  explicit VoltageRows(const System& system);

  /// Torque, current and voltage of every motor, as result_names::voltages has them; `where` names the row. Twists
  /// of gears with damping are those of the shafts that the input tells, otherwise settled ones.
  void evaluate(ClosedWorkspace& work, const Input& in, const std::string& where,
                Eigen::VectorXd& out);
  /// A warning for each limit that a row exceeds, with the number that does so most.
  void report_limits() const;

 private:
  struct Excess {
    double value = 0;
    std::string where;
  };
  static void take(double value, double limit, const std::string& where,
                   std::optional<Excess>& worst);

  actuation::NominalVoltages nominal_;
  actuation::MotorDemand demand_;
  actuation::Drives drives_;
  Eigen::MatrixXd rates_;
  Eigen::VectorXd twist_, angles_, speeds_;
  std::vector<std::optional<Excess>> volts_, amperes_;
};

}  // namespace linkwright::app
