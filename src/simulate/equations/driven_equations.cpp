#include "linkwright/simulate/driven_equations.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "linkwright/simulate/callbacks.hpp"

namespace linkwright {
namespace {

using actuation::Drive, actuation::Drives;

struct Told {
  const char* word;
  const char* unit;
  double Drives::Reading::*value;
};
constexpr Told told_of_motors[]{
    {"current", "A", &Drives::Reading::current}, {"voltage", "V", &Drives::Reading::voltage},
    {"torque", "N*m", &Drives::Reading::torque}, {"angle", "rad", &Drives::Reading::angle},
    {"speed", "rad/s", &Drives::Reading::speed}, {"power", "W", &Drives::Reading::power},
    {"heat", "W", &Drives::Reading::heat}};

/// A current has left its limit once it is this part of it away.
constexpr double left_limit = 1e-6;

}  // namespace

DrivenEquations::DrivenEquations(std::unique_ptr<Equations> mechanism,
                                 std::span<const std::string> driven)
    : WrappingEquations(std::move(mechanism)),
      drives_(inside().system(), driven),
      mechanism_inputs_(static_cast<Eigen::Index>(inside().inputs().size())) {
  const System& system = inside().system();
  if (!inside().extra_states().empty())
    throw Error("motors are added to equations without extra states of their own");
  const bool closed = inside().obeys_closures();
  const int efforts = closed ? system.effort_count() : system.nv();
  if (mechanism_inputs_ < efforts)
    throw Error(fmt::format("motors act on {} efforts; these equations take {} inputs", efforts,
                            mechanism_inputs_));
  for (const Drive& d : drives_.list())
    if (!closed && d.effort >= system.nv() && (d.is_driven || d.is_elastic))
      throw Error(
          fmt::format("motor {} acts on a joint that closes a loop or on a shaft of several "
                      "joints, and closures are left out",
                      in_quotes(d.name)));
  if (drives_.follows_closing_joints()) work_ = std::make_unique<ClosedWorkspace>(system);
  angles_ = speeds_ = Eigen::VectorXd::Zero(drives_.count());
  u_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(drives_.inputs().size()));
  efforts_ = Eigen::VectorXd::Zero(system.effort_count());
  all_ = Eigen::VectorXd::Zero(mechanism_inputs_);
  held_.assign(drives_.list().size(), 0);
  voltage_.assign(drives_.list().size(), Voltage::within);
}

DrivenEquations::~DrivenEquations() = default;

std::vector<Quantity> DrivenEquations::inputs() const {
  std::vector<Quantity> all = inside().inputs();
  all.insert(all.end(), drives_.inputs().begin(), drives_.inputs().end());
  return all;
}

void DrivenEquations::compute_usual_input(VectorRef input) const {
  inside().compute_usual_input(input.head(mechanism_inputs_));
}

std::vector<Quantity> DrivenEquations::extra_states() const { return drives_.extra_states(); }

void DrivenEquations::place_shafts(const FullState& now, const Eigen::VectorXd& input) {
  if (work_)
    drives_.compute_shafts(*work_, now.state, angles_, speeds_);
  else
    drives_.compute_shafts(now.state.q, now.state.v, angles_, speeds_);
  u_ = input.tail(u_.size());
  efforts_.setZero();
  drives_.compute_efforts(angles_, speeds_, now.extra, u_, efforts_);
  all_ = input.head(mechanism_inputs_);
  const Eigen::Index efforts = std::min(efforts_.size(), mechanism_inputs_);
  all_.head(efforts) += efforts_.head(efforts);
}

void DrivenEquations::compute_rates(const FullState& now, const Eigen::VectorXd& input,
                                    ExternalForces forces, VectorRef a, VectorRef extra_rates) {
  place_shafts(now, input);
  drives_.compute_rates(angles_, speeds_, now.extra, u_, extra_rates, held_);
  watch_voltages();
  inside().compute_rates(now, all_, forces, a, no_extras_);
}

void DrivenEquations::compute_efforts(const FullState& now, const Eigen::VectorXd& input,
                                      VectorRef tau) {
  place_shafts(now, input);
  inside().compute_efforts(now, all_, tau);
}

void DrivenEquations::compute_closing_efforts(const FullState& now, const Eigen::VectorXd& input,
                                              VectorRef efforts) {
  place_shafts(now, input);
  inside().compute_closing_efforts(now, all_, efforts);
}

void DrivenEquations::compute_contacts(const FullState& now, const Eigen::VectorXd& input,
                                       ExternalForces forces, std::span<ContactForce> out) {
  place_shafts(now, input);
  inside().compute_contacts(now, all_, forces, out);
}

std::vector<Quantity> DrivenEquations::outputs() const {
  std::vector<Quantity> all;
  for (const Drive& d : drives_.list())
    for (const Told& told : told_of_motors)
      all.push_back({fmt::format("motor:{}:{}", d.name, told.word), told.unit});
  return all;
}

void DrivenEquations::compute_outputs(const FullState& now, const Eigen::VectorXd& input,
                                      VectorRef outputs) {
  place_shafts(now, input);
  Eigen::Index at = 0;
  for (const Drive& d : drives_.list()) {
    const Drives::Reading reading = drives_.read(d, angles_, speeds_, now.extra, u_);
    for (const Told& told : told_of_motors) outputs[at++] = reading.*told.value;
  }
}

