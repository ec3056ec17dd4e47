#pragma once
/// The shapes that the model file gives, with its meshes read.

#include "viewer/shapes.hpp"

namespace linkwright::viewer {

/// Fills shapes, meshes and warnings. A mesh that is not there or cannot be read leaves no shape but
/// a warning; one that is used several times is read and kept once. `colours` serve shapes without;
/// a mesh with colours of its own becomes one shape for each.
void add_file_shapes(const Model& model, const std::vector<Colour>& colours, Drawing& drawing);

}  // namespace linkwright::viewer
