#pragma once
/// The unified model of manipulators: m arms on a base of any kind, active and passive freedoms anywhere, an
/// object in their hands. Equations of A. K. Swain and A. S. Morris, 2003; letters and signs in NOTATION.md,
/// a worked example in docs/manipulators.md.
///
///     manipulator::Manipulator robot(system);
///     manipulator::UnifiedModel model(robot);
///     model.update(state, tau);
///     Eigen::MatrixXd J = model.J();                   // generalized Jacobian (41), 6 m × active
///     model.compute_forward_dynamics(a);               // Table I
///     linkwright::Force pull = model.end_force(0);     // what arm 0 does to the object
///
/// Given    mass matrix, bias, Jacobians and closure rows of the trunk
/// Computes with a: active, p: passive freedoms (`active`, `passive`),
///            M_a q̈_a + M_apᵀ q̈_p + C_a = T_a − J_aᵀ f_e,   M_ap q̈_a + M_p q̈_p + C_p = T_p − J_pᵀ f_e     (A1), (A3)
///            M q̈_a + C = T̂ − Jᵀ f_e                                                              (28), (A9)
/// Cost     O(nv³), dense; allocates nothing once update and the function in question have run. O(n) forward
///          dynamics: closed_chain.hpp
///
/// Closures on the manipulator itself (wheels that roll, a parallel gripper) are obeyed by everything here: the
/// freedoms that they make depend on others, passive ones first, are eliminated, and a and p are what is left.
///
/// T holds the given efforts and all else that pushes: springs, damping, friction, loads, external forces.
/// T_p = f_b of a free-flying base are the efforts on its joint. C holds gravity besides Coriolis terms. Motions
/// and forces of a tip are at its frame and in its axes; f_e is what an arm does to what it holds. The readers
/// speak of the last update.

#include <memory>
#include <span>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/manipulator/manipulator.hpp"

namespace linkwright::manipulator {

using MatrixView = Eigen::Map<const Eigen::MatrixXd>;
using VectorView = Eigen::Map<const Eigen::VectorXd>;

/// How Table I came to the end forces.
struct TableReport {
  int rows = 0;  ///< of all grasps, and of closures that are not on the manipulator itself
  int rank = 0;  ///< of these; fewer where the grasp is redundant
  /// H = J M⁻¹ Jᵀ + J_p M_p⁻¹ J_pᵀ (48) has an inverse. Otherwise (arms with fewer joints than their grasp
  /// has rows) the steps start with the forces, Ω f_e = … of part 2, (4.9d).
  bool H_is_regular = true;
};

class UnifiedModel {
 public:
  /// The Manipulator must outlive it.
  explicit UnifiedModel(const Manipulator& of);
  explicit UnifiedModel(Manipulator&&) = delete;
  ~UnifiedModel();
  UnifiedModel(const UnifiedModel&) = delete;
  UnifiedModel& operator=(const UnifiedModel&) = delete;

  /// tau: nv efforts or System::effort_count. Throws Error naming the joint for an effort on a freedom that
  /// is marked passive, the grasp or closure that is not closed, and (failed_computation) what moves without
  /// any inertia.
  void update(const State& state, const ConstVectorRef& tau, ExternalForces forces = {});

  /// Entries of v that the partition speaks for, a and p of them: those of the Manipulator, without what its own
  /// closures make depend on the others (chosen at the first update).
  [[nodiscard]] std::span<const int> active() const;
  [[nodiscard]] std::span<const int> passive() const;

