#pragma once
/// Any model file that Linkwright reads.
///
///     linkwright::Model model = linkwright::read_model("arm.urdf");
///     for (const auto& warning : model.warnings) std::cerr << warning.text() << '\n';

#include <filesystem>
#include <string>
#include <string_view>

#include "linkwright/io/read_options.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright {

/// Picks the reader by the file's extension (.urdf, .sdf, .world, .xml, .yaml, .yml) or, failing that,
/// by its first character, and among XML files by the root element (<robot>, <sdf>, <mujoco>). System
/// files and MJCF say themselves how each root is attached, so there only Base::fixed, the default, is
/// accepted. Throws one Error with all mistakes of the file.
Model read_model(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same for text that is already in memory, by its first character and root element; files it names are
/// looked up in `folder`.
Model parse_model(std::string_view text, const std::string& name_for_messages,
                  const std::filesystem::path& folder = {}, const ReadOptions& options = {});

}  // namespace linkwright
