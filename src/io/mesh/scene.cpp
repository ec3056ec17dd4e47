#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale is not of C++

#include <algorithm>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <cmath>
#include <memory>

#include "io/mesh/formats.hpp"
#include "io/mesh/mesh_files.hpp"
#include "linkwright/error.hpp"

namespace linkwright::mesh {
namespace {

/// A node may repeat a mesh, so that a short file can mean more triangles than memory holds.
constexpr std::size_t max_triangles = 5'000'000;

/// assimp reads attributes by strtod, which follows the locale: "0.01" would be 0 under a comma.
class PlainLocale {
 public:
  PlainLocale() : plain_(newlocale(LC_ALL_MASK, "C", nullptr)), before_(uselocale(plain_)) {}
  ~PlainLocale() {
    uselocale(before_);
    if (plain_ != nullptr) freelocale(plain_);
  }
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;

 private:
  locale_t plain_, before_;
};

double to_srgb(double linear) {
  const double x = std::clamp(linear, 0.0, 1.0);
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

/// The plain colour of a material. A texture hides it, and assimp makes up a material where the file
/// has none: neither is a colour that the file gives.
Colour colour_of(const aiMaterial& material, bool is_linear) {
  aiString name;
  material.Get(AI_MATKEY_NAME, name);
  const bool has_texture = material.GetTextureCount(aiTextureType_DIFFUSE) > 0 ||
                           material.GetTextureCount(aiTextureType_BASE_COLOR) > 0;
  aiColor4D colour;
  if (has_texture || name == aiString(AI_DEFAULT_MATERIAL_NAME) ||
      material.Get(AI_MATKEY_COLOR_DIFFUSE, colour) != aiReturn_SUCCESS)
    return std::nullopt;
  float opacity = 1;
  material.Get(AI_MATKEY_OPACITY, opacity);
  std::array<double, 4> rgba{static_cast<double>(colour.r), static_cast<double>(colour.g),
                             static_cast<double>(colour.b),
                             to_alpha(static_cast<double>(opacity * colour.a))};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!std::isfinite(rgba[k])) return std::nullopt;
    rgba[k] = is_linear ? to_srgb(rgba[k]) : std::clamp(rgba[k], 0.0, 1.0);
  }
  return rgba;
}

/// Collects the triangles of all nodes, by colour.
class SceneReader {
 public:
  SceneReader(const aiScene& scene, std::string name, bool is_linear)
      : scene_(scene), name_(std::move(name)), builders_(name_) {
    for (unsigned m = 0; m < scene.mNumMaterials; ++m)
      colours_.push_back(colour_of(*scene.mMaterials[m], is_linear));
  }

  void add_node(const aiNode& node, const aiMatrix4x4& outer) {
    const aiMatrix4x4 pose = outer * node.mTransformation;
    for (unsigned m = 0; m < node.mNumMeshes; ++m)
      if (node.mMeshes[m] < scene_.mNumMeshes) add_mesh(*scene_.mMeshes[node.mMeshes[m]], pose);
    for (unsigned c = 0; c < node.mNumChildren; ++c) add_node(*node.mChildren[c], pose);
  }

  std::vector<Mesh> finish() && { return std::move(builders_).finish(); }

 private:
  void add_mesh(const aiMesh& mesh, const aiMatrix4x4& pose) {
    const Colour colour =
        mesh.mMaterialIndex < colours_.size() ? colours_[mesh.mMaterialIndex] : std::nullopt;
    Builder& builder = builders_.of(colour);
    const bool mirrors = pose.Determinant() < 0;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices != 3) continue;  // points and lines
      if (++triangles_ > max_triangles)
        throw Error(Source{name_}, fmt::format("the file draws more than {} triangles; use a "
                                               "coarser mesh for display",
                                               max_triangles));
      std::array<std::array<double, 3>, 3> corners{};
      for (std::size_t k = 0; k < 3; ++k) corners[k] = corner_of(mesh, face.mIndices[k], pose);
      if (mirrors) std::swap(corners[1], corners[2]);  // or the outside would be the inside
      builder.add_triangle(corners, where(mesh, f));
    }
  }

  std::array<double, 3> corner_of(const aiMesh& mesh, unsigned index, const aiMatrix4x4& pose) {
    if (index >= mesh.mNumVertices)
      throw Error(Source{name_}, fmt::format("a face names corner {} of {}", index + std::size_t{1},
                                             mesh.mNumVertices));
    const aiVector3D corner = pose * mesh.mVertices[index];
    return {static_cast<double>(corner.x), static_cast<double>(corner.y),
            static_cast<double>(corner.z)};
  }

  std::string_view where(const aiMesh& mesh, unsigned face) {
    where_ = "triangle ";
    where_ += std::to_string(face + 1);
    if (mesh.mName.length > 0) (where_ += " of ") += mesh.mName.C_Str();
    return where_;
  }

  const aiScene& scene_;
  const std::string name_;
  std::vector<Colour> colours_;
  ColourBuilders builders_;
  std::string where_;
  std::size_t triangles_ = 0;
};

void set_properties(Assimp::Importer& importer) {
  // The axes are the link's, whatever the file calls "up": robot viewers agree on this, and their
  // files count on it. COLLADA's unit is applied by assimp.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
}

const aiScene& import(Assimp::Importer& importer, const std::string& file,
                      const std::string& name) {
  const PlainLocale plain;
  const aiScene* scene = nullptr;
  std::string trouble;
  try {
    scene = importer.ReadFile(file, aiProcess_Triangulate);
    trouble = importer.GetErrorString();
  } catch (const std::exception& error) {
    trouble = error.what();
  }
  if (scene == nullptr || scene->mRootNode == nullptr)
    throw Error(Source{name}, fmt::format("the mesh cannot be read: {}",
                                          trouble.empty() ? "it holds no scene" : trouble));
  return *scene;
}

}  // namespace

std::vector<Mesh> parse_scene(std::string_view text, const std::string& name,
                              const std::filesystem::path& folder) {
  const std::string extension = extension_of(name);
  const bool is_collada = extension == ".dae";
  (is_collada ? check_collada : check_gltf)(text, name);
  // assimp asks for this name and, for a .gltf, for others beside it.
  const std::string file = "mesh" + extension;
  Assimp::Importer importer;
  importer.SetIOHandler(new MeshFiles(file, text, folder));  // the importer owns it
  set_properties(importer);
  const aiScene& scene = import(importer, file, name);
  SceneReader reader(scene, name, !is_collada);
  reader.add_node(*scene.mRootNode, aiMatrix4x4());
  return std::move(reader).finish();
}

}  // namespace linkwright::mesh
