#include <fmt/format.h>

#include "io/urdf/element_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::urdf {
namespace {

void read_inertial(const XmlElement& inertial, Body& body, Ignored& ignored) {
  ignored.others(inertial);
  const XmlElement mass = inertial.required_child("mass", "<mass value=\"...\"/>");
  const XmlElement inertia = inertial.required_child(
      "inertia",
      "<inertia ixx=\"...\" ixy=\"...\" ixz=\"...\" iyy=\"...\" iyz=\"...\" izz=\"...\"/>");
  ignored.others(mass);
  ignored.others(inertia);
  const Pose origin = read_origin(inertial, ignored);
  body.inertial_source = mass.source();
  body.mass = mass.required_number("value");
  body.com = origin.translation;
  const Symmetric3 in_origin_axes{inertia.required_number("ixx"), inertia.required_number("iyy"),
                                  inertia.required_number("izz"), inertia.required_number("ixy"),
                                  inertia.required_number("ixz"), inertia.required_number("iyz")};
  body.inertia = congruence(origin.rotation, in_origin_axes);
}

void add_shape(const XmlElement& element, const std::string& body, const Materials& materials,
               Model& model, Ignored& ignored) {
  const auto shape = read_visual(element, body, materials, ignored);
  if (shape) (element.tag() == "visual" ? model.visuals : model.collisions).push_back(*shape);
}

}  // namespace

Pose read_origin(const XmlElement& parent, Ignored& ignored) {
  const auto origin = parent.child("origin");
  if (!origin) return {};
  ignored.others(*origin);
  Pose pose;
  pose.translation = origin->vector3("xyz").value_or(Vector3{});
  if (const auto rpy = origin->vector3("rpy")) pose.rotation = spatial::from_rpy(*rpy);
  if (const auto quaternion = origin->four_numbers("quat_xyzw")) {
    const auto& [x, y, z, w] = *quaternion;
    if (origin->attribute("rpy")) origin->fail("has both rpy and quat_xyzw; keep one");
    if (x == 0 && y == 0 && z == 0 && w == 0)
      origin->fail("attribute quat_xyzw is zero; expected a unit quaternion such as 0 0 0 1");
    pose.rotation = spatial::to_matrix(Quaternion{w, x, y, z});
  }
  return pose;
}

void read_link(const XmlElement& unnamed, const Materials& materials, Model& model,
               Ignored& ignored, Problems& problems) {
  Body body;
  body.source = unnamed.source();
  if (!problems.attempt([&] { body.name = unnamed.required_attribute("name"); })) {
    problems.set_unread("");
    return;
  }
  const XmlElement element = unnamed.owned_by("link " + in_quotes(body.name));
  ignored.other_attributes(element);
  problems.attempt([&] {
    const auto inertial = element.child("inertial");
    body.has_inertial = inertial.has_value();
    if (inertial) read_inertial(*inertial, body, ignored);
  });
  for (const XmlElement& child : element.children()) {
    const std::string_view tag = child.tag();
    if (tag == "inertial") continue;
    if (tag == "visual" || tag == "collision")
      problems.attempt_or_repair([&] { add_shape(child, body.name, materials, model, ignored); },
                                 {fmt::format("this <{}> is left out", tag)});
    else
      problems.attempt([&] { ignored.tag(child); });
  }
  model.bodies.push_back(std::move(body));
}

}  // namespace linkwright::urdf
