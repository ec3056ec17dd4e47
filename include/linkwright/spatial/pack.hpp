#pragma once
/// A SIMD pack: N numbers that go through a sweep side by side. Built on the compilers' vector
/// extension, so the same source serves SSE2, AVX2 and AVX-512; a pack wider than a register is
/// split.
///
///     using P = linkwright::spatial::Pack<double, 8>;
///     P x = P::load(angles);  auto [s, c] = sin_cos(x);

#include <cstddef>
#include <cstdint>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "linkwright/spatial/scalar.hpp"

// Everything here is inlined, so how a wide vector would be passed in a call does not matter.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace linkwright::spatial {

/// The compilers' vector types; the attribute does not reach through a dependent element type, nor,
/// with g++, through `using` when the number of lanes is dependent.
template <class B, int N>
struct VectorOf;
// NOLINTBEGIN(modernize-use-using)
template <int N>
struct VectorOf<double, N> {
  using Integer = std::int64_t;
  typedef double Lanes __attribute__((vector_size(N * 8)));
  typedef std::int64_t Bits __attribute__((vector_size(N * 8)));
};
template <int N>
struct VectorOf<float, N> {
  using Integer = std::int32_t;
  typedef float Lanes __attribute__((vector_size(N * 4)));
  typedef std::int32_t Bits __attribute__((vector_size(N * 4)));
};
// NOLINTEND(modernize-use-using)

/// Aligned to its size: left alone, the alignment would depend on the instruction set.
template <class B, int N>
struct alignas(N * sizeof(B)) Pack {
  using Integer = typename VectorOf<B, N>::Integer;
  using Lanes = typename VectorOf<B, N>::Lanes;
  using Bits = typename VectorOf<B, N>::Bits;
  static constexpr int size = N;

  Lanes x;

  Pack() = default;
  LINKWRIGHT_INLINE Pack(B value) : x(value - Lanes{}) {}  // NOLINT(google-explicit-constructor)
  LINKWRIGHT_INLINE explicit Pack(Lanes lanes) : x(lanes) {}

  LINKWRIGHT_INLINE static Pack load(const B* from) {
    Pack p;
    __builtin_memcpy(&p.x, from, sizeof(Lanes));
    return p;
  }
  LINKWRIGHT_INLINE static Bits lane_numbers() {
    Bits lane;
    for (int i = 0; i < N; ++i) lane[i] = i;
    return lane;
  }
  /// Masks: the lanes 0 … count − 1, and one lane.
  LINKWRIGHT_INLINE static Bits first_lanes(int count) { return lane_numbers() < Integer(count); }
  LINKWRIGHT_INLINE static Bits one_lane(int which) { return lane_numbers() == Integer(which); }
  LINKWRIGHT_INLINE void store(B* to) const { __builtin_memcpy(to, &x, sizeof(Lanes)); }
  /// To an address aligned to the pack's size, past the caches; finish_streams() makes it seen.
  LINKWRIGHT_INLINE void stream(B* to) const {
#if defined(__AVX512F__)
    if constexpr (sizeof(Lanes) == 64) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to), (__m512i)x);
      return;
    }
#endif
#if defined(__SSE2__)
    __m128i parts[sizeof(Lanes) / 16];
    __builtin_memcpy(parts, &x, sizeof(Lanes));
    for (std::size_t i = 0; i < sizeof(Lanes) / 16; ++i)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i, parts[i]);
#else
    store(to);
#endif
  }
  LINKWRIGHT_INLINE Bits bits() const { return (Bits)x; }
};

