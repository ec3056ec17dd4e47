#include "simulate/energy/energy_watch.hpp"

#include <cmath>

#include <fmt/format.h>

#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/simulate/conservation.hpp"

namespace linkwright {
namespace {

bool finite(const FullState& now) {
  return std::isfinite(now.state.q.sum()) && std::isfinite(now.state.v.squaredNorm()) &&
         std::isfinite(now.extra.sum());
}

}  // namespace

EnergyWatch::EnergyWatch(Rates& rates, const FullState& start)
    : rates_(&rates),
      energy_(rates.system(), rates.equations().obeys_closures()),
      joint_loads_(rates.system().tree().joint_forces.load.data(), rates.system().nv()),
      has_joint_loads_(joint_loads_.any()),
      has_closing_loads_(energy_.closed() && loads_closing_joints(rates.system())),
      rest_(Eigen::VectorXd::Zero(rates.system().nv())) {
  const System& system = rates.system();
  for (const BodyLoad& load : system.model().body_loads)
    body_loads_.push_back({system.frame(load.body), &load});
  begin_again(start);
}

double EnergyWatch::power(const FullState& full, const Eigen::VectorXd& tau) {
  const State& now = full.state;
  const ExternalForces forces = rates_->forces();
  const auto told = extra(full);
  double sum = told ? told->fed : std::abs(tau.dot(now.v));
  if (has_joint_loads_) sum += std::abs(joint_loads_.dot(now.v));
  if (body_loads_.empty() && forces.empty()) return sum;
  compute_forward_kinematics(energy_.tree(), now, rest_);
  for (const ExternalForce& force : forces)
    sum += std::abs(dot(force.force, frame_velocity(energy_.tree(), force.frame, force.axes)));
  for (const auto& [frame, load] : body_loads_) {
    const Axes axes = load->in_world ? Axes::world : Axes::own;
    const Motion V = frame_velocity(energy_.tree(), frame, axes);
    const Vector3 at =
        load->in_world ? frame_pose(energy_.tree(), frame).rotation * load->at : load->at;
    sum += std::abs(dot(load->force, shift(at, V)));
  }
  return sum;
}

double EnergyWatch::total(const Energy& energy, const FullState& now) {
  const auto told = extra(now);
  return energy.kinetic + energy.potential + (told ? told->stored : 0);
}

void EnergyWatch::begin_again(const FullState& now) {
  const Energy energy = energy_.compute(now.state);
  start_energy_ = total(energy, now);
  start_potential_ = energy.potential;
  work_done_ = 0;
  known_speed_ = now.state.v.norm();
  learning_ = 1;
}

void EnergyWatch::check(const FullState& before, const FullState& now, const Eigen::VectorXd& tau,
                        bool fed) {
  const double h = now.state.t - before.state.t;
  const double speed = now.state.v.norm();
  if (!std::isfinite(speed) || !std::isfinite(now.extra.sum())) throw_explosion(before, now, h);
  work_done_ += h * power(now, tau);
  if (learning_ > 0) {
    // What the forces make of a mechanism in one step is the measure when it starts from rest.
    --learning_;
    known_speed_ = std::max(known_speed_, speed);
  }
  if (speed <= 2 * known_speed_) return;
  const Energy energy = energy_.compute(now.state);
  const double sum = total(energy, now);
  if (!std::isfinite(sum)) throw_explosion(before, now, h);
  const double from_nowhere = sum - start_energy_ - work_done_;
  fed = fed || (now.extra.size() > 0 && !extra(now));
  const double exchanged = std::max(energy.kinetic, std::abs(energy.potential - start_potential_));
  // Rounding alone may feed a mechanism that stands still.
  const double noise = 1e-9 * (1e-3 + std::abs(start_energy_) + std::abs(start_potential_));
  if (fed || has_closing_loads_ || from_nowhere <= std::max(0.5 * exchanged, noise))
    known_speed_ = speed;
  else if (speed > 1000 * known_speed_)
    throw_explosion(before, now, h);
}

std::string EnergyWatch::fed_by() const {
  if (work_done_ == 0)
    return rates_->is_pushed() ? "efforts and forces whose work was not counted yet"
                               : "nothing to feed it";
  return std::isfinite(work_done_) ? fmt::format("{:.3g} J from efforts and forces", work_done_)
                                   : std::string("efforts and forces that are no longer finite");
}

void EnergyWatch::throw_explosion(const FullState& full_before, const FullState& full, double h) {
  const System& system = energy_.system();
  const State &before = full_before.state, &now = full.state;
  for (Eigen::Index i = 0; i < full.extra.size(); ++i)
    if (!std::isfinite(full.extra[i]))
      throw Error(
          fmt::format(
              "the motion explodes at t = {:g} s: '{}' is no longer finite. A step of {:g} s "
              "is too long for this system: take a shorter one, or a method for stiff "
              "systems (bdf)",
              now.t, rates_->extra_states()[static_cast<std::size_t>(i)].name, h),
          Error::Kind::failed_computation);
  // The culprit is the freedom that is no longer finite, or else the fastest.
  Eigen::Index worst = 0;
  for (Eigen::Index i = 0; i < now.v.size(); ++i) {
    if (!std::isfinite(now.v[i])) {
      worst = i;
      break;
    }
    if (std::abs(now.v[i]) > std::abs(now.v[worst])) worst = i;
  }
  const Energy energy = energy_.compute(finite(full) ? now : before);
  throw Error(fmt::format("the motion explodes at t = {:g} s: joint '{}' moves at {:.3g} (rad/s or "
                          "m/s) and the energy has gone from {:.6g} J to {:.3g} J with {}. "
                          "A step of {:g} s is too long for this system: take a shorter "
                          "one, or a method for stiff systems (bdf)",
                          now.t, system.velocity_names()[static_cast<std::size_t>(worst)],
                          std::isfinite(now.v[worst]) ? now.v[worst] : before.v[worst],
                          start_energy_, energy.kinetic + energy.potential, fed_by(), h),
              Error::Kind::failed_computation);
}

std::vector<double> EnergyWatch::memory() const {
  return {start_energy_, start_potential_, work_done_, known_speed_,
          static_cast<double>(learning_)};
}

void EnergyWatch::set_memory(const std::vector<double>& memory) {
  if (memory.size() != 5) return;
  start_energy_ = memory[0], start_potential_ = memory[1], work_done_ = memory[2];
  known_speed_ = memory[3], learning_ = static_cast<int>(memory[4]);
}

}  // namespace linkwright
