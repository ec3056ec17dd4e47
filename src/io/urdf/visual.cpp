#include <fmt/format.h>

#include "io/urdf/element_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::urdf {
namespace {

/// Nothing but the colour of a material is used.
std::optional<Colour> read_colour(const XmlElement& material, Ignored& ignored) {
  ignored.other_children(material);
  const auto colour = material.child("color");
  if (colour) ignored.others(*colour);
  return colour ? colour->four_numbers("rgba") : std::nullopt;
}

void learn_material(const XmlElement& material, Materials& materials, Ignored& ignored) {
  const auto name = material.attribute("name");
  const auto colour = read_colour(material, ignored);
  if (name && !name->empty() && colour) materials.emplace(*name, *colour);
}

bool read_shape(const XmlElement& shape, Visual& visual, Ignored& ignored) {
  if (shape.tag() == "box") {
    ignored.others(shape);
    visual.shape = Visual::Shape::box;
    visual.size = shape.required_vector3("size");
  } else if (shape.tag() == "cylinder" || shape.tag() == "capsule") {
    ignored.others(shape);
    visual.shape = shape.tag() == "capsule" ? Visual::Shape::capsule : Visual::Shape::cylinder;
    visual.size = {shape.required_number("radius"), shape.required_number("length"), 0};
  } else if (shape.tag() == "sphere") {
    ignored.others(shape);
    visual.shape = Visual::Shape::sphere;
    visual.size = {shape.required_number("radius"), 0, 0};
  } else if (shape.tag() == "mesh") {
    ignored.others(shape);
    visual.shape = Visual::Shape::mesh;
    visual.file = shape.required_attribute("filename");
    visual.size = shape.vector3("scale").value_or(Vector3{1, 1, 1});
  } else {
    ignored.tag(shape);
    return false;
  }
  return true;
}

/// False when none of its shapes is known.
bool read_geometry(const XmlElement& geometry, Visual& visual, Ignored& ignored) {
  ignored.other_attributes(geometry);
  std::string_view first;
  for (const XmlElement& shape : geometry.children()) {
    if (!read_shape(shape, visual, ignored)) continue;
    if (!first.empty())
      throw Error(
          shape.source(),
          fmt::format("link {}: <geometry> has a <{}> and a <{}>; expected one shape, write "
                      "another <visual> or <collision> for the second",
                      in_quotes(visual.body), first, shape.tag()));
    first = shape.tag();
  }
  return !first.empty();
}

void read_material(const XmlElement& material, const Materials& materials, Visual& visual,
                   Ignored& ignored) {
  Ignored unused;  // read_materials has told it
  ignored.other_attributes(material);
  if (const auto colour = read_colour(material, unused)) {
    visual.rgba = *colour;
    return;
  }
  const auto name = material.attribute("name");
  const auto known = materials.find(name.value_or(std::string_view{}));
  if (known != materials.end())
    visual.rgba = known->second;
  else if (name && !name->empty())
    ignored.note(material.source(), "material without a colour, drawn in one of ours",
                 std::string(*name));
}

}  // namespace

Materials read_materials(const XmlElement& robot, Ignored& ignored, Problems& problems) {
  Materials materials;
  Problems told_with_the_link(Problems::Strictness::strict);
  for (const XmlElement& child : robot.children()) {
    if (child.tag() == "material") {
      ignored.other_attributes(child);
      problems.attempt_or_repair([&] { learn_material(child, materials, ignored); },
                                 {"this <material> is left out"});
    } else if (child.tag() == "link") {
      for (const XmlElement& visual : child.children())
        if (visual.tag() == "visual")
          told_with_the_link.attempt([&] {
            if (const auto material = visual.child("material"))
              learn_material(*material, materials, ignored);
          });
    }
  }
  return materials;
}

std::optional<Visual> read_visual(const XmlElement& element, const std::string& body,
                                  const Materials& materials, Ignored& ignored) {
  ignored.others(element);
  Visual visual;
  visual.body = body;
  visual.name = element.attribute("name").value_or(std::string_view{});
  visual.source = element.source();
  visual.pose = read_origin(element, ignored);
  const bool has_colour = element.tag() == "visual";
  if (const auto material = has_colour ? element.child("material") : std::nullopt)
    read_material(*material, materials, visual, ignored);
  if (const auto geometry = element.child("geometry"))
    if (read_geometry(*geometry, visual, ignored)) return visual;
  ignored.note(element.source(), fmt::format("<{}> without a known shape, left out", element.tag()),
               body);
  return std::nullopt;
}

}  // namespace linkwright::urdf
