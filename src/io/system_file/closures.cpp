#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "io/system_file/section_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::system_file {
namespace {

std::pair<std::string, std::string> read_pair(const Yaml& value) {
  const auto items = value.items();
  if (items.size() != 2) value.fail(fmt::format("has {} names; expected two", items.size()));
  return {items[0].text(), items[1].text()};
}

void read_gear(const Yaml& item, Closure& closure) {
  item.allow_keys(Section::gear_closure);
  closure.kind = Closure::Kind::gear;
  std::tie(closure.leader, closure.follower) = read_pair(item.at("joints"));
  closure.ratio = item.number_or("ratio", 1);
  closure.offset = item.number_or("offset", 0);
}

void read_ends(const Yaml& item, const Places& places, Closure& closure) {
  const auto [a, b] = read_pair(item.at("between"));
  const Places::Place place_a = places.find(a), place_b = places.find(b);
  closure.body_a = place_a.body;
  closure.body_b = place_b.body;
  closure.at_a = place_a.pose * read_pose(item, "at_a");
  closure.at_b = place_b.pose * read_pose(item, "at_b");
}

void read_joint_closure(const Yaml& item, const std::string& kind, const Places& places,
                        std::string_view thing, Closure& closure, Model& model) {
  item.allow_keys(Section::joint_closure);
  const auto type = kind == "weld" ? JointType::fixed : to_joint_type(kind);
  if (!type)
    item.at("joint").fail(fmt::format(
        "{} is unknown{}; expected weld, point_on_line, point_on_plane, distance, rolling, gear or "
        "a "
        "joint type such as revolute",
        in_quotes(kind),
        did_you_mean(kind, {"weld", "point_on_line", "point_on_plane", "distance", "rolling",
                            "gear", "fixed", "revolute", "continuous", "prismatic", "helical",
                            "cylindrical", "universal", "planar", "spherical", "free", "custom"})));
  closure.joint = *type;
  const bool universal = closure.joint == JointType::universal;
  const auto refuse = [&item](std::string_view key, bool used, std::string_view users) {
    if (const auto value = item.find(key); value && !used)
      value->fail(fmt::format("only a {} closure has it; remove it or change `joint`", users));
  };
  refuse("axis", has_axis(closure.joint), "revolute, prismatic or other axial");
  refuse("axis2", universal, "universal");
  refuse("pitch", closure.joint == JointType::helical, "helical");
  refuse("modes", closure.joint == JointType::custom, "custom");
  closure.axis =
      read_axis(item, "axis", universal ? Vector3{1, 0, 0} : Vector3{0, 0, 1}, thing, model);
  closure.axis2 = read_axis(item, "axis2", {0, 1, 0}, thing, model);
  if (closure.joint == JointType::helical) closure.pitch = item.at("pitch").number();
  if (closure.joint == JointType::custom) closure.modes = read_modes(item.at("modes"));
  if (closure.joint == JointType::fixed)
    for (const std::string_view key : {"passive", "damping", "friction", "rotor_inertia", "limits"})
      refuse(key, false, "revolute, prismatic or other moving");
  read_freedoms(item, closure);
  read_ends(item, places, closure);
}

void read_distance(const Yaml& item, const Places& places, Closure& closure) {
  item.allow_keys(Section::distance_closure);
  closure.kind = Closure::Kind::distance;
  closure.distance = item.at("distance").number();
  read_ends(item, places, closure);
}

void read_point(const Yaml& item, const Places& places, std::string_view thing, Closure& closure,
                Model& model) {
  item.allow_keys(Section::point_closure);
  closure.axis = read_axis(item, "axis", {0, 0, 1}, thing, model);
  read_ends(item, places, closure);
}

/// A ball, or with an `axle` a disc.
void read_rolling(const Yaml& item, const Places& places, std::string_view thing, Closure& closure,
                  Model& model) {
  item.allow_keys(Section::rolling_closure);
  closure.kind = Closure::Kind::rolling;
  closure.axis = read_axis(item, "axis", {0, 0, 1}, thing, model);
  closure.disc = item.has("axle");
  closure.axis2 = read_axis(item, "axle", closure.axis2, thing, model);
  closure.distance = item.at("radius").number();
  read_ends(item, places, closure);
}

void read_closure(const Yaml& item, const Places& places, Model& model) {
  item.allow_keys({Section::joint_closure, Section::point_closure, Section::distance_closure,
                   Section::rolling_closure, Section::gear_closure});
  Closure closure;
  closure.name = item.at("name").text();
  closure.source = item.source();
  const std::string thing = "closure " + in_quotes(closure.name);
  const std::string kind = item.at("joint").text();
  if (kind == "gear") {
    read_gear(item, closure);
  } else if (kind == "distance") {
    read_distance(item, places, closure);
  } else if (kind == "point_on_line" || kind == "point_on_plane") {
    closure.kind =
        kind == "point_on_line" ? Closure::Kind::point_on_line : Closure::Kind::point_on_plane;
    read_point(item, places, thing, closure, model);
  } else if (kind == "rolling") {
    read_rolling(item, places, thing, closure, model);
  } else {
    read_joint_closure(item, kind, places, thing, closure, model);
  }
  model.closures.push_back(std::move(closure));
}

Grasp::Contact read_contact(const Yaml& item) {
  const auto value = item.find("contact");
  if (!value) return Grasp::Contact::rigid;
  const std::string name = value->text();
  if (name == "rigid") return Grasp::Contact::rigid;
  if (name == "line") return Grasp::Contact::line;
  if (name == "point") return Grasp::Contact::point;
  if (name == "soft_finger") return Grasp::Contact::soft_finger;
  value->fail(fmt::format("{} is unknown{}; expected rigid, line, point or soft_finger",
                          in_quotes(name),
                          did_you_mean(name, {"rigid", "line", "point", "soft_finger"})));
}

void refuse_unused(const Yaml& item, Grasp::Contact contact) {
  const auto refuse = [&item](std::string_view key, std::string_view why) {
    if (const auto value = item.find(key)) value->fail(fmt::format("{}; remove it", why));
  };
  if (contact != Grasp::Contact::line) refuse("axis", "only a line contact has it");
  if (contact != Grasp::Contact::soft_finger) refuse("torsion", "only a soft finger has it");
  if (contact != Grasp::Contact::rigid) return;
  refuse("normal", "a rigid contact has none");
  refuse("friction", "a rigid contact has none");
}

}  // namespace

