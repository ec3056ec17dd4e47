#pragma once
/// <replicate>: what stands in it several times over, each time moved and turned further on.

#include "io/mjcf/settings.hpp"
#include "io/mjcf/told.hpp"

namespace linkwright::mjcf {

/// In the place of every <replicate> frames with its copies, their names with MuJoCo's suffixes; tendons, equalities and
/// actuators that refer to what is copied are copied along.
void replicate(Document& document, const Settings& settings, Told& told, Problems& problems);

}  // namespace linkwright::mjcf
