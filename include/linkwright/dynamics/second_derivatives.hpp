#pragma once
/// Second derivatives of inverse and forward dynamics of trees, exact and without differences.
///
///     linkwright::SecondDerivatives second(system);
///     compute_inverse_dynamics_second_derivatives(work, state, a, {}, second);
///     const int n = system.nv(), i = 0, j = 1, k = 2;
///     double d = second.dqdq()(i, j + n * k);       // of tau_i by q_j, and that by q_k
///
/// Derivatives by the position are along the group, one after the other: dqdq(i, j, k) is the derivative
/// of ∂tau_i/∂q_j along q_k. Those by the positions of two joints commute; within a spherical, free or
/// custom joint they do not.

#include <memory>
#include <vector>

#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

/// The arrays, nv × nv × nv each: entry (i, j, k) stands in row i and column j + nv·k.
class SecondDerivatives {
 public:
  using View = Eigen::Map<const Eigen::MatrixXd>;

  /// Zero. For any workspace of this system.
  explicit SecondDerivatives(const System& system);
  ~SecondDerivatives();
  SecondDerivatives(SecondDerivatives&&) noexcept;
  SecondDerivatives& operator=(SecondDerivatives&&) noexcept;

  /// Of inverse dynamics ∂²tau_i/∂q_j∂q_k, ∂²tau_i/∂v_j∂v_k, ∂²tau_i/∂q_j∂v_k, and by what decides the
  /// motion, x = a: ∂²tau_i/∂a_j∂q_k = ∂M_ij/∂q_k. Of forward dynamics those of a_i, and x = tau.
  [[nodiscard]] View dqdq() const { return view(0); }
  [[nodiscard]] View dvdv() const { return view(1); }
  [[nodiscard]] View dqdv() const { return view(2); }
  [[nodiscard]] View dxdq() const { return view(3); }

 private:
  friend void compute_inverse_dynamics_second_derivatives(Workspace& work, const State& state,
                                                          const ConstVectorRef& a,
                                                          ExternalForces forces,
                                                          SecondDerivatives& out);
  friend void compute_forward_dynamics_second_derivatives(Workspace& work, const State& state,
                                                          const ConstVectorRef& tau,
                                                          ExternalForces forces,
                                                          SecondDerivatives& out);
  [[nodiscard]] View view(int which) const {
    const Eigen::Index n = nv_;
    return {numbers_.data() + which * n * n * n, n, n * n};
  }
  struct Room;
  const System* system_;
  Eigen::Index nv_;
  std::vector<double> numbers_;
  bool full_ = false;  // whether there are numbers where inverse dynamics has zeros
  std::unique_ptr<Room> room_;
};

/// All four at the accelerations a, with everything that compute_inverse_dynamics holds. Cost grows with
/// the number of triples of freedoms on one way to the base. Throws Error for arrays of another system.
void compute_inverse_dynamics_second_derivatives(Workspace& work, const State& state,
                                                 const ConstVectorRef& a, ExternalForces forces,
                                                 SecondDerivatives& out);

/// All four of the accelerations that the efforts tau produce: those of inverse dynamics, weighted with
/// M⁻¹ and with the first derivatives. Cost O(nv⁴): products of nv × nv matrices, nv of them.
void compute_forward_dynamics_second_derivatives(Workspace& work, const State& state,
                                                 const ConstVectorRef& tau, ExternalForces forces,
                                                 SecondDerivatives& out);

}  // namespace linkwright
