#include "linkwright/io/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "io/mesh/formats.hpp"
#include "io/text_file.hpp"
#include "linkwright/error.hpp"
#include "linkwright/io/resource.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace mesh {

std::size_t Builder::Hash::operator()(const Corner& corner) const {
  std::uint64_t hash = 0;
  for (const float x : corner) hash = (hash ^ std::bit_cast<std::uint32_t>(x)) * 0x9E3779B97F4A7C15;
  return static_cast<std::size_t>(hash ^ (hash >> 29));
}

std::uint32_t Builder::index_of(const Corner& corner) {
  const auto [place, is_new] =
      known_.try_emplace(corner, static_cast<std::uint32_t>(mesh_.corners.size()));
  if (is_new) mesh_.corners.push_back(corner);
  return place->second;
}

void Builder::add_triangle(const std::array<std::array<double, 3>, 3>& corners,
                           std::string_view where) {
  std::array<std::uint32_t, 3> triangle{};
  for (std::size_t i = 0; i < 3; ++i) {
    Corner corner{};
    for (std::size_t k = 0; k < 3; ++k) {
      // Adding zero makes −0 and 0 one corner.
      corner[k] = static_cast<float>(corners[i][k]) + 0.0F;
      if (!std::isfinite(corner[k]))
        throw Error(Source{name_}, fmt::format("{} has a corner at {}; expected finite coordinates",
                                               where, corners[i][k]));
    }
    triangle[i] = index_of(corner);
  }
  if (triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0])
    mesh_.triangles.push_back(triangle);
}

void Builder::refuse_empty() const {
  throw Error(Source{name_}, "the mesh has no triangle; expected at least one");
}

Mesh Builder::finish() && {
  if (!has_triangles()) refuse_empty();
  return std::move(mesh_);
}

std::vector<Mesh> ColourBuilders::finish() && {
  std::vector<Mesh> meshes;
  for (auto& [colour, builder] : builders_) {
    if (!builder.has_triangles()) continue;
    meshes.push_back(std::move(builder).finish());
    meshes.back().rgba = colour;
  }
  if (meshes.empty()) Builder(name_).refuse_empty();
  return meshes;
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view next_word(std::string_view& text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

std::uint32_t little_endian(std::string_view text, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;)
    value = (value << 8U) | static_cast<unsigned char>(text[at + i]);
  return value;
}

std::string extension_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

}  // namespace mesh

namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code trouble;
  return fs::is_regular_file(path, trouble);
}

bool is_scene(std::string_view extension) {
  return extension == ".dae" || extension == ".gltf" || extension == ".glb";
}

std::vector<Mesh> parse(std::string_view text, const std::string& name, const fs::path& folder) {
  const std::string extension = mesh::extension_of(name);
  if (extension == ".stl") return {mesh::parse_stl(text, name)};
  if (extension == ".obj") return mesh::parse_obj(text, name, folder);
  if (is_scene(extension)) return mesh::parse_scene(text, name, folder);
  throw Error(Source{name}, fmt::format("meshes of format {} are not read; expected .stl, .obj, "
                                        ".dae, .gltf or .glb",
                                        in_quotes(extension)));
}

}  // namespace

bool is_mesh_format_known(const fs::path& path) {
  const std::string extension = mesh::extension_of(path);
  return extension == ".stl" || extension == ".obj" || is_scene(extension);
}

std::vector<Mesh> parse_meshes(std::string_view text, const std::string& name) {
  return parse(text, name, {});
}

std::vector<Mesh> read_meshes(const fs::path& path) {
  std::error_code trouble;
  const auto bytes = fs::file_size(path, trouble);
  if (!trouble && bytes > max_file_bytes)
    throw Error(Source{path.string()},
                fmt::format("the mesh is larger than {} MiB; use a coarser one for display",
                            max_file_bytes >> 20));
  const fs::path folder = fs::absolute(path, trouble).parent_path();
  return parse(read_text_file(path), path.string(), folder);
}

std::optional<fs::path> find_mesh(std::string_view name, const fs::path& model_file) {
  const auto found = find_resource(name, model_file);
  return found && is_file(*found) ? found : std::nullopt;
}

}  // namespace linkwright
