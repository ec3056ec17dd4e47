#pragma once
/// The terminal equations of a tree of bodies as matrices: Tokad's closed form, for joints of every kind.
///
///     const TerminalEquations equations(placement, {{tip_body, tip_place}});
///     equations.P();                                           // (23): P ẋ + Q x + u − (K′S)ᵀ y_L = y
///     const ReducedEquations reduced = equations.reduce();     // in the joints' own freedoms
///
/// Ports are the joints, x_j = x_B − x_A with m of them, and load ports, x_L = x at a place of a body. y_j is what
/// joint j passes to its body (and takes from the parent), y_L the load on the body. Intermediate form (18), with
/// the twists x_G of all mass centres:
///   x = K x_G,   x_L = K′ x_G,   W_G x_G = Kᵀ y + K′ᵀ y_L − u_G,   W_G = P_G d/dt + Q_G
/// S = K⁻¹ by products along the tree (19), and so the form with m + loads ports (20)
///   [y; x_L] = [Sᵀ W_G S  −(K′S)ᵀ; K′S  0] [x; y_L] + [Sᵀ u_G; 0]
/// Cost: dense, O(m²) to O(m³). To see and to test with; recursion.hpp computes.

#include <memory>
#include <span>
#include <vector>

#include "linkwright/network/formulation_tree.hpp"
#include "linkwright/network/placement.hpp"
#include "linkwright/network/rigid_body.hpp"

namespace linkwright::network {

/// A place of a body where a load acts, measured as the body's positions are.
struct LoadPort {
  int body = 0;
  Vector3 place{};
};

/// P v̇ + Q v + u − loadsᵀ y_L = τ in the freedoms of the joints, rotors in P; x_L = loads v.
class ReducedEquations {
 public:
  struct Parts;
  explicit ReducedEquations(std::unique_ptr<Parts> parts);
  ~ReducedEquations();
  ReducedEquations(ReducedEquations&&) noexcept;
  ReducedEquations& operator=(ReducedEquations&&) noexcept;

  [[nodiscard]] const Eigen::MatrixXd& P() const;  ///< nv × nv
  [[nodiscard]] const Eigen::MatrixXd& Q() const;  ///< nv × nv
  [[nodiscard]] const Eigen::VectorXd& u() const;  ///< nv
  [[nodiscard]] const Eigen::MatrixXd& loads()
      const;  ///< 6·loads × nv; (39) is one with one freedom per joint
  /// Section 2.3. `load` has six numbers per load port. What a Placement's bodies have as load counts too.
  void compute_efforts(const ConstVectorRef& v, const ConstVectorRef& a, const ConstVectorRef& load,
                       VectorRef tau) const;
  /// Section 2.1. Throws Error (failed_computation) where P is singular.
  void compute_accelerations(const ConstVectorRef& v, const ConstVectorRef& tau,
                             const ConstVectorRef& load, VectorRef a) const;

 private:
  std::unique_ptr<Parts> parts_;
};

class TerminalEquations {
 public:
  /// By the table of parents.
  explicit TerminalEquations(const Placement& placement, std::span<const LoadPort> loads = {});
  TerminalEquations(const Placement& placement, std::initializer_list<LoadPort> loads);
  /// By the fundamental circuits of a graph whose joints are its chords, Tokad's case (i): one row of K per joint
  /// of the spanning tree. Throws Error for a tree that has a joint among its branches.
  TerminalEquations(const Placement& placement, const SystemGraph& graph,
                    const FormulationTree& tree, std::span<const LoadPort> loads = {});
  ~TerminalEquations();
  TerminalEquations(TerminalEquations&&) noexcept;
  TerminalEquations& operator=(TerminalEquations&&) noexcept;

  [[nodiscard]] const Eigen::MatrixXd& K() const;        ///< 6m × 6m (13)
  [[nodiscard]] const Eigen::MatrixXd& K_prime() const;  ///< 6·loads × 6m (13)
  [[nodiscard]] const Eigen::MatrixXd& S() const;        ///< (19), with S_pp = K_b⁻ᵀ
  [[nodiscard]] const Eigen::MatrixXd& S_rate() const;   ///< dS/dt
  [[nodiscard]] const Eigen::MatrixXd& P_G() const;      ///< block diagonal (2)
  [[nodiscard]] const Eigen::MatrixXd& Q_G() const;      ///< block diagonal (2)
  [[nodiscard]] const Eigen::VectorXd& u_G()
      const;  ///< (2); a body's other loads count with its weight
  [[nodiscard]] const Eigen::MatrixXd& P() const;         ///< (23)
  [[nodiscard]] const Eigen::MatrixXd& Q() const;         ///< (23)
  [[nodiscard]] const Eigen::VectorXd& u() const;         ///< Sᵀ u_G
  [[nodiscard]] const Eigen::MatrixXd& load_map() const;  ///< K′S

  /// (21): the coefficients of [x; y_L; y_G] without d/dt, [y; x_L; x_G] = P ẋ (first rows) + T [x; y_L; y_G] + [u; 0; 0].
  /// Without its last 6m rows and columns it is (20). T is square, 6(2m + loads).
  void compute_augmented(MatrixRef T) const;

  /// H* and its rate in, so that x = H* v: the freedoms of every joint, whatever its type.
  [[nodiscard]] ReducedEquations reduce() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Entries in closed form, from positions and velocities alone (28), (30): R̃ from B_p to G_j, summed over the
/// bodies j that are outboard of both joints.
Matrix6 closed_form_P(const Placement& placement, int p, int q);
/// (31), (32).
Matrix6 closed_form_Q(const Placement& placement, int p, int q);
/// (33), (34): of the weight.
Vector6 closed_form_u(const Placement& placement, int p);
/// (36): what joint j does at a load port.
Matrix6 closed_form_load_map(const Placement& placement, const LoadPort& load, int j);

}  // namespace linkwright::network
