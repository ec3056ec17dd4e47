#pragma once
/// The laws of tree dynamics, as one suite that any System must pass:
///
///     linkwright::testing::expect_laws(compile(model), seed);
///
/// Bounds are 2 κ(M) ε, scaled by the number of bodies and by the size of what is compared.

#include "linkwright/system/system.hpp"

namespace linkwright::testing {

void expect_laws(const System& system, unsigned seed);

}  // namespace linkwright::testing
