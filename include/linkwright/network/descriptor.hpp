#pragma once
/// Descriptor forms of circuits and of mechanisms with loops: their equations as the graph gives them, before anything is
/// solved for. simulate/descriptor_form.hpp puts both together as E(x) ẋ = f(t, x, u).
///
///     const linkwright::network::Circuit circuit(network);
///     const linkwright::network::CircuitDescriptor& d = circuit.descriptor();
///     std::cout << d.index << '\n' << d.E << '\n' << d.A << '\n';       // E ż = A z + B w + B₁ ẇ
///
///     linkwright::network::NetworkWorkspace work(system);                 // M a + bias − … − Jᵀ λ of loops
///     linkwright::network::compute_residual(work, state, tau, {}, a, lambda, residual);

#include "linkwright/network/circuit.hpp"
#include "linkwright/network/dynamics.hpp"

namespace linkwright::network {

/// A circuit for solvers of differential-algebraic equations of index 1 at most. As the circuit is written, in
/// all across and through variables, where its own index is that; where it is more, reduced by Luenberger's
/// shuffle to its states. What components of users' own take are unknowns like others: no iteration is nested.
///
///     CircuitForm form(circuit);
///     form.compute_residual(work, t, given, sources, source_rates, states, state_rates, algebraic, residual);
///     // residual: as many numbers as states and algebraic variables together; zero on the motion
class CircuitForm {
 public:
  /// The circuit must outlive the form.
  explicit CircuitForm(const Circuit& circuit);
  CircuitForm(const CircuitForm& other);
  CircuitForm& operator=(const CircuitForm&) = delete;
  ~CircuitForm();

  /// Behind Circuit::states: the other across and through variables, or the unknowns of users' own components.
  [[nodiscard]] const std::vector<Quantity>& algebraic() const { return algebraic_; }
  /// 0 where there are none, else 1.
  [[nodiscard]] int index() const { return algebraic_.empty() ? 0 : 1; }
  /// Whether the equations are those of Circuit::descriptor.
  [[nodiscard]] bool is_as_written() const { return as_written_; }

  /// Consistent values: the algebraic variables that belong to the states, and the rates of these.
  void compute_start(CircuitWorkspace& work, double t, const ConstVectorRef& given,
                     const ConstVectorRef& sources, const ConstVectorRef& source_rates,
                     const ConstVectorRef& states, VectorRef algebraic, VectorRef state_rates);
  void compute_residual(CircuitWorkspace& work, double t, const ConstVectorRef& given,
                        const ConstVectorRef& sources, const ConstVectorRef& source_rates,
                        const ConstVectorRef& states, const ConstVectorRef& state_rates,
                        const ConstVectorRef& algebraic, VectorRef residual);
  /// After compute_residual: what the circuit answers at its ports, as CircuitWorkspace::answers.
  void read_answers(VectorRef answers) const;

 private:
  void place(const ConstVectorRef& states, const ConstVectorRef& algebraic);
  void compute_own(CircuitWorkspace& work, double t, const ConstVectorRef& states,
                   const ConstVectorRef& state_rates, VectorRef residual);

  const Circuit* circuit_;
  bool as_written_;
  std::vector<Quantity> algebraic_;
  std::vector<Eigen::Index> algebraic_variables_;  // of z, as written
  Eigen::VectorXd z_, z_rates_, w_, w_rates_, across_, through_, own_rates_;
};

/// What is missing in the equations of a mechanism at accelerations a, with λ on the rows of its loops:
///     residual = M a + bias − tau − joint_forces − Σ Jᵀ f − Jᵀ λ
/// by (40) and (41), J from fundamental circuits; rotors of closing joints included. O(N + length of the circuits).
/// `lambda`: one number per row of System::closures, or none where the loops are left out.
void compute_residual(NetworkWorkspace& work, const State& state, const ConstVectorRef& tau,
                      ExternalForces forces, const ConstVectorRef& a, const ConstVectorRef& lambda,
                      VectorRef residual);
/// After compute_residual: J, rows × nv.
const Eigen::MatrixXd& loop_rows(NetworkWorkspace& work);
/// After compute_residual: how far each row is from closed, 0 for rows that bind velocities alone.
void compute_loop_gaps(NetworkWorkspace& work, const ConstVectorRef& q, VectorRef gaps);
/// After compute_residual: one mark per row, whether it is among those that the others follow from.
void find_independent_rows(NetworkWorkspace& work, std::span<char> kept);

}  // namespace linkwright::network
