#pragma once
/// URDF files. docs/urdf.md tells what is read, what is kept and what is warned of.
///
///     linkwright::Model arm = linkwright::read_urdf("arm.urdf");
///     linkwright::Model satellite = linkwright::read_urdf("arm.urdf", {.base = linkwright::Base::free});

#include <filesystem>
#include <string>
#include <string_view>

#include "linkwright/io/read_options.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright {

/// Reads a URDF file; its root link is attached to the world as `options.base` says. What can be read
/// is judged by `compile` or `validate`.
Model read_urdf(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same for text that is already in memory; messages call it `name_for_messages`.
Model parse_urdf(std::string_view text, const std::string& name_for_messages,
                 const ReadOptions& options = {});

}  // namespace linkwright
