#pragma once
/// Notices a motion that explodes because the step is too long for the system.

#include <string>
#include <vector>

#include "simulate/energy/mechanism_energy.hpp"
#include "simulate/equations/rates.hpp"

namespace linkwright {

/// Energy cannot come from nowhere: once the bodies have become a thousand times faster than they
/// were, most of their kinetic energy must have come out of the potential or out of the motors.
/// Looks at the energy only when a speed has doubled, so a step costs one pass over v.
class EnergyWatch {
 public:
  EnergyWatch(Rates& rates, const FullState& start);

  /// After a step that led from `before` to `now` under these efforts and the inputs and forces of the
  /// rates. `fed`: energy comes in on ways unknown here. Throws Error naming time, joint and energy.
  void check(const FullState& before, const FullState& now, const Eigen::VectorXd& tau, bool fed);
  /// For a step of length h that left the finite numbers; `now` may be where it began.
  [[noreturn]] void throw_explosion(const FullState& before, const FullState& now, double h);
  /// An event changed the state: its energy is the new measure.
  void begin_again(const FullState& now);

  [[nodiscard]] std::vector<double> memory() const;
  void set_memory(const std::vector<double>& memory);

 private:
  /// What the efforts, the model's own loads and the forces give in a unit of time, every watt
  /// counted as given.
  double power(const FullState& now, const Eigen::VectorXd& tau);
  /// What the extra states store; nothing where the equations do not tell.
  [[nodiscard]] std::optional<ExtraEnergy> extra(const FullState& now) {
    return rates_->equations().extra_energy(now, rates_->input());
  }
  double total(const Energy& energy, const FullState& now);

  Rates* rates_;
  MechanismEnergy energy_;
  /// A load that the model itself declares, with the frame of its body.
  struct OnBody {
    FrameId frame;
    const BodyLoad* load;
  };
  const Eigen::Map<const Eigen::VectorXd> joint_loads_;  // the system's own
  const bool has_joint_loads_, has_closing_loads_;
  Eigen::VectorXd rest_;
  std::vector<OnBody> body_loads_;
  double start_energy_ = 0, start_potential_ = 0;
  double work_done_ = 0;    // of the motors, every joule counted as given
  double known_speed_ = 0;  // the largest |v| whose energy was found sane
  int learning_ = 1;        // steps whose speeds are taken as they are
};

}  // namespace linkwright
