#include "compute/voltages.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "shell/output.hpp"

namespace linkwright::app {

using Eigen::Index;

VoltageRows::VoltageRows(const System& system)
    : nominal_(system),
      demand_(nominal_.drives()),
      drives_(system),
      rates_(system.nv(), nominal_.derivatives_needed()),
      twist_(drives_.count()),
      angles_(Eigen::VectorXd::Zero(drives_.count())),
      speeds_(angles_),
      volts_(drives_.list().size()),
      amperes_(volts_) {}

void VoltageRows::take(double value, double limit, const std::string& where,
                       std::optional<Excess>& worst) {
  if (!(std::abs(value) > limit)) return;
  if (!worst || std::abs(value) > std::abs(worst->value)) worst = {value, where};
}

void VoltageRows::evaluate(ClosedWorkspace& work, const Input& in, const std::string& where,
                           Eigen::VectorXd& out) {
  const Eigen::VectorXd* columns[]{&in.a, &in.j, &in.s, &in.c};
  for (Index n = 0; n < rates_.cols(); ++n) rates_.col(n) = *columns[n];
  drives_.compute_shafts(work, in.state, angles_, speeds_);
  for (Index i = 0; i < twist_.size(); ++i) {
    const actuation::Drive& d = drives_.list()[static_cast<std::size_t>(i)];
    const auto angle = in.motors.find(fmt::format("motor:{}:angle", d.name));
    twist_[i] = angle == in.motors.end() ? std::numeric_limits<double>::quiet_NaN()
                                         : angle->second - angles_[i];
  }
  nominal_.compute_from(in.state, rates_, twist_, demand_);
  Index at = 0;
  for (std::size_t i = 0; i < drives_.list().size(); ++i) {
    const auto k = static_cast<Index>(i);
    const actuation::Drive& d = drives_.list()[i];
    out[at++] = demand_.torque[k];
    if (d.k == 0) continue;
    out[at++] = demand_.current[k];
    out[at++] = demand_.voltage[k];
    take(demand_.current[k], d.motor.current_limit, where, amperes_[i]);
    take(demand_.voltage[k], d.motor.voltage_limit, where, volts_[i]);
  }
}

void VoltageRows::report_limits() const {
  const auto tell = [](const actuation::Drive& d, const std::optional<Excess>& worst,
                       std::string_view what, std::string_view unit, double limit) {
    if (!worst) return;
    report_warning(
        fmt::format("{}{}motor {} would need {:.6g} {}, beyond its {} limit of {:.6g} {}: it "
                    "cannot follow this "
                    "motion",
                    worst->where, worst->where.empty() ? "" : ": ", in_quotes(d.name), worst->value,
                    unit, what, limit, unit));
  };
  for (std::size_t i = 0; i < drives_.list().size(); ++i) {
    const actuation::Drive& d = drives_.list()[i];
    tell(d, volts_[i], "voltage", "V", d.motor.voltage_limit);
    tell(d, amperes_[i], "current", "A", d.motor.current_limit);
  }
}

}  // namespace linkwright::app
