#pragma once
/// The factors of the mass matrix as a tool: M = (I + H Φ L) D (I + H Φ L)ᵀ (4.11), and
/// M⁻¹ = (I − H Ψ L)ᵀ D⁻¹ (I − H Ψ L) (4.16). D contains the rotors' inertia, so M is all of
/// compute_mass_matrix. Nothing here forms a matrix; each call is O(N).
///
///     Operators at(system);
///     at.update(q);
///     Eigen::VectorXd a = solve(at, tau);                     // M⁻¹ τ
///     double entropy = 0.5 * compute_log_determinant(at);     // log √det M
///     Eigen::VectorXd v = sample(at, Covariance::inverse_mass, random);
///
/// Vectors are in the order of v, those of a closed system in the order of Operators::independent; a
/// result may be written over the argument.

#include <random>

#include "linkwright/operators/operators.hpp"

namespace linkwright::operators {

/// out = M⁻¹ x, two sweeps.
void compute_solve(Operators& at, const ConstVectorRef& x, VectorRef out);

/// log det M = Σ log det D(k): the triangular factors have ones on their diagonals.
double compute_log_determinant(const Operators& at);

/// What a sample varies like. `mass` gives joint efforts: those of the paper's filter, white forces
/// with covariance M(k) on every link seen through H φ (4.1), (4.2). `inverse_mass` gives joint
/// rates: the velocities of a mechanism in a heat bath of unit temperature.
enum class Covariance { mass, inverse_mass };

/// out = S w, one sweep, with S Sᵀ the covariance: S = (I + H Φ L) D^½ or (I − H Ψ L)ᵀ D^−½.
/// For standard normal w, out is a sample.
void apply_root(Operators& at, Covariance covariance, const ConstVectorRef& w, VectorRef out);
/// The same with w drawn from `random`, which gives the same numbers on every machine up to the
/// rounding of log and cos.
void compute_sample(Operators& at, Covariance covariance, std::mt19937_64& random, VectorRef out);

inline Eigen::VectorXd solve(Operators& at, const ConstVectorRef& x) {
  Eigen::VectorXd out(at.size(Space::joint_rate));
  compute_solve(at, x, out);
  return out;
}
inline Eigen::VectorXd sample(Operators& at, Covariance covariance, std::mt19937_64& random) {
  Eigen::VectorXd out(at.size(Space::joint_rate));
  compute_sample(at, covariance, random, out);
  return out;
}

}  // namespace linkwright::operators
