#include "dynamics/instruction_set.hpp"
#include "dynamics/kernels.hpp"

namespace linkwright {

const Kernels& kernels() {
  static const Kernels& chosen = LINKWRIGHT_CHOOSE_TABLE(kernels);
  return chosen;
}

}  // namespace linkwright
