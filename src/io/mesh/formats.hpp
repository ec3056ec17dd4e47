#pragma once
/// What the readers of mesh formats share.

#include <string>
#include <string_view>
#include <unordered_map>

#include "linkwright/io/mesh.hpp"

namespace linkwright::mesh {

using Corner = std::array<float, 3>;

/// Collects triangles; corners with the same coordinates become one.
class Builder {
 public:
  explicit Builder(std::string name) : name_(std::move(name)) {}

  /// Throws Error for a coordinate that is no finite float; `where` says which ("triangle 7").
  void add_triangle(const std::array<std::array<double, 3>, 3>& corners, std::string_view where);
  [[nodiscard]] bool has_triangles() const { return !mesh_.triangles.empty(); }
  /// Throws Error for a mesh without a triangle.
  Mesh finish() &&;
  [[noreturn]] void refuse_empty() const;

 private:
  struct Hash {
    std::size_t operator()(const Corner& corner) const;
  };
  std::uint32_t index_of(const Corner& corner);

  std::string name_;
  Mesh mesh_;
  std::unordered_map<Corner, std::uint32_t, Hash> known_;
};

Mesh parse_stl(std::string_view text, const std::string& name);
Mesh parse_obj(std::string_view text, const std::string& name);
/// COLLADA and glTF, by the extension of `name`: one mesh per colour. Files that a .gltf names are
/// looked for in `folder` and below; an empty one forbids them.
std::vector<Mesh> parse_scene(std::string_view text, const std::string& name,
                              const std::filesystem::path& folder);

/// Throws Error for what assimp would follow without end: nodes that repeat each other, deep
/// nesting, archives, and numbers of elements beyond the file's bytes.
void check_collada(std::string_view text, const std::string& name);
void check_gltf(std::string_view text, const std::string& name);

/// ".dae" of "Arm.DAE".
std::string extension_of(const std::filesystem::path& path);

/// The four bytes at `at`.
std::uint32_t little_endian(std::string_view text, std::size_t at);
/// The next word of `text`, which is removed from it; empty at the end.
std::string_view next_word(std::string_view& text);

}  // namespace linkwright::mesh