void read_closures(const Yaml& file, const Places& places, Model& model, Problems& problems) {
  read_each(file, "closures", problems, [&](const Yaml& entry) {
    read_closure(entry.called_by_name("closure"), places, model);
  });
}

void read_grasps(const Yaml& file, Model& model) {
  for (const Yaml& entry : file.list("grasps")) {
    const Yaml item = entry.called_by_name("grasp");
    item.allow_keys(Section::grasp);
    Grasp grasp;
    grasp.name = item.at("name").text();
    grasp.source = item.source();
    const std::string thing = "grasp " + in_quotes(grasp.name);
    grasp.arm = item.at("arm").text();
    grasp.object = item.at("object").text();
    grasp.at = read_pose(item, "at");
    grasp.contact = read_contact(item);
    refuse_unused(item, grasp.contact);
    grasp.normal = read_axis(item, "normal", grasp.normal, thing, model);
    grasp.axis = read_axis(item, "axis", grasp.axis, thing, model);
    if (grasp.contact == Grasp::Contact::line) static_cast<void>(item.at("axis"));
    if (const auto value = item.find("friction")) grasp.friction = value->number();
    if (const auto value = item.find("torsion")) grasp.torsion = value->number();
    model.grasps.push_back(std::move(grasp));
  }
}

}  // namespace linkwright::system_file
