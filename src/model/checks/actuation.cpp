#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <unordered_set>

#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {
namespace {

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
    problems_.attempt_or_repair([&] { check_target(); }, {"this actuator is dropped", dropped()});
    if (!std::isfinite(actuator_.gear) || actuator_.gear == 0)
      refuse(fmt::format("its gear is {}; expected the ratio motor speed to joint speed, 1 for "
                         "direct drive",
                         actuator_.gear),
             "taken as 1", [](Actuator& a) { a.gear = 1; });
    if (actuator_.motor) check_motor(*actuator_.motor);
    if (actuator_.elastic) check_elastic(*actuator_.elastic);
  }

 private:
  using Motor = Actuator::Motor;

  void check_target() {
    if (!actuator_.transmission.empty() && !actuator_.joint.empty())
      throw Error(actuator_.source,
                  fmt::format("{} names joint {} and a transmission; keep one of them", thing_,
                              in_quotes(actuator_.joint)));
    std::set<std::pair<std::string_view, int>> seen;
    const std::vector<GearTerm> terms = terms_of(actuator_);
    for (const GearTerm& term : terms) {
      check_term(term);
      if (!seen.insert({term.joint, term.freedom}).second)
        throw Error(actuator_.source, fmt::format("{} names freedom {} of joint {} twice", thing_,
                                                  term.freedom, in_quotes(term.joint)));
    }
    if (is_coupled(actuator_)) check_shaft(terms);
  }

  void check_term(const GearTerm& term) {
    const Joint joint = require_moving_pair(actuator_.source, thing_, term.joint, model_, names_);
    require_freedom(actuator_.source, thing_, joint, term.freedom);
    if (per_freedom(joint.passive, term.freedom, false))
      throw Error(
          actuator_.source,
          fmt::format("{} drives freedom {} of joint {}, which is passive: it has no motor. "
                      "Remove the actuator or the joint's `passive` mark",
                      thing_, term.freedom, in_quotes(joint.name)));
    if (!actuator_.transmission.empty() && (!std::isfinite(term.ratio) || term.ratio == 0))
      throw Error(actuator_.source,
                  fmt::format("{}: the ratio of joint {} is {}; expected motor speed to joint "
                              "speed, or leave the joint out",
                              thing_, in_quotes(joint.name), term.ratio));
    const bool plain = position_count(joint) == velocity_count(joint);
    if (!plain && (actuator_.elastic || is_coupled(actuator_)))
      throw Error(actuator_.source,
                  fmt::format("{}: joint {} carries a pose and has no angles that a shaft could "
                              "follow; expected a rigid gear on one of its freedoms",
                              thing_, in_quotes(joint.name)));
  }

  /// Its shaft is called by its name wherever a joint may be.
  void check_shaft(const std::vector<GearTerm>& terms) {
    for (const GearTerm& term : terms)
      if (!names_.joints.contains(term.joint))
        throw Error(
            actuator_.source,
            fmt::format("{}: {} is a closure; a transmission couples joints. Write it under "
                        "`joints` and let another joint close the loop (`cut`)",
                        thing_, in_quotes(term.joint)));
    const bool taken =
        names_.joints.contains(actuator_.name) ||
        std::any_of(model_.closures.begin(), model_.closures.end(), [&](const Closure& closure) {
          return closure.name == actuator_.name && closure.kind != Closure::Kind::shaft;
        });
    if (taken)
      throw Error(actuator_.source,
                  fmt::format("{} drives several joints and has the name of a joint or closure; "
                              "its shaft is called by that name: rename it",
                              thing_));
  }

  void check_motor(const Motor& motor) {
    not_negative("its rotor_inertia", &Motor::rotor_inertia);
    not_negative("its damping", &Motor::damping);
    check_friction(motor.friction);
    if (!has_electrical_side(actuator_)) return;
    not_negative("La", &Motor::La);
    const auto refuse_side = [&](const std::string& message) {
      refuse(message, "its electrical side is left out", &leave_out_electrical_side);
    };
    if (!std::isfinite(motor.Ra) || motor.Ra <= 0)
      refuse_side(fmt::format("Ra (ohm) is {}; expected more than zero", motor.Ra));
    const double k = torque_constant(motor);
    const bool excited = motor.field_constant != 0 || motor.field_current != 0;
    if (!std::isfinite(k))
      refuse_side(
          fmt::format("{} is {}; expected a finite number", excited ? "its field" : "k", k));
    else if (k == 0)
      refuse_side(fmt::format("{} is 0: no current would turn it; expected another number (N m/A)",
                              excited ? "field_constant · field_current" : "k"));
    limit("its voltage_limit (V)", &Motor::voltage_limit);
    limit("its current_limit (A)", &Motor::current_limit);
  }

  void check_friction(const Friction& friction) {
    problems_.attempt_or_repair(
        [&] {
          require_not_negative(actuator_.source, thing_, "its forward friction (a magnitude)",
                               friction.forward);
          require_not_negative(actuator_.source, thing_, "its backward friction (a magnitude)",
                               friction.backward);
          check_breakaway(actuator_.source, thing_, friction);
          if (actuator_.elastic && has_friction(friction))
            throw Error(actuator_.source,
                        fmt::format("{}: its motor has dry friction behind an elastic gear, where "
                                    "only joints take it; give it to the joint (`friction`), or "
                                    "the motor a `damping`",
                                    thing_));
        },
        {"taken as 0",
         [i = index_](Model& changed) { changed.actuators[i].motor->friction = {}; }});
  }

  void check_elastic(const Actuator::Elastic& elastic) {
    const auto rigid = [](Actuator& a) { a.elastic.reset(); };
    if (!std::isfinite(elastic.stiffness) || elastic.stiffness <= 0)
      refuse(fmt::format("the stiffness of its elastic gear is {} (N m/rad at the shaft); expected "
                         "more than zero",
                         elastic.stiffness),
             "taken as a rigid gear", rigid);
    else if (!std::isfinite(elastic.damping) || elastic.damping < 0)
      refuse(fmt::format("the damping of its elastic gear is {}; expected zero or more",
                         elastic.damping),
             "taken as 0", [](Actuator& a) { a.elastic->damping = 0; });
    else if (!actuator_.motor || !(actuator_.motor->rotor_inertia > 0))
      refuse(
          "it has an elastic gear and no rotor_inertia: nothing would hold the shaft against the "
          "spring; give its motor one",
          "taken as a rigid gear", rigid);
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
    actuator.motor = Motor{
        .rotor_inertia = motor.rotor_inertia, .damping = motor.damping, .friction = motor.friction};
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

namespace {

/// Whether it is there for anything but to mark its joint as driven.
bool has_effect(const Actuator& actuator) {
  if (is_coupled(actuator) || has_electrical_side(actuator)) return true;
  if (!actuator.motor) return false;
  const Actuator::Motor& motor = *actuator.motor;
  return motor.rotor_inertia != 0 || motor.damping != 0 || has_friction(motor.friction);
}

const Actuator* find_motor(const Model& model, const std::string& name) {
  for (const Actuator& actuator : model.actuators)
    if (actuator.name == name) return &actuator;
  return nullptr;
}

/// `current`, `shaft_angle` and `shaft_speed` of `state` name motors that have them.
void check_motor_entries(const Model& model, Problems& problems) {
  std::vector<std::string> known;
  for (const Actuator& actuator : model.actuators) known.push_back(actuator.name);
  const auto check = [&](std::string_view key, const std::vector<InitialState::MotorEntry>& list,
                         const auto& has_it, std::string_view needs) {
    for (const InitialState::MotorEntry& entry : list) {
      const Actuator* motor = find_motor(model, entry.motor);
      std::string mistake;
      if (motor == nullptr)
        mistake = fmt::format("there is no such motor{}", did_you_mean(entry.motor, known));
      else if (!has_it(*motor))
        mistake = fmt::format("it has {}", needs);
      else if (!std::isfinite(entry.value))
        mistake = fmt::format("{} is no finite number", entry.value);
      if (!mistake.empty())
        problems.refuse(entry.source, fmt::format("state: {} of motor {}: {}", key,
                                                  in_quotes(entry.motor), mistake));
    }
  };
  const auto elastic = [](const Actuator& a) { return a.elastic.has_value(); };
  check(
      "current", model.initial.current,
      [](const Actuator& a) { return a.motor && a.motor->La > 0; },
      "no inductance La, without which a current is no state");
  check("shaft_angle", model.initial.shaft_angle, elastic,
        "a rigid gear: its shaft turns with the joint");
  check("shaft_speed", model.initial.shaft_speed, elastic,
        "a rigid gear: its shaft turns with the joint");
}

}  // namespace

void check_actuation(const Model& model, const Names& names, Problems& problems) {
  std::unordered_set<std::string_view> seen;
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
    if (!has_effect(actuator))
      problems.warn(
          actuator.source,
          fmt::format(
              "actuator {}: without a motor's rotor_inertia, damping, friction or electrical "
              "side it only tells that its joint is driven; efforts are given at the joint",
              in_quotes(actuator.name)),
          "spring, load or actuator without effect");
  }
  check_motor_entries(model, problems);
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
