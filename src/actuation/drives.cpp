#include "linkwright/actuation/drives.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright::actuation {
namespace {

std::vector<std::string> electrical_motors(const Model& model) {
  std::vector<std::string> names;
  for (const Actuator& actuator : model.actuators)
    if (has_electrical_side(actuator)) names.push_back(actuator.name);
  return names;
}

std::vector<std::string> motor_names(const Model& model) {
  std::vector<std::string> names;
  for (const Actuator& actuator : model.actuators)
    if (actuator.motor) names.push_back(actuator.name);
  return names;
}

[[noreturn]] void refuse_unknown(const Model& model, std::string_view name) {
  const std::vector<std::string> known = motor_names(model);
  throw Error(fmt::format("there is no motor {}{}; the motors are {}", in_quotes(name),
                          did_you_mean(name, known),
                          known.empty() ? "none" : list_in_quotes(known)));
}

void check_driven(const Model& model, std::span<const std::string> driven) {
  for (const std::string& name : driven) {
    const auto found = std::find_if(model.actuators.begin(), model.actuators.end(),
                                    [&](const Actuator& a) { return a.motor && a.name == name; });
    if (found == model.actuators.end()) refuse_unknown(model, name);
    if (!has_electrical_side(*found))
      throw Error(
          fmt::format("motor {} has no electrical side, and a voltage does nothing to it; "
                      "give its `motor` Ra and k, or drive it by an effort",
                      in_quotes(name)));
  }
}

double clamp(double x, double limit) { return std::clamp(x, -limit, limit); }

/// What a motor's own equations are made of at a moment.
struct Moment {
  double omega;    // of its own shaft
  double voltage;  // at the terminals, within its limit; of a motor that none drives 0
  double current;
  double spring;  // torque that an elastic gear passes on
};

Moment moment_of(const Drive& d, double angle, double speed, const ConstVectorRef& x,
                 const ConstVectorRef& u) {
  Moment m{d.is_elastic ? x[d.speed] : speed, 0, 0, 0};
  if (d.is_driven) {
    m.voltage = clamp(u[d.voltage], d.motor.voltage_limit);
    m.current = d.current >= 0
                    ? x[d.current]
                    : clamp((m.voltage - d.k * m.omega) / d.motor.Ra, d.motor.current_limit);
  }
  if (d.is_elastic)
    m.spring = d.spring.stiffness * (x[d.angle] - angle) + d.spring.damping * (m.omega - speed);
  return m;
}

/// i̇ without a limit.
double free_rate(const Drive& d, const Moment& m) {
  return (m.voltage - d.motor.Ra * m.current - d.k * m.omega) / d.motor.La;
}

/// Which limit holds a current that stands at it.
int held_at(const Drive& d, double current) {
  if (current >= d.motor.current_limit) return 1;
  return current <= -d.motor.current_limit ? -1 : 0;
}

/// ∂i/∂… of a motor without inductance, ∂i̇/∂… of one with.
struct ElectricalSlopes {
  double by_voltage = 0, by_omega = 0, by_current = 0;
};

ElectricalSlopes slopes_of(const Drive& d, const Moment& m, double u) {
  if (!d.is_driven) return {};
  const bool cut = std::abs(u) > d.motor.voltage_limit;
  if (d.current < 0) {
    const double free = (m.voltage - d.k * m.omega) / d.motor.Ra;
    if (std::abs(free) > d.motor.current_limit) return {};
    return {cut ? 0 : 1 / d.motor.Ra, -d.k / d.motor.Ra, 0};
  }
  if (held_at(d, m.current) * free_rate(d, m) > 0) return {};
  return {cut ? 0 : 1 / d.motor.La, -d.k / d.motor.La, -d.motor.Ra / d.motor.La};
}

}  // namespace

Drives::Drives(const System& system) : Drives(system, electrical_motors(system.model())) {}

