#include "linkwright/verify/condition.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include "linkwright/operators/factorization.hpp"

namespace linkwright::verify {
namespace {

using Eigen::VectorXd;

constexpr int steps = 30;

/// The largest eigenvalue of a symmetric positive operator, or a little less.
template <class F>
double largest_eigenvalue(int n, F times) {
  std::mt19937_64 random(1);
  VectorXd x(n), y(n);
  for (double& number : x) number = static_cast<double>(random() >> 11U) * 0x1p-52 - 1;
  double value = 0;
  x.normalize();
  for (int i = 0; i < steps; ++i) {
    times(x, y);
    value = y.stableNorm();
    if (!(value > 0)) return value;  // all of it underflowed: there is no direction to follow
    x = y / value;
  }
  return value;
}

}  // namespace

double Spectrum::condition() const {
  return most / std::max(least, std::numeric_limits<double>::epsilon() * most);
}

Spectrum estimate_spectrum(operators::Operators& at, const ConstVectorRef& q) {
  using namespace operators;
  at.update(q);
  const int n = at.system().nv();
  const double most = largest_eigenvalue(n, [&at](const VectorXd& x, VectorXd& y) {
    apply(H * phi * M * transpose(phi) * transpose(H) + R, at, x, y);
  });
  const double most_of_inverse =
      largest_eigenvalue(n, [&at](const VectorXd& x, VectorXd& y) { compute_solve(at, x, y); });
  return {1 / most_of_inverse, most};
}

}  // namespace linkwright::verify
