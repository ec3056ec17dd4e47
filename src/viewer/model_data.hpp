#pragma once
/// A mechanism as the page takes it: bodies with their shapes, joints, frames.

#include "viewer/encoding.hpp"
#include "viewer/shapes.hpp"

namespace linkwright::viewer {

/// The page's number of each body of a Drawing: the world is 0, parents stand before children.
std::vector<int> number_bodies(const System& system);

Json bodies_to_json(const System& system, const Drawing& drawing, const std::vector<int>& numbers);
Json meshes_to_json(const std::vector<Mesh>& meshes);
Json joints_to_json(const System& system, const std::vector<int>& numbers);
Json frames_to_json(const System& system, const std::vector<int>& numbers);

}  // namespace linkwright::viewer
