#pragma once
/// Which copy of the hot code this processor gets.

namespace linkwright {

enum class InstructionSet { baseline, avx2, avx512 };

/// The best that the processor offers and the build contains. The environment variable
/// LINKWRIGHT_INSTRUCTION_SET (baseline, avx2, avx512) may ask for a lesser one.
InstructionSet instruction_set();

/// Picks one of three tables; the latter two need not exist where they were not built.
template <class Table>
const Table& choose_by_instruction_set(const Table& baseline, [[maybe_unused]] const Table& avx2,
                                       [[maybe_unused]] const Table& avx512) {
#ifdef LINKWRIGHT_HAS_X86_KERNELS
  if (instruction_set() == InstructionSet::avx512) return avx512;
  if (instruction_set() == InstructionSet::avx2) return avx2;
#endif
  return baseline;
}

}  // namespace linkwright
