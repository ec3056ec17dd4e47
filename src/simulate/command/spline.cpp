#include "simulate/command/spline.hpp"

#include <Eigen/LU>

namespace linkwright::spline {
namespace {

/// lower[i] x[i−1] + diagonal[i] x[i] + upper[i] x[i+1] = right[i], diagonally dominant; x in `right`.
void solve_tridiagonal(const std::vector<double>& lower, std::vector<double>& diagonal,
                       const std::vector<double>& upper, std::vector<double>& right) {
  const std::size_t n = right.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) right[i] -= upper[i] * right[i + 1];
    right[i] /= diagonal[i];
  }
}

double slope(std::span<const double> time, std::span<const GivenValue> knots, std::size_t i) {
  return (knots[i + 1].position - knots[i].position) / (time[i + 1] - time[i]);
}

/// Acceleration at `at` of the polynomial of degree 5 with the positions and velocities of three rows.
double acceleration_of_three(std::span<const double> time, std::span<const GivenValue> knots,
                             double at) {
  // In units of the stretch, so that the matrix does not depend on it.
  const double h = time[2] - time[0];
  Eigen::Matrix<double, 6, 6> powers;
  Eigen::Matrix<double, 6, 1> values;
  for (int row = 0; row < 3; ++row) {
    const auto k = static_cast<std::size_t>(row);
    const double s = (time[k] - at) / h;
    double power = 1, before = 0;
    for (int c = 0; c < 6; ++c) {
      powers(2 * row, c) = power;
      powers(2 * row + 1, c) = c * before;
      before = power;
      power *= s;
    }
    values[2 * row] = knots[k].position - knots[0].position;
    values[2 * row + 1] = knots[k].velocity * h;
  }
  return 2 * powers.partialPivLu().solve(values)[2] / (h * h);
}

/// Second derivative of the cubic that has positions and velocities at both ends, at the first end.
double acceleration_of_two(const GivenValue& from, const GivenValue& to, double h) {
  return (6 * (to.position - from.position) / h - 4 * from.velocity - 2 * to.velocity) / h;
}

}  // namespace

GivenValue quintic(const GivenValue& from, const GivenValue& to, double h, double s) {
  // q = q0 + v0 s + a0 s²/2 + c3 s³ + c4 s⁴ + c5 s⁵; the misses at the far end fix the last three.
  const double miss =
      to.position - from.position - h * (from.velocity + 0.5 * h * from.acceleration);
  const double miss_v = (to.velocity - from.velocity - h * from.acceleration) * h;
  const double miss_a = (to.acceleration - from.acceleration) * h * h;
  const double x = s / h, x2 = x * x;
  const double c3 = 10 * miss - 4 * miss_v + 0.5 * miss_a;
  const double c4 = -15 * miss + 7 * miss_v - miss_a;
  const double c5 = 6 * miss - 3 * miss_v + 0.5 * miss_a;
  return {from.position + s * (from.velocity + 0.5 * s * from.acceleration) +
              x2 * x * (c3 + x * (c4 + x * c5)),
          from.velocity + s * from.acceleration + x2 * (3 * c3 + x * (4 * c4 + x * 5 * c5)) / h,
          from.acceleration + x * (6 * c3 + x * (12 * c4 + x * 20 * c5)) / (h * h)};
}

void fill_velocities(std::span<const double> time, std::span<GivenValue> knots) {
  const std::size_t n = knots.size();
  if (n < 2) return;
  const auto h = [&](std::size_t i) { return time[i + 1] - time[i]; };
  if (n == 3) {
    const double a = 2 * (slope(time, knots, 1) - slope(time, knots, 0)) / (time[2] - time[0]);
    for (GivenValue& knot : knots) knot.acceleration = a;
  } else if (n > 3) {
    // h₋ a₋ + 2 (h₋ + h₊) a + h₊ a₊ = 6 (slope₊ − slope₋); the ends, with a third derivative that does
    // not jump at the row beside them, are put in there.
    std::vector<double> lower(n - 2), diagonal(n - 2), upper(n - 2), right(n - 2);
    for (std::size_t i = 1; i + 1 < n; ++i) {
      lower[i - 1] = h(i - 1), diagonal[i - 1] = 2 * (h(i - 1) + h(i)), upper[i - 1] = h(i);
      right[i - 1] = 6 * (slope(time, knots, i) - slope(time, knots, i - 1));
    }
    const auto put_in_end = [](double end, double next, double& middle, double& beside) {
      middle += end * (end + next) / next;
      beside -= end * end / next;
    };
    put_in_end(h(0), h(1), diagonal.front(), upper.front());
    put_in_end(h(n - 2), h(n - 3), diagonal.back(), lower.back());
    solve_tridiagonal(lower, diagonal, upper, right);
    for (std::size_t i = 1; i + 1 < n; ++i) knots[i].acceleration = right[i - 1];
    const auto end = [](double own, double next, double one, double two) {
      return one + own / next * (one - two);
    };
    knots[0].acceleration = end(h(0), h(1), right[0], right[1]);
    knots[n - 1].acceleration = end(h(n - 2), h(n - 3), right[n - 3], right[n - 4]);
  }
  for (std::size_t i = 0; i + 1 < n; ++i)
    knots[i].velocity =
        slope(time, knots, i) - h(i) * (2 * knots[i].acceleration + knots[i + 1].acceleration) / 6;
  knots[n - 1].velocity =
      slope(time, knots, n - 2) +
      h(n - 2) * (knots[n - 2].acceleration + 2 * knots[n - 1].acceleration) / 6;
}

void fill_accelerations(std::span<const double> time, std::span<GivenValue> knots) {
  const std::size_t n = knots.size();
  if (n < 2) return;
  if (n == 2) {
    const double h = time[1] - time[0];
    knots[0].acceleration = acceleration_of_two(knots[0], knots[1], h);
    knots[1].acceleration = acceleration_of_two(knots[1], knots[0], -h);
    return;
  }
  std::vector<double> lower(n, 0), diagonal(n, 1), upper(n, 0), right(n);
  right.front() = acceleration_of_three(time.first(3), knots.first(3), time.front());
  right.back() = acceleration_of_three(time.last(3), knots.last(3), time.back());
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = time[i] - time[i - 1], after = time[i + 1] - time[i];
    lower[i] = -3 / before, upper[i] = -3 / after;
    diagonal[i] = 9 * (1 / before + 1 / after);
    right[i] =
        (60 * slope(time, knots, i) - 36 * knots[i].velocity - 24 * knots[i + 1].velocity) /
            (after * after) -
        (60 * slope(time, knots, i - 1) - 24 * knots[i - 1].velocity - 36 * knots[i].velocity) /
            (before * before);
  }
  solve_tridiagonal(lower, diagonal, upper, right);
  for (std::size_t i = 0; i < n; ++i) knots[i].acceleration = right[i];
}

}  // namespace linkwright::spline
