#pragma once
/// Fingerprints of a system: whether it is still the one that a result was computed with.
///
///     std::vector<linkwright::PartDigest> before = compute_digests(system);
///     // … another day, another file …
///     std::string what = first_difference(before, compute_digests(other));  // "joint 'elbow'"
///
/// They cover every name and number that moves, drives, limits or names the parts of a mechanism,
/// gravity included. They do not depend on the file's format, comments or order of keys, on how a
/// value was written (a list of equal entries or one, an axis of any length), on what is only drawn,
/// nor on the state a file starts from. Numbers count to 12 digits, entries of an inertia or a force
/// to 12 digits of the whole, and places to 1e-13 m (in mechanisms of 2 mm to 128 m), so that another
/// machine's rounding of a sine makes no other system, not even where it should give zero.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "linkwright/system/system.hpp"

namespace linkwright {

/// Of one part of a system: "size of the mechanism" (its order of magnitude), "gravity", "body 'rod'", "joint 'hinge'", "spring 2".
struct PartDigest {
  std::string part{};
  std::uint64_t digest = 0;
};

/// One per part, in the order of the model.
std::vector<PartDigest> compute_digests(const System& system);
/// Of words and numbers that belong to no system.
std::uint64_t digest_of(const std::vector<std::string>& words, std::span<const double> numbers);
/// All of them in one number.
std::uint64_t digest_of(const std::vector<PartDigest>& parts);
/// The first part that differs, was added or is gone; empty when none.
std::string first_difference(const std::vector<PartDigest>& before,
                             const std::vector<PartDigest>& now);

}  // namespace linkwright
