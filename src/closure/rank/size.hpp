#pragma once
/// The length by which a mechanism's rows are measured.

#include "linkwright/system/system.hpp"

namespace linkwright::closure {

/// The longest way from a joint to the next or to a closure; 1 where there is none.
double size_of(const System& system);

}  // namespace linkwright::closure
