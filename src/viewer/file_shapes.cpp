#include "viewer/file_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "linkwright/error.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::viewer {
namespace {

/// About 24 bytes of page per triangle: all meshes together stay below 4 MB.
constexpr std::size_t max_triangles = 150'000, min_share = 500;

/// The end of a path is what tells meshes apart.
std::string mesh_name(const std::string& file) {
  constexpr std::size_t most = 50;
  return in_quotes(file.size() <= most ? file : "..." + file.substr(file.size() - most));
}

/// Reads each mesh file once.
class MeshShelf {
 public:
  MeshShelf(const Model& model, Drawing& drawing) : drawing_(drawing) {
    std::set<std::string> files;
    for (const Visual& visual : model.visuals)
      if (visual.shape == Visual::Shape::mesh) files.insert(visual.file);
    share_ = std::max(min_share, max_triangles / std::max<std::size_t>(files.size(), 1));
  }

  /// Index into Drawing::meshes, or nothing after a word of warning.
  std::optional<int> find(const Visual& visual) {
    const auto file = find_mesh(visual.file, visual.source.file);
    if (!file) return complain(missing_, visual);
    if (!is_mesh_format_known(*file)) return complain(unknown_, visual);
    const auto [place, is_new] = known_.try_emplace(file->string());
    if (is_new) place->second = read(*file, visual);
    return place->second;
  }

  /// Meshes that are not there come by the dozen, so one warning serves all of them.
  void finish() {
    warn(missing_, "not found beside the model or in the folders above it");
    warn(unknown_, "in a format that is not read (STL and OBJ are)");
  }

 private:
  struct Complaints {
    Source first{};
    std::vector<std::string> texts{};
  };

  static std::optional<int> complain(Complaints& complaints, const Visual& visual) {
    if (complaints.texts.empty()) complaints.first = visual.source;
    const std::string text =
        fmt::format("{} of link {}", mesh_name(visual.file), in_quotes(visual.body));
    if (std::find(complaints.texts.begin(), complaints.texts.end(), text) == complaints.texts.end())
      complaints.texts.push_back(text);
    return std::nullopt;
  }

  void warn(const Complaints& complaints, std::string_view what) {
    constexpr std::size_t named = 3;
    if (complaints.texts.empty()) return;
    std::string list;
    for (std::size_t i = 0; i < std::min(named, complaints.texts.size()); ++i)
      list += (i == 0 ? "" : ", ") + complaints.texts[i];
    if (complaints.texts.size() > named)
      list += fmt::format(" and {} more", complaints.texts.size() - named);
    drawing_.warnings.push_back(
        {complaints.first,
         fmt::format("{} {} {}: {}; links without shapes are drawn from their "
                     "joints and inertia",
                     complaints.texts.size(),
                     complaints.texts.size() == 1 ? "mesh is" : "meshes are", what, list)});
  }

  std::optional<int> read(const std::filesystem::path& file, const Visual& visual) {
    try {
      Mesh mesh = read_mesh(file);
      const std::size_t triangles = mesh.triangles.size();
      if (triangles > share_) {
        mesh = simplify(mesh, share_);
        drawing_.warnings.push_back(
            {visual.source, fmt::format("mesh {} of link {} has {} triangles; it is drawn with {}, "
                                        "so that the page stays small",
                                        mesh_name(visual.file), in_quotes(visual.body), triangles,
                                        mesh.triangles.size())});
      }
      drawing_.meshes.push_back(std::move(mesh));
      return static_cast<int>(drawing_.meshes.size()) - 1;
    } catch (const Error& error) {
      drawing_.warnings.push_back(
          {visual.source,
           fmt::format("mesh of link {} is not drawn: {}", in_quotes(visual.body), error.what())});
      return std::nullopt;
    }
  }

  Drawing& drawing_;
  std::size_t share_ = 0;
  std::map<std::string, std::optional<int>> known_;
  Complaints missing_, unknown_;
};

bool is_positive(double x) { return x > 0 && std::isfinite(x); }

bool has_extent(const Visual& visual) {
  const Vector3& size = visual.size;
  switch (visual.shape) {
    case Visual::Shape::box:
      return is_positive(size.x) && is_positive(size.y) && is_positive(size.z);
    case Visual::Shape::cylinder:
    case Visual::Shape::capsule:
      return is_positive(size.x) && is_positive(size.y);
    case Visual::Shape::sphere:
      return is_positive(size.x);
    case Visual::Shape::mesh:  // a negative scale mirrors
      return is_positive(std::abs(size.x)) && is_positive(std::abs(size.y)) &&
             is_positive(std::abs(size.z));
  }
  return false;
}

}  // namespace

void add_file_shapes(const Model& model, const std::vector<Colour>& colours, Drawing& drawing) {
  MeshShelf meshes(model, drawing);
  for (const Visual& visual : model.visuals) {
    const auto body = find_body(model, visual.body);
    if (!body) continue;
    if (!has_extent(visual)) {
      drawing.lost[*body] = true;
      drawing.warnings.push_back(
          {visual.source,
           fmt::format("a shape of link {} has no extent ({:.6g}, {:.6g}, {:.6g}) and "
                       "is not drawn",
                       in_quotes(visual.body), visual.size.x, visual.size.y, visual.size.z)});
      continue;
    }
    Shape shape{visual.shape, visual.size, visual.pose, visual.rgba.value_or(colours[*body])};
    shape.name = visual.name;
    if (visual.shape == Visual::Shape::mesh) {
      const auto mesh = meshes.find(visual);
      if (!mesh) {
        drawing.lost[*body] = true;
        continue;
      }
      shape.mesh = *mesh;
    }
    drawing.shapes[*body].push_back(shape);
  }
  meshes.finish();
}

}  // namespace linkwright::viewer
