#include "linkwright/network/mechanism_network.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "linkwright/model/loops.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/model/network_words.hpp"
#include "linkwright/model/validation.hpp"
#include "linkwright/network/circuit.hpp"
#include "linkwright/network/components.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

/// Adds to one freedom of a list under the rule "one entry serves all, none means zero".
template <class T, class Add>
void add_to_freedom(std::vector<T>& values, int freedoms, int freedom, const Add& add) {
  std::vector<T> all;
  for (int i = 0; i < freedoms; ++i) all.push_back(per_freedom(values, i, T{}));
  add(all[at(freedom)]);
  values = std::move(all);
}

void add_rotor(Model& model, const JointPort& port, double inertia) {
  const auto add = [inertia](double& rotor) { rotor += inertia; };
  for (Joint& joint : model.joints)
    if (joint.name == port.joint)
      return add_to_freedom(joint.rotor_inertia, velocity_count(joint), port.freedom, add);
  for (Closure& closure : model.closures)
    if (closure.name == port.joint)
      return add_to_freedom(closure.rotor_inertia, velocity_count(to_joint(closure)), port.freedom,
                            add);
}

/// A shaft that several joints turn.
void add_shaft(Model& model, const std::vector<GearTerm>& terms, double inertia, int number) {
  const std::vector<std::string> closing = compute_closing_joints(model);
  for (const GearTerm& term : terms) {
    const auto joint = std::find_if(model.joints.begin(), model.joints.end(),
                                    [&](const Joint& j) { return j.name == term.joint; });
    const bool closes = std::find(closing.begin(), closing.end(), term.joint) != closing.end();
    if (joint == model.joints.end() || closes || position_count(*joint) != velocity_count(*joint))
      throw Error(
          model.network.source,
          fmt::format("network: joint {} turns an inertia together with others, and {}",
                      in_quotes(term.joint),
                      joint == model.joints.end() || closes
                          ? "closes a loop; let another joint of the loop close it (`cut`)"
                          : "carries a pose, which has no angles that a shaft could follow"));
  }
  model.closures.push_back({.name = fmt::format("{}{}", inertia_shaft_prefix, number),
                            .kind = Closure::Kind::shaft,
                            .terms = terms,
                            .rotor_inertia = {inertia},
                            .source = model.network.source});
}

/// J = Σ d l lᵀ: every column l of its factor is a shaft with the inertia d.
void add_inertia(Model& model, Eigen::MatrixXd J, const std::vector<JointPort>& ports) {
  // Model::joints lose none; what is taken off leaves zeros but for rounding.
  const Eigen::VectorXd size = J.diagonal();
  int number = 0;
  for (Eigen::Index k = 0; k < J.rows(); ++k) {
    const double d = J(k, k);
    if (!(d > 1e-12 * size[k])) continue;
    std::vector<GearTerm> terms;
    for (Eigen::Index i = k; i < J.rows(); ++i)
      if (std::abs(J(i, k)) > 1e-12 * std::sqrt(size[i] * size[k]))
        terms.push_back({ports[at(i)].joint, ports[at(i)].freedom, J(i, k) / d});
    if (terms.size() == 1)
      add_rotor(model, ports[at(k)], d);
    else
      add_shaft(model, terms, d, ++number);
    const Eigen::VectorXd column = J.col(k);
    J -= column * column.transpose() / d;
  }
}

[[noreturn]] void refuse(const Actuator& actuator, const std::string& what) {
  throw Error(actuator.source,
              fmt::format("motor {} as a network: {}", in_quotes(actuator.name), what));
}

std::string joint_node(const Model& model, const Actuator& actuator, const GearTerm& term) {
  const auto freedom_count = [&] {
    for (const Joint& joint : model.joints)
      if (joint.name == term.joint) return velocity_count(joint);
    for (const Closure& closure : model.closures)
      if (closure.name == term.joint) return velocity_count(to_joint(closure));
    refuse(actuator, fmt::format("there is no joint {}", in_quotes(term.joint)));
  };
  std::string node = std::string(joint_port_prefix) + term.joint;
  return freedom_count() == 1 ? node : fmt::format("{}:{}", node, term.freedom);
}

/// A motor's components, one after the other.
class MotorTranslation {
 public:
  MotorTranslation(Model& model, const Actuator& actuator)
      : model_(model),
        actuator_(actuator),
        motor_(*actuator.motor),
        name_(actuator.name),
        rotor_(name_ + ":shaft") {}

