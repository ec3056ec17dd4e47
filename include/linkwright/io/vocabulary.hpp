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

/// An element of URDF, with the attributes and children that are understood.
struct UrdfElement {
  std::string_view tag;
  std::vector<std::string_view> attributes, children;
};
std::span<const UrdfElement> urdf_vocabulary();

/// An element of MJCF, with the attributes and children that are understood. Where a tag means different
/// things in different places, `kind` tells them apart: "joint", "joint of equality".
struct MjcfElement {
  std::string_view kind;
  std::vector<std::string_view> attributes, children;
};
std::span<const MjcfElement> mjcf_vocabulary();

/// An element of SDF, with the attributes and children that are understood.
struct SdfElement {
  std::string_view kind;
  std::vector<std::string_view> attributes, children;
};
std::span<const SdfElement> sdf_vocabulary();

}  // namespace linkwright
