#pragma once
/// What the readers of mesh formats share.

#include <map>
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

using Colour = std::optional<std::array<double, 4>>;

/// Collects triangles by colour, each colour in a mesh of its own.
class ColourBuilders {
 public:
  explicit ColourBuilders(std::string name) : name_(std::move(name)) {}

  Builder& of(const Colour& colour) { return builders_.try_emplace(colour, name_).first->second; }
  /// Throws Error when there is no triangle at all.
  std::vector<Mesh> finish() &&;

 private:
  /// No colour comes first. (Comparing the optionals themselves makes g++ 12 see numbers that were
  /// never set.)
  struct Order {
    bool operator()(const Colour& a, const Colour& b) const {
      constexpr std::array<double, 4> none{-1, -1, -1, -1};
      return a.value_or(none) < b.value_or(none);
    }
  };
  std::string name_;
  std::map<Colour, Builder, Order> builders_;
};

/// Writers disagree on whether an opacity of 0 means opaque or not there; nobody models what cannot
/// be seen.
inline double to_alpha(double opacity) { return opacity > 0.05 && opacity < 1 ? opacity : 1; }

Mesh parse_stl(std::string_view text, const std::string& name);
/// One mesh per colour. Materials (`mtllib`) are looked for in `folder` and below; an empty one
/// forbids them.
std::vector<Mesh> parse_obj(std::string_view text, const std::string& name,
                            const std::filesystem::path& folder);
/// The plain colours of a material library (.mtl) by name. Lines that are not understood are passed
/// over: a mesh without its colour is better than none.
std::map<std::string, Colour, std::less<>> parse_materials(std::string_view text);
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
/// The next line of `text`, which is removed from it.
std::string_view next_line(std::string_view& text);
/// The next word of `text`, which is removed from it; empty at the end.
std::string_view next_word(std::string_view& text);

}  // namespace linkwright::mesh
