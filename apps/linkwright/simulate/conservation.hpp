#pragma once
/// What a run should have kept, and how well it did.

#include <optional>
#include <vector>

#include "linkwright/dynamics/energy.hpp"

namespace linkwright::app {

/// A number that should stay, its largest departure from the start, and the size it is seen
/// against.
struct Drift {
  double change = 0;
  double scale = 0;
  /// The departure in units of the scale; the bare one where there is no scale.
  [[nodiscard]] double relative() const { return scale > 0 ? change / scale : change; }
};

/// Whether nothing feeds or drains energy: no damping, friction, loads or efforts.
bool keeps_energy(const System& system, const ConstVectorRef& tau);
/// Whether nothing outside acts: no gravity, and nothing that hangs on, pulls at or pushes against
/// the world.
bool keeps_momentum(const System& system, const ConstVectorRef& tau);

/// Looks at every row of a run.
class Conservation {
 public:
  Conservation(const System& system, const ConstVectorRef& tau);

  void look(Workspace& work, const State& state);

  [[nodiscard]] bool energy_kept() const { return energy_kept_; }
  /// Of the energy. Scale: the largest kinetic energy plus the largest swing of the potential,
  /// since the zero of a potential is arbitrary.
  [[nodiscard]] Drift energy() const { return {energy_change_, kinetic_ + swing_}; }
  [[nodiscard]] double energy_at_start() const { return first_.kinetic + first_.potential; }
  [[nodiscard]] double energy_at_end() const { return last_.kinetic + last_.potential; }
  /// Of the linear and of the angular momentum; nothing when something outside acts. Scale: the sum
  /// of the bodies' own momenta, since their total may well be zero.
  [[nodiscard]] std::optional<Drift> linear() const;
  [[nodiscard]] std::optional<Drift> angular() const;

 private:
  void look_at_momentum(Workspace& work, const State& state);

  const System* system_;
  bool energy_kept_, momentum_kept_;
  bool started_ = false;
  Energy first_{}, last_{};
  double energy_change_ = 0, kinetic_ = 0, swing_ = 0;
  Momentum momentum_{};
  Drift linear_{}, angular_{};
  Eigen::VectorXd no_acceleration_;
};

}  // namespace linkwright::app
