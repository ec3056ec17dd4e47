#pragma once
/// How far two libraries' answers are apart.

#include <vector>

#include "contestant.hpp"

namespace bench {

/// What the answers must agree to, relative.
inline constexpr double kAgreement = 1e-12;

/// The larger of two; a NaN counts as the worst, and no comparison with it is true.
inline double worse(double worst, double x) { return x <= worst ? worst : x; }

/// Difference of the numbers x from `reference`'s for state i, relative to its largest number.
/// Accelerations carry the condition number of the mass matrix, so they are compared as the forces
/// that would cause them, M Δa.
double difference(const std::vector<double>& x, Entry& reference, int quantity, int i, int nv);

}  // namespace bench
