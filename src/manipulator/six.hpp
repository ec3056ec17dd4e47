#pragma once
/// Spatial vectors as six numbers, and what the manipulator room's files share of such small things.

#include <Eigen/Core>

#include "linkwright/spatial/spatial.hpp"

namespace linkwright::manipulator {

/// Gaps and rates up to this count as closed, as everywhere.
inline constexpr double closed_to = 1e-8;

template <class Six>
void put_six(const Motion& m, Six&& out) {
  out << m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z;
}
template <class Six>
void put_six(const Force& f, Six&& out) {
  out << f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z;
}

}  // namespace linkwright::manipulator
