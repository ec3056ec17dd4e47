#pragma once
/// Second derivatives of inverse dynamics of trees, exact and without differences.
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

  /// ∂²tau_i/∂q_j∂q_k, ∂²tau_i/∂v_j∂v_k, ∂²tau_i/∂q_j∂v_k, and ∂M_ij/∂q_k = ∂²tau_i/∂a_j∂q_k.
  [[nodiscard]] View dqdq() const { return view(0); }
  [[nodiscard]] View dvdv() const { return view(1); }
  [[nodiscard]] View dqdv() const { return view(2); }
  [[nodiscard]] View dadq() const { return view(3); }

 private:
  friend void compute_inverse_dynamics_second_derivatives(Workspace& work, const State& state,
                                                          const ConstVectorRef& a,
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
  std::unique_ptr<Room> room_;
};

/// All four at the accelerations a, with everything that compute_inverse_dynamics holds. Cost grows with
/// the number of triples of freedoms on one way to the base. Throws Error for arrays of another system.
void compute_inverse_dynamics_second_derivatives(Workspace& work, const State& state,
                                                 const ConstVectorRef& a, ExternalForces forces,
                                                 SecondDerivatives& out);

}  // namespace linkwright
