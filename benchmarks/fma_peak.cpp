#include "fma_peak.hpp"

#include <algorithm>
#include <chrono>

namespace bench {
namespace {

constexpr int kRounds = 200000, kChains = 12;

/// kChains independent chains hide the latency; x ← x·a + b stays near 1. One variable per chain:
/// an array would live in memory.
#define LINKWRIGHT_FMA_LOOP(name, isa, scalar, bytes)                          \
  __attribute__((target(isa), noinline)) double name() {                       \
    typedef scalar Lanes __attribute__((vector_size(bytes)));                  \
    const auto keep = [](Lanes & x) __attribute__((always_inline)) {           \
      asm volatile("" : "+v"(x));                                              \
    };                                                                         \
    const Lanes one = Lanes{} + scalar(1), half = Lanes{} + scalar(0.5);       \
    Lanes x0 = one, x1 = one, x2 = one, x3 = one, x4 = one, x5 = one;          \
    Lanes x6 = one, x7 = one, x8 = one, x9 = one, xa = one, xb = one;          \
    const auto start = std::chrono::steady_clock::now();                       \
    for (int i = 0; i < kRounds; ++i) {                                        \
      x0 = x0 * half + half, x1 = x1 * half + half, x2 = x2 * half + half;     \
      x3 = x3 * half + half, x4 = x4 * half + half, x5 = x5 * half + half;     \
      x6 = x6 * half + half, x7 = x7 * half + half, x8 = x8 * half + half;     \
      x9 = x9 * half + half, xa = xa * half + half, xb = xb * half + half;     \
      keep(x0), keep(x1), keep(x2), keep(x3), keep(x4), keep(x5);              \
      keep(x6), keep(x7), keep(x8), keep(x9), keep(xa), keep(xb);              \
    }                                                                          \
    const std::chrono::duration<double, std::nano> taken =                     \
        std::chrono::steady_clock::now() - start;                              \
    return 2.0 * kRounds * kChains * (bytes / sizeof(scalar)) / taken.count(); \
  }

#if defined(__x86_64__)
LINKWRIGHT_FMA_LOOP(double_avx512, "avx512f,fma", double, 64)
LINKWRIGHT_FMA_LOOP(float_avx512, "avx512f,fma", float, 64)
LINKWRIGHT_FMA_LOOP(double_avx2, "avx2,fma", double, 32)
LINKWRIGHT_FMA_LOOP(float_avx2, "avx2,fma", float, 32)
#endif

template <class F>
double best(F loop) {
  double most = 0;
  for (int i = 0; i < 15; ++i) most = std::max(most, loop());
  return most;
}

}  // namespace

Peak measure_fma_peak() {
#if defined(__x86_64__)
  Peak peak{0, 0};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    peak = {best(double_avx2), best(float_avx2)};
  if (__builtin_cpu_supports("avx512f")) {
    peak.double_flops_per_ns = std::max(peak.double_flops_per_ns, best(double_avx512));
    peak.float_flops_per_ns = std::max(peak.float_flops_per_ns, best(float_avx512));
  }
  return peak;
#else
  return {0, 0};
#endif
}

}  // namespace bench
