#include "dynamics/instruction_set.hpp"
#include "dynamics/kernels.hpp"

namespace linkwright {

const Kernels& kernels() {
  static const Kernels& chosen =
      choose_by_instruction_set(kernels_baseline, kernels_avx2, kernels_avx512);
  return chosen;
}

}  // namespace linkwright
