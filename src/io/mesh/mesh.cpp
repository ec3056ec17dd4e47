#include "linkwright/io/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "io/mesh/parts.hpp"
#include "io/text_file.hpp"
#include "linkwright/error.hpp"
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

Mesh Builder::finish() && {
  if (mesh_.triangles.empty())
    throw Error(Source{name_}, "the mesh has no triangle; expected at least one");
  return std::move(mesh_);
}

std::string_view next_word(std::string_view& text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace mesh

namespace {

namespace fs = std::filesystem;

std::string extension_of(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

bool is_file(const fs::path& path) {
  std::error_code trouble;
  return fs::is_regular_file(path, trouble);
}

/// "package://arm/meshes/a.stl" is looked for as arm/meshes/a.stl and as meshes/a.stl, in the
/// model's folder first and then in every folder above.
std::optional<fs::path> find_in_packages(std::string_view name, const fs::path& folder) {
  name.remove_prefix(std::min(name.find_first_not_of('/'), name.size()));
  const std::size_t slash = name.find('/');
  const std::string_view inside =
      slash == std::string_view::npos ? std::string_view{} : name.substr(slash + 1);
  for (fs::path at = folder;; at = at.parent_path()) {
    for (const std::string_view tail : {name, inside})
      if (!tail.empty() && is_file(at / tail)) return at / tail;
    if (at == at.parent_path()) return std::nullopt;
  }
}

bool drop(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

bool is_mesh_format_known(const fs::path& path) {
  const std::string extension = extension_of(path);
  return extension == ".stl" || extension == ".obj";
}

Mesh parse_mesh(std::string_view text, const std::string& name) {
  const std::string extension = extension_of(name);
  if (extension == ".stl") return mesh::parse_stl(text, name);
  if (extension == ".obj") return mesh::parse_obj(text, name);
  throw Error(Source{name}, fmt::format("meshes of format {} are not read; expected .stl or .obj",
                                        in_quotes(extension)));
}

Mesh read_mesh(const fs::path& path) {
  std::error_code trouble;
  const auto bytes = fs::file_size(path, trouble);
  if (!trouble && bytes > max_file_bytes)
    throw Error(Source{path.string()},
                fmt::format("the mesh is larger than {} MiB; use a coarser one for display",
                            max_file_bytes >> 20));
  return parse_mesh(read_text_file(path), path.string());
}

std::optional<fs::path> find_mesh(std::string_view name, const fs::path& model_file) {
  std::error_code trouble;
  const fs::path folder = fs::absolute(model_file, trouble).lexically_normal().parent_path();
  if (drop(name, "package://") || drop(name, "model://")) return find_in_packages(name, folder);
  drop(name, "file://");
  const fs::path path = folder / fs::path(name);  // an absolute name replaces the folder
  return !name.empty() && is_file(path) ? std::optional(path.lexically_normal()) : std::nullopt;
}

namespace {

/// Numbers the cells of a grid over the mesh's box.
class Grid {
 public:
  Grid(const Mesh& mesh, double cells) : low_(mesh.corners.front()) {
    mesh::Corner high = low_;
    for (const mesh::Corner& corner : mesh.corners)
      for (std::size_t k = 0; k < 3; ++k) {
        low_[k] = std::min(low_[k], corner[k]);
        high[k] = std::max(high[k], corner[k]);
      }
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k)
      longest = std::max(longest, static_cast<double>(high[k]) - static_cast<double>(low_[k]));
    scale_ = longest > 0 ? cells / longest : 0;
  }

  [[nodiscard]] mesh::Corner cell(const mesh::Corner& corner) const {
    mesh::Corner index{};
    for (std::size_t k = 0; k < 3; ++k)
      index[k] = static_cast<float>(std::floor(
          scale_ * (static_cast<double>(corner[k]) - static_cast<double>(low_[k])) + 0.5));
    return index;
  }

 private:
  mesh::Corner low_;
  double scale_ = 0;
};

/// The mesh with one corner per occupied cell: the first that was met there.
Mesh merge_cells(const Mesh& mesh, double cells) {
  const Grid grid(mesh, cells);
  std::vector<std::pair<mesh::Corner, std::uint32_t>> order;
  order.reserve(mesh.corners.size());
  for (std::uint32_t i = 0; i < mesh.corners.size(); ++i)
    order.emplace_back(grid.cell(mesh.corners[i]), i);
  std::sort(order.begin(), order.end());
  Mesh coarse;
  std::vector<std::uint32_t> merged(mesh.corners.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || order[i].first != order[i - 1].first)
      coarse.corners.push_back(mesh.corners[order[i].second]);
    merged[order[i].second] = static_cast<std::uint32_t>(coarse.corners.size() - 1);
  }
  for (const auto& [a, b, c] : mesh.triangles) {
    const std::array<std::uint32_t, 3> t{merged[a], merged[b], merged[c]};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) coarse.triangles.push_back(t);
  }
  // Many small triangles fall onto the same three cells; one of them is enough.
  const auto turned = [](std::array<std::uint32_t, 3> t) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
  };
  std::transform(coarse.triangles.begin(), coarse.triangles.end(), coarse.triangles.begin(),
                 turned);
  std::sort(coarse.triangles.begin(), coarse.triangles.end());
  coarse.triangles.erase(std::unique(coarse.triangles.begin(), coarse.triangles.end()),
                         coarse.triangles.end());
  return coarse;
}

}  // namespace

Mesh simplify(const Mesh& mesh, std::size_t most) {
  if (mesh.triangles.size() <= most) return mesh;
  // A surface crosses about cells² cells and has two triangles for each.
  Mesh coarse;
  for (double cells = std::sqrt(static_cast<double>(most)); cells >= 1; cells *= 0.8) {
    coarse = merge_cells(mesh, cells);
    if (coarse.triangles.size() <= most) break;
  }
  if (!coarse.triangles.empty() && coarse.triangles.size() <= most) return coarse;
  coarse = mesh;
  coarse.triangles.resize(most);
  return coarse;
}

}  // namespace linkwright
