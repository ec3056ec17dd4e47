#pragma once
/// Directions of what is drawn.

#include "linkwright/spatial/vector3.hpp"

namespace linkwright::viewer {

/// A vector of length 1 along v; along z where v has no direction.
inline Vector3 unit(const Vector3& v) {
  const double length = norm(v);
  return length > 0 ? (1 / length) * v : Vector3{0, 0, 1};
}

}  // namespace linkwright::viewer
