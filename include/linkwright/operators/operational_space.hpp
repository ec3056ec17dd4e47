#pragma once
/// What the mechanism feels like at a set of frames: the block matrix Ω = J M⁻¹ Jᵀ over all of
/// them, with the cross terms of frames that share joints, its inverse, and what follows from them.
///
///     Operators at(system);
///     at.set_tips(std::vector<std::string>{"left_hand", "right_hand"});
///     OperationalSpace hands(at);
///     at.update(q);
///     hands.update();                                 // Ω by recursion, neither J nor M is formed
///     Eigen::MatrixXd inertia = hands.inertia();      // 12×12
///     Eigen::VectorXd rest = hands.null_space(tau);   // the part of τ that moves neither hand
///
/// Blocks follow the frames as given to Operators::set_tips, [angular; linear] at the frame's
/// origin and in its axes: J is that of compute_jacobian with Axes::own, one frame below the other. Of a
/// closed system J is J G, M is Gᵀ M G and nv the number of independent joints.

#include <memory>

#include "linkwright/operators/operators.hpp"

namespace linkwright::operators {

/// What to do where Ω has no inverse: the frames cannot be moved in all 6 m directions on their
/// own, because the joints are too few, in a singular position, or shared.
enum class Singular {
  refuse,         ///< throw Error (failed_computation) with the rank
  pseudo_inverse  ///< directions that cannot move get no inertia; the other laws still hold
};

class OperationalSpace {
 public:
  /// Directions count as immovable where an eigenvalue of Ω falls below `cutoff` times the largest.
  /// Angular and linear axes are first measured each by the largest entry of their kind on Ω's
  /// diagonal, so that neither rank nor pseudo-inverse depends on the units.
  /// `at` must outlive this.
  explicit OperationalSpace(Operators& at, double cutoff = 1e-10);
  ~OperationalSpace();
  OperationalSpace(const OperationalSpace&) = delete;
  OperationalSpace& operator=(const OperationalSpace&) = delete;

  /// Moves to the configuration and the frames that `at` has now; everything below speaks of them
  /// and throws Error once `at` has others (forward_dynamics moves it too). O(N) + O(m²); neither
  /// this nor what follows allocates as long as the frames remain, once it has run. Throws Error
  /// where `at` has no frames or no configuration.
  void update();

  /// Six per frame.
  [[nodiscard]] int size() const;
  /// Directions in which the frames can be moved: at most size(), at most nv.
  [[nodiscard]] int rank();

  /// Ω = J M⁻¹ Jᵀ, size × size: always exists. Frames on the world have zero rows and columns.
  void compute_inverse_inertia(MatrixRef out) const;
  /// Λ = Ω⁻¹, size × size: the force at the frames per unit of their acceleration.
  void compute_inertia(MatrixRef out, Singular singular = Singular::refuse);
  /// J̄ = M⁻¹ Jᵀ Λ, nv × size: the joint rates of least kinetic energy per unit of the frames'
  /// motion. J J̄ = I.
  void compute_consistent_inverse(MatrixRef out, Singular singular = Singular::refuse);
  /// out = Nᵀ τ, Nᵀ = I − Jᵀ J̄ᵀ: what is left of τ once its effect on the frames' acceleration is
  /// taken away. Three sweeps; out may be tau.
  void apply_null_space(const ConstVectorRef& tau, VectorRef out,
                        Singular singular = Singular::refuse);
  /// Nᵀ itself, nv × nv. Its transpose N = I − J̄ J does the same to joint rates.
  void compute_null_space(MatrixRef out, Singular singular = Singular::refuse);

  // The same as values.
  [[nodiscard]] Eigen::MatrixXd inverse_inertia() const {
    Eigen::MatrixXd out(size(), size());
    compute_inverse_inertia(out);
    return out;
  }
  [[nodiscard]] Eigen::MatrixXd inertia(Singular singular = Singular::refuse) {
    Eigen::MatrixXd out(size(), size());
    compute_inertia(out, singular);
    return out;
  }
  [[nodiscard]] Eigen::MatrixXd consistent_inverse(Singular singular = Singular::refuse) {
    Eigen::MatrixXd out(nv(), size());
    compute_consistent_inverse(out, singular);
    return out;
  }
  [[nodiscard]] Eigen::VectorXd null_space(const ConstVectorRef& tau,
                                           Singular singular = Singular::refuse) {
    Eigen::VectorXd out(nv());
    apply_null_space(tau, out, singular);
    return out;
  }
  [[nodiscard]] Eigen::MatrixXd null_space(Singular singular = Singular::refuse) {
    Eigen::MatrixXd out(nv(), nv());
    compute_null_space(out, singular);
    return out;
  }

 private:
  struct Matrices;  // Ω, what follows from it, and room for both
  [[nodiscard]] int nv() const;
  std::unique_ptr<Matrices> matrices_;
};

}  // namespace linkwright::operators
