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
  /// Throws Error for a mesh without a triangle.
  Mesh finish() &&;

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

/// The next word of `text`, which is removed from it; empty at the end.
std::string_view next_word(std::string_view& text);

}  // namespace linkwright::mesh