Drives::Drives(const System& system, std::span<const std::string> driven) : system_(&system) {
  const Model& model = system.model();
  check_driven(model, driven);
  for (std::size_t i = 0; i < model.actuators.size(); ++i)
    if (model.actuators[i].motor)
      add_drive(i,
                std::find(driven.begin(), driven.end(), model.actuators[i].name) != driven.end());
  if (follows_closing_joints_) closing_angles_.resize(system.closing_names().size());
  closing_rates_ = closing_angles_;
}

void Drives::add_drive(std::size_t index, bool driven) {
  const Actuator& actuator = system_->model().actuators[index];
  Drive drive{.name = actuator.name, .actuator = index, .motor = *actuator.motor};
  place_on_joint(actuator, drive);
  follows_closing_joints_ = follows_closing_joints_ || drive.closing >= 0;
  if (has_electrical_side(actuator)) drive.k = torque_constant(drive.motor);
  drive.is_driven = driven;
  drive.is_elastic = actuator.elastic.has_value();
  drive.spring = actuator.elastic.value_or(Actuator::Elastic{});
  const auto add = [](std::vector<Quantity>& list, const std::string& name, const char* unit) {
    list.push_back({name, unit});
    return static_cast<int>(list.size()) - 1;
  };
  const std::string prefix = "motor:" + drive.name + ":";
  if (driven && drive.motor.La > 0) drive.current = add(extra_states_, prefix + "current", "A");
  if (drive.is_elastic) {
    drive.angle = add(extra_states_, prefix + "angle", "rad");
    drive.speed = add(extra_states_, prefix + "speed", "rad/s");
  }
  if (driven)
    drive.voltage = add(inputs_, "voltage:" + drive.name, "V");
  else if (drive.is_elastic)
    drive.torque = add(inputs_, "torque:" + drive.name, "N*m");
  drives_.push_back(std::move(drive));
}

void Drives::place_on_joint(const Actuator& actuator, Drive& drive) const {
  const GearTerm term = terms_of(actuator).front();
  drive.gear = is_coupled(actuator) ? 1 : term.ratio;
  for (std::size_t i = 0; i < system_->closing_motors().size(); ++i) {
    const ClosingMotor& motor = system_->closing_motors()[i];
    const ClosurePlace& place = system_->closures()[at(motor.closure)];
    const bool own = is_coupled(actuator)
                         ? place.kind == PairKind::shaft && place.name == actuator.name
                         : place.kind != PairKind::shaft && place.name == term.joint &&
                               motor.freedom == term.freedom;
    if (!own) continue;
    drive.effort = system_->nv() + static_cast<int>(i);
    drive.terms = place.terms;
    if (place.kind != PairKind::shaft) drive.closing = place.closing + motor.freedom;
    return;
  }
  if (is_coupled(actuator))
    throw Error(
        actuator.source,
        fmt::format("motor {} drives several joints through a shaft that this system leaves "
                    "out",
                    in_quotes(actuator.name)));
  const JointPlace& joint = system_->joint(term.joint);
  drive.effort = joint.v + term.freedom;
  drive.has_angle = joint.quaternion < 0;
  drive.terms = {{static_cast<int>(&joint - system_->joints().data()), joint.node,
                  joint.q + term.freedom, joint.v + term.freedom, term.ratio}};
}

const Drive& Drives::find(std::string_view name) const {
  const auto found = std::find_if(drives_.begin(), drives_.end(),
                                  [name](const Drive& drive) { return drive.name == name; });
  if (found == drives_.end()) refuse_unknown(system_->model(), name);
  return *found;
}

void Drives::compute_shafts(const ConstVectorRef& q, const ConstVectorRef& v, VectorRef angles,
                            VectorRef speeds) const {
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Drive& d = drives_[i];
    if (d.closing >= 0) continue;
    double angle = 0, speed = 0;
    for (const TreeTerm& term : d.terms) {
      if (d.has_angle) angle += term.ratio * q[term.q];
      speed += term.ratio * v[term.v];
    }
    angles[static_cast<Eigen::Index>(i)] = angle, speeds[static_cast<Eigen::Index>(i)] = speed;
  }
}

