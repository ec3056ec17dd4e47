#pragma once
/// The YAML system file: several models, objects, loops, forces and a start in one text.
/// docs/system_file.md describes every key.
///
///     linkwright::Model cell = linkwright::read_system_file("two_arms.yaml");
///     std::string text = linkwright::write_system_file(cell);   // one file with everything in it

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

/// The model as a system file that includes no other: read back, it is the same model to the last bit,
/// but for where things stood in their files. What a joint's type has no use for and the shafts that
/// `compile` makes are left out. Meshes are named as the model names them or, where they are found, as a
/// file in `folder` must. Throws what `validate` throws, and Error for names that YAML cannot hold.
std::string write_system_file(const Model& model, const std::filesystem::path& folder = {});

}  // namespace linkwright
