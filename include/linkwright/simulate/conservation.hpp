#pragma once
/// What a run should have kept, and how well it did, measured at every step.
///
///     linkwright::Simulation simulation(system, start, {.step = 1e-3, .measure_drift = true});
///     simulation.advance_to(100);
///     const linkwright::Conservation& kept = *simulation.statistics().conservation;
///     if (!kept.energy_is_kept()) std::cerr << "lost " << kept.energy.change << " J\n";

#include <limits>
#include <optional>

#include "linkwright/dynamics/energy.hpp"

namespace linkwright {

/// A number that should stay: its largest departure from the start, and the size it is seen
/// against.
struct Drift {
  double change = 0;
  double scale = 0;
  /// The departure in units of the scale. Where there is no scale (nothing has moved): 0 for no
  /// departure, infinity for any; `change` then tells how much.
  [[nodiscard]] double relative() const {
    if (change == 0) return 0;
    return scale > 0 ? change / scale : std::numeric_limits<double>::infinity();
  }
};

struct Conservation {
  double energy_at_start = 0, energy_now = 0;  ///< joules, springs and rotors included
  /// Whether nothing has fed or drained energy: no efforts, loads, damping, friction or stops. Only then is
  /// `energy` measured.
  bool is_conservative = false;
  /// Of the energy. Scale: the kinetic energy of the start, plus the most that the potential has
  /// given to the motion: released(t) = min(growth of the kinetic energy, fall of the potential).
  /// A motion that explodes gains energy that no potential gave, so it cannot hide behind its own
  /// size. Where an event's action changes the state, the measure begins anew; the worst stretch
  /// stands here.
  Drift energy{};
  double energy_step = 0;  ///< the most that the energy has changed by in one step, joules
  double rounding = 0;     ///< joules that rounding alone may make of the energy
  /// Of the momentum, linear and about the centre of mass; nothing once something outside acts.
  /// Scale: the largest sum so far of the bodies' own momenta, since their total may well be zero.
  std::optional<Drift> linear_momentum{}, angular_momentum{};

  /// The part of the scale that the energy of a conservative run may depart by and still be called
  /// kept. Tighter promises can be read from `energy` itself.
  static constexpr double most_drift = 0.01;
  /// Whether energy had to be kept, and was.
  [[nodiscard]] bool energy_is_kept() const {
    return is_conservative && energy.change <= most_drift * energy.scale + rounding;
  }
};

/// Whether a load of the model acts on a joint that closes a loop.
bool loads_closing_joints(const System& system);
/// Whether nothing in the model drains or feeds energy: no damping, friction or loads.
bool keeps_energy(const System& system);
/// Whether nothing of the model holds it from outside: no gravity, and nothing that hangs on, pulls
/// at or pushes against the world.
bool keeps_momentum(const System& system);

}  // namespace linkwright