void Drives::compute_shafts(ClosedWorkspace& work, const State& state, VectorRef angles,
                            VectorRef speeds) {
  compute_shafts(state.q, state.v, angles, speeds);
  if (!follows_closing_joints_) return;
  const auto closing = static_cast<Eigen::Index>(closing_rates_.size());
  compute_closing_coordinates(work, state.q,
                              Eigen::Map<Eigen::VectorXd>(closing_angles_.data(), closing));
  compute_closing_rates(work, state, Eigen::Map<Eigen::VectorXd>(closing_rates_.data(), closing));
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Drive& d = drives_[i];
    if (d.closing < 0) continue;
    angles[static_cast<Eigen::Index>(i)] = d.gear * closing_angles_[at(d.closing)];
    speeds[static_cast<Eigen::Index>(i)] = d.gear * closing_rates_[at(d.closing)];
  }
}

void Drives::compute_shaft_map(ClosedWorkspace& work, const ConstVectorRef& q,
                               MatrixRef map) const {
  door::check_output(map, count(), system_->nv(), "map");
  map.setZero();
  Eigen::MatrixXd L;
  if (follows_closing_joints_) {
    L.resize(static_cast<Eigen::Index>(closing_rates_.size()), system_->nv());
    compute_closing_jacobian(work, q, L);
  }
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Drive& d = drives_[i];
    auto row = map.row(static_cast<Eigen::Index>(i));
    if (d.closing >= 0) row = d.gear * L.row(d.closing);
    for (const TreeTerm& term : d.terms) row[term.v] += term.ratio;
  }
}

void Drives::compute_efforts(const ConstVectorRef& angles, const ConstVectorRef& speeds,
                             const ConstVectorRef& x, const ConstVectorRef& u,
                             VectorRef tau) const {
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Drive& d = drives_[i];
    if (!d.is_driven && !d.is_elastic) continue;
    const auto k = static_cast<Eigen::Index>(i);
    const Moment m = moment_of(d, angles[k], speeds[k], x, u);
    tau[d.effort] += d.gear * (d.is_elastic ? m.spring : d.k * m.current);
  }
}

void Drives::compute_rates(const ConstVectorRef& angles, const ConstVectorRef& speeds,
                           const ConstVectorRef& x, const ConstVectorRef& u, VectorRef rates,
                           const Held& held) const {
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Drive& d = drives_[i];
    if (d.current < 0 && !d.is_elastic) continue;
    const auto k = static_cast<Eigen::Index>(i);
    const Moment m = moment_of(d, angles[k], speeds[k], x, u);
    if (d.current >= 0) {
      const double free = free_rate(d, m);
      const int side =
          held.empty() ? held_at(d, m.current) : held[i] * std::abs(held_at(d, m.current));
      rates[d.current] = side * free > 0 ? 0 : free;
    }
    if (!d.is_elastic) continue;
    const double torque = d.k * m.current + (d.torque >= 0 ? u[d.torque] : 0);
    rates[d.angle] = m.omega;
    rates[d.speed] = (torque - d.motor.damping * m.omega - m.spring) / d.motor.rotor_inertia;
  }
}

