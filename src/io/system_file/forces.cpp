#include <fmt/format.h>

#include <unordered_set>

#include "io/system_file/parts.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::system_file {
namespace {

/// [x, y, z] or {xyz: [x, y, z]}.
Vector3 read_point(const Yaml& owner, std::string_view key) {
  const auto value = owner.find(key);
  if (!value) return {};
  if (value->is_list()) return value->vector3();
  value->allow_keys({"xyz"});
  return value->at("xyz").vector3();
}

/// Which freedom is meant may stay unsaid only where there is one.
int read_freedom(const Yaml& item, const Joint& joint) {
  if (const auto freedom = item.find("freedom")) return freedom->whole_number();
  if (velocity_count(joint) > 1)
    item.fail(fmt::format("joint {} has {} freedoms; say which with `freedom: 0` … `freedom: {}`",
                          in_quotes(joint.name), velocity_count(joint), velocity_count(joint) - 1));
  return 0;
}

void read_joint_spring(const Yaml& item, const Joints& joints, Model& model) {
  item.allow_keys({"joint", "freedom", "stiffness", "damping", "rest"});
  const Joint& joint = joints.find(item.at("joint"));
  JointSpring spring;
  spring.joint = joint.name;
  spring.freedom = read_freedom(item, joint);
  spring.stiffness = item.number_or("stiffness", 0);
  spring.damping = item.number_or("damping", 0);
  spring.rest = item.number_or("rest", 0);
  spring.source = item.source();
  model.joint_springs.push_back(std::move(spring));
}

void read_line_spring(const Yaml& item, const Places& places, Model& model) {
  item.allow_keys({"name", "between", "at_a", "at_b", "stiffness", "damping", "rest_length"});
  const Yaml between = item.at("between");
  const auto ends = between.items();
  if (ends.size() != 2) between.fail(fmt::format("has {} names; expected two", ends.size()));
  const Places::Place a = places.find(ends[0].text()), b = places.find(ends[1].text());
  LineSpring spring;
  spring.name = item.text_or("name", "");
  spring.body_a = a.body;
  spring.body_b = b.body;
  spring.at_a = a.pose * read_point(item, "at_a");
  spring.at_b = b.pose * read_point(item, "at_b");
  spring.stiffness = item.number_or("stiffness", 0);
  spring.damping = item.number_or("damping", 0);
  spring.rest_length = item.number_or("rest_length", 0);
  spring.source = item.source();
  model.line_springs.push_back(std::move(spring));
}

void read_joint_load(const Yaml& item, const Joints& joints, Model& model) {
  item.allow_keys({"joint", "freedom", "torque", "force"});
  const Joint& joint = joints.find(item.at("joint"));
  if (item.has("torque") == item.has("force"))
    item.fail("expected one of torque (N m) and force (N)");
  JointLoad load;
  load.joint = joint.name;
  load.freedom = read_freedom(item, joint);
  load.effort = item.at(item.has("torque") ? "torque" : "force").number();
  load.source = item.source();
  model.joint_loads.push_back(std::move(load));
}

void read_body_load(const Yaml& item, const Places& places, Model& model) {
  item.allow_keys({"body", "force", "moment", "at", "frame"});
  const Places::Place place = places.find(item.at("body").text());
  BodyLoad load;
  load.body = place.body;
  load.force = {item.vector3_or("moment", {}), item.vector3_or("force", {})};
  load.at = place.pose * read_point(item, "at");
  const std::string frame = item.text_or("frame", "world");
  if (frame != "world" && frame != "body")
    item.at("frame").fail(
        fmt::format("{} is unknown; expected world or body, the axes of force "
                    "and moment",
                    in_quotes(frame)));
  load.in_world = frame == "world";
  if (!load.in_world)
    load.force = {place.pose.rotation * load.force.moment, place.pose.rotation * load.force.force};
  load.source = item.source();
  model.body_loads.push_back(std::move(load));
}

std::vector<std::string> read_joint_names(const Yaml& owner, std::string_view key,
                                          const Joints& joints) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const Yaml& item : owner.list(key)) {
    names.push_back(joints.find(item).name);
    if (!seen.insert(names.back()).second)
      item.fail(fmt::format("joint {} is listed twice; remove one", in_quotes(names.back())));
  }
  return names;
}

std::vector<InitialState::Entry> read_entries(const Yaml& state, std::string_view key,
                                              const Joints& joints) {
  std::vector<InitialState::Entry> entries;
  const auto map = state.find(key);
  if (!map || map->is_null()) return entries;
  for (const auto& [name, value] : map->entries())
    entries.push_back({joints.find(name, value).name,
                       value.is_list() ? value.numbers() : std::vector<double>{value.number()},
                       value.source()});
  return entries;
}

}  // namespace

Joints::Joints(const Model& model, const Problems& problems) : model_(model), problems_(problems) {
  for (std::size_t i = 0; i < model.joints.size(); ++i) index_.emplace(model.joints[i].name, i);
}

const Joint& Joints::find(const std::string& name, const Yaml& where) const {
  const auto found = index_.find(name);
  if (found != index_.end()) return model_.joints[found->second];
  if (problems_.is_unread(name)) throw Consequence{};
  std::vector<std::string> names;
  for (const Joint& joint : model_.joints) names.push_back(joint.name);
  where.fail(fmt::format("there is no joint {}{}", in_quotes(name), did_you_mean(name, names)));
}

void read_springs(const Yaml& file, const Places& places, const Joints& joints, Model& model,
                  Problems& problems) {
  read_each(file, "springs", problems, [&](const Yaml& item) {
    item.allow_keys({"name", "between", "at_a", "at_b", "stiffness", "damping", "rest_length",
                     "joint", "freedom", "rest"});
    if (item.has("joint"))
      read_joint_spring(item, joints, model);
    else
      read_line_spring(item, places, model);
  });
}

void read_loads(const Yaml& file, const Places& places, const Joints& joints, Model& model,
                Problems& problems) {
  read_each(file, "loads", problems, [&](const Yaml& item) {
    item.allow_keys({"joint", "freedom", "torque", "force", "body", "moment", "at", "frame"});
    if (item.has("joint"))
      read_joint_load(item, joints, model);
    else
      read_body_load(item, places, model);
  });
}

void read_actuators(const Yaml& file, const Joints& joints, Model& model) {
  for (const Yaml& item : file.list("actuators")) {
    item.allow_keys({"joint", "motor", "gear"});
    Actuator actuator;
    actuator.joint = joints.find(item.at("joint")).name;
    actuator.gear = item.number_or("gear", 1);
    actuator.source = item.source();
    if (const auto motor = item.find("motor")) {
      motor->allow_keys({"Ra", "La", "k", "rotor_inertia", "damping"});
      actuator.motor = Actuator::Motor{
          motor->at("Ra").number(), motor->number_or("La", 0), motor->at("k").number(),
          motor->number_or("rotor_inertia", 0), motor->number_or("damping", 0)};
    }
    model.actuators.push_back(std::move(actuator));
  }
}

void read_joint_lists(const Yaml& file, const Joints& joints, Model& model) {
  model.passive = read_joint_names(file, "passive", joints);
  model.coordinates = read_joint_names(file, "coordinates", joints);
}

void read_state(const Yaml& file, const Joints& joints, Model& model) {
  const auto state = file.find("state");
  if (!state || state->is_null()) return;
  state->allow_keys({"q", "v", "hold"});
  model.initial.q = read_entries(*state, "q", joints);
  model.initial.v = read_entries(*state, "v", joints);
  model.initial.hold = read_joint_names(*state, "hold", joints);
}

}  // namespace linkwright::system_file
