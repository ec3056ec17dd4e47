#pragma once
/// Meshes and materials that geoms name.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/mjcf/document/classes.hpp"
#include "linkwright/io/mesh.hpp"

namespace linkwright::mjcf {

using Colour = std::array<double, 4>;

struct MeshAsset {
  std::string file{};  ///< as Visual::file wants it; empty: written in the model
  std::vector<double> vertices{};
  std::vector<double> faces{};
  Vector3 scale{1, 1, 1};
  Pose reference{};  ///< the mesh's own frame, in the axes of the file
  enum class Inertia { legacy, exact, convex, shell } inertia = Inertia::legacy;
  std::string material{};
  Source source{};
};

struct Assets {
  std::map<std::string, MeshAsset, std::less<>> meshes{};
  std::map<std::string, Colour, std::less<>> materials{};
};

Assets read_assets(const XmlElement& root, const Document& document, const Settings& settings,
                   const Classes& classes, Told& told, Problems& problems);

/// Triangles in the axes of a geom, corner after corner. Throws for a file that is missing or no mesh.
std::vector<std::array<Vector3, 3>> read_triangles(const MeshAsset& mesh,
                                                   const std::filesystem::path& folder,
                                                   const XmlElement& element);

}  // namespace linkwright::mjcf
