#include <algorithm>
#include <cmath>

#include "io/mesh/formats.hpp"

namespace linkwright {
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
