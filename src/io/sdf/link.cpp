#include <fmt/format.h>

#include "io/sdf/element_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::sdf {
namespace {

/// What SDF takes where a link does not say its inertia.
constexpr double usual_mass = 1, usual_moment = 1;

void read_inertia(const XmlElement& inertial, const Pose& pose, Body& body) {
  Symmetric3 given{usual_moment, usual_moment, usual_moment, 0, 0, 0};
  if (const auto inertia = inertial.child("inertia")) {
    const auto number = [&](std::string_view tag, double missing) {
      return find_number(*inertia, tag).value_or(missing);
    };
    given = {number("ixx", usual_moment),
             number("iyy", usual_moment),
             number("izz", usual_moment),
             number("ixy", 0),
             number("ixz", 0),
             number("iyz", 0)};
  }
  body.inertia = congruence(pose.rotation, given);
}

void read_inertial(const XmlElement& link, const Item& item, Body& body, Told& told) {
  const auto inertial = link.child("inertial");
  const std::string usual =
      "link without a mass or moments of inertia, which SDF takes as 1 kg and 1 kg m²";
  body.mass = usual_mass;
  body.inertia = {usual_moment, usual_moment, usual_moment, 0, 0, 0};
  if (!inertial) {
    if (!item.is_static) told.note(link.source(), usual, body.name);
    return;
  }
  told.others(*inertial);
  told.others_below(*inertial, "pose");
  told.others_below(*inertial, "inertia");
  if (inertial->attribute("auto").value_or("false") == "true")
    inertial->fail(
        "is to be computed from shapes (auto), which is not done here; give <mass> and "
        "<inertia>");
  const auto mass = inertial->child("mass");
  body.inertial_source = mass ? mass->source() : inertial->source();
  if (mass) body.mass = number_of(*mass);
  if ((!mass || !inertial->child("inertia")) && !item.is_static)
    told.note(inertial->source(), usual, body.name);
  const GivenPose pose = find_pose(*inertial);
  if (!pose.relative_to.empty())
    throw Error(pose.source, fmt::format("{}: the pose of its <inertial> is relative to {}; it can "
                                         "only be relative to the link",
                                         link.owner(), in_quotes(pose.relative_to)));
  body.com = pose.pose.translation;
  read_inertia(*inertial, pose.pose, body);
}

/// A colour by <diffuse>, or <ambient> where there is no other.
void read_material(const XmlElement& element, Visual& visual, Told& told) {
  const auto material = element.child("material");
  if (!material) return;
  told.others(*material);
  for (const char* tag : {"diffuse", "ambient"}) {
    const auto colour = material->child(tag);
    if (!colour) continue;
    std::vector<double> numbers = numbers_of(*colour);
    if (numbers.size() == 3) numbers.push_back(1);
    if (numbers.size() != 4)
      colour->fail(fmt::format("{} has {} number(s); expected red, green, blue and alpha",
                               in_quotes(colour->text()), numbers.size()));
    visual.rgba = {numbers[0], numbers[1], numbers[2], numbers[3]};
    return;
  }
}

double required_number(const XmlElement& shape, std::string_view tag) {
  return number_of(shape.required_child(tag, fmt::format("<{}>NUMBER</{}>", tag, tag)));
}

bool read_geometry(const XmlElement& geometry, Visual& visual, Told& told) {
  using Shape = Visual::Shape;
  told.others(geometry);
  for (const XmlElement& shape : geometry.children()) {
    const std::string_view tag = shape.tag();
    if (tag == "box") {
      visual.shape = Shape::box;
      visual.size = vector_of(shape.required_child("size", "<size>X Y Z</size>"));
    } else if (tag == "cylinder" || tag == "capsule") {
      visual.shape = tag == "capsule" ? Shape::capsule : Shape::cylinder;
      visual.size = {required_number(shape, "radius"), required_number(shape, "length"), 0};
    } else if (tag == "sphere") {
      visual.shape = Shape::sphere;
      visual.size = {required_number(shape, "radius"), 0, 0};
    } else if (tag == "mesh") {
      visual.shape = Shape::mesh;
      visual.file = text_of(shape.required_child("uri", "<uri>FILE</uri>"));
      visual.size = find_vector(shape, "scale").value_or(Vector3{1, 1, 1});
    } else {
      continue;
    }
    told.others(shape);
    return true;
  }
  return false;
}

void read_shape(const XmlElement& element, const Item& item, const Body& body, Model& model,
                Told& told) {
  told.others(element);
  told.others_below(element, "pose");
  Visual visual;
  visual.body = body.name;
  visual.name = element.attribute("name").value_or(std::string_view{});
  visual.source = element.source();
  const GivenPose pose = find_pose(element);
  visual.pose = pose.pose;
  if (!pose.relative_to.empty() && pose.relative_to != item.name) {
    const std::string thing = fmt::format("{}: <{}>", element.owner(), element.tag());
    visual.pose = inverse(item.scope->pose_of(item.name, pose.source, thing)) *
                  item.scope->pose_of(pose, item.self, thing);
  }
  const bool drawn = element.tag() == "visual";
  if (drawn) read_material(element, visual, told);
  const XmlElement geometry = element.required_child("geometry", "<geometry> with a shape");
  if (read_geometry(geometry, visual, told))
    (drawn ? model.visuals : model.collisions).push_back(std::move(visual));
  else
    told.note(element.source(),
              fmt::format("<{}> without a shape that is read, left out", element.tag()), body.name);
}

/// A force that carries the weight, for a link that gravity does not pull.
void read_gravity(const XmlElement& link, const Body& body, Model& model) {
  const auto gravity = link.child("gravity");
  if (!gravity || truth_of(*gravity)) return;
  BodyLoad load;
  load.body = body.name;
  load.at = body.com;
  load.force.force = -body.mass * model.gravity;
  load.source = gravity->source();
  model.body_loads.push_back(std::move(load));
}

}  // namespace

void read_link(const Item& item, Model& model, Told& told, Problems& problems) {
  const XmlElement& link = item.element;
  Body body;
  body.name = item.full_name();
  body.source = link.source();
  told.others(link);
  told.others_below(link, "pose");
  problems.attempt([&] { read_inertial(link, item, body, told); });
  for (const XmlElement& child : link.children())
    if (child.tag() == "visual" || child.tag() == "collision")
      problems.attempt_or_repair([&] { read_shape(child, item, body, model, told); },
                                 {fmt::format("this <{}> is left out", child.tag())});
  problems.attempt([&] { read_gravity(link, body, model); });
  model.bodies.push_back(std::move(body));
}

}  // namespace linkwright::sdf
