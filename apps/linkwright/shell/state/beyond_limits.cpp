#include "shell/state/beyond_limits.hpp"

#include <fmt/format.h>

#include <cmath>

#include "linkwright/model/names.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

constexpr std::size_t most_told = 5;

std::vector<double> limits_of(const System& system, Variable variable) {
  std::vector<double> limits(static_cast<std::size_t>(system.nv()));
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    for (int i = 0; i < place.nv; ++i) {
      const Limits of_freedom = per_freedom(system.model().joints[j].limits, i, Limits{});
      limits[static_cast<std::size_t>(place.v + i)] =
          variable == Variable::tau ? of_freedom.effort : of_freedom.velocity;
    }
  }
  if (variable == Variable::tau)
    for (const ClosingMotor& motor : system.closing_motors())
      limits.push_back(system.closures()[static_cast<std::size_t>(motor.closure)]
                           .freedom[motor.freedom]
                           .limits.effort);
  return limits;
}

}  // namespace

BeyondLimits::BeyondLimits(const System& system, Variable variable)
    : system_(system),
      variable_(variable),
      limits_(limits_of(system, variable)),
      worst_(limits_.size()) {}

void BeyondLimits::take(const Eigen::VectorXd& values, const std::string& where) {
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const double value = values[static_cast<Eigen::Index>(i)];
    if (!(std::abs(value) > limits_[i])) continue;
    if (!worst_[i] || std::abs(value) > std::abs(worst_[i]->value)) worst_[i] = {value, where};
  }
}

void BeyondLimits::report() const {
  const std::string_view what = variable_ == Variable::tau ? "effort" : "velocity";
  const std::vector<std::string> names = system_.effort_names();
  std::vector<std::string> untold;
  std::size_t told = 0;
  for (std::size_t i = 0; i < worst_.size(); ++i) {
    if (!worst_[i]) continue;
    const std::string& name = names[i];
    if (told == most_told) {
      untold.push_back(name);
      continue;
    }
    ++told;
    report_warning(fmt::format(
        "{}{}the {} {:.6g} of joint {} exceeds its {} limit {:.6g}; nothing enforces this limit, "
        "the number is used as it is",
        worst_[i]->where, worst_[i]->where.empty() ? "" : ": ", what, worst_[i]->value,
        in_quotes(name), what, limits_[i]));
  }
  if (!untold.empty())
    report_warning(
        fmt::format("the {} limits of {} are exceeded too", what, list_in_quotes(untold)));
}

}  // namespace linkwright::app
