#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "io/mjcf/bodies/bodies.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

using Type = Geom::Type;

/// Geoms of higher groups are hidden when MuJoCo's viewer opens.
constexpr int last_visible_group = 2;

struct TypeWord {
  const char* word;
  Type type;
  std::size_t sizes;  ///< numbers of `size` that are needed
};
constexpr std::array<TypeWord, 9> type_words{{{"plane", Type::plane, 0},
                                              {"hfield", Type::hfield, 0},
                                              {"sphere", Type::sphere, 1},
                                              {"capsule", Type::capsule, 2},
                                              {"ellipsoid", Type::ellipsoid, 3},
                                              {"cylinder", Type::cylinder, 2},
                                              {"box", Type::box, 3},
                                              {"mesh", Type::mesh, 0},
                                              {"sdf", Type::sdf, 0}}};

const TypeWord& read_geom_type(const Attributes& attributes) {
  const std::string word = attributes
                               .word("type", {"plane", "hfield", "sphere", "capsule", "ellipsoid",
                                              "cylinder", "box", "mesh", "sdf"})
                               .value_or("sphere");
  return *std::find_if(type_words.begin(), type_words.end(),
                       [&](const TypeWord& known) { return word == known.word; });
}

/// Where a shape stands between two points, its z along the line, and its half length.
void stretch(const Attributes& attributes, const std::vector<double>& ends, Geom& geom) {
  const Vector3 a{ends[0], ends[1], ends[2]}, b{ends[3], ends[4], ends[5]};
  const double length = norm(b - a);
  if (!(length > 0))
    attributes.holder("fromto")->fail("attribute fromto has two equal points; expected two ends");
  const double radius = geom.size.front();
  geom.pose = {turn_z_to(b - a), 0.5 * (a + b)};
  const bool is_round = geom.type == Type::capsule || geom.type == Type::cylinder;
  geom.size = is_round ? std::vector<double>{radius, length / 2}
                       : std::vector<double>{radius, radius, length / 2};
}

void read_size(const Attributes& attributes, const TypeWord& type, Geom& geom) {
  if (type.sizes == 0) return;
  const auto ends = attributes.numbers("fromto", 6, 6);
  const std::size_t needed = ends ? 1 : type.sizes;
  const auto size = attributes.numbers("size", 1, 3);
  if (!size || size->size() < needed)
    attributes.fail(fmt::format("has {} number(s) in size; a {}{} needs {}",
                                size ? size->size() : 0, type.word, ends ? " with fromto" : "",
                                needed));
  for (std::size_t i = 0; i < needed; ++i)
    if (!((*size)[i] > 0))
      attributes.holder("size")->fail(fmt::format(
          "attribute size: number {} is {}; expected more than zero", i + 1, (*size)[i]));
  geom.size.assign(size->begin(), size->begin() + static_cast<std::ptrdiff_t>(needed));
  if (!ends) return;
  if (geom.type == Type::sphere)
    attributes.holder("fromto")->fail(
        "has fromto and is a sphere; expected a capsule, cylinder, ellipsoid or box");
  stretch(attributes, *ends, geom);
}

void read_mesh_of(const Scene& scene, const Attributes& attributes, Geom& geom) {
  const auto holder = attributes.holder("mesh");
  if (geom.type == Type::mesh && !holder)
    attributes.fail("is of type mesh and names none; give it mesh=\"...\"");
  if (!holder) return;
  geom.mesh = &scene.find(scene.assets.meshes, *holder, "mesh", "mesh");
  if (geom.type == Type::mesh) return;
  if (geom.type == Type::sdf) return;
  attributes.fail(
      "is a shape fitted to a mesh, which is not done here; write its size and pose, or "
      "type=\"mesh\"");
}

const Colour* find_material(const Scene& scene, const Attributes& attributes, const Geom& geom) {
  if (const auto holder = attributes.holder("material"))
    return &scene.find(scene.assets.materials, *holder, "material", "material");
  if (geom.mesh == nullptr || geom.mesh->material.empty()) return nullptr;
  const auto found = scene.assets.materials.find(geom.mesh->material);
  return found == scene.assets.materials.end() ? nullptr : &found->second;
}

