#pragma once
/// What the readers understand: every key of the system file and every element of URDF, SDF and MJCF. The
/// readers themselves look here, so what is not in these tables is refused (system file) or told as
/// ignored (URDF, SDF, MJCF).
///
///     for (const auto& section : linkwright::system_file_vocabulary())
///       for (std::string_view key : section.keys) std::cout << section.name << '.' << key << '\n';

#include <span>
#include <string_view>
#include <vector>

namespace linkwright {

/// A kind of map in a system file.
struct KeySection {
  std::string_view name;  ///< "joint", "closure (gear)"
  std::vector<std::string_view> keys;
};
std::span<const KeySection> system_file_vocabulary();

/// An element of an XML dialect, with the attributes and children that are understood. Where a tag means
/// different things in different places, `kind` tells them apart: "joint", "joint of equality".
struct ElementWords {
  std::string_view kind;
  std::vector<std::string_view> attributes, children;
};
std::span<const ElementWords> urdf_vocabulary();
std::span<const ElementWords> sdf_vocabulary();
std::span<const ElementWords> mjcf_vocabulary();

}  // namespace linkwright
