#pragma once
/// What `info` tells of flexible links.

#include <string>

#include "linkwright/model/model.hpp"
#include "shell/json.hpp"

namespace linkwright::app {

/// Elements, mass and the first frequencies (Hz) of each flexible link of a model, clamped at its root.
Json flexible_links_json(const Model& model);
std::string flexible_links_text(const Model& model);
/// ", 2 flexible links (20 elements)", or nothing.
std::string flexible_links_summary(const Model& model);

/// Springs that the file has, without those that make up flexible links.
std::vector<JointSpring> declared_joint_springs(const Model& model);

}  // namespace linkwright::app
