#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "io/system_file/section_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::system_file {
namespace {

/// [x, y, z] or {xyz: [x, y, z]}.
Vector3 read_point(const Yaml& owner, std::string_view key) {
  const auto value = owner.find(key);
  if (!value) return {};
  if (value->is_list()) return value->vector3();
  value->allow_keys(Section::point);
  return value->at("xyz").vector3();
}

void read_joint_spring(const Yaml& item, const Joints& joints, Model& model) {
  item.allow_keys(Section::joint_spring);
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
  item.allow_keys(Section::line_spring);
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
  item.allow_keys(Section::joint_load);
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
  item.allow_keys(Section::body_load);
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

/// "boom:bend1", …
bool is_like_elastic(const std::string& name) {
  return name.find(":bend") != std::string::npos || name.find(":twist") != std::string::npos ||
         name.find(":stretch") != std::string::npos;
}

}  // namespace

Joints::Joints(const Model& model, const Problems& problems, Closing closing)
    : model_(model), problems_(problems) {
  for (const Joint& joint : model.joints) index_.emplace(joint.name, &joint);
  if (closing == Closing::left_out) return;
  for (const Closure& closure : model.closures)
    if (closure.kind != Closure::Kind::gear) closing_.push_back(to_joint(closure));
  for (const Joint& pair : closing_) index_.emplace(pair.name, &pair);
}

void Joints::add_elastic(const Model& chains, bool are_made) {
  has_all_elastic_ = are_made;
  elastic_.assign(chains.joints.begin() + static_cast<std::ptrdiff_t>(model_.joints.size()),
                  chains.joints.end());
  for (const Joint& joint : elastic_) index_.emplace(joint.name, &joint);
}

const Joint* Joints::look_up(const std::string& name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : found->second;
}

const Joint& Joints::find(const std::string& name, const Yaml& where) const {
  if (const Joint* joint = look_up(name)) return *joint;
  if (problems_.is_unread(name)) throw Consequence{};
  if (!has_all_elastic_ && is_like_elastic(name)) throw Consequence{};
  std::vector<std::string> names;
  for (const Joint& joint : model_.joints) names.push_back(joint.name);
  for (const Joint& pair : closing_) names.push_back(pair.name);
  for (const Joint& joint : elastic_) names.push_back(joint.name);
  where.fail(fmt::format("there is no joint {}{}", in_quotes(name), did_you_mean(name, names)));
}

void read_springs(const Yaml& file, const Places& places, const Joints& joints, Model& model,
                  Problems& problems) {
  read_each(file, "springs", problems, [&](const Yaml& item) {
    item.allow_keys({Section::line_spring, Section::joint_spring});
    if (item.has("joint"))
      read_joint_spring(item, joints, model);
    else
      read_line_spring(item, places, model);
  });
}

void read_loads(const Yaml& file, const Places& places, const Joints& joints, Model& model,
                Problems& problems) {
  read_each(file, "loads", problems, [&](const Yaml& item) {
    item.allow_keys({Section::joint_load, Section::body_load});
    if (item.has("joint"))
      read_joint_load(item, joints, model);
    else
      read_body_load(item, places, model);
  });
}

namespace {

/// {MOTOR: number, …}; whether there is such a motor `validate` tells.
std::vector<InitialState::MotorEntry> read_motor_entries(const Yaml& state, std::string_view key) {
  std::vector<InitialState::MotorEntry> all;
  if (const auto map = state.find(key))
    for (const auto& [motor, value] : map->entries())
      all.push_back({motor, value.number(), value.source()});
  return all;
}

/// What a model of `models` starts from itself counts where the state here says nothing of the joint.
void take_entries(std::vector<InitialState::Entry> here,
                  std::vector<InitialState::Entry>& entries) {
  std::erase_if(entries, [&](const InitialState::Entry& of_part) {
    return std::any_of(here.begin(), here.end(), [&](const InitialState::Entry& entry) {
      return entry.joint == of_part.joint;
    });
  });
  entries.insert(entries.end(), std::make_move_iterator(here.begin()),
                 std::make_move_iterator(here.end()));
}

}  // namespace

void read_state(const Yaml& file, const Joints& joints, Model& model) {
  const auto state = file.find("state");
  if (!state || state->is_null()) return;
  state->allow_keys(Section::state);
  take_entries(read_entries(*state, "q", joints), model.initial.q);
  take_entries(read_entries(*state, "v", joints), model.initial.v);
  model.initial.hold = read_joint_names(*state, "hold", joints);
  if (const auto hold = state->find("hold")) model.initial.hold_source = hold->source();
  model.initial.current = read_motor_entries(*state, "current");
  model.initial.shaft_angle = read_motor_entries(*state, "shaft_angle");
  model.initial.shaft_speed = read_motor_entries(*state, "shaft_speed");
}

}  // namespace linkwright::system_file
