#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "io/writers/sections.hpp"
#include "io/writers/urdf_limits.hpp"
#include "linkwright/io/urdf.hpp"
#include "linkwright/model/loops.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/model/validation.hpp"
#include "linkwright/spatial/rpy.hpp"

namespace linkwright {
namespace writers {
namespace {

std::string to_xml(double x) { return fmt::format("{}", x + 0.0); }
std::string to_xml(const Vector3& v) {
  return fmt::format("{} {} {}", to_xml(v.x), to_xml(v.y), to_xml(v.z));
}

/// An attribute's text.
std::string to_xml(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\t' && c != '\n' && c != '\r')
      throw Error(
          fmt::format("the name {} has a control character, which XML cannot hold; rename "
                      "it",
                      in_quotes(text)));
    if (byte < 0x20 || c == '&' || c == '<' || c == '>' || c == '"')
      escaped += fmt::format("&#{};", static_cast<unsigned>(byte));
    else
      escaped += c;
  }
  return escaped;
}

std::string write_origin(const Pose& pose, std::string_view indent) {
  const Vector3 rpy = spatial::to_rpy(pose.rotation), &xyz = pose.translation;
  std::string text;
  if (xyz.x != 0 || xyz.y != 0 || xyz.z != 0) text += fmt::format(" xyz=\"{}\"", to_xml(xyz));
  if (rpy.x != 0 || rpy.y != 0 || rpy.z != 0) text += fmt::format(" rpy=\"{}\"", to_xml(rpy));
  return text.empty() ? text : fmt::format("{}<origin{}/>\n", indent, text);
}

class UrdfWriter {
 public:
  UrdfWriter(const Model& tree, const WriteUrdfOptions& options, std::vector<Warning>& told)
      : model_(tree), options_(options), told_(told), felt_(to_reflected(tree)) {}

  std::string run() {
    text_ = fmt::format("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", to_xml(model_.name));
    const bool needs_world = !hangs_by_an_implied_weld();
    if (needs_world) text_ += "  <link name=\"world\"/>\n";
    for (const Body& body : model_.bodies) write_link(body);
    for (std::size_t j = 0; j < model_.joints.size(); ++j)
      if (needs_world || model_.joints[j].parent != world_name) write_joint(j);
    for (const Frame& frame : model_.frames) write_frame(frame);
    return text_ + "</robot>\n";
  }

 private:
  /// Then every reader hangs the root on the world by itself.
  [[nodiscard]] bool hangs_by_an_implied_weld() const {
    int roots = 0;
    bool is_weld = false;
    for (const Joint& joint : model_.joints) {
      if (joint.parent != world_name) continue;
      ++roots;
      const Vector3 rpy = spatial::to_rpy(joint.pose.rotation);
      is_weld = joint.implied && joint.type == JointType::fixed &&
                norm(joint.pose.translation) == 0 && norm(rpy) == 0;
    }
    const bool is_named = std::any_of(model_.frames.begin(), model_.frames.end(),
                                      [](const Frame& f) { return f.body == world_name; });
    return roots == 1 && is_weld && !is_named;
  }

  void write_link(const Body& body) {
    const std::string name = to_xml(body.name);
    const std::string parts = inertial_of(body) + shapes_of(body.name);
    if (parts.empty())
      text_ += fmt::format("  <link name=\"{}\"/>\n", name);
    else
      text_ += fmt::format("  <link name=\"{}\">\n{}  </link>\n", name, parts);
  }

  static std::string inertial_of(const Body& body) {
    const Symmetric3& i = body.inertia;
    const bool empty = body.mass == 0 && i.xx == 0 && i.yy == 0 && i.zz == 0 && i.xy == 0 &&
                       i.xz == 0 && i.yz == 0;
    if (empty && !body.has_inertial) return {};
    return fmt::format(
        "    <inertial>\n{}      <mass value=\"{}\"/>\n      <inertia ixx=\"{}\" ixy=\"{}\" "
        "ixz=\"{}\" iyy=\"{}\" iyz=\"{}\" izz=\"{}\"/>\n    </inertial>\n",
        write_origin({Matrix3::identity(), body.com}, "      "), to_xml(body.mass), to_xml(i.xx),
        to_xml(i.xy), to_xml(i.xz), to_xml(i.yy), to_xml(i.yz), to_xml(i.zz));
  }

