#include "shell/state/beyond_limits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwright/model/names.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

constexpr std::size_t most_told = 5;

/// A free joint hung from the world, without a motor: what acts there is no joint's effort.
bool is_afloat(const Model& model, const Joint& joint) {
  return joint.type == JointType::free && joint.parent == "world" &&
         std::none_of(model.actuators.begin(), model.actuators.end(),
                      [&](const Actuator& actuator) { return actuator.joint == joint.name; });
}

}  // namespace

std::vector<BeyondLimits::Range> BeyondLimits::find_ranges() const {
  const bool positions = variable_ == Variable::q;
  std::vector<Range> ranges(static_cast<std::size_t>(positions ? system_.nq() : system_.nv()));
  for (std::size_t j = 0; j < system_.joints().size(); ++j) {
    const JointPlace& place = system_.joints()[j];
    if (positions && place.nq != place.nv) continue;  // a quaternion has none
    for (int i = 0; i < place.nv; ++i) {
      const Limits limits = per_freedom(system_.model().joints[j].limits, i, Limits{});
      const double most = variable_ == Variable::tau ? limits.effort : limits.velocity;
      ranges[static_cast<std::size_t>((positions ? place.q : place.v) + i)] =
          positions ? Range{limits.lower, limits.upper} : Range{-most, most};
    }
  }
  if (variable_ == Variable::tau)
    for (const ClosingMotor& motor : system_.closing_motors()) {
      const double most = system_.closures()[static_cast<std::size_t>(motor.closure)]
                              .freedom[motor.freedom]
                              .limits.effort;
      ranges.push_back({-most, most});
    }
  return ranges;
}

BeyondLimits::BeyondLimits(const System& system, Variable variable)
    : system_(system), variable_(variable), ranges_(find_ranges()), worst_(ranges_.size()) {}

void BeyondLimits::take(const Eigen::VectorXd& values, const std::string& where) {
  // Simulations stop at a limit to within rounding.
  const double slack = variable_ == Variable::q ? 1e-6 : 0;
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const double value = values[static_cast<Eigen::Index>(i)];
    const double by = std::max(ranges_[i].lower - value, value - ranges_[i].upper);
    if (!(by > slack)) continue;
    if (!worst_[i] || by > worst_[i]->by) worst_[i] = {value, by, where};
  }
  if (variable_ != Variable::tau) return;
  for (std::size_t j = 0; j < system_.joints().size(); ++j) {
    const JointPlace& place = system_.joints()[j];
    const int known = static_cast<int>(j);
    if (is_afloat(system_.model(), system_.model().joints[j]) &&
        !values.segment(place.v, place.nv).isZero(0) &&
        std::find(pushed_.begin(), pushed_.end(), known) == pushed_.end())
      pushed_.push_back(known);
  }
}

std::string BeyondLimits::message(const Excess& worst, std::size_t entry,
                                  const std::string& name) const {
  const std::string start = worst.where.empty() ? std::string() : worst.where + ": ";
  if (variable_ == Variable::q)
    return fmt::format(
        "{}the position {:.6g} of joint {} is beyond its limits {:.6g} … {:.6g} (radians, or "
        "metres); "
        "the number is used as it is",
        start, worst.value, in_quotes(name), ranges_[entry].lower, ranges_[entry].upper);
  const std::string_view what = variable_ == Variable::tau ? "effort" : "velocity";
  return fmt::format(
      "{}the {} {:.6g} of joint {} exceeds its {} limit {:.6g}; nothing enforces this limit, "
      "the number is used as it is",
      start, what, worst.value, in_quotes(name), what, ranges_[entry].upper);
}

void BeyondLimits::note_pushes() const {
  for (const int j : pushed_) {
    const Joint& joint = system_.model().joints[static_cast<std::size_t>(j)];
    report_note(
        fmt::format("the effort of joint {} pushes link {} from outside, as thrusters would; where "
                    "nothing does, mark "
                    "the joint `passive`",
                    in_quotes(joint.name), in_quotes(joint.child)));
  }
}

void BeyondLimits::report() const {
  const std::vector<std::string> names =
      variable_ == Variable::q ? system_.position_names() : system_.effort_names();
  std::vector<std::string> untold;
  std::size_t told = 0;
  for (std::size_t i = 0; i < worst_.size(); ++i) {
    if (!worst_[i]) continue;
    if (told == most_told) {
      untold.push_back(names[i]);
      continue;
    }
    ++told;
    report_warning(message(*worst_[i], i, names[i]));
  }
  if (!untold.empty()) {
    const std::string_view what = variable_ == Variable::q     ? "position"
                                  : variable_ == Variable::tau ? "effort"
                                                               : "velocity";
    report_warning(
        fmt::format("the {} limits of {} are exceeded too", what, list_in_quotes(untold)));
  }
  note_pushes();
}

void report_beyond_limits(const System& system, Variable variable, const Eigen::VectorXd& values) {
  BeyondLimits beyond(system, variable);
  beyond.take(values);
  beyond.report();
}

}  // namespace linkwright::app
