#include <fmt/format.h>

#include "io/system_file/section_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::system_file {
namespace {

std::optional<double> optional_number(const Yaml& item, std::string_view key) {
  const auto value = item.find(key);
  return value ? std::optional(value->number()) : std::nullopt;
}
std::optional<int> optional_count(const Yaml& item, std::string_view key) {
  const auto value = item.find(key);
  return value ? std::optional(value->whole_number()) : std::nullopt;
}

/// {rectangle: [width, height]}, {circle: radius} or {tube: [radius, inner radius]}.
BeamSection read_section(const Yaml& value) {
  value.allow_keys(Section::beam_section);
  const auto entries = value.entries();
  if (entries.size() != 1)
    value.fail(
        "expected one of rectangle: [width, height], circle: radius and tube: [radius, "
        "inner radius]");
  const auto& [shape, size] = entries.front();
  BeamSection section;
  if (shape == "circle") {
    section.shape = BeamSection::Shape::circle;
    section.radius = size.number();
    return section;
  }
  const std::vector<double> sizes = size.numbers();
  if (sizes.size() != 2)
    size.fail(fmt::format("has {} numbers; expected {}", sizes.size(),
                          shape == "tube" ? "[radius, inner radius]" : "[width, height]"));
  if (shape == "tube") {
    section.shape = BeamSection::Shape::tube;
    section.radius = sizes[0], section.inner_radius = sizes[1];
  } else {
    section.width = sizes[0], section.height = sizes[1];
  }
  return section;
}

FlexibleLink::Bending read_bending(const Yaml& item) {
  const std::string name = item.text_or("bending", "both");
  if (name == "both") return FlexibleLink::Bending::both;
  if (name == "y") return FlexibleLink::Bending::y;
  if (name == "z") return FlexibleLink::Bending::z;
  item.at("bending").fail(
      fmt::format("{} is unknown; expected both, y or z, the beam's axes that it bends about",
                  in_quotes(name)));
}

FlexibleLink read_flexible_link(const Yaml& item, const Places& places) {
  item.allow_keys(Section::flexible_link);
  const Places::Place place = places.find(item.at("body").text());
  FlexibleLink link;
  link.body = place.body;
  link.source = item.source();
  link.from = place.pose * item.vector3_or("from", {});
  link.along = place.pose.rotation * item.at("along").vector3();
  if (const auto up = item.find("up")) {
    link.up = place.pose.rotation * up->vector3();
    if (link.up.x == 0 && link.up.y == 0 && link.up.z == 0)
      up->fail("is [0, 0, 0]; expected a direction such as [0, 0, 1]");
  }
  link.E = optional_number(item, "E"), link.G = optional_number(item, "G");
  link.density = optional_number(item, "density");
  if (const auto section = item.find("section")) link.section = read_section(*section);
  if (const auto EI = item.find("EI")) {
    link.EI = EI->is_list() ? EI->numbers() : std::vector<double>{EI->number()};
    if (link.EI.empty()) EI->fail("is an empty list; expected one or two numbers");
  }
  link.GJ = optional_number(item, "GJ"), link.EA = optional_number(item, "EA");
  link.mass_per_length = optional_number(item, "mass_per_length");
  link.inertia_per_length = optional_number(item, "inertia_per_length");
  link.bending = read_bending(item);
  if (const auto axial = item.find("axial")) link.axial = axial->truth();
  link.elements = optional_count(item, "elements"), link.modes = optional_count(item, "modes");
  link.damping_ratio = item.number_or("damping_ratio", 0);
  return link;
}

/// What only a chain could have: judged on the rigid link, it would be told as a mistake.
void leave_out_attached(const std::string& link, Model& model) {
  const auto is_elastic_joint = [&](const std::string& name) {
    return name.starts_with(link + ":");
  };
  const auto has_elastic = [&](const auto& of) { return is_elastic_joint(of.joint); };
  std::erase_if(model.closures, [&](const Closure& closure) {
    return closure.body_a == link || closure.body_b == link || is_elastic_joint(closure.leader) ||
           is_elastic_joint(closure.follower);
  });
  std::erase_if(model.grasps, [&](const Grasp& grasp) { return grasp.object == link; });
  std::erase_if(model.joint_springs, has_elastic);
  std::erase_if(model.joint_loads, has_elastic);
  std::erase_if(model.actuators, has_elastic);
  std::erase_if(model.initial.q, has_elastic);
  std::erase_if(model.initial.v, has_elastic);
  for (auto* names : {&model.initial.hold, &model.coordinates, &model.cut})
    std::erase_if(*names, is_elastic_joint);
}

}  // namespace

FlexibleLinks read_flexible_links(const Yaml& file, const Places& places, Problems& problems) {
  FlexibleLinks links;
  read_each(file, "flexible_links", problems, [&](const Yaml& entry) {
    const auto body = entry.is_map() ? entry.find("body") : std::nullopt;
    const bool is_named = body && body->is_scalar();
    const Yaml item = entry.called(is_named ? "flexible link " + in_quotes(body->text())
                                            : std::string("flexible link"));
    if (!problems.attempt([&] { links.list.push_back(read_flexible_link(item, places)); }))
      links.is_complete = false;
  });
  return links;
}

bool make_chains(const FlexibleLinks& links, Model& model, Problems& problems) {
  if (links.list.empty()) return links.is_complete;
  if (problems.attempt([&] { model = to_elastic_chains(model, links.list); }))
    return links.is_complete;
  for (const FlexibleLink& link : links.list) leave_out_attached(link.body, model);
  return false;
}

}  // namespace linkwright::system_file
