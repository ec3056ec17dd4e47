#pragma once
/// Triangle meshes that model files name: STL (binary and text), OBJ, COLLADA and glTF 2 (.gltf, .glb).
///
///     auto file = linkwright::find_mesh("package://arm/meshes/base.dae", "arm/urdf/arm.urdf");
///     for (const linkwright::Mesh& mesh : linkwright::read_meshes(file.value()))
///       std::cout << mesh.triangles.size() << " triangles of one colour\n";

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
  std::optional<std::array<double, 4>> rgba;  ///< in sRGB; nothing: the file gives no colour
};

/// Reads a file by its extension (.stl, .obj, .dae, .gltf, .glb): one mesh for each of its colours.
/// All instances stand where the file's nodes place them, in metres by COLLADA's <unit>; the axes
/// are the file's own, whichever it calls "up", as robot viewers have it. Throws Error naming the
/// file for anything that is not at least one triangle with finite corners.
std::vector<Mesh> read_meshes(const std::filesystem::path& path);
/// The same for text already in memory; `name` stands in messages and gives the extension. Such text
/// cannot name further files.
std::vector<Mesh> parse_meshes(std::string_view text, const std::string& name);
/// Whether the extension is one that read_meshes knows.
bool is_mesh_format_known(const std::filesystem::path& path);

/// The mesh that a model means by `name` (find_resource in io/resource.hpp). Nothing when there is no such file.
std::optional<std::filesystem::path> find_mesh(std::string_view name,
                                               const std::filesystem::path& model_file);

/// A coarser mesh of at most `most` triangles: corners within cells of a grid become one. A mesh
/// that is small enough is returned as it is.
Mesh simplify(const Mesh& mesh, std::size_t most);

}  // namespace linkwright
