#pragma once
/// The YAML system file: several models, objects, loops, forces and a start in one text.
/// docs/system_file.md describes every key.
///
///     linkwright::Model cell = linkwright::read_system_file("two_arms.yaml");

#include <filesystem>
#include <string>
#include <string_view>

#include "linkwright/model/model.hpp"

namespace linkwright {

/// Reads a system file; files it names are looked up beside it. `compile` or `validate` judges what
/// it says.
Model read_system_file(const std::filesystem::path& path);

/// The same for text that is already in memory; files it names are looked up in `folder`.
Model parse_system_file(std::string_view text, const std::string& name_for_messages,
                        const std::filesystem::path& folder = {});

}  // namespace linkwright
