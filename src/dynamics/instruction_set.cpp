#include "dynamics/instruction_set.hpp"

#include <cstdlib>
#include <string>
#include <string_view>

#include "linkwright/error.hpp"

namespace linkwright {
namespace {

InstructionSet detect() {
#ifdef LINKWRIGHT_HAS_X86_KERNELS
  const char* asked = std::getenv("LINKWRIGHT_INSTRUCTION_SET");
  const std::string_view limit = asked == nullptr ? "avx512" : asked;
  if (limit != "baseline" && limit != "avx2" && limit != "avx512")
    throw Error("the environment variable LINKWRIGHT_INSTRUCTION_SET is '" + std::string(limit) +
                "'; expected baseline, avx2 or avx512");
  const bool fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool wide = fma && __builtin_cpu_supports("avx512f") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512bw");
  if (wide && limit == "avx512") return InstructionSet::avx512;
  if (fma && limit != "baseline") return InstructionSet::avx2;
#endif
  return InstructionSet::baseline;
}

}  // namespace

InstructionSet instruction_set() {
  static const InstructionSet chosen = detect();
  return chosen;
}

}  // namespace linkwright
