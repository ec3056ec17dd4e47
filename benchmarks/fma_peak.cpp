#include "fma_peak.hpp"

#include <algorithm>
#include <chrono>

namespace bench {
namespace {

constexpr int kRounds = 200000, kChains = 12;

/// kChains independent chains hide the latency; x ← x·a + b stays near 1.
#define LINKWRIGHT_FMA_LOOP(name, isa, scalar, bytes)                          \
  __attribute__((target(isa), noinline)) double name() {                       \
    typedef scalar Lanes __attribute__((vector_size(bytes)));                  \
    Lanes x[kChains], a, b;                                                    \
    for (int l = 0; l < bytes / static_cast<int>(sizeof(scalar)); ++l) {       \
      a[l] = static_cast<scalar>(0.5), b[l] = static_cast<scalar>(0.5);        \
      for (auto& chain : x) chain[l] = 1;                                      \
    }                                                                          \
    const auto start = std::chrono::steady_clock::now();                       \
    for (int i = 0; i < kRounds; ++i) {                                        \
      for (auto& chain : x) {                                                  \
        chain = chain * a + b;                                                 \
        asm volatile("" : "+v"(chain));                                        \
      }                                                                        \
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