  [[nodiscard]] std::string shapes_of(const std::string& body) const {
    std::string text;
    for (const Visual& shape : model_.visuals)
      if (shape.body == body) text += write_shape(shape, "visual");
    for (const Visual& shape : model_.collisions)
      if (shape.body == body) text += write_shape(shape, "collision");
    return text;
  }

  [[nodiscard]] std::string write_shape(const Visual& shape, std::string_view tag) const {
    const std::string name =
        shape.name.empty() ? std::string{} : fmt::format(" name=\"{}\"", to_xml(shape.name));
    std::string text = fmt::format("    <{}{}>\n{}      <geometry>{}</geometry>\n", tag, name,
                                   write_origin(shape.pose, "      "), geometry_of(shape));
    if (tag == "visual" && shape.rgba) {
      const auto& [r, g, b, a] = *shape.rgba;
      const std::string rgba = fmt::format("{} {} {} {}", r, g, b, a);
      text += fmt::format("      <material name=\"rgba {}\"><color rgba=\"{}\"/></material>\n",
                          rgba, rgba);
    }
    return text + fmt::format("    </{}>\n", tag);
  }

  [[nodiscard]] std::string geometry_of(const Visual& shape) const {
    const Vector3& s = shape.size;
    switch (shape.shape) {
      case Visual::Shape::box:
        return fmt::format("<box size=\"{}\"/>", to_xml(s));
      case Visual::Shape::cylinder:
      case Visual::Shape::capsule:
        return fmt::format("<{} radius=\"{}\" length=\"{}\"/>",
                           shape.shape == Visual::Shape::capsule ? "capsule" : "cylinder",
                           to_xml(s.x), to_xml(s.y));
      case Visual::Shape::sphere:
        return fmt::format("<sphere radius=\"{}\"/>", to_xml(s.x));
      case Visual::Shape::mesh:
        return fmt::format("<mesh filename=\"{}\" scale=\"{}\"/>",
                           to_xml(find_mesh_name(shape, options_.folder)), to_xml(s));
    }
    return {};
  }

  /// A revolute joint without a range is what URDF calls continuous.
  static std::string_view type_of(const Joint& joint) {
    if (joint.type == JointType::free) return "floating";
    if (joint.type == JointType::revolute && !has_range(joint)) return "continuous";
    return to_string(joint.type);
  }
  static bool has_range(const Joint& joint) {
    return !joint.limits.empty() &&
           (std::isfinite(joint.limits[0].lower) || std::isfinite(joint.limits[0].upper));
  }

  void write_joint(std::size_t j) {
    const Joint& joint = model_.joints[j];
    text_ += fmt::format("  <joint name=\"{}\" type=\"{}\">\n{}", to_xml(joint.name),
                         type_of(joint), write_origin(joint.pose, "    "));
    text_ += fmt::format("    <parent link=\"{}\"/>\n    <child link=\"{}\"/>\n",
                         to_xml(joint.parent), to_xml(joint.child));
    if (has_axis(joint.type)) text_ += fmt::format("    <axis xyz=\"{}\"/>\n", to_xml(joint.axis));
    if (joint.type != JointType::fixed) write_limit(joint);
    const std::vector<Reflected>& felt = felt_.joints[j];
    if (!felt.empty() && (felt[0].damping != 0 || felt[0].friction.forward != 0))
      text_ += fmt::format("    <dynamics damping=\"{}\" friction=\"{}\"/>\n",
                           to_xml(felt[0].damping), to_xml(felt[0].friction.forward));
    write_mimic(joint);
    text_ += "  </joint>\n";
  }

