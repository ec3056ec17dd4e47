#pragma once
/// Lists of frames that coincide where the loops of a tree are closed, in a file of their own beside the tree's.

#include <filesystem>

#include "linkwright/model/model.hpp"
#include "model/problems.hpp"

namespace linkwright {

/// Adds the closures that the file lists: `closed_loop: [[a, b], …]` are links, or joints for what they carry, and
/// `type` says of each pair whether the frames are one (6d) or their origins (3d). With `name_mot`, the joints that
/// have motors, the others have none.
void add_closures_of(const std::filesystem::path& path, Model& model, Problems& problems);

}  // namespace linkwright
