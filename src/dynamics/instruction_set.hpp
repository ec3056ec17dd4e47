#pragma once
/// Which copy of the hot code this processor gets.

namespace linkwright {

enum class InstructionSet { baseline, avx2, avx512 };

/// The best that the processor offers and the build contains. The environment variable
/// LINKWRIGHT_INSTRUCTION_SET (baseline, avx2, avx512) may ask for a lesser one.
InstructionSet instruction_set();

/// The table for this processor: LINKWRIGHT_CHOOSE_TABLE(kernels) is one of kernels_baseline,
/// kernels_avx2 and kernels_avx512. The latter two are not named where they were not built: a
/// compiler that optimises nothing would ask the linker for them.
#ifdef LINKWRIGHT_HAS_X86_KERNELS
template <class Table>
const Table& choose_table(const Table& baseline, const Table& avx2, const Table& avx512) {
  if (instruction_set() == InstructionSet::avx512) return avx512;
  if (instruction_set() == InstructionSet::avx2) return avx2;
  return baseline;
}
#define LINKWRIGHT_CHOOSE_TABLE(name) choose_table(name##_baseline, name##_avx2, name##_avx512)
#else
#define LINKWRIGHT_CHOOSE_TABLE(name) name##_baseline
#endif

}  // namespace linkwright