  /// Other readers want all four numbers.
  static std::string limit_text(double x) {
    return to_xml(std::isfinite(x) ? x : std::copysign(unlimited_in_urdf, x));
  }

  void write_limit(const Joint& joint) {
    const Limits limits = joint.limits.empty() ? Limits{} : joint.limits.front();
    const bool ranged = joint.type == JointType::prismatic ||
                        (joint.type == JointType::revolute && has_range(joint));
    if (!ranged && std::isinf(limits.velocity) && std::isinf(limits.effort)) return;
    const std::string range = ranged
                                  ? fmt::format("lower=\"{}\" upper=\"{}\" ",
                                                limit_text(limits.lower), limit_text(limits.upper))
                                  : std::string{};
    text_ += fmt::format("    <limit {}velocity=\"{}\" effort=\"{}\"/>\n", range,
                         limit_text(limits.velocity), limit_text(limits.effort));
  }

  void write_mimic(const Joint& joint) {
    for (std::size_t i = 0; i < model_.closures.size(); ++i) {
      const Closure& gear = model_.closures[i];
      if (gear.follower != joint.name || !is_mimic(model_, i)) continue;
      text_ += fmt::format("    <mimic joint=\"{}\" multiplier=\"{}\" offset=\"{}\"/>\n",
                           to_xml(gear.leader), to_xml(gear.ratio), to_xml(gear.offset));
    }
  }

  /// A link without mass, welded where the frame is.
  void write_frame(const Frame& frame) {
    std::unordered_set<std::string_view> taken;
    for (const Joint& joint : model_.joints) taken.insert(joint.name);
    std::string joint = frame.name + "_joint";
    while (taken.contains(joint)) joint += '_';
    text_ += fmt::format(
        "  <link name=\"{}\"/>\n  <joint name=\"{}\" type=\"fixed\">\n{}    <parent "
        "link=\"{}\"/>\n "
        "   <child link=\"{}\"/>\n  </joint>\n",
        to_xml(frame.name), to_xml(joint), write_origin(frame.pose, "    "), to_xml(frame.body),
        to_xml(frame.name));
    told_.push_back({frame.source,
                     fmt::format("frame {} is written as a link without mass on a fixed joint",
                                 in_quotes(frame.name)),
                     "frames as links"});
  }

  const Model& model_;
  const WriteUrdfOptions& options_;
  std::vector<Warning>& told_;
  ReflectedFreedoms felt_;
  std::string text_;
};

/// What can be said without the rest: joints of other types make no tree, and no lenience helps there.
void refuse_or_tell(const Unsaid& unsaid, const Model& tree, const WriteUrdfOptions& options,
                    std::vector<Warning>& told) {
  const bool has_other_types =
      std::any_of(tree.joints.begin(), tree.joints.end(),
                  [](const Joint& joint) { return !is_urdf_type(joint.type); });
  if (!unsaid.dynamics.empty() && (!options.lenient || has_other_types))
    throw Error(unsaid.dynamics, has_other_types ? "write a system file instead (.yaml)"
                                                 : "write a system file instead (.yaml), or leave "
                                                   "them out (--lenient)");
  for (const Mistake& mistake : unsaid.dynamics)
    told.push_back({mistake.where, mistake.message + "; left out", "left out"});
  told.insert(told.end(), unsaid.others.begin(), unsaid.others.end());
}

}  // namespace
}  // namespace writers

std::string write_urdf(const Model& model, const WriteUrdfOptions& options,
                       std::vector<Warning>* told) {
  (void)validate(model);
  std::vector<Warning> unheard;
  std::vector<Warning>& warnings = told == nullptr ? unheard : *told;
  const Model tree = to_tree_with_closures(model);
  writers::refuse_or_tell(writers::find_unsaid_in_urdf(tree), tree, options, warnings);
  return writers::UrdfWriter(tree, options, warnings).run();
}

}  // namespace linkwright
