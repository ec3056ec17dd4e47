#include "linkwright/actuation/voltages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "actuation/shared_torques.hpp"
#include "dynamics/door.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright::actuation {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

bool has_inductance(const Drive& d) { return d.k != 0 && d.motor.La > 0; }

/// The solution of D ė + K e = T that has forgotten its start: e = Σ (−D/K)ⁿ T⁽ⁿ⁾/K, cut off.
double settled_twist(const Drive& d, const Series& T, int order) {
  const double K = d.spring.stiffness;
  double weight = 1 / K, sum = 0;
  for (int n = 0; n <= order; ++n, weight *= -d.spring.damping / K) sum += weight * T.derivative(n);
  return sum;
}

}  // namespace

struct NominalVoltages::Torques : SharedTorques {
  using SharedTorques::SharedTorques;
};

NominalVoltages::NominalVoltages(const System& system) : drives_(system), work_(system) {
  if (drives_.list().empty())
    throw Error(
        "this model has no motors to find voltages for; give it `actuators` with a `motor`");
  for (const Drive& d : drives_.list()) needed_ = std::max(needed_, derivatives_needed(d));
  if (std::none_of(drives_.list().begin(), drives_.list().end(),
                   [](const Drive& d) { return d.k != 0; }))
    throw Error("no motor of this model has an electrical side; give one Ra and k");
  torques_ = std::make_unique<Torques>(system, drives_);
}

NominalVoltages::~NominalVoltages() = default;

int NominalVoltages::derivatives_needed(const Drive& d) {
  return 1 + (d.is_elastic ? 2 : 0) + (has_inductance(d) ? 1 : 0);
}

const char* NominalVoltages::name_of_derivative(int n) {
  constexpr const char* names[]{"accelerations", "jerk", "snap", "crackle"};
  return names[std::clamp(n, 1, series_orders) - 1];
}

std::string NominalVoltages::reason_of_need(const Drive& d) {
  std::string why = d.is_elastic ? "sits behind an elastic gear" : "";
  if (has_inductance(d))
    why += fmt::format("{}has an inductance of {:g} H", why.empty() ? "" : " and ", d.motor.La);
  return why;
}

void NominalVoltages::compute_all(const State& state, const ConstMatrixRef& rates,
                                  const ConstVectorRef* twist, MotorDemand& out) {
  const System& system = work_.system();
  door::check_state(system, state);
  door::check_output(rates.rows(), system.nv(), "rates (rows)");
  const int given = static_cast<int>(rates.cols());
  for (const Drive& d : drives_.list())
    if (const int needed = derivatives_needed(d); needed > given)
      throw Error(
          given == 0
              ? std::string("voltages depend on accelerations, which are not given")
              : fmt::format("motor {} {}: its voltage depends on the {}, which is not given",
                            in_quotes(d.name), reason_of_need(d), name_of_derivative(given + 1)));
  if (twist != nullptr) door::check_output(twist->size(), drives_.count(), "twist");
  torques_->compute(work_, state, rates, needed_ - 1);
  for (std::size_t i = 0; i < drives_.list().size(); ++i) write_demand(i, twist, out);
}

void NominalVoltages::compute_from(const State& state, const ConstMatrixRef& rates,
                                   MotorDemand& out) {
  compute_all(state, rates, nullptr, out);
}
void NominalVoltages::compute_from(const State& state, const ConstMatrixRef& rates,
                                   const ConstVectorRef& twist, MotorDemand& out) {
  compute_all(state, rates, &twist, out);
}
void NominalVoltages::compute(const State& state, const ConstVectorRef& a,
                              const ConstVectorRef& jerk, MotorDemand& out) {
  door::check_output(a.size(), work_.system().nv(), "a");
  door::check_output(jerk.size(), work_.system().nv(), "jerk");
  MatrixXd rates(a.size(), 2);
  rates << a, jerk;
  compute_all(state, rates, nullptr, out);
}
void NominalVoltages::compute(const State& state, const ConstVectorRef& a, MotorDemand& out) {
  compute_all(state, MatrixXd(a), nullptr, out);
}

/// Of one motor, from the torque that its gear passes on and the speed of the gear's far side.
void NominalVoltages::write_demand(std::size_t i, const ConstVectorRef* twist,
                                   MotorDemand& out) const {
  const Drive& d = drives_.list()[i];
  const Series &T = torques_->torques[i], &w = torques_->speeds[i];
  const auto k = static_cast<Index>(i);
  const bool has_rate = has_inductance(d);
  double torque = T.c[0], rate = T.c[1], speed = w.c[0];
  out.twist[k] = out.twist_rate[k] = 0;
  if (d.is_elastic) {
    // Derivatives of the twist: with damping from the twist itself, otherwise from those of T.
    const double K = d.spring.stiffness, D = d.spring.damping;
    double e[series_orders]{};
    if (D > 0) {
      e[0] = twist != nullptr && !std::isnan((*twist)[k]) ? (*twist)[k]
                                                          : settled_twist(d, T, needed_ - 1);
      for (int n = 0; n < 3; ++n) e[n + 1] = (T.derivative(n) - K * e[n]) / D;
    } else {
      for (int n = 0; n < series_orders; ++n) e[n] = T.derivative(n) / K;
    }
    const double J = d.motor.rotor_inertia, B = d.motor.damping;
    const double omega[3]{w.c[0] + e[1], w.derivative(1) + e[2], w.derivative(2) + e[3]};
    torque = J * omega[1] + B * omega[0] + T.c[0];
    rate = J * omega[2] + B * omega[1] + T.c[1];
    speed = omega[0];
    out.twist[k] = e[0], out.twist_rate[k] = e[1];
  }
  out.torque[k] = torque, out.speed[k] = speed;
  out.torque_rate[k] = has_rate ? rate : 0;
  out.current[k] = out.voltage[k] = nothing;
  if (d.k == 0) return;
  out.current[k] = torque / d.k;
  out.voltage[k] = d.motor.Ra * out.current[k] + d.k * speed;
  if (has_rate) out.voltage[k] += d.motor.La * rate / d.k;
}

}  // namespace linkwright::actuation
