#pragma once
/// The equations of a mechanism together with those of a network around it.
///
///     linkwright::Model model = linkwright::network::reflect_inertias(linkwright::read_model("arm.yaml"));
///     const linkwright::System system = linkwright::compile(model);
///     linkwright::Simulation simulation(system, start, {.method = linkwright::Method::bdf});   // makes them by itself
///     Eigen::VectorXd input = simulation.input();
///     input[input_index(simulation.equations(), "voltage:supply")] = 12;
///     simulation.set_input(input);
///
/// Inputs are those of the mechanism, and behind them the sources of the network, which begin with the values
/// that the file gives them. Extra states are those of the mechanism, then the network's
/// (network/circuit.hpp). Told are across and through variables of every component: network:NAME:voltage, current,
/// speed, torque. Rates of inputs count as zero; functions of time (Network::drive) tell theirs.

#include <memory>

#include "linkwright/network/shaft_place.hpp"
#include "linkwright/simulate/wrapping_equations.hpp"

namespace linkwright {

class NetworkEquations final : public WrappingEquations {
 public:
  /// `mechanism`: equations whose inputs begin with the efforts (System::effort_names): TreeEquations,
  /// ClosedEquations, DrivenEquations. Throws Error for a joint that is not there, and for inertias
  /// that joints turn rigidly and that are not in the mechanism (network::reflect_inertias).
  NetworkEquations(std::unique_ptr<Equations> mechanism, network::Network network);
  ~NetworkEquations() override;

  [[nodiscard]] const network::Circuit& circuit() const { return circuit_; }
  /// All inputs as they are where a run begins, for compute_start: which start fits depends on what the sources give
  /// there. Until then they are those of compute_usual_input.
  void set_start_input(const ConstVectorRef& input);

  [[nodiscard]] std::vector<Quantity> inputs() const override;
  void compute_usual_input(VectorRef input) const override;
  [[nodiscard]] std::vector<Quantity> extra_states() const override;
  void compute_rates(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                     VectorRef a, VectorRef extra_rates) override;
  void compute_efforts(const FullState& now, const Eigen::VectorXd& input, VectorRef tau) override;
  void compute_closing_efforts(const FullState& now, const Eigen::VectorXd& input,
                               VectorRef efforts) override;
  [[nodiscard]] std::vector<Quantity> outputs() const override;
  /// What inertias on joints take follows from the accelerations that were last computed.
  void compute_outputs(const FullState& now, const Eigen::VectorXd& input,
                       VectorRef outputs) override;
  void compute_start(FullState& now) override;
  [[nodiscard]] std::optional<ExtraEnergy> extra_energy(const FullState& now,
                                                        const Eigen::VectorXd& input) override;
  [[nodiscard]] FastState fastest() const override;
  void compute_contacts(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                        std::span<ContactForce> out) override;
  [[nodiscard]] std::unique_ptr<DescriptorForm> make_descriptor_form() override;
  [[nodiscard]] std::vector<double> memory() const override;
  bool set_memory(const std::vector<double>& memory) override;

 private:
  class Form;
  void place_speeds(const State& state);
  void place_sources(double t, const Eigen::VectorXd& input);
  /// The network at a moment, and all inputs of the mechanism.
  void place(const FullState& now, const Eigen::VectorXd& input);

  network::Circuit circuit_;
  network::CircuitWorkspace work_;
  std::unique_ptr<ClosedWorkspace> closed_;  // where ports are closing joints
  std::vector<network::ShaftPlace> shafts_;
  Eigen::Index mechanism_inputs_, mechanism_extras_, mechanism_outputs_;
  Eigen::VectorXd speeds_, sources_, source_rates_, accelerations_, closing_rates_, all_, own_, a_;
  Eigen::VectorXd start_input_;
  Eigen::MatrixXd closing_jacobian_;
};

}  // namespace linkwright
