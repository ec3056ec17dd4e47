#pragma once
/// The recursive form of the terminal equations, on trees: (40) and (41), and forward dynamics by replacing what
/// hangs on a port by its equivalent one-port.
///
///     Recursion recursion(placement);                          // after this, nothing allocates
///     recursion.compute_efforts(placement, v, a, tau);          // inverse dynamics
///     recursion.compute_accelerations(placement, v, tau, a);    // forward dynamics
///
/// Inverse dynamics   Given v, v̇, a placement. Outward (40), inward (41):
///   ẋ_B = ẋ_A + H* v̇ + Ḣ* v,    ẋ_A = K_Aᵀ ẋ_B(p) + [0; ω(p) × (v_B − v_B(p))]
///   y_j = P_B ẋ_B + Q_B x_B + u_B − load + Σ K_A y_c,    τ = H y + R v̇
/// Forward dynamics   Given v, τ. Every sub-network that hangs on a port A is a one-port there, y = P⁺ ẋ_A + p⁺
/// (Norton): the body's own at B and those of its children, moved to B, are in parallel; the joint is in series.
///   P = P_B + Σ K_A P⁺_c K_Aᵀ,    p = Q_B x_B + u_B − load + Σ K_A p⁺_c
///   D = H P H* + R = C Cᵀ,    Y = P H* C⁻ᵀ,    e = C⁻¹ (τ − H (P c + p))
///   P⁺ = P − Y Yᵀ,    p⁺ = P c + p + Y e,    v̇ = C⁻ᵀ (e − Yᵀ ẋ_A)
/// with c = Ḣ* v + [0; ω(p) × …]. R are rotors: one-ports on the joint's shaft. With W = (C⁻¹ …) the map from
/// efforts to e, M⁻¹ = Wᵀ W: apply_W, apply_Wt.
/// Cost   O(N).

#include <vector>

#include "linkwright/network/placement.hpp"
#include "linkwright/network/rigid_body.hpp"
#include "linkwright/spatial/articulated_inertia.hpp"

namespace linkwright::network {

class Recursion {
 public:
  explicit Recursion(const Placement& placement);

  /// (40) and (41). Loads and springs at joints are not part of tau: what a joint passes along its freedoms.
  void compute_efforts(const Placement& at, const ConstVectorRef& v, const ConstVectorRef& a,
                       VectorRef tau);
  /// After compute_efforts: y_j, what joint j passes to body j, at B.
  [[nodiscard]] const Force& wrench(int body) const;

  /// All equivalents at a position. Returns the body whose joint nothing with inertia resists, or −1.
  [[nodiscard]] int factorize(const Placement& at);
  /// After factorize: how many times larger than D the inertia is that D was left of, of all joints the most. By so
  /// much rounding in world axes may grow: a thin rod's inertia about its own length is a small part of the whole.
  [[nodiscard]] double magnification() const { return magnification_; }
  /// After factorize: forward dynamics.
  void compute_accelerations(const Placement& at, const ConstVectorRef& v,
                             const ConstVectorRef& tau, VectorRef a);
  /// After compute_accelerations: what hangs on the parent's terminal A at joint j, as the rest feels it:
  /// y = P ẋ_A + u, with Q x_A in u. It has its own joints' freedoms inside. Read it
  /// before the next apply_W.
  [[nodiscard]] OnePort equivalent(int body) const;

  /// After factorize: M⁻¹ = Wᵀ W, W and its transpose applied. Without velocities, weight and loads.
  void apply_W(const Placement& at, const ConstVectorRef& tau, VectorRef e);
  void apply_Wt(const Placement& at, const ConstVectorRef& e, VectorRef a);
  /// After compute_accelerations: accelerations with e of apply_W added, all else as it was.
  void compute_accelerations_with(const Placement& at, const ConstVectorRef& e, VectorRef a);
  /// After compute_efforts or accelerations: ẋ_B of a body.
  [[nodiscard]] const Motion& rate_at_B(int body) const;

 private:
  struct Port {
    spatial::ArticulatedInertia<double> P{}, P_plus{};
    Force p{}, p_plus{};
    Motion c{}, x_rate{};
    Vector3 arm{};  // from the parent's B to this one
  };
  void find_biases(const Placement& at, const ConstVectorRef& v);
  bool eliminate(const Placement& at, int body);
  void go_outward(const Placement& at, const double* e, VectorRef a, bool with_biases);
  double& C(const Placement::Body& body, int i, int j);

  double magnification_ = 1;
  std::vector<Port> ports_;    // [bodies]
  std::vector<Force> Y_;       // [nv]
  std::vector<double> C_, e_;  // [6 nv], rows of C below each other; [nv]
};

}  // namespace linkwright::network
