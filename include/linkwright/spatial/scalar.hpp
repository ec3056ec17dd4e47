#pragma once
/// What a scalar must offer to run through a sweep. `double` and `float` are served here; SIMD packs
/// and dual numbers add their own overloads beside their type.

#include <cmath>

/// Spatial operations are always inlined: the sweeps are compiled once per instruction set, and an
/// out-of-line copy made for one processor must never be picked by the linker for another.
#define LINKWRIGHT_INLINE [[gnu::always_inline]] inline

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

/// −1, 0 or 1: the direction of dry friction.
LINKWRIGHT_INLINE double sign(double x) { return static_cast<double>((x > 0) - (x < 0)); }
LINKWRIGHT_INLINE float sign(float x) { return static_cast<float>((x > 0) - (x < 0)); }

}  // namespace linkwright::spatial
