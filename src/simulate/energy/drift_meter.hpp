#pragma once
/// Measures at every step how well a run keeps what it should keep. `stored` everywhere: the energy in extra states.

#include "linkwright/simulate/conservation.hpp"
#include "linkwright/simulate/equations.hpp"
#include "simulate/energy/mechanism_energy.hpp"

namespace linkwright {

class DriftMeter {
 public:
  /// Energy and momentum are those of the tree or of the closed mechanism; equations that follow
  /// neither may have more.
  explicit DriftMeter(const Equations& equations);

  /// A new run.
  void begin(const State& start, double stored);
  /// An event changed the state: the energy from here on is measured against the one it has here.
  void begin_again(const State& now, double stored);
  /// Something has taken energy without a force that could be known: an impact.
  void drain() { result_.is_conservative = false; }
  /// After a step under these efforts. `loaded`: a user's load acts, or extra states do. `extra`: what those are
  /// known to do to the energy.
  void look(const State& now, const Eigen::VectorXd& tau, bool loaded,
            const std::optional<ExtraEnergy>& extra);
  /// The account at `now`, the state at which the last step ended.
  [[nodiscard]] Conservation result(const State& now, double stored);

 private:
  /// A stretch of the run without jumps.
  void begin_stretch(const Energy& energy);
  /// Of the mechanism; what extra states store counts as potential.
  [[nodiscard]] Energy energy_of(const State& now, double stored);
  void look_at_momentum();
  [[nodiscard]] double potential_size() const;

  MechanismEnergy energy_;
  const bool may_keep_energy_, may_keep_momentum_;
  bool keeps_momentum_ = false;
  Conservation result_;
  Energy first_{};        // of the stretch
  Drift worst_before_{};  // of the stretches before
  Drift stretch_{};
  double departure_ = 0;  // of the energy, when it was last looked at
  Momentum momentum_{};
};

}  // namespace linkwright
