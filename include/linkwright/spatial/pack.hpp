#pragma once
/// A SIMD pack: N numbers that go through a sweep side by side. Built on the compilers' vector
/// extension, so the same source serves SSE2, AVX2 and AVX-512; a pack wider than a register is
/// split.
///
///     using P = linkwright::spatial::Pack<double, 8>;
///     P x = P::load(angles);  auto [s, c] = sin_cos(x);

#include <cstddef>
#include <cstdint>
#include <type_traits>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "linkwright/spatial/scalar.hpp"

// Everything here is inlined, so how a wide vector would be passed in a call does not matter.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace linkwright::spatial {

/// The widest register of the instruction set that this is compiled for, in bytes; at least what sweeps of
/// single states shuffle as a whole.
#if defined(__AVX512F__)
inline constexpr std::size_t register_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t register_bytes = 32;
#else
inline constexpr std::size_t register_bytes = 32;
#endif

/// The compilers' vector types; the attribute does not reach through a dependent element type, nor,
/// with g++, through `using` when the number of lanes is dependent.
template <class B, int N>
struct RegisterOf;
// NOLINTBEGIN(modernize-use-using)
template <int N>
struct RegisterOf<double, N> {
  typedef double type __attribute__((vector_size(N * 8)));
};
template <int N>
struct RegisterOf<float, N> {
  typedef float type __attribute__((vector_size(N * 4)));
};
template <int N>
struct RegisterOf<std::int64_t, N> {
  typedef std::int64_t type __attribute__((vector_size(N * 8)));
};
template <int N>
struct RegisterOf<std::int32_t, N> {
  typedef std::int32_t type __attribute__((vector_size(N * 4)));
};
// NOLINTEND(modernize-use-using)
template <class E>
struct IntegerOf;
template <>
struct IntegerOf<double> {
  using type = std::int64_t;
};
template <>
struct IntegerOf<float> {
  using type = std::int32_t;
};
template <>
struct IntegerOf<std::int64_t> {
  using type = std::int64_t;
};
template <>
struct IntegerOf<std::int32_t> {
  using type = std::int32_t;
};

/// More lanes than a register has: two halves, each a register or split again. The compilers would keep a
/// vector type of this size in memory and go through it for every operation.
template <class E, int N>
struct SplitVector;
template <class E, int N>
using VectorType = typename std::conditional_t<N * sizeof(E) <= register_bytes, RegisterOf<E, N>,
                                               std::type_identity<SplitVector<E, N>>>::type;

template <class E, int N>
struct SplitVector {
  using Half = VectorType<E, N / 2>;
  using Mask = SplitVector<typename IntegerOf<E>::type, N>;
  Half lo, hi;

  SplitVector() = default;
  LINKWRIGHT_INLINE SplitVector(const Half& low, const Half& high) : lo(low), hi(high) {}
  /// Lane by lane; those that are not named are zero.
  template <class... Lane>
  requires(sizeof...(Lane) >= 1 && sizeof...(Lane) <= N &&
           (std::is_arithmetic_v<Lane> && ...)) LINKWRIGHT_INLINE
      explicit SplitVector(Lane... lane) {
    const E all[N] = {static_cast<E>(lane)...};
    __builtin_memcpy(this, all, sizeof all);
  }
  /// One lane, to be read or written; an address of it would keep all of them in memory.
  struct Lane {
    SplitVector& all;
    int i;
    LINKWRIGHT_INLINE operator E() const {  // NOLINT(google-explicit-constructor)
      return static_cast<const SplitVector&>(all)[i];
    }
    LINKWRIGHT_INLINE Lane& operator=(E x) {
      if (i < N / 2)
        all.lo[i] = x;
      else
        all.hi[i - N / 2] = x;
      return *this;
    }
    LINKWRIGHT_INLINE Lane& operator=(const Lane& x) { return *this = static_cast<E>(x); }
    LINKWRIGHT_INLINE Lane& operator+=(E x) { return *this = static_cast<E>(*this) + x; }
    LINKWRIGHT_INLINE Lane& operator-=(E x) { return *this = static_cast<E>(*this) - x; }
  };
  LINKWRIGHT_INLINE E operator[](int i) const { return i < N / 2 ? lo[i] : hi[i - N / 2]; }
  LINKWRIGHT_INLINE Lane operator[](int i) { return {*this, i}; }
// NOLINTBEGIN(bugprone-macro-parentheses): operators and types take none
#define LINKWRIGHT_SPLIT_OPERATOR(op, Result)                                               \
  LINKWRIGHT_INLINE friend Result operator op(const SplitVector& a, const SplitVector& b) { \
    return {a.lo op b.lo, a.hi op b.hi};                                                    \
  }                                                                                         \
  LINKWRIGHT_INLINE friend Result operator op(const SplitVector& a, E b) {                  \
    return {a.lo op b, a.hi op b};                                                          \
  }                                                                                         \
  LINKWRIGHT_INLINE friend Result operator op(E a, const SplitVector& b) {                  \
    return {a op b.lo, a op b.hi};                                                          \
  }
  LINKWRIGHT_SPLIT_OPERATOR(+, SplitVector)
  LINKWRIGHT_SPLIT_OPERATOR(-, SplitVector)
  LINKWRIGHT_SPLIT_OPERATOR(*, SplitVector)
  LINKWRIGHT_SPLIT_OPERATOR(/, SplitVector)
  LINKWRIGHT_SPLIT_OPERATOR(&, SplitVector)
  LINKWRIGHT_SPLIT_OPERATOR(|, SplitVector)
  LINKWRIGHT_SPLIT_OPERATOR(^, SplitVector)
  LINKWRIGHT_SPLIT_OPERATOR(<, Mask)
  LINKWRIGHT_SPLIT_OPERATOR(>, Mask)
  LINKWRIGHT_SPLIT_OPERATOR(==, Mask)
  LINKWRIGHT_SPLIT_OPERATOR(!=, Mask)
#undef LINKWRIGHT_SPLIT_OPERATOR  // NOLINTEND(bugprone-macro-parentheses)
  LINKWRIGHT_INLINE friend SplitVector operator-(const SplitVector& a) { return {-a.lo, -a.hi}; }
  LINKWRIGHT_INLINE friend SplitVector operator~(const SplitVector& a) { return {~a.lo, ~a.hi}; }
  LINKWRIGHT_INLINE friend SplitVector operator<<(const SplitVector& a, int n) {
    return {a.lo << n, a.hi << n};
  }
};
template <class V>
inline constexpr bool is_split = false;
template <class E, int N>
inline constexpr bool is_split<SplitVector<E, N>> = true;