void Drives::compute_derivatives(const ConstVectorRef& angles, const ConstVectorRef& speeds,
                                 const ConstVectorRef& x, const ConstVectorRef& u,
                                 DriveDerivatives& out) const {
  for (auto* matrix : {&out.tau_angle, &out.tau_speed, &out.tau_x, &out.tau_u, &out.rate_angle,
                       &out.rate_speed, &out.rate_x, &out.rate_u})
    matrix->setZero();
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Drive& d = drives_[i];
    if (!d.is_driven && !d.is_elastic) continue;
    const auto k = static_cast<Eigen::Index>(i);
    const Moment m = moment_of(d, angles[k], speeds[k], x, u);
    const ElectricalSlopes s = slopes_of(d, m, d.is_driven ? u[d.voltage] : 0);
    // The motor's torque per unit of what it depends on, as a row over x, u and the shaft's speed w.
    const bool algebraic = d.current < 0;
    const auto add_torque = [&](double weight, auto x_row, auto u_row, double& by_speed) {
      if (!d.is_driven) {
        if (d.torque >= 0) u_row[d.torque] += weight;
        return;
      }
      if (!algebraic) return void(x_row[d.current] += weight * d.k);
      u_row[d.voltage] += weight * d.k * s.by_voltage;
      if (d.is_elastic)
        x_row[d.speed] += weight * d.k * s.by_omega;
      else
        by_speed += weight * d.k * s.by_omega;
    };
    if (!d.is_elastic) {
      add_torque(d.gear, out.tau_x.row(d.effort), out.tau_u.row(d.effort),
                 out.tau_speed(d.effort, k));
    } else {
      const double K = d.spring.stiffness, D = d.spring.damping, J = d.motor.rotor_inertia;
      out.tau_angle(d.effort, k) -= d.gear * K, out.tau_speed(d.effort, k) -= d.gear * D;
      out.tau_x(d.effort, d.angle) += d.gear * K, out.tau_x(d.effort, d.speed) += d.gear * D;
      out.rate_x(d.angle, d.speed) = 1;
      out.rate_x(d.speed, d.angle) -= K / J;
      out.rate_x(d.speed, d.speed) -= (D + d.motor.damping) / J;
      out.rate_angle(d.speed, k) += K / J, out.rate_speed(d.speed, k) += D / J;
      add_torque(1 / J, out.rate_x.row(d.speed), out.rate_u.row(d.speed),
                 out.rate_speed(d.speed, k));
    }
    if (algebraic) continue;
    out.rate_u(d.current, d.voltage) = s.by_voltage;
    out.rate_x(d.current, d.current) = s.by_current;
    if (d.is_elastic)
      out.rate_x(d.current, d.speed) = s.by_omega;
    else
      out.rate_speed(d.current, k) = s.by_omega;
  }
}

Drives::Reading Drives::read(const Drive& d, const ConstVectorRef& angles,
                             const ConstVectorRef& speeds, const ConstVectorRef& x,
                             const ConstVectorRef& u) const {
  const auto k = static_cast<Eigen::Index>(&d - drives_.data());
  const Moment m = moment_of(d, angles[k], speeds[k], x, u);
  Reading r;
  r.current = m.current;
  r.voltage = d.is_driven ? m.voltage : d.k * m.omega;
  r.torque = d.k * m.current + (d.torque >= 0 ? u[d.torque] : 0);
  r.angle = d.is_elastic ? x[d.angle] : angles[k];
  r.speed = m.omega;
  // What a current limit takes off the voltage never comes to the terminals.
  if (d.is_driven && d.current < 0) r.voltage = d.motor.Ra * m.current + d.k * m.omega;
  if (d.current >= 0 && held_at(d, m.current) * free_rate(d, m) > 0)
    r.voltage = d.motor.Ra * m.current + d.k * m.omega;
  r.power = r.voltage * r.current;
  r.heat = d.motor.Ra * r.current * r.current;
  r.stored = d.current >= 0 ? 0.5 * d.motor.La * r.current * r.current : 0;
  if (d.is_elastic) {
    const double twist = r.angle - angles[k], slip = m.omega - speeds[k];
    r.heat += d.motor.damping * m.omega * m.omega + d.spring.damping * slip * slip;
    r.stored +=
        0.5 * d.motor.rotor_inertia * m.omega * m.omega + 0.5 * d.spring.stiffness * twist * twist;
  }
  return r;
}

void Drives::compute_start(const ConstVectorRef& angles, const ConstVectorRef& speeds,
                           VectorRef x) const {
  const InitialState& file = system_->model().initial;
  const auto given = [](const std::vector<InitialState::MotorEntry>& list, const std::string& name,
                        double otherwise) {
    for (const InitialState::MotorEntry& entry : list)
      if (entry.motor == name) return entry.value;
    return otherwise;
  };
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Drive& d = drives_[i];
    const auto k = static_cast<Eigen::Index>(i);
    if (d.current >= 0) x[d.current] = given(file.current, d.name, 0);
    if (!d.is_elastic) continue;
    x[d.angle] = given(file.shaft_angle, d.name, angles[k]);
    x[d.speed] = given(file.shaft_speed, d.name, speeds[k]);
  }
}

}  // namespace linkwright::actuation
