#pragma once
/// Files that model files name: meshes and further models.
///
///     auto file = linkwright::find_resource("package://arm/meshes/base.stl", "arm/urdf/arm.urdf");

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "linkwright/model/model.hpp"

namespace linkwright {

/// The file or folder that a model means by `name`: a path, relative to the model's folder, or "file://…", or
/// "package://NAME/…" and "model://NAME/…". Those are looked for where `packages` says NAME lies; in the folders
/// above the model, where NAME may be missing since a package may lie in a folder of another name; and in the folders
/// that the environment lists (ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, GZ_SIM_RESOURCE_PATH, SDF_PATH,
/// IGN_GAZEBO_RESOURCE_PATH, GAZEBO_MODEL_PATH). Nothing when it is nowhere.
std::optional<std::filesystem::path> find_resource(
    std::string_view name, const std::filesystem::path& model_file,
    const std::map<std::string, std::filesystem::path>& packages = {});

/// Names the meshes of a model by their paths where they lie in one of these packages, and warns of packages that no
/// mesh names or whose file is missing.
void resolve_packages(const std::map<std::string, std::filesystem::path>& packages, Model& model);

}  // namespace linkwright