  void run() {
    if (std::isfinite(motor_.voltage_limit) || std::isfinite(motor_.current_limit))
      refuse(actuator_, "limits of voltage and current have no component; leave them out");
    add_circuit();
    if (motor_.rotor_inertia > 0) {
      NetworkComponent rotor = inertia(name_ + ":rotor", motor_.rotor_inertia, rotor_);
      rotor.initial = given(model_.initial.shaft_speed);
      add(std::move(rotor));
    }
    if (motor_.damping > 0) add(damper(name_ + ":damping", motor_.damping, rotor_));
    const std::string output = actuator_.elastic ? name_ + ":output" : rotor_;
    if (actuator_.elastic) {
      if (given(model_.initial.shaft_angle))
        refuse(actuator_, "its shaft angle in `state` has no component; give its spring a twist");
      add(spring(name_ + ":spring", actuator_.elastic->stiffness, rotor_, output));
      if (actuator_.elastic->damping > 0)
        add(damper(name_ + ":damper", actuator_.elastic->damping, rotor_, output));
    }
    add_gear(output);
    add_friction();
  }

 private:
  void add(NetworkComponent component) {
    component.source = actuator_.source;
    model_.network.components.push_back(std::move(component));
  }

  [[nodiscard]] std::optional<double> given(
      const std::vector<InitialState::MotorEntry>& list) const {
    for (const InitialState::MotorEntry& entry : list)
      if (entry.motor == name_) return entry.value;
    return std::nullopt;
  }

  void add_circuit() {
    if (!has_electrical_side(actuator_)) return;
    const std::string plus = name_ + ":plus", coil = name_ + ":coil", brush = name_ + ":brush";
    add(voltage_source(name_, 0, plus));
    add(resistor(name_ + ":Ra", motor_.Ra, plus, motor_.La > 0 ? coil : brush));
    if (motor_.La > 0) {
      NetworkComponent La = inductor(name_ + ":La", motor_.La, coil, brush);
      La.initial = given(model_.initial.current);
      add(std::move(La));
    }
    add(network::motor(name_ + ":motor", torque_constant(motor_), {brush, ""}, {rotor_, ""}));
  }

  void add_gear(const std::string& output) {
    const std::vector<GearTerm> terms = terms_of(actuator_);
    std::vector<double> ratios{1};
    std::vector<NetworkWire> wires{{output, ""}};
    for (const GearTerm& term : terms) {
      ratios.push_back(-term.ratio);
      wires.push_back({joint_node(model_, actuator_, term), ""});
    }
    if (terms.size() == 1)
      add(gear(name_ + ":gear", terms.front().ratio, wires[0], wires[1]));
    else
      add(transformer(name_ + ":gear", ratios, wires));
  }

  /// Dry friction stays the mechanism's.
  void add_friction() {
    if (!has_friction(motor_.friction)) return;
    if (is_coupled(actuator_))
      refuse(actuator_, "dry friction of a shaft that several joints turn has no component");
    const GearTerm term = terms_of(actuator_).front();
    const auto add_to = [&](Friction& felt) {
      const double size = std::abs(term.ratio);
      const Friction& f = motor_.friction;
      felt.forward += size * (term.ratio > 0 ? f.forward : f.backward);
      felt.backward += size * (term.ratio > 0 ? f.backward : f.forward);
      felt.breakaway += size * f.breakaway;
    };
    for (Joint& joint : model_.joints)
      if (joint.name == term.joint)
        add_to_freedom(joint.friction, velocity_count(joint), term.freedom, add_to);
    for (Closure& closure : model_.closures)
      if (closure.name == term.joint)
        add_to_freedom(closure.friction, velocity_count(to_joint(closure)), term.freedom, add_to);
  }

  Model& model_;
  const Actuator& actuator_;
  const Actuator::Motor& motor_;
  std::string name_, rotor_;
};

}  // namespace

Model reflect_inertias(Model model) {
  if (model.network.is_reflected || model.network.components.empty()) return model;
  (void)validate(model);  // so that all mistakes are told, with file and line
  const Circuit circuit{Network(model)};
  std::vector<JointPort> ports;
  for (const CircuitPort& port : circuit.ports())
    ports.push_back(*to_joint_port(model, port.name, model.network.source, "network"));
  add_inertia(model, circuit.inertia(), ports);
  model.network.is_reflected = true;
  return model;
}

Model to_network(Model model) {
  if (model.network.is_reflected)
    throw Error(model.network.source,
                "network: its inertias are in the mechanism already; translate the motors first, "
                "then reflect_inertias");
  const std::vector<Actuator> actuators = std::move(model.actuators);
  model.actuators.clear();
  for (const Actuator& actuator : actuators) {
    if (actuator.motor)
      MotorTranslation(model, actuator).run();
    else
      model.actuators.push_back(actuator);
  }
  // Shafts of coupled transmissions, where they were made already.
  std::erase_if(model.closures, [&](const Closure& closure) {
    return closure.kind == Closure::Kind::shaft &&
           std::any_of(actuators.begin(), actuators.end(),
                       [&](const Actuator& a) { return a.name == closure.name; });
  });
  model.initial.current.clear(), model.initial.shaft_angle.clear(),
      model.initial.shaft_speed.clear();
  model.network.is_reflected = false;
  return model;
}

Network make_network(const System& system) { return Network(to_network(system.model())); }

}  // namespace linkwright::network
