#pragma once
/// SDF files, the format of Gazebo and Drake. docs/sdf.md tells what is read, what it means here and what is
/// told.
///
///     linkwright::Model cassie = linkwright::read_sdf("cassie.sdf", {.base = linkwright::Base::free});
///     for (const auto& name : linkwright::compute_closing_joints(cassie)) std::cout << name << '\n';

#include <filesystem>
#include <string>
#include <string_view>

#include "linkwright/io/read_options.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright {

/// Reads an SDF file, a model or a world, with the files that it includes. What no joint ties to the world
/// floats in SDF; here `options.base` says how it is attached, and Base::fixed, the default, is told. What
/// can be read is judged by `compile` or `validate`.
Model read_sdf(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same for text that is already in memory; files it includes are looked up in `folder`.
Model parse_sdf(std::string_view text, const std::string& name_for_messages,
                const std::filesystem::path& folder = {}, const ReadOptions& options = {});

}  // namespace linkwright
