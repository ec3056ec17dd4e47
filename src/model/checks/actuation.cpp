#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <unordered_set>

#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {
namespace {

bool has_electrical_side(const Actuator::Motor& motor) {
  return motor.Ra != 0 || motor.La != 0 || motor.k != 0 || std::isfinite(motor.voltage_limit) ||
         std::isfinite(motor.current_limit);
}

/// The judgements about one actuator; each tells its mistake and how a lenient reader takes it.
class ActuatorCheck {
 public:
  ActuatorCheck(const Model& model, const Names& names, std::size_t index, Problems& problems)
      : model_(model),
        names_(names),
        index_(index),
        actuator_(model.actuators[index]),
        thing_("actuator " + in_quotes(actuator_.name)),
        problems_(problems) {}

  void check() {
    // Repairs run from the last to the first, so the one that drops the actuator stands first.
    problems_.attempt_or_repair([&] { check_joint(); }, {"this actuator is dropped", dropped()});
    if (!std::isfinite(actuator_.gear) || actuator_.gear == 0)
      refuse(fmt::format("its gear is {}; expected the ratio motor speed to joint speed, 1 for "
                         "direct drive",
                         actuator_.gear),
             "taken as 1", [](Actuator& a) { a.gear = 1; });
    if (actuator_.motor) check_motor(*actuator_.motor);
  }

 private:
  using Motor = Actuator::Motor;

  void check_joint() {
    const Joint joint =
        require_moving_pair(actuator_.source, thing_, actuator_.joint, model_, names_);
    require_freedom(actuator_.source, thing_, joint, actuator_.freedom);
    if (per_freedom(joint.passive, actuator_.freedom, false))
      throw Error(
          actuator_.source,
          fmt::format("{} drives freedom {} of joint {}, which is passive: it has no motor. "
                      "Remove the actuator or the joint's `passive` mark",
                      thing_, actuator_.freedom, in_quotes(joint.name)));
  }

  void check_motor(const Motor& motor) {
    not_negative("its rotor_inertia", &Motor::rotor_inertia);
    not_negative("its damping", &Motor::damping);
    if (!has_electrical_side(motor)) return;
    not_negative("La", &Motor::La);
    if (!std::isfinite(motor.Ra) || motor.Ra <= 0)
      refuse(fmt::format("Ra (ohm) is {}; expected more than zero", motor.Ra),
             "its electrical side is left out", &leave_out_electrical_side);
    if (!std::isfinite(motor.k))
      refuse(fmt::format("k is {}; expected a finite number", motor.k),
             "its electrical side is left out", &leave_out_electrical_side);
    limit("its voltage_limit (V)", &Motor::voltage_limit);
    limit("its current_limit (A)", &Motor::current_limit);
  }

  void not_negative(std::string_view what, double Motor::*value) {
    const double given = (*actuator_.motor).*value;
    if (!std::isfinite(given) || given < 0)
      refuse(fmt::format("{} is {}; expected zero or more", what, given), "taken as 0",
             [value](Actuator& a) { (*a.motor).*value = 0; });
  }

  void limit(std::string_view what, double Motor::*value) {
    const double given = (*actuator_.motor).*value;
    if (!(given > 0))
      refuse(fmt::format("{} is {}; expected more than zero", what, given), "taken as no limit",
             [value](Actuator& a) { (*a.motor).*value = std::numeric_limits<double>::infinity(); });
  }

  static void leave_out_electrical_side(Actuator& actuator) {
    const Motor& motor = *actuator.motor;
    actuator.motor = Motor{.rotor_inertia = motor.rotor_inertia, .damping = motor.damping};
  }

  template <class Change>
  void refuse(const std::string& message, std::string_view meaning, const Change& change) {
    problems_.refuse(actuator_.source, thing_ + ": " + message,
                     {std::string(meaning),
                      [i = index_, change](Model& changed) { change(changed.actuators[i]); }});
  }

  [[nodiscard]] std::function<void(Model&)> dropped() const {
    return [i = index_](Model& changed) {
      changed.actuators.erase(changed.actuators.begin() + static_cast<std::ptrdiff_t>(i));
    };
  }

  const Model& model_;
  const Names& names_;
  std::size_t index_;
  const Actuator& actuator_;
  std::string thing_;
  Problems& problems_;
};

}  // namespace

void check_actuation(const Model& model, const Names& names, Problems& problems) {
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> electrical;
  Source first;
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& actuator = model.actuators[i];
    if (actuator.name.empty())
      problems.refuse(actuator.source,
                      fmt::format("the actuator on joint {} has no name; give it one",
                                  in_quotes(actuator.joint)));
    ActuatorCheck(model, names, i, problems).check();
    if (!seen.insert(actuator.name).second)
      problems.refuse(
          actuator.source,
          fmt::format("actuator {} is declared twice; remove one, or give each a `name` "
                      "of its own: several motors on one freedom add up",
                      in_quotes(actuator.name)));
    if (!actuator.motor || (actuator.motor->rotor_inertia == 0 && actuator.motor->damping == 0 &&
                            !has_electrical_side(*actuator.motor)))
      problems.warn(
          actuator.source,
          fmt::format("actuator {}: without a motor's rotor_inertia and damping it has no "
                      "effect yet; efforts are given at the joint",
                      in_quotes(actuator.name)),
          "spring, load or actuator without effect");
    if (!actuator.motor || !has_electrical_side(*actuator.motor)) continue;
    if (electrical.empty()) first = actuator.source;
    electrical.push_back(actuator.name);
  }
  if (!electrical.empty())
    problems.warn(first,
                  fmt::format("the electrical side (Ra, La, k, voltage_limit, current_limit) of {} "
                              "has no effect yet: efforts are given at the joints. Rotor inertia "
                              "and damping act",
                              list_in_quotes(electrical)),
                  "key without effect yet");
  problems.attempt([&] {
    check_joint_list(model.coordinates_source, model.coordinates, "coordinates", model, names);
  });
  if (!model.coordinates.empty() && is_open(model))
    problems.warn(
        model.coordinates_source,
        fmt::format("coordinates: {} has no effect: the model has no loops, all its joints are "
                    "independent",
                    list_in_quotes(model.coordinates)),
        "key without effect");
}

}  // namespace linkwright::checks
