#pragma once
/// What a scalar must offer to run through a sweep. `double` and `float` are served here; SIMD
/// packs and dual numbers add their own overloads beside their type.

#include <cmath>

/// Spatial operations are always inlined: the sweeps are compiled once per instruction set, and an
/// out-of-line copy made for one processor must never be picked by the linker for another. Code for the
/// baseline alone (debug and sanitized builds, tests) may say LINKWRIGHT_NO_FORCED_INLINING: sweeps that
/// are one function each take minutes to compile when instrumented.
#ifdef LINKWRIGHT_NO_FORCED_INLINING
#define LINKWRIGHT_INLINE inline
#define LINKWRIGHT_INLINE_LAMBDA
#else
#define LINKWRIGHT_INLINE [[gnu::always_inline]] inline
/// The same for a lambda, behind its parameters.
#define LINKWRIGHT_INLINE_LAMBDA __attribute__((always_inline))
#endif

namespace linkwright::spatial {

/// The type of a model constant that meets a variable of type T: a pack of doubles meets doubles.
template <class T>
struct ConstantOf {
  using type = T;
};
template <class T>
using Constant = typename ConstantOf<T>::type;

template <class A, class B>
using Product = decltype(A{} * B{});

template <class T>
struct SinCos {
  T s, c;
};

LINKWRIGHT_INLINE SinCos<double> sin_cos(double x) { return {std::sin(x), std::cos(x)}; }
LINKWRIGHT_INLINE SinCos<float> sin_cos(float x) { return {std::sin(x), std::cos(x)}; }

LINKWRIGHT_INLINE double square_root(double x) { return std::sqrt(x); }
LINKWRIGHT_INLINE float square_root(float x) { return std::sqrt(x); }

/// Coulomb friction's magnitude by direction of motion, with its sign; 0 at rest.
template <class B>
LINKWRIGHT_INLINE B dry_friction(B v, B forward, B backward) {
  return v > 0 ? forward : v < 0 ? -backward : B(0);
}

/// 1 or −1 by the sign bit: never 0.
LINKWRIGHT_INLINE double sign_of(double x) { return std::copysign(1.0, x); }
LINKWRIGHT_INLINE float sign_of(float x) { return std::copysign(1.0F, x); }

/// a > b: a truth value, for packs a mask.
LINKWRIGHT_INLINE bool above(double a, double b) { return a > b; }

/// Single numbers are packs of one lane.
template <class T>
inline constexpr int lane_count = 1;

}  // namespace linkwright::spatial