/// What was streamed is seen by other threads from here on.
LINKWRIGHT_INLINE void finish_streams() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> operator+(const Pack<B, N>& a, const Pack<B, N>& b) {
  return Pack<B, N>(a.x + b.x);
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> operator-(const Pack<B, N>& a, const Pack<B, N>& b) {
  return Pack<B, N>(a.x - b.x);
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> operator*(const Pack<B, N>& a, const Pack<B, N>& b) {
  return Pack<B, N>(a.x * b.x);
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> operator/(const Pack<B, N>& a, const Pack<B, N>& b) {
  return Pack<B, N>(a.x / b.x);
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> operator-(const Pack<B, N>& a) {
  return Pack<B, N>(-a.x);
}
// Constants of the model are single numbers.
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> operator+(const Pack<B, N>& a, B b) {
  return Pack<B, N>(a.x + b);
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> operator+(B a, const Pack<B, N>& b) {
  return Pack<B, N>(a + b.x);
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> operator-(const Pack<B, N>& a, B b) {
  return Pack<B, N>(a.x - b);
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> operator-(B a, const Pack<B, N>& b) {
  return Pack<B, N>(a - b.x);
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> operator*(const Pack<B, N>& a, B b) {
  return Pack<B, N>(a.x * b);
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> operator*(B a, const Pack<B, N>& b) {
  return Pack<B, N>(a * b.x);
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> operator/(B a, const Pack<B, N>& b) {
  return Pack<B, N>(a / b.x);
}
template <class A, class B, int N>
LINKWRIGHT_INLINE Pack<B, N>& operator+=(Pack<B, N>& a, const A& b) {
  return a = a + b;
}
template <class A, class B, int N>
LINKWRIGHT_INLINE Pack<B, N>& operator-=(Pack<B, N>& a, const A& b) {
  return a = a - b;
}

template <class B, int N>
struct ConstantOf<Pack<B, N>> {
  using type = B;
};

template <class B, int N>
inline constexpr int lane_count<Pack<B, N>> = N;

/// mask ? a : b, lane by lane; a mask is all ones or all zeros.
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> select(typename Pack<B, N>::Bits mask, const Pack<B, N>& a,
                                    const Pack<B, N>& b) {
  return Pack<B, N>(mask ? a.x : b.x);
}
template <class B, int N>
LINKWRIGHT_INLINE typename Pack<B, N>::Bits above(const Pack<B, N>& a, const Pack<B, N>& b) {
  return a.x > b.x;
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> sign_of(const Pack<B, N>& x) {
  using P = Pack<B, N>;
  return select((typename P::Bits)(x.bits() < 0), P(B(-1)), P(B(1)));
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> dry_friction(const Pack<B, N>& v, B forward, B backward) {
  using P = Pack<B, N>;
  const typename P::Bits up = v.x > B(0), down = v.x < B(0);
  return select(up, P(forward), select(down, P(-backward), P(B(0))));
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> square_root(const Pack<B, N>& a) {
  Pack<B, N> r;
  for (int i = 0; i < N; ++i) r.x[i] = std::sqrt(a.x[i]);
  return r;
}

/// π/2 in pieces: for the k of every |x| ≤ reach, k times each of the first three is exact, and so
/// are the first two subtractions from x; the third rounds, and the last changes the result only
/// where little is left. And the polynomials of sine and cosine on |r| ≤ π/4 (near-minimax, relative
/// error below 2⁻⁵⁵ and 2⁻²⁵).
template <class B>
struct Trigonometry;
template <>
struct Trigonometry<double> {
  static constexpr double reach = 5e5, round = 0x1.8p52, two_over_pi = 0x1.45f306dc9c883p-1;
  static constexpr double half_pi[4] = {0x1.921fb544p+0, 0x1.0b46p-34, 0x1.1a626331p-54,
                                        0x1.1701b839a252p-88};
  static constexpr double sine[6] = {-0x1.5555555555555p-3,  0x1.1111111110ba5p-7,
                                     -0x1.a01a019e8069ap-13, 0x1.71de3792528abp-19,
                                     -0x1.ae60069ee3ecep-26, 0x1.5e09858a973dfp-33};
  static constexpr double cosine[6] = {0x1.5555555555555p-5,  -0x1.6c16c16c16960p-10,
                                       0x1.a01a019f4d0f0p-16, -0x1.27e4fa15bdc69p-22,
                                       0x1.1eeb66b6cb12cp-29, -0x1.907c0e977e864p-37};
};
template <>
struct Trigonometry<float> {
  static constexpr float reach = 1e3F, round = 0x1.8p23F, two_over_pi = 0x1.45f306p-1F;
  static constexpr float half_pi[4] = {0x1.9218p+0F, 0x1.ed4p-14F, 0x1.11p-26F, 0x1.68c234p-39F};
  static constexpr float sine[3] = {-0.16666664650F, 0.008332745938F, -0.000195873873F};
  static constexpr float cosine[3] = {0.04166666464746F, -0.00138883006981F, 0.0000245474374625F};
};

/// Horner's rule; the array is a list of constants, unrolled by the compiler.
template <class P, class B, std::size_t n>
LINKWRIGHT_INLINE P polynomial(const P& z, const B (&c)[n]) {
  P sum(c[n - 1]);
  for (std::size_t i = n - 1; i-- > 0;) sum = sum * z + c[i];
  return sum;
}

/// Whether any lane of a mask is set.
template <class Bits>
LINKWRIGHT_INLINE bool any(const Bits& mask) {
#ifdef __AVX512F__
  if constexpr (sizeof(Bits) == 64)
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#endif
  auto all = mask[0];
  for (std::size_t i = 1; i < sizeof(Bits) / sizeof(mask[0]); ++i) all |= mask[i];
  return all != 0;
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> absolute(const Pack<B, N>& a) {
  return Pack<B, N>(a.x < B(0) ? -a.x : a.x);
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> larger(const Pack<B, N>& a, const Pack<B, N>& b) {
  return Pack<B, N>(a.x > b.x ? a.x : b.x);
}

/// Sine and cosine of every lane, error below 2 units in the last place, for |x| ≤ reach.
template <class B, int N>
LINKWRIGHT_INLINE SinCos<Pack<B, N>> sin_cos_near(const Pack<B, N>& x) {
  using P = Pack<B, N>;
  using Bits = typename P::Bits;
  using Lanes = typename P::Lanes;
  using K = Trigonometry<B>;
  // Adding 1.5·2⁵² rounds to an integer and leaves it in the low bits.
  const P shifted = x * K::two_over_pi + K::round;
  const P k = shifted - K::round;
  P r = x;
  for (const B piece : K::half_pi) r -= k * piece;
  const P z = r * r;
  const P sine = r + r * z * polynomial(z, K::sine);
  const P cosine = B(1) + z * (z * polynomial(z, K::cosine) - B(0.5));
  const Bits quarter = shifted.bits();
  const Bits odd = (quarter & 1) != 0;
  const Bits top = Bits{} + (typename P::Integer(1) << (8 * sizeof(B) - 1));
  const Bits flip_sine = (quarter << (8 * sizeof(B) - 2)) & top;
  const Bits flip_cosine = ((quarter + 1) << (8 * sizeof(B) - 2)) & top;
  const Lanes s = odd ? cosine.x : sine.x, c = odd ? sine.x : cosine.x;
  return {P((Lanes)((Bits)s ^ flip_sine)), P((Lanes)((Bits)c ^ flip_cosine))};
}

/// The same for every x: beyond the reach lane by lane with the standard functions.
template <class B, int N>
LINKWRIGHT_INLINE SinCos<Pack<B, N>> sin_cos(const Pack<B, N>& x) {
  auto out = sin_cos_near(x);
  const typename Pack<B, N>::Bits far = absolute(x).x > Trigonometry<B>::reach;
  if (any(far)) [[unlikely]] {
    // Keeps the compiler from evaluating the branch ahead of its condition.
    asm volatile("");
    for (int i = 0; i < N; ++i)
      if (far[i] != 0) out.s.x[i] = std::sin(x.x[i]), out.c.x[i] = std::cos(x.x[i]);
  }
  return out;
}

}  // namespace linkwright::spatial

#pragma GCC diagnostic pop
