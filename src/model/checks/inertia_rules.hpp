#pragma once
/// Which inertias a body can have, and how far from them counts as rounding. The one place of these
/// rules; docs/urdf.md tells them to users.
///
/// A body's principal moments are not negative, and none exceeds the sum of the other two. A file
/// misses this by rounding in two ways:
///
/// - of the arithmetic: the program that wrote the file, and the eigenvalues here, carry 16 digits.
///   A moment about the centre of mass is often left over from I − m c², so its rounding is relative
///   to the largest entry and to m ℓ², where ℓ is the largest distance on the link (its centre of
///   mass, its joints). Moments below 64 ε (max |I| + m ℓ²) are zeros.
/// - of the digits printed: files carry five or six, so moments down to −1e-5 of the largest may
///   stand for zero. That is told, since no arithmetic makes it.

#include <Eigen/Core>

#include "linkwright/spatial/spatial.hpp"

namespace linkwright::checks {

/// Relative to the largest moment.
inline constexpr double printed_rounding = 1e-5;

/// How the smallest principal moment relates to zero.
enum class Verdict { nothing, physical, negative_by_printing, negative };

struct Judgement {
  Eigen::Vector3d moments;  ///< ascending; those within the rounding of arithmetic are 0
  Verdict verdict;          ///< `nothing`: all are 0
};

/// Judges an inertia about the centre of mass; `length` is ℓ above. The numbers must be finite.
Judgement judge_inertia(const Symmetric3& inertia, double mass, double length);

/// The inertia that a body can have with the smallest difference to this one (Frobenius norm).
Symmetric3 nearest_physical(const Symmetric3& inertia);

}  // namespace linkwright::checks
