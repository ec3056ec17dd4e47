#include <cstdlib>
#include <string_view>

#include "dynamics/kernels.hpp"

namespace linkwright {
namespace {

const Kernels& choose() {
#ifdef LINKWRIGHT_HAS_X86_KERNELS
  const char* asked = std::getenv("LINKWRIGHT_INSTRUCTION_SET");
  const std::string_view limit = asked == nullptr ? "avx512" : asked;
  const bool fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool wide = fma && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  if (wide && limit == "avx512") return kernels_avx512;
  if (fma && limit != "baseline") return kernels_avx2;
#endif
  return kernels_baseline;
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

}  // namespace linkwright
