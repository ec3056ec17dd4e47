#pragma once
/// Polynomials between rows of a table: what the rows do not say, and what lies between them.

#include <span>
#include <vector>

#include "linkwright/simulate/closed_equations.hpp"

namespace linkwright::spline {

/// The polynomial of degree 5 from one end to the other of a stretch of h seconds, s seconds into it.
GivenValue quintic(const GivenValue& from, const GivenValue& to, double h, double s);

/// Velocities and accelerations of the cubic spline through positions at rising times: accelerations are
/// continuous, and the first two stretches are one cubic, as are the last two. Two rows make a line, three
/// a parabola. O(rows).
void fill_velocities(std::span<const double> time, std::span<GivenValue> knots);
/// Accelerations that make the jerk continuous where positions and velocities are given. Those of the first
/// and the last row are of the polynomial of degree 5 through the positions and velocities of three rows
/// (two: of degree 3). O(rows).
void fill_accelerations(std::span<const double> time, std::span<GivenValue> knots);

}  // namespace linkwright::spline