void DrivenEquations::compute_start(FullState& now) {
  Equations::compute_start(now);
  if (work_)
    drives_.compute_shafts(*work_, now.state, angles_, speeds_);
  else
    drives_.compute_shafts(now.state.q, now.state.v, angles_, speeds_);
  drives_.compute_start(angles_, speeds_, now.extra);
}

std::optional<ExtraEnergy> DrivenEquations::extra_energy(const FullState& now,
                                                         const Eigen::VectorXd& input) {
  place_shafts(now, input);
  ExtraEnergy energy;
  energy.fed = std::abs(input.head(system().nv()).dot(now.state.v));
  energy.is_kept = !input.head(mechanism_inputs_).any();
  for (const Drive& d : drives_.list()) {
    const Drives::Reading reading = drives_.read(d, angles_, speeds_, now.extra, u_);
    energy.stored += reading.stored;
    energy.fed += std::abs(reading.power);
    if (d.torque >= 0) energy.fed += std::abs(u_[d.torque] * reading.speed);
    energy.is_kept = energy.is_kept && reading.power == 0 && reading.heat == 0 &&
                     (d.torque < 0 || u_[d.torque] == 0);
  }
  return energy;
}

FastState DrivenEquations::fastest() const {
  FastState fastest;
  const auto take = [&](int state, double time, const std::string& advice) {
    if (time < fastest.time)
      fastest = {drives_.extra_states()[static_cast<std::size_t>(state)].name, time, advice};
  };
  for (const Drive& d : drives_.list()) {
    if (d.current >= 0)
      take(d.current, d.motor.La / d.motor.Ra,
           fmt::format("La: 0 leaves the inductance of motor {} out", in_quotes(d.name)));
    if (!d.is_elastic) continue;
    const double J = d.motor.rotor_inertia, D = d.spring.damping + d.motor.damping;
    const double swing = std::sqrt(J / d.spring.stiffness), fade = D > 0 ? J / D : swing;
    take(d.speed, std::min(swing, fade),
         fmt::format("without `elastic` the gear of motor {} is rigid", in_quotes(d.name)));
  }
  return fastest;
}

std::vector<Event> DrivenEquations::events() {
  std::vector<Event> all;
  for (std::size_t i = 0; i < drives_.list().size(); ++i) {
    const Drive& d = drives_.list()[i];
    const double limit = d.motor.current_limit;
    if (d.current < 0 || !std::isfinite(limit)) continue;
    for (const int side : {1, -1}) {
      const auto distance = [at = d.current, side](double from) {
        return [at, side, from](const FullState& now) { return from - side * now.extra[at]; };
      };
      const auto describe = [&](const char* what) {
        return fmt::format("motor {} {} its current limit, {:g} A", in_quotes(d.name), what,
                           side * limit);
      };
      all.push_back({.name = describe("comes to"),
                     .function = distance(limit),
                     .direction = Event::Direction::falling,
                     .action = [this, i, at = d.current, limit, side](FullState& now) {
                       held_[i] = side;
                       now.extra[at] = side * limit;
                     }});
      all.push_back({.name = describe("leaves"),
                     .function = distance((1 - left_limit) * limit),
                     .direction = Event::Direction::rising,
                     .action = [this, i](FullState& /*now*/) { held_[i] = 0; }});
    }
  }
  return all;
}

void DrivenEquations::begin(FullState& now) {
  inside().begin(now);
  for (std::size_t i = 0; i < drives_.list().size(); ++i) {
    const Drive& d = drives_.list()[i];
    held_[i] = 0;
    voltage_[i] = Voltage::within;
    if (d.current < 0) continue;
    const double current = now.extra[d.current], limit = d.motor.current_limit;
    if (std::abs(current) > limit)
      throw Error(fmt::format("motor {} starts with {} A, beyond its current limit of {} A",
                              in_quotes(d.name), current, limit));
    if (std::abs(current) == limit) held_[i] = current > 0 ? 1 : -1;
  }
}

void DrivenEquations::watch_voltages() {
  for (std::size_t i = 0; i < drives_.list().size(); ++i) {
    const Drive& d = drives_.list()[i];
    if (d.is_driven && voltage_[i] == Voltage::within &&
        std::abs(u_[d.voltage]) > d.motor.voltage_limit)
      voltage_[i] = Voltage::cut;
  }
}

std::string DrivenEquations::take_notice() {
  for (std::size_t i = 0; i < drives_.list().size(); ++i) {
    if (voltage_[i] != Voltage::cut) continue;
    voltage_[i] = Voltage::told;
    const Drive& d = drives_.list()[i];
    return fmt::format(
        "motor {} is given more than its voltage limit: {:g} V are cut off to {:g} V",
        in_quotes(d.name), std::abs(u_[d.voltage]), d.motor.voltage_limit);
  }
  return inside().take_notice();
}

std::vector<double> DrivenEquations::memory() const {
  std::vector<double> all = inside().memory();
  for (std::size_t i = 0; i < held_.size(); ++i) {
    all.push_back(held_[i]);
    all.push_back(voltage_[i] == Voltage::within ? 0 : 1);
  }
  return all;
}

bool DrivenEquations::set_memory(const std::vector<double>& memory) {
  const std::size_t own = 2 * held_.size();
  if (memory.size() < own) return false;
  const std::size_t first = memory.size() - own;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    held_[i] = static_cast<int>(memory[first + 2 * i]);
    voltage_[i] = memory[first + 2 * i + 1] == 0 ? Voltage::within : Voltage::told;
  }
  return set_inner_memory(memory, own);
}

}  // namespace linkwright
