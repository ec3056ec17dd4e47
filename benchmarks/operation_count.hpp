#pragma once
/// Counts the additions, multiplications and divisions of a sweep by running it on a scalar that
/// counts.

#include "linkwright/system/system.hpp"

namespace bench {

struct Operations {
  long additions = 0, multiplications = 0, divisions = 0, sines = 0;

  /// Everything as floating-point operations; a sine with its cosine is 40 of them (pack.hpp).
  [[nodiscard]] double flops() const {
    return static_cast<double>(additions + multiplications + divisions + 40 * sines);
  }
};

Operations count_inverse_dynamics(const linkwright::System& system);
Operations count_forward_dynamics(const linkwright::System& system);
Operations count_mass_matrix(const linkwright::System& system);

}  // namespace bench