  // Partitioned (A1)–(A4). a active, p passive freedoms, m arms.
  [[nodiscard]] MatrixView M_a() const;   ///< (A2a), a × a
  [[nodiscard]] MatrixView M_ap() const;  ///< (A2c) as in (28), p × a
  [[nodiscard]] MatrixView M_p() const;   ///< (A2b), p × p
  [[nodiscard]] VectorView C_a() const;   ///< (A2d)
  [[nodiscard]] VectorView C_p() const;   ///< (A2e)
  [[nodiscard]] VectorView T_a() const;   ///< (A1)
  [[nodiscard]] VectorView T_p() const;   ///< (A1); f_b of (22)
  [[nodiscard]] MatrixView J_a() const;   ///< (A4), 6 m × a
  [[nodiscard]] MatrixView J_p() const;   ///< (A4), 6 m × p
  // Base and links (14).
  [[nodiscard]] MatrixView J_b() const;  ///< base Jacobian, 6 m × freedoms of the base
  [[nodiscard]] MatrixView J_q() const;  ///< link Jacobian, 6 m × all other own freedoms, ascending
  [[nodiscard]] VectorView J_rate_v()
      const;  ///< J̇ v in (36), (A5): the tips' acceleration while v̇ = 0
  // Unified (28), (B7)–(B10), (38), (41).
  [[nodiscard]] MatrixView M() const;      ///< generalized inertia (B7), a × a
  [[nodiscard]] VectorView C() const;      ///< (B9)
  [[nodiscard]] VectorView T_hat() const;  ///< (B10)
  [[nodiscard]] MatrixView J() const;  ///< generalized Jacobian J_a − J_p J_D (41), (B8), 6 m × a
  [[nodiscard]] MatrixView J_D() const;       ///< disturbance Jacobian M_p⁻¹ M_ap (38), p × a
  [[nodiscard]] MatrixView coupling() const;  ///< dynamic coupling factor M_apᵀ M_p⁻¹, a × p

  /// q̈_p that goes with q̈_a while the tips feel −f_e (26), (A8); of a free base V̇_b, as numbers of v̇.
  void compute_passive_acceleration(const ConstVectorRef& a_active, const ConstVectorRef& f_e,
                                    VectorRef a_passive) const;
  /// V̇ᵉ = J q̈_a + ζ̈ of the tips (40), (A10), 6 m.
  void compute_tip_acceleration(const ConstVectorRef& a_active, const ConstVectorRef& f_e,
                                VectorRef out) const;
  /// Efforts of the motors for q̈_a under the forces f_e (28): on top of what else pushes.
  void compute_inverse_dynamics(const ConstVectorRef& a_active, const ConstVectorRef& f_e,
                                VectorRef tau_active) const;

  /// The steps of Table I: all nv accelerations.
  TableReport compute_forward_dynamics(VectorRef a);
  /// After it, of an arm: what it does to the object as closure_forces has it, at the grasp's frame on the object
  /// and in its axes; zero for an arm that holds nothing. Where grasps are redundant, of least (scaled) norm.
  [[nodiscard]] Force end_force(int arm) const;
  /// After it, f_e of all arms (47): the same at the tips and in their axes, 6 m.
  void compute_end_forces(VectorRef f_e) const;
  /// After it: true accelerations V̇° of an object's frame (49) and V̇_b of the base's (26), own axes.
  [[nodiscard]] Motion object_acceleration(int object) const;
  [[nodiscard]] Motion base_acceleration() const;

  /// M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹, a × 6 m: the active rates of least energy that move the tips. Throws Error
  /// (failed_computation) with the rank where they cannot move in all 6 m directions.
  void compute_weighted_inverse(MatrixRef out) const;

  // What the base feels of the arms, with what they hold: where hands hold something, active rates that open no
  // grasp.
  /// Rank of M_ap: as many ways in which the arms can push the passive freedoms.
  [[nodiscard]] int coupling_rank();
  /// Projector onto active rates that leave the passive freedoms, the base, as they are, a × a: 1 − M_ap⁺ M_ap of
  /// empty hands.
  void compute_reaction_null_space(MatrixRef projector);
  /// The active accelerations nearest to `wish` for which q̈_p = 0. Returns how much force on the passive freedoms
  /// is left, the largest entry of M_ap q̈_a + C_p − T_p: 0 where the arms can hold the base.
  double compute_still_acceleration(const ConstVectorRef& wish, VectorRef a_active);

  /// Rates of a free base for which the whole has this momentum, while the active rates are those of v and held
  /// objects move with the hands; loose ones keep theirs. Throws Error unless the base floats or flies.
  void compute_base_velocity(const Momentum& total, const ConstVectorRef& v, VectorRef base_rates);

 private:
  struct Room;
  std::unique_ptr<Room> room_;
};

}  // namespace linkwright::manipulator
