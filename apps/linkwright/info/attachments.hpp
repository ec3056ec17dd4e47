#pragma once
/// What a model has besides bodies, joints and frames, as `info` shows it: motors, passive freedoms,
/// limits, closures, grasps, springs, loads.

#include <string>

#include "linkwright/system/system.hpp"
#include "shell/json.hpp"

namespace linkwright::app {

/// Adds everything to the JSON of `info`.
void add_attachments(Json& info, const System& system);

/// One line each.
std::string describe(const Actuator& actuator);
std::string describe(const LineSpring& spring);
std::string describe(const JointSpring& spring);
std::string describe(const JointLoad& load);
std::string describe(const BodyLoad& load);

}  // namespace linkwright::app
