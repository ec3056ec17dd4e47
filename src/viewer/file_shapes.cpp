#include "viewer/file_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "linkwright/error.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::viewer {
namespace {

/// About 14 bytes of page per triangle: all meshes together stay below 5 MB.
constexpr std::size_t max_triangles = 300'000;

/// The end of a path is what tells meshes apart.
std::string mesh_name(const std::string& file) {
  constexpr std::size_t most = 50;
  return in_quotes(file.size() <= most ? file : "..." + file.substr(file.size() - most));
}

/// A list of like troubles: they come by the dozen, so one warning serves all of them.
struct Complaints {
  Source first{};
  std::vector<std::string> texts{};

  void add(const Visual& visual, const std::string& text) {
    if (texts.empty()) first = visual.source;
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  [[nodiscard]] std::string list() const {
    constexpr std::size_t named = 3;
    std::string all;
    for (std::size_t i = 0; i < std::min(named, texts.size()); ++i)
      all += (i == 0 ? "" : ", ") + texts[i];
    if (texts.size() > named) all += fmt::format(" and {} more", texts.size() - named);
    return all;
  }
  [[nodiscard]] std::string subject() const {
    return texts.size() == 1 ? "1 mesh is" : fmt::format("{} meshes are", texts.size());
  }
};

std::string describe(const Visual& visual) {
  return fmt::format("{} of link {}", mesh_name(visual.file), in_quotes(visual.body));
}

/// The most triangles that each mesh may have, so that all together have at most `total`: the small
/// ones stay as they are and the large ones share what is left.
std::size_t fair_share(std::vector<std::size_t> counts, std::size_t total) {
  std::sort(counts.begin(), counts.end());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t share = total / (counts.size() - i);
    if (counts[i] > share) return std::max<std::size_t>(share, 1);
    total -= counts[i];
  }
  return counts.empty() ? 0 : counts.back();
}

/// Reads each mesh file once.
class MeshShelf {
 public:
  explicit MeshShelf(Drawing& drawing) : drawing_(drawing) {}

  /// Indices into Drawing::meshes, one per colour; none after a word of warning.
  const std::vector<int>& find(const Visual& visual) {
    static const std::vector<int> none;
    const auto file = find_mesh(visual.file, visual.source.file);
    if (!file || !is_mesh_format_known(*file)) {
      (file ? unknown_ : missing_).add(visual, describe(visual));
      return none;
    }
    const auto [place, is_new] = known_.try_emplace(file->string());
    if (is_new) place->second = read(*file, visual);
    return place->second;
  }

  void finish() {
    warn(missing_, "not found beside the model or in the folders above it");
    warn(unknown_, "in a format that is not read (STL, OBJ, COLLADA and glTF are)");
    simplify_all();
  }

 private:
  void warn(const Complaints& complaints, std::string_view what) {
    if (complaints.texts.empty()) return;
    drawing_.warnings.push_back(
        {complaints.first,
         fmt::format("{} {}: {}; links without shapes are drawn from their joints",
                     complaints.subject(), what, complaints.list())});
  }

  std::vector<int> read(const std::filesystem::path& file, const Visual& visual) {
    std::vector<int> indices;
    try {
      for (Mesh& mesh : read_meshes(file)) {
        indices.push_back(static_cast<int>(drawing_.meshes.size()));
        drawing_.meshes.push_back(std::move(mesh));
        users_.push_back(&visual);
      }
    } catch (const Error& error) {
      drawing_.warnings.push_back(
          {visual.source,
           fmt::format("mesh of link {} is not drawn: {}", in_quotes(visual.body), error.what())});
    }
    return indices;
  }

  void simplify_all() {
    std::vector<std::size_t> counts;
    for (const Mesh& mesh : drawing_.meshes) counts.push_back(mesh.triangles.size());
    const std::size_t share = fair_share(counts, max_triangles);
    Complaints coarser;
    std::size_t before = 0, after = 0;
    for (std::size_t m = 0; m < drawing_.meshes.size(); ++m) {
      Mesh& mesh = drawing_.meshes[m];
      before += mesh.triangles.size();
      if (mesh.triangles.size() > share) {
        coarser.add(*users_[m], describe(*users_[m]));
        mesh = simplify(mesh, share);
      }
      after += mesh.triangles.size();
    }
    if (coarser.texts.empty()) return;
    drawing_.warnings.push_back(
        {coarser.first,
         fmt::format(
             "{} drawn coarser, so that the page stays small: {}; of {} triangles in all {} "
             "are drawn",
             coarser.subject(), coarser.list(), before, after)});
  }

  Drawing& drawing_;
  std::map<std::string, std::vector<int>> known_;
  std::vector<const Visual*> users_;  // per mesh: the first that named it
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
  MeshShelf meshes(drawing);
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
      const std::vector<int>& found = meshes.find(visual);
      if (found.empty()) drawing.lost[*body] = true;
      for (const int mesh : found) {
        shape.mesh = mesh;
        // A colour in the mesh is nearer to the matter than one for the whole link.
        const auto& own = drawing.meshes[static_cast<std::size_t>(mesh)].rgba;
        drawing.shapes[*body].push_back(shape);
        if (own) drawing.shapes[*body].back().colour = *own;
      }
      continue;
    }
    drawing.shapes[*body].push_back(shape);
  }
  meshes.finish();
}

}  // namespace linkwright::viewer
