#pragma once
/// How well a mass matrix is conditioned, without forming it.
///
///     Spectrum spread = estimate_spectrum(at, q);
///     double kappa = spread.condition();

#include "linkwright/operators/operators.hpp"

namespace linkwright::verify {

/// The smallest and the largest eigenvalue of M.
struct Spectrum {
  double least, most;
  /// At most 1/ε: doubles cannot tell more.
  [[nodiscard]] double condition() const;
};

/// Moves `at` to q and finds the eigenvalues by thirty steps of power iteration on M and on M⁻¹, O(N)
/// each. From a random start, the largest eigenvalue of an n×n matrix is found to within the part
/// 0.871 ln n / 29 on average, whatever the others are (Kuczyński and Woźniakowski, 1992), always from
/// below: on average κ(M) is at most 1.4 times what condition() says for a hundred freedoms, 1.7 times for
/// three thousand.
Spectrum estimate_spectrum(operators::Operators& at, const ConstVectorRef& q);

}  // namespace linkwright::verify
