#pragma once
/// Truncated Taylor series in time: x(t) = c[0] + c[1] t + … + c[N−1] t^(N−1). A sweep that runs on them gives,
/// beside every result, its derivatives along a motion, to rounding.
///
///     using Series = linkwright::spatial::Jet<4>;
///     Series angle{0.3, 1.0, -0.5};               // 0.3 + t − t²/2
///     Series height = sin_cos(angle).s;           // height.derivative(3) is its third derivative at t = 0
///
/// Dry friction is that of the motion just after t = 0: at rest the first derivative that is not zero says which
/// way. It is taken as constant, which it is wherever it has a derivative.

#include <algorithm>
#include <cmath>

#include "linkwright/spatial/scalar.hpp"

namespace linkwright::spatial {

template <int N>
struct Jet {
  double c[N]{};

  Jet() = default;
  LINKWRIGHT_INLINE Jet(double value) : c{value} {}  // NOLINT(google-explicit-constructor)
  /// c[0], c[1], c[2] and so on; the others are zero.
  template <class... More>
  LINKWRIGHT_INLINE Jet(double first, double second,
                        More... more) requires(sizeof...(More) + 2 <= N)
      : c{first, second, static_cast<double>(more)...} {}

  /// d^k x/dt^k at t = 0: k! c[k].
  [[nodiscard]] double derivative(int k) const {
    double factorial = 1;
    for (int i = 2; i <= k; ++i) factorial *= i;
    return factorial * c[k];
  }
  /// Sets c[k] from the k-th derivative.
  void set_derivative(int k, double value) {
    for (int i = 2; i <= k; ++i) value /= i;
    c[k] = value;
  }

  LINKWRIGHT_INLINE friend Jet operator+(const Jet& a, const Jet& b) {
    Jet out;
    for (int k = 0; k < N; ++k) out.c[k] = a.c[k] + b.c[k];
    return out;
  }
  LINKWRIGHT_INLINE friend Jet operator-(const Jet& a, const Jet& b) {
    Jet out;
    for (int k = 0; k < N; ++k) out.c[k] = a.c[k] - b.c[k];
    return out;
  }
  LINKWRIGHT_INLINE friend Jet operator-(const Jet& a) {
    Jet out;
    for (int k = 0; k < N; ++k) out.c[k] = -a.c[k];
    return out;
  }
  /// Cauchy's product.
  LINKWRIGHT_INLINE friend Jet operator*(const Jet& a, const Jet& b) {
    Jet out;
    for (int k = 0; k < N; ++k)
      for (int i = 0; i <= k; ++i) out.c[k] += a.c[i] * b.c[k - i];
    return out;
  }
  LINKWRIGHT_INLINE friend Jet operator*(double a, const Jet& b) {
    Jet out;
    for (int k = 0; k < N; ++k) out.c[k] = a * b.c[k];
    return out;
  }
  LINKWRIGHT_INLINE friend Jet operator*(const Jet& a, double b) { return b * a; }
  /// The quotient x with x b = a, order by order.
  LINKWRIGHT_INLINE friend Jet operator/(const Jet& a, const Jet& b) {
    Jet out;
    for (int k = 0; k < N; ++k) {
      out.c[k] = a.c[k];
      for (int i = 1; i <= k; ++i) out.c[k] -= b.c[i] * out.c[k - i];
      out.c[k] /= b.c[0];
    }
    return out;
  }
  LINKWRIGHT_INLINE friend Jet& operator+=(Jet& a, const Jet& b) { return a = a + b; }
  LINKWRIGHT_INLINE friend Jet& operator-=(Jet& a, const Jet& b) { return a = a - b; }
};

template <int N>
struct ConstantOf<Jet<N>> {
  using type = double;
};

/// k s_k = Σ i a_i c_{k−i} and k c_k = −Σ i a_i s_{k−i}, from ṡ = ȧ c and ċ = −ȧ s.
template <int N>
LINKWRIGHT_INLINE SinCos<Jet<N>> sin_cos(const Jet<N>& a) {
  const auto [s0, c0] = sin_cos(a.c[0]);
  SinCos<Jet<N>> out{s0, c0};
  for (int k = 1; k < N; ++k) {
    for (int i = 1; i <= k; ++i) {
      out.s.c[k] += i * a.c[i] * out.c.c[k - i];
      out.c.c[k] -= i * a.c[i] * out.s.c[k - i];
    }
    out.s.c[k] /= k, out.c.c[k] /= k;
  }
  return out;
}
/// r with r r = a, order by order.
template <int N>
LINKWRIGHT_INLINE Jet<N> square_root(const Jet<N>& a) {
  Jet<N> out(square_root(a.c[0]));
  for (int k = 1; k < N; ++k) {
    out.c[k] = a.c[k];
    for (int i = 1; i < k; ++i) out.c[k] -= out.c[i] * out.c[k - i];
    out.c[k] /= 2 * out.c[0];
  }
  return out;
}
template <int N>
LINKWRIGHT_INLINE Jet<N> sign_of(const Jet<N>& a) {
  return {sign_of(a.c[0])};
}
template <int N>
LINKWRIGHT_INLINE Jet<N> dry_friction(const Jet<N>& v, double forward, double backward) {
  // What closures ask of a joint that stands still comes with rounding.
  constexpr double rounding = 1e-12;
  double largest = 0;
  for (const double c : v.c) largest = std::max(largest, std::abs(c));
  for (const double c : v.c)
    if (std::abs(c) > rounding * largest) return {dry_friction(c, forward, backward)};
  return {0};
}
template <int N>
LINKWRIGHT_INLINE bool above(const Jet<N>& a, const Jet<N>& b) {
  return above(a.c[0], b.c[0]);
}
template <int N>
bool operator>(const Jet<N>& a, const Jet<N>& b) {
  return a.c[0] > b.c[0];
}

}  // namespace linkwright::spatial
