#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "linkwright/model/names.hpp"
#include "model/checks.hpp"

namespace linkwright::checks {
namespace {

bool has_electrical_side(const Actuator::Motor& motor) {
  return motor.Ra != 0 || motor.La != 0 || motor.k != 0 || std::isfinite(motor.voltage_limit) ||
         std::isfinite(motor.current_limit);
}

void require_positive(const Source& where, std::string_view thing, std::string_view what,
                      double value) {
  if (!(value > 0))
    throw Error(where, fmt::format("{}: {} is {}; expected more than zero", thing, what, value));
}

void check_motor(const Actuator& actuator, std::string_view thing) {
  const Actuator::Motor& motor = *actuator.motor;
  require_not_negative(actuator.source, thing, "its rotor_inertia", motor.rotor_inertia);
  require_not_negative(actuator.source, thing, "its damping", motor.damping);
  if (!has_electrical_side(motor)) return;
  require_finite(actuator.source, thing, "Ra", motor.Ra);
  require_positive(actuator.source, thing, "Ra (ohm)", motor.Ra);
  require_not_negative(actuator.source, thing, "La", motor.La);
  require_finite(actuator.source, thing, "k", motor.k);
  require_positive(actuator.source, thing, "its voltage_limit (V)", motor.voltage_limit);
  require_positive(actuator.source, thing, "its current_limit (A)", motor.current_limit);
}

void check_actuator(const Actuator& actuator, const Model& model, const Names& names) {
  const std::string thing = "actuator " + in_quotes(actuator.name);
  const Joint& joint = require_moving(actuator.source, thing, actuator.joint, model, names);
  require_freedom(actuator.source, thing, joint, actuator.freedom);
  if (per_freedom(joint.passive, actuator.freedom, false))
    throw Error(actuator.source,
                fmt::format("{} drives freedom {} of joint {}, which is passive: it has no motor. "
                            "Remove the actuator or the joint's `passive` mark",
                            thing, actuator.freedom, in_quotes(joint.name)));
  require_finite(actuator.source, thing, "its gear", actuator.gear);
  if (actuator.gear == 0)
    throw Error(actuator.source, fmt::format("{}: its gear is 0; expected the ratio motor speed "
                                             "to joint speed, 1 for direct drive",
                                             thing));
  if (actuator.motor) check_motor(actuator, thing);
}

}  // namespace

void check_actuation(const Model& model, const Names& names, Problems& problems) {
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> electrical;
  Source first;
  for (const Actuator& actuator : model.actuators) {
    if (actuator.name.empty())
      problems.refuse(actuator.source,
                      fmt::format("the actuator on joint {} has no name; give it one",
                                  in_quotes(actuator.joint)));
    problems.attempt([&] { check_actuator(actuator, model, names); });
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
  problems.attempt([&] { check_joint_list(model.coordinates, "coordinates", model, names); });
  if (!model.coordinates.empty())
    problems.warn(
        {},
        fmt::format("coordinates: {} has no effect yet: results are in the coordinates of "
                    "all joints",
                    list_in_quotes(model.coordinates)),
        "key without effect yet");
}

}  // namespace linkwright::checks
