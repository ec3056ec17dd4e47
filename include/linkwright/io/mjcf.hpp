#pragma once
/// MJCF files, MuJoCo's format. docs/mjcf.md tells what is read, what it means here and what is told.
///
///     linkwright::Model humanoid = linkwright::read_mjcf("humanoid.xml");
///     for (const auto& closure : humanoid.closures) std::cout << closure.name << '\n';   // <equality>

#include <filesystem>
#include <string>
#include <string_view>

#include "linkwright/io/read_options.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright {

/// Reads an MJCF file with the files that it includes. It says itself how its bodies hang from the
/// world: any `options.base` but Base::fixed, the default, is an Error. Positions of joints are MuJoCo's
/// numbers: q = `ref` in the configuration that the file draws, and free joints are measured in the world.
/// Where the file starts from (a keyframe, or that configuration) is Model::initial. What can be read is
/// judged by `compile` or `validate`.
Model read_mjcf(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same for text that is already in memory; files it names are looked up in `folder`.
Model parse_mjcf(std::string_view text, const std::string& name_for_messages,
                 const std::filesystem::path& folder = {}, const ReadOptions& options = {});

}  // namespace linkwright
