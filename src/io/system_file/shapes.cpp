// Shapes on links, and elastic bases of joints that are written in full.
#include <fmt/format.h>

#include <algorithm>

#include "io/system_file/section_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::system_file {
namespace {

/// Two numbers: of a cylinder or capsule.
Vector3 read_radius_and_length(const Yaml& value) {
  const std::vector<double> size = value.numbers();
  if (size.size() != 2)
    value.fail(fmt::format("has {} numbers; expected [radius, length]", size.size()));
  return {size[0], size[1], 0};
}

/// Which of them the shape is; exactly one.
void read_kind(const Yaml& item, Visual& shape) {
  std::optional<Yaml> found;
  for (const std::string_view key : {"box", "cylinder", "capsule", "sphere", "mesh"}) {
    const auto value = item.find(key);
    if (value && found) value->fail("is a second shape; give each an entry of its own");
    if (value) found = value;
  }
  if (!found) item.fail("has no shape; expected one of box, cylinder, capsule, sphere and mesh");
  using Shape = Visual::Shape;
  if (item.has("box")) {
    shape.shape = Shape::box, shape.size = found->vector3();
  } else if (item.has("sphere")) {
    shape.shape = Shape::sphere, shape.size = {found->number(), 0, 0};
  } else if (item.has("mesh")) {
    shape.shape = Shape::mesh, shape.file = found->text();
    shape.size = item.vector3_or("scale", {1, 1, 1});
  } else {
    shape.shape = item.has("cylinder") ? Shape::cylinder : Shape::capsule;
    shape.size = read_radius_and_length(*found);
  }
  if (const auto scale = item.find("scale"); scale && shape.shape != Shape::mesh)
    scale->fail("only a mesh has it; remove it");
}

Visual read_shape(const Yaml& item, const Places& places, bool is_drawn) {
  item.allow_keys(Section::shape);
  const Places::Place place = places.find(item.at("body").text());
  Visual shape;
  shape.source = item.source();
  shape.body = place.body;
  shape.pose = place.pose * read_pose(item, "pose");
  shape.name = item.text_or("name", "");
  read_kind(item, shape);
  if (const auto rgba = item.find("rgba")) {
    if (!is_drawn) rgba->fail("shapes under `collisions` are not drawn; remove it");
    const std::vector<double> colour = rgba->numbers();
    if (colour.size() != 4)
      rgba->fail(fmt::format("has {} numbers; expected [red, green, blue, alpha]", colour.size()));
    shape.rgba = {colour[0], colour[1], colour[2], colour[3]};
  }
  return shape;
}

}  // namespace

void read_flexible_bases(const Yaml& file, const Joints& joints, Model& model, Problems& problems) {
  read_each(file, "flexible_bases", problems, [&](const Yaml& item) {
    item.allow_keys(Section::flexible_base_entry);
    FlexibleBase base = read_flexible_base(item);
    base.joint = joints.find(item.at("joint")).name;
    model.flexible_bases.push_back(std::move(base));
  });
}

void read_shapes(const Yaml& file, const Places& places, Model& model, Problems& problems) {
  for (const bool drawn : {true, false})
    read_each(file, drawn ? "visuals" : "collisions", problems, [&](const Yaml& item) {
      problems.attempt_or_repair(
          [&] {
            (drawn ? model.visuals : model.collisions).push_back(read_shape(item, places, drawn));
          },
          {"this shape is left out"});
    });
}

}  // namespace linkwright::system_file
