#pragma once
/// Triangle meshes that model files name: STL, binary and text, and OBJ.
///
///     auto file = linkwright::find_mesh("package://arm/meshes/base.stl", "arm/urdf/arm.urdf");
///     linkwright::Mesh mesh = linkwright::read_mesh(file.value());

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkwright {

/// Corners, and triangles as three indices into them. Corners at the same place are one.
struct Mesh {
  std::vector<std::array<float, 3>> corners;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// Reads a file by its extension (.stl, .obj). Throws Error naming the file for anything that is
/// not a mesh of at least one triangle with finite corners.
Mesh read_mesh(const std::filesystem::path& path);
/// The same for text already in memory; `name` stands in messages and gives the extension.
Mesh parse_mesh(std::string_view text, const std::string& name);
/// Whether the extension is one that read_mesh knows.
bool is_mesh_format_known(const std::filesystem::path& path);

/// The file that a model means by `name`: a path, relative to the model's folder, or "file://…", or
/// "package://…" and "model://…", which are looked for in the folders above the model. Nothing when
/// there is no such file.
std::optional<std::filesystem::path> find_mesh(std::string_view name,
                                               const std::filesystem::path& model_file);

/// A coarser mesh of at most `most` triangles: corners within cells of a grid become one. A mesh
/// that is small enough is returned as it is.
Mesh simplify(const Mesh& mesh, std::size_t most);

}  // namespace linkwright
