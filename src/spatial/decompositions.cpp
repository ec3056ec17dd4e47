#include "spatial/decompositions.hpp"

namespace Eigen {
LINKWRIGHT_DECOMPOSITIONS()
}  // namespace Eigen
