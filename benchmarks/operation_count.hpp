#pragma once
/// What the sweeps cost, by running them on a scalar that counts.

#include "linkwright/spatial/counting.hpp"
#include "linkwright/system/system.hpp"

namespace bench {

using linkwright::spatial::Operations;

Operations count_inverse_dynamics(const linkwright::System& system);
Operations count_forward_dynamics(const linkwright::System& system);
Operations count_mass_matrix(const linkwright::System& system);

}  // namespace bench
