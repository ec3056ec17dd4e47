#pragma once
/// The YAML system file: several models, objects, loops, forces and a start in one text.
/// docs/system_file.md describes every key.
///
///     linkwright::Model cell = linkwright::read_system_file("two_arms.yaml");

#include <filesystem>
#include <string>
#include <string_view>

#include "linkwright/io/read_options.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright {

/// Reads a system file; files it names are looked up beside it. It says itself how each root is
/// attached: any `options.base` but Base::fixed, the default, is an Error. What can be read is judged
/// by `compile` or `validate`.
Model read_system_file(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same for text that is already in memory; files it names are looked up in `folder`.
Model parse_system_file(std::string_view text, const std::string& name_for_messages,
                        const std::filesystem::path& folder = {}, const ReadOptions& options = {});

}  // namespace linkwright
