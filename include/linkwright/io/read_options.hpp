#pragma once
/// What all readers of model files are told.
///
///     linkwright::read_model("arm.urdf", {.base = linkwright::Base::free, .lenient = true});

#include <filesystem>
#include <map>
#include <string>

#include "linkwright/model/model.hpp"

namespace linkwright {

struct ReadOptions {
  Base base = Base::fixed;  ///< how the root of a URDF or SDF model is attached to the world
  /// Mistakes that can be dropped or clipped become warnings that say the meaning taken: those of
  /// `repair` (model/validation.hpp), and shapes that cannot be read, which are left out.
  bool lenient = false;
  /// Folders of packages by name: "package://NAME/…" and "model://NAME/…" are looked for there first, then
  /// where the environment says (find_resource in io/resource.hpp).
  std::map<std::string, std::filesystem::path> packages{};
  /// Pairs of frames that coincide where the loops of a URDF or SDF model are closed: a list of its own
  /// (docs/closed_chains.md). Empty: none.
  std::filesystem::path closures{};
};

}  // namespace linkwright
