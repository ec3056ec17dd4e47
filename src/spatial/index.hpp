#pragma once
/// Indices of the library are ints and Eigen's signed numbers; those of standard containers are not.

#include <cstddef>

namespace linkwright {

/// For subscripts: `nodes[at(k)]`.
constexpr std::size_t at(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }

}  // namespace linkwright