/// mask ? a : b, lane by lane.
template <class M, class V>
LINKWRIGHT_INLINE V choose(const M& mask, const V& a, const V& b) {
  if constexpr (is_split<V>)
    return {choose(mask.lo, a.lo, b.lo), choose(mask.hi, a.hi, b.hi)};
  else
    return mask ? a : b;
}
/// The same bits.
template <class To, class From>
LINKWRIGHT_INLINE To same_bits(const From& x) {
  if constexpr (is_split<To>)
    return {same_bits<typename To::Half>(x.lo), same_bits<typename To::Half>(x.hi)};
  else
    return (To)x;
}

template <class B, int N>
struct VectorOf {
  using Integer = typename IntegerOf<B>::type;
  using Lanes = VectorType<B, N>;
  using Bits = VectorType<Integer, N>;
};

/// Aligned to its size: left alone, the alignment would depend on the instruction set.
template <class B, int N>
struct alignas(N * sizeof(B)) Pack {
  using Number = B;
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
  LINKWRIGHT_INLINE Bits bits() const { return same_bits<Bits>(x); }
};

/// Lane `from` in the place of lane `to`, zero in all others.
template <int from, int to, class B>
LINKWRIGHT_INLINE Pack<B, 8> moved_lane(const Pack<B, 8>& a) {
  using Lanes = typename Pack<B, 8>::Lanes;
  if constexpr (is_split<Lanes>) {
    Pack<B, 8> moved(B(0));
    moved.x[to] = static_cast<B>(a.x[from]);
    return moved;
  } else {
    return Pack<B, 8>(__builtin_shufflevector(a.x, Lanes{}, to == 0 ? from : 8, to == 1 ? from : 8,
                                              to == 2 ? from : 8, to == 3 ? from : 8,
                                              to == 4 ? from : 8, to == 5 ? from : 8,
                                              to == 6 ? from : 8, to == 7 ? from : 8));
  }
}

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
  return Pack<B, N>(choose(mask, a.x, b.x));
}
template <class B, int N>
LINKWRIGHT_INLINE typename Pack<B, N>::Bits above(const Pack<B, N>& a, const Pack<B, N>& b) {
  return a.x > b.x;
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> sign_of(const Pack<B, N>& x) {
  using P = Pack<B, N>;
  return select(typename P::Bits(x.bits() < typename P::Integer(0)), P(B(-1)), P(B(1)));
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
  if constexpr (is_split<Bits>) {
    return any(mask.lo | mask.hi);
  } else {
    auto all = mask[0];
    for (std::size_t i = 1; i < sizeof(Bits) / sizeof(mask[0]); ++i) all |= mask[i];
    return all != 0;
  }
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> absolute(const Pack<B, N>& a) {
  return Pack<B, N>(choose(a.x < B(0), -a.x, a.x));
}
template <class B, int N>
LINKWRIGHT_INLINE Pack<B, N> larger(const Pack<B, N>& a, const Pack<B, N>& b) {
  return Pack<B, N>(choose(a.x > b.x, a.x, b.x));
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
  using Integer = typename P::Integer;
  const Bits odd = (quarter & Integer(1)) != Integer(0);
  const Bits top = Bits{} + (typename P::Integer(1) << (8 * sizeof(B) - 1));
  const Bits flip_sine = (quarter << (8 * sizeof(B) - 2)) & top;
  const Bits flip_cosine = ((quarter + Integer(1)) << (8 * sizeof(B) - 2)) & top;
  const P s = select(odd, cosine, sine), c = select(odd, sine, cosine);
  return {P(same_bits<Lanes>(s.bits() ^ flip_sine)), P(same_bits<Lanes>(c.bits() ^ flip_cosine))};
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
