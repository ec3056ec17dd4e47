#pragma once
/// What `info` tells of flexible links.

#include <filesystem>
#include <string>

#include "linkwright/model/model.hpp"
#include "shell/json.hpp"

namespace linkwright::app {

/// Elements, mass and the first frequencies (Hz) of each flexible link of a system file, clamped at its root.
Json flexible_links_json(const std::filesystem::path& file);
std::string flexible_links_text(const std::filesystem::path& file);
/// ", 2 flexible links (20 elements)", or nothing.
std::string flexible_links_summary(const std::filesystem::path& file);

/// Springs that the file has, without those of elastic joints.
std::vector<JointSpring> declared_joint_springs(const Model& model);

}  // namespace linkwright::app
