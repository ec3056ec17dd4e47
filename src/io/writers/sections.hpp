#pragma once
/// The sections of a system file as text, each with its key; empty where the model has nothing of it.

#include <filesystem>
#include <string>

#include "linkwright/model/model.hpp"

namespace linkwright::writers {

std::string write_bodies(const Model& model);
std::string write_joints(const Model& model);
std::string write_frames(const Model& model);
/// `objects`, `cut`, `coordinates`: lists of names.
std::string write_name_lists(const Model& model);
std::string write_flexible_bases(const Model& model);
/// `visuals` and `collisions`; files of meshes are named as from `folder` (find_mesh_name).
std::string write_shapes(const Model& model, const std::filesystem::path& folder);

/// Whether that is a shaft which no actuator says: a tendon of MJCF. It is written as a motor on those joints.
bool is_lone_shaft(const Model& model, const Closure& closure);
std::string write_closures(const Model& model);
std::string write_grasps(const Model& model);
std::string write_springs(const Model& model);
std::string write_loads(const Model& model);
std::string write_actuators(const Model& model);
std::string write_network(const Model& model);
std::string write_state(const Model& model);

/// How a file in `folder` names the mesh of a shape: relative to it where the mesh is found, otherwise, and
/// without a folder, as the model does.
std::string find_mesh_name(const Visual& shape, const std::filesystem::path& folder);

}  // namespace linkwright::writers
