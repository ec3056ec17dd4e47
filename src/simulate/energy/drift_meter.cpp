#include "simulate/energy/drift_meter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwright/dynamics/dissipation.hpp"
#include "linkwright/dynamics/kinematics.hpp"

namespace linkwright {
namespace {

/// Roundings of the sums behind an energy, and of the positions it is made from.
constexpr double roundings = 1e4 * std::numeric_limits<double>::epsilon();

bool any_nonzero(const std::vector<double>& values, const JointPlace& place) {
  const auto first = values.begin() + place.v;
  return std::any_of(first, first + place.nv, [](double x) { return x != 0; });
}

/// Whether a joint at the world passes a force on to what floats on it.
bool holds(const System& system, const JointPlace& place) {
  const JointForces<double>& forces = system.tree().joint_forces;
  const auto on_it = [&place](const auto& spring) { return spring.v == place.v; };
  return place.type != JointType::free || drains_energy(system, place) ||
         any_nonzero(system.rotor_inertia(), place) || any_nonzero(forces.load, place) ||
         std::any_of(forces.pose_springs.begin(), forces.pose_springs.end(), on_it);
}

/// Efforts on the joints at the world push against it.
bool pushes_world(const System& system, const Eigen::VectorXd& tau) {
  return std::any_of(system.joints().begin(), system.joints().end(),
                     [&tau](const JointPlace& place) {
                       return place.parent < 0 && tau.segment(place.v, place.nv).any();
                     });
}

/// A closure between a body and the world, or a gear on a joint there.
bool holds_world(const ClosurePlace& c) {
  return is_among_joints(c.kind) || c.body_a < 0 || c.body_b < 0;
}

Drift worse(const Drift& a, const Drift& b) {
  if (a.relative() == b.relative()) return a.change > b.change ? a : b;
  return a.relative() > b.relative() ? a : b;
}

}  // namespace

bool loads_closing_joints(const System& system) {
  return std::any_of(system.closures().begin(), system.closures().end(), [](const ClosurePlace& c) {
    return std::any_of(c.freedom, c.freedom + c.freedoms,
                       [](const ClosingFreedom& f) { return f.load != 0; });
  });
}

bool keeps_energy(const System& system) {
  const std::vector<double>& load = system.tree().joint_forces.load;
  return !drains_energy(system) && !loads_closing_joints(system) &&
         system.tree().body_forces.loads.empty() &&
         std::all_of(load.begin(), load.end(), [](double x) { return x == 0; });
}

bool keeps_momentum(const System& system) {
  const BodyForces<double>& bodies = system.tree().body_forces;
  return system.nv() > 0 && norm(system.tree().gravity) == 0 && bodies.loads.empty() &&
         std::none_of(
             bodies.line_springs.begin(), bodies.line_springs.end(),
             [](const auto& spring) { return spring.node_a == 0 || spring.node_b == 0; }) &&
         std::none_of(system.joints().begin(), system.joints().end(), [&](const JointPlace& place) {
           return place.parent < 0 && holds(system, place);
         });
}

DriftMeter::DriftMeter(const Equations& equations)
    : energy_(equations.system(), equations.obeys_closures()),
      may_keep_energy_((equations.follows_tree() || equations.obeys_closures()) &&
                       keeps_energy(equations.system())),
      may_keep_momentum_((equations.follows_tree() && keeps_momentum(equations.system())) ||
                         (equations.obeys_closures() && keeps_momentum(equations.system()) &&
                          std::none_of(equations.system().closures().begin(),
                                       equations.system().closures().end(), holds_world))) {}

/// What the potential is the sum of, every part counted as positive; read after compute_energy.
double DriftMeter::potential_size() const {
  double sum = 0;
  const System& system = energy_.system();
  for (std::size_t b = 0; b < system.model().bodies.size(); ++b) {
    const Body& body = system.model().bodies[b];
    const Vector3 at = frame_pose(energy_.tree(), FrameId{static_cast<int>(b) + 1}) * body.com;
    sum += body.mass * norm(system.tree().gravity) * norm(at);
  }
  return sum;
}

Energy DriftMeter::energy_of(const State& now, double stored) {
  Energy energy = energy_.compute(now);
  energy.potential += stored;
  return energy;
}

void DriftMeter::begin(const State& start, double stored) {
  const Energy energy = energy_of(start, stored);
  result_ = {};
  result_.energy_at_start = energy.kinetic + energy.potential;
  result_.is_conservative = may_keep_energy_;
  result_.rounding = roundings * (energy.kinetic + std::abs(energy.potential) + potential_size());
  worst_before_ = {};
  begin_stretch(energy);
  keeps_momentum_ = may_keep_momentum_;
  if (!keeps_momentum_) return;
  momentum_ = system_momentum(energy_.tree());
  result_.linear_momentum = result_.angular_momentum = Drift{};
  look_at_momentum();
}

void DriftMeter::begin_stretch(const Energy& energy) {
  first_ = energy;
  departure_ = 0;
  stretch_ = {0, energy.kinetic};
}

void DriftMeter::begin_again(const State& now, double stored) {
  worst_before_ = worse(worst_before_, stretch_);
  begin_stretch(energy_of(now, stored));
  momentum_ = system_momentum(energy_.tree());
}

void DriftMeter::look(const State& now, const Eigen::VectorXd& tau, bool loaded,
                      const std::optional<ExtraEnergy>& extra) {
  // What springs of the extra states do to the joints is part of the account.
  const bool quiet = extra ? extra->is_kept : !loaded && !tau.any();
  result_.is_conservative = result_.is_conservative && quiet;
  if (keeps_momentum_ && (loaded || pushes_world(energy_.system(), tau))) {
    keeps_momentum_ = false;
    result_.linear_momentum = result_.angular_momentum = std::nullopt;
  }
  if (!result_.is_conservative && !keeps_momentum_) return;
  const Energy energy = energy_of(now, extra ? extra->stored : 0);
  if (result_.is_conservative) {
    const double gained = energy.kinetic - first_.kinetic,
                 given = first_.potential - energy.potential;
    const double departure = gained - given;
    result_.energy_step = std::max(result_.energy_step, std::abs(departure - departure_));
    departure_ = departure;
    stretch_.change = std::max(stretch_.change, std::abs(departure));
    stretch_.scale = std::max(stretch_.scale, first_.kinetic + std::min(gained, given));
  }
  if (keeps_momentum_) look_at_momentum();
}

/// Reads what compute_energy placed.
void DriftMeter::look_at_momentum() {
  const Momentum now = system_momentum(energy_.tree());
  const Vector3 centre = system_centre_of_mass(energy_.tree()).position;
  Drift &linear = *result_.linear_momentum, &angular = *result_.angular_momentum;
  linear.change = std::max(linear.change, norm(now.linear - momentum_.linear));
  angular.change = std::max(angular.change, norm(now.angular - momentum_.angular));
  double linear_sum = 0, angular_sum = 0;
  const auto& bodies = energy_.system().model().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const FrameId frame{static_cast<int>(i) + 1};
    const Pose pose = frame_pose(energy_.tree(), frame);
    const Force h = spatial::inertia_from_com(bodies[i].mass, bodies[i].com, bodies[i].inertia) *
                    frame_velocity(energy_.tree(), frame, Axes::own);
    linear_sum += norm(h.force);
    angular_sum +=
        norm(pose.rotation * h.moment + cross(pose.translation - centre, pose.rotation * h.force));
  }
  linear.scale = std::max(linear.scale, linear_sum);
  angular.scale = std::max(angular.scale, angular_sum);
}

Conservation DriftMeter::result(const State& now, double stored) {
  const Energy energy = energy_of(now, stored);
  result_.energy_now = energy.kinetic + energy.potential;
  result_.energy = worse(worst_before_, stretch_);
  // What moves no more than rounding does has no size to be seen against.
  if (result_.energy.scale <= result_.rounding) result_.energy.scale = 0;
  return result_;
}

}  // namespace linkwright
