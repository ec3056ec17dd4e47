// Bodies, joints and frames: what everything else refers to, and the shapes on them.
#include <fmt/format.h>

#include "io/writers/freedoms.hpp"
#include "io/writers/sections.hpp"
#include "io/writers/yaml_text.hpp"
#include "linkwright/io/mesh.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::writers {
namespace {

bool is_zero(const Symmetric3& s) {
  return s.xx == 0 && s.yy == 0 && s.zz == 0 && s.xy == 0 && s.xz == 0 && s.yz == 0;
}

std::string to_item(const Body& body) {
  FlowMap map("link " + in_quotes(body.name));
  map.text("name", body.name);
  if (body.has_inertial || body.mass != 0) map.number("mass", body.mass);
  map.vector_unless_zero("com", body.com);
  const Symmetric3& i = body.inertia;
  if (!is_zero(i)) map.numbers("inertia", {i.xx, i.yy, i.zz, i.xy, i.xz, i.yz});
  return map.item();
}

std::string to_item(const Joint& joint) {
  FlowMap map("joint " + in_quotes(joint.name));
  map.text("name", joint.name);
  map.add("type", std::string(to_string(joint.type)));
  map.text("parent", joint.parent);
  map.text("child", joint.child);
  map.pose("pose", joint.pose);
  map.pose("at_child", joint.at_child);
  if (has_axis(joint.type)) map.vector("axis", joint.axis);
  if (joint.type == JointType::universal) map.vector("axis2", joint.axis2);
  if (joint.type == JointType::helical) map.number("pitch", joint.pitch);
  if (joint.type == JointType::custom) add_modes(joint.modes, map);
  if (joint.type != JointType::fixed) add_freedoms(joint, map);
  if (joint.implied) map.add("implied", "true");
  return map.item();
}

std::string to_item(const Frame& frame) {
  FlowMap map("frame " + in_quotes(frame.name));
  map.text("name", frame.name);
  map.text("body", frame.body);
  map.pose("pose", frame.pose);
  return map.item();
}

void add_matrix(std::string_view key, const PoseMatrix& matrix, FlowMap& map) {
  std::vector<double> diagonal;
  for (int i = 0; i < 6; ++i) diagonal.push_back(matrix(i, i));
  if (matrix.is_diagonal()) return map.numbers(key, diagonal);
  std::vector<std::string> rows;
  for (const auto& row : matrix.rows) {
    std::vector<std::string> numbers;
    numbers.reserve(row.size());
    for (const double x : row) numbers.push_back(yaml_number(x, map.thing()));
    rows.push_back(yaml_list(numbers));
  }
  map.add(key, yaml_list(rows));
}

std::string to_item(const FlexibleBase& base) {
  FlowMap map("flexible base on joint " + in_quotes(base.joint));
  map.text("joint", base.joint);
  add_matrix("stiffness", base.stiffness, map);
  add_matrix("damping", base.damping, map);
  return map.item();
}

void add_shape(const Visual& shape, const std::filesystem::path& folder, FlowMap& map) {
  switch (shape.shape) {
    case Visual::Shape::box:
      return map.vector("box", shape.size);
    case Visual::Shape::cylinder:
      return map.numbers("cylinder", {shape.size.x, shape.size.y});
    case Visual::Shape::capsule:
      return map.numbers("capsule", {shape.size.x, shape.size.y});
    case Visual::Shape::sphere:
      return map.number("sphere", shape.size.x);
    case Visual::Shape::mesh:
      map.text("mesh", find_mesh_name(shape, folder));
      map.vector("scale", shape.size);
  }
}

std::string to_item(const Visual& shape, const std::filesystem::path& folder, bool is_drawn) {
  FlowMap map("shape of link " + in_quotes(shape.body));
  map.text("body", shape.body);
  if (!shape.name.empty()) map.text("name", shape.name);
  map.pose("pose", shape.pose);
  add_shape(shape, folder, map);
  if (is_drawn && shape.rgba)
    map.numbers("rgba", std::vector<double>(shape.rgba->begin(), shape.rgba->end()));
  return map.item();
}

template <class Things>
std::string write_list(std::string_view key, const Things& things) {
  if (things.empty()) return {};
  std::string text = fmt::format("{}:\n", key);
  for (const auto& thing : things) text += to_item(thing);
  return text;
}

std::string write_names(std::string_view key, const std::vector<std::string>& names) {
  return names.empty() ? std::string{} : fmt::format("{}: {}\n", key, yaml_names(names));
}

}  // namespace

std::string write_bodies(const Model& model) { return write_list("bodies", model.bodies); }
std::string write_joints(const Model& model) { return write_list("joints", model.joints); }
std::string write_frames(const Model& model) { return write_list("frames", model.frames); }

std::string write_name_lists(const Model& model) {
  return write_names("objects", model.objects) + write_names("cut", model.cut) +
         write_names("coordinates", model.coordinates);
}

std::string write_flexible_bases(const Model& model) {
  return write_list("flexible_bases", model.flexible_bases);
}

std::string write_shapes(const Model& model, const std::filesystem::path& folder) {
  std::string text;
  for (const bool drawn : {true, false}) {
    const std::vector<Visual>& shapes = drawn ? model.visuals : model.collisions;
    if (!shapes.empty()) text += drawn ? "visuals:\n" : "collisions:\n";
    for (const Visual& shape : shapes) text += to_item(shape, folder, drawn);
  }
  return text;
}

std::string find_mesh_name(const Visual& shape, const std::filesystem::path& folder) {
  if (folder.empty() || shape.source.file.empty()) return shape.file;
  const auto found = find_mesh(shape.file, shape.source.file);
  if (!found) return shape.file;
  std::error_code trouble;
  const std::filesystem::path base = std::filesystem::absolute(folder, trouble).lexically_normal();
  // A name that means the same file from there stays as it is.
  if (find_mesh(shape.file, base / "model") == found) return shape.file;
  return found->lexically_proximate(base).string();
}

}  // namespace linkwright::writers
