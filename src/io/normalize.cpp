#include "io/normalize.hpp"

#include <fmt/format.h>

#include <cmath>

namespace linkwright {

Vector3 normalize_axis(const Vector3& axis, const Source& where, std::string_view thing,
                       std::string_view what, std::vector<Warning>& warnings) {
  const double length = std::hypot(axis.x, axis.y, axis.z);
  // What was normalised before stays as it is, to the last bit.
  if (length == 0 || std::abs(length - 1) < 4e-16) return axis;
  if (std::abs(length - 1) > 1e-6)
    warnings.push_back({where,
                        fmt::format("{}: {} [{}, {}, {}] has length {:.6g}, expected 1; "
                                    "normalised",
                                    thing, what, axis.x, axis.y, axis.z, length),
                        "axis of another length than 1"});
  return {axis.x / length, axis.y / length, axis.z / length};
}

}  // namespace linkwright