std::optional<Colour> read_rgba(const Scene& scene, const Attributes& attributes,
                                const Geom& geom) {
  // MuJoCo's default grey counts as not given.
  const std::vector<double> grey{0.5, 0.5, 0.5, 1};
  const Colour* material = find_material(scene, attributes, geom);
  const auto rgba = attributes.numbers("rgba", 4, 4);
  if (rgba && (*rgba != grey || material == nullptr))
    return Colour{(*rgba)[0], (*rgba)[1], (*rgba)[2], (*rgba)[3]};
  if (material != nullptr) return *material;
  return std::nullopt;
}

/// The shape as the model keeps it; false for one that it has no word for.
bool to_visual(const Geom& geom, Visual& visual) {
  const std::vector<double>& s = geom.size;
  using Shape = Visual::Shape;
  switch (geom.type) {
    case Type::sphere:
      visual.shape = Shape::sphere, visual.size = {s[0], 0, 0};
      return true;
    case Type::ellipsoid:
      visual.shape = Shape::sphere, visual.size = {std::cbrt(s[0] * s[1] * s[2]), 0, 0};
      return true;
    case Type::capsule:
      visual.shape = Shape::capsule, visual.size = {s[0], 2 * s[1], 0};
      return true;
    case Type::cylinder:
      visual.shape = Shape::cylinder, visual.size = {s[0], 2 * s[1], 0};
      return true;
    case Type::box:
      visual.shape = Shape::box, visual.size = {2 * s[0], 2 * s[1], 2 * s[2]};
      return true;
    case Type::mesh:
      visual.shape = Shape::mesh, visual.file = geom.mesh->file, visual.size = geom.mesh->scale;
      return !geom.mesh->file.empty();
    default:
      return false;
  }
}

/// The mesh is drawn as its file has it; this brings it where its own frame says.
Pose undo_reference(const MeshAsset& mesh) {
  const Matrix3 back = transpose(mesh.reference.rotation);
  const Vector3 p = back * mesh.reference.translation;
  return {back, {-mesh.scale.x * p.x, -mesh.scale.y * p.y, -mesh.scale.z * p.z}};
}

std::string_view word_of(Type type) {
  return std::find_if(type_words.begin(), type_words.end(),
                      [&](const TypeWord& known) { return known.type == type; })
      ->word;
}

}  // namespace

Geom read_geom(const Scene& scene, const Part& part) {
  const Attributes attributes = scene.classes.resolve(part.element, "geom", part.childclass);
  const TypeWord& type = read_geom_type(attributes);
  Geom geom;
  geom.type = type.type;
  geom.pose = read_pose(attributes, scene.settings);
  read_size(attributes, type, geom);
  read_mesh_of(scene, attributes, geom);
  geom.pose = part.frame * geom.pose;
  geom.group = attributes.integer("group", 0);
  geom.touches = attributes.number("contype", 1) != 0 || attributes.number("conaffinity", 1) != 0;
  geom.is_shell = attributes.flag("shellinertia").value_or(false);
  geom.density = attributes.number("density", 1000);
  geom.mass = attributes.number("mass");
  if (geom.density < 0 || geom.mass.value_or(0) < 0)
    attributes.fail(fmt::format("has {} = {}; expected zero or more",
                                geom.mass ? "mass" : "density", geom.mass.value_or(geom.density)));
  return geom;
}

void add_shapes(Scene& scene, const Geom& geom, const Part& part, const std::string& body) {
  const Attributes attributes = scene.classes.resolve(part.element, "geom", part.childclass);
  Visual visual;
  visual.body = body;
  visual.name = part.element.attribute("name").value_or("");
  visual.source = part.element.source();
  visual.pose = geom.pose;
  visual.rgba = read_rgba(scene, attributes, geom);
  if (!to_visual(geom, visual)) {
    scene.told.note(
        visual.source,
        fmt::format("geoms of type {}{} are neither drawn nor touched", word_of(geom.type),
                    geom.type == Type::mesh ? " without a file" : ""),
        visual.name);
    return;
  }
  if (geom.type == Type::mesh) visual.pose = visual.pose * undo_reference(*geom.mesh);
  if (geom.type == Type::ellipsoid)
    scene.told.note(visual.source, "ellipsoids are drawn as spheres of the same volume",
                    visual.name);
  const bool is_seen =
      geom.group <= last_visible_group && (geom.touches || !scene.settings.discard_visual);
  if (!is_seen && !geom.touches)
    scene.told.note(visual.source, "geoms that are neither seen (groups 0 to 2) nor touched",
                    visual.name);
  if (is_seen) scene.model.visuals.push_back(visual);
  if (geom.touches) scene.model.collisions.push_back(std::move(visual));
}

}  // namespace linkwright::mjcf
