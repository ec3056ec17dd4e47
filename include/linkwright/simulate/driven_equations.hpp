#pragma once
/// The equations of a mechanism together with those of its motors.
///
///     linkwright::Simulation simulation(system, start, {.method = linkwright::Method::bdf,
///                                                       .voltages = {"m1"}});   // makes them by itself
///     Eigen::VectorXd input = simulation.input();
///     input[input_index(simulation.equations(), "voltage:m1")] = 24;
///     simulation.set_input(input);
///
/// Inputs are those of the mechanism (efforts at the joints, which come on top of the motors'), and behind
/// them the voltages and shaft torques of actuation/drives.hpp. Extra states are currents and the shafts
/// behind elastic gears. Told for every motor: motor:NAME:current, voltage, torque, angle, speed, power, heat.

#include <memory>

#include "linkwright/actuation/drives.hpp"
#include "linkwright/simulate/wrapping_equations.hpp"

namespace linkwright {

class DrivenEquations final : public WrappingEquations {
 public:
  /// `mechanism`: TreeEquations, ClosedEquations or a class of the user's own whose inputs begin with the
  /// efforts (System::effort_names) and which has no extra states. A voltage drives the motors `driven`;
  /// the terminals of the others are open.
  DrivenEquations(std::unique_ptr<Equations> mechanism, std::span<const std::string> driven);
  ~DrivenEquations() override;

  [[nodiscard]] const actuation::Drives& drives() const { return drives_; }

  [[nodiscard]] std::vector<Quantity> inputs() const override;
  void compute_usual_input(VectorRef input) const override;
  [[nodiscard]] std::vector<Quantity> extra_states() const override;
  void compute_rates(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                     VectorRef a, VectorRef extra_rates) override;
  void compute_efforts(const FullState& now, const Eigen::VectorXd& input, VectorRef tau) override;
  void compute_closing_efforts(const FullState& now, const Eigen::VectorXd& input,
                               VectorRef efforts) override;
  [[nodiscard]] std::vector<Quantity> outputs() const override;
  void compute_outputs(const FullState& now, const Eigen::VectorXd& input,
                       VectorRef outputs) override;
  void compute_start(FullState& now) override;
  [[nodiscard]] std::optional<ExtraEnergy> extra_energy(const FullState& now,
                                                        const Eigen::VectorXd& input) override;
  [[nodiscard]] FastState fastest() const override;
  /// A current that comes to its limit.
  [[nodiscard]] std::vector<Event> events() override;

  /// Throws Error for a current beyond its limit.
  void begin(FullState& now) override;
  void compute_contacts(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                        std::span<ContactForce> out) override;
  /// Voltages that come to their limits, and what the mechanism has to say.
  std::string take_notice() override;
  [[nodiscard]] std::unique_ptr<DescriptorForm> make_descriptor_form() override;
  [[nodiscard]] std::vector<double> memory() const override;
  bool set_memory(const std::vector<double>& memory) override;

 private:
  class Form;
  /// Angles and speeds of the shafts, and the efforts of the motors and the inputs together.
  void place_shafts(const FullState& now, const Eigen::VectorXd& input);
  void watch_voltages();

  actuation::Drives drives_;
  std::unique_ptr<ClosedWorkspace> work_;  // where motors sit on closing joints
  Eigen::Index mechanism_inputs_;
  Eigen::VectorXd angles_, speeds_, u_, efforts_, all_;
  Eigen::VectorXd no_extras_;
  actuation::Held held_;  // currents at their limits
  enum class Voltage { within, cut, told };
  std::vector<Voltage> voltage_;  // of every motor, as far as steps have shown
};

}  // namespace linkwright
