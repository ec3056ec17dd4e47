#pragma once
/// Subscripts of absolute coordinates, which share nothing with the library's sweeps.

#include <cstddef>

namespace linkwright::verify::absolute {

/// For subscripts: `members[at(i)]`.
constexpr std::size_t at(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }

}  // namespace linkwright::verify::absolute
