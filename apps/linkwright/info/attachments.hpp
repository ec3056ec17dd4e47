#pragma once
/// What a model has besides bodies, joints and frames, as `info` shows it: motors, passive freedoms,
/// limits, closures, grasps, springs, loads.

#include <string>
#include <vector>

#include "linkwright/system/describe.hpp"
#include "shell/json.hpp"

namespace linkwright::app {

/// Without the shafts of transmissions, which are told with their actuators.
std::vector<Closure> closures_of(const Model& model);

/// Adds everything to the JSON of `info`.
void add_attachments(Json& info, const System& system);

/// As the library says it: all things of a model are described by the same two arguments.
inline std::string describe(const Closure& closure, const Model&) {
  return linkwright::describe(closure);
}
inline std::string describe(const Grasp& grasp, const Model&) {
  return linkwright::describe(grasp);
}
/// One line each.
std::string describe(const Actuator& actuator, const Model& model);
std::string describe(const LineSpring& spring, const Model& model);
std::string describe(const JointSpring& spring, const Model& model);
std::string describe(const FlexibleBase& base, const Model& model);
std::string describe(const JointLoad& load, const Model& model);
std::string describe(const BodyLoad& load, const Model& model);

}  // namespace linkwright::app
