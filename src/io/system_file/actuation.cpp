#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "io/system_file/section_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::system_file {
namespace {

/// Reads the number under `key`, where there is one, in a step of its own.
void read_number(const Yaml& item, std::string_view key, double& value, Problems& problems) {
  problems.attempt([&] { value = item.number_or(key, value); });
}

/// The mechanical side may stand alone; of the electrical side Ra and k belong together. A separately
/// excited motor gives its field in place of k.
Actuator::Motor read_motor(const Yaml& item, Problems& problems) {
  problems.attempt([&] { item.allow_keys(Section::motor); });
  Actuator::Motor motor;
  if (!item.is_map()) return motor;
  read_number(item, "rotor_inertia", motor.rotor_inertia, problems);
  read_number(item, "damping", motor.damping, problems);
  problems.attempt([&] {
    if (const auto friction = item.find("friction")) motor.friction = read_friction(*friction);
  });
  const auto is_given = [&item](std::string_view key) { return item.has(key); };
  constexpr std::string_view electrical[]{
      "Ra", "La", "k", "field_constant", "field_current", "voltage_limit", "current_limit"};
  if (std::none_of(std::begin(electrical), std::end(electrical), is_given)) return motor;
  const Repair without{"its electrical side is left out"};
  const Actuator::Motor mechanical = motor;
  const bool excited = item.has("field_constant") || item.has("field_current");
  bool complete = true;
  const auto require = [&](std::string_view key) {
    complete = complete && item.has(key);
    problems.attempt_or_repair([&] { static_cast<void>(item.at(key)); }, without);
  };
  require("Ra");
  if (excited) {
    complete = complete && !item.has("k");
    problems.attempt_or_repair(
        [&] {
          if (item.has("k"))
            item.at("k").fail(
                "stands beside `field_constant` and `field_current`, whose product it is; keep k "
                "for permanent magnets, or the field for a separately excited motor");
        },
        without);
    require("field_constant"), require("field_current");
  } else {
    require("k");
  }
  for (const auto& [key, value] : {std::pair<std::string_view, double*>{"Ra", &motor.Ra},
                                   {"La", &motor.La},
                                   {"k", &motor.k},
                                   {"field_constant", &motor.field_constant},
                                   {"field_current", &motor.field_current},
                                   {"voltage_limit", &motor.voltage_limit},
                                   {"current_limit", &motor.current_limit}})
    read_number(item, key, *value, problems);
  return complete ? motor : mechanical;
}

Actuator::Elastic read_elastic(const Yaml& item) {
  item.allow_keys(Section::elastic_gear);
  return {item.at("stiffness").number(), item.number_or("damping", 0)};
}

/// "wrist", or "wrist:1" for a freedom of a joint with several. Whether there is such a joint `validate`
/// tells.
GearTerm read_term(const std::string& key, const Yaml& ratio, const Joints& joints) {
  const std::size_t colon = key.rfind(':');
  if (joints.look_up(key) == nullptr && colon != std::string::npos && colon + 1 < key.size() &&
      key.find_first_not_of("0123456789", colon + 1) == std::string::npos &&
      key.size() - colon <= 3)
    return {key.substr(0, colon), std::stoi(key.substr(colon + 1)), ratio.number()};
  const Joint* joint = joints.look_up(key);
  if (joint != nullptr && velocity_count(*joint) > 1)
    ratio.fail(fmt::format("joint {} has {} freedoms; say which with `{}:0` … `{}:{}`",
                           in_quotes(key), velocity_count(*joint), key, key,
                           velocity_count(*joint) - 1));
  return {key, 0, ratio.number()};
}

/// `transmission: {j2: 80, j3: -40}`.
void read_transmission(const Yaml& item, const Joints& joints, Actuator& actuator) {
  const Yaml map = item.at("transmission");
  for (const std::string_view key : {"joint", "freedom", "gear"})
    if (item.has(key))
      item.at(key).fail(
          "stands beside `transmission`, which names the joints and their ratios; keep one of "
          "them");
  if (!map.is_map() || map.entries().empty())
    map.fail("expected joints with their ratios, as {j2: 80, j3: -40}");
  for (const auto& [key, ratio] : map.entries()) {
    actuator.transmission.push_back(read_term(key, ratio, joints));
    if (!actuator.name.empty()) actuator.name += "+";
    actuator.name += key;
  }
}

/// `joint:`, and `freedom:` where it has several.
void read_driven_joint(const Yaml& item, const Joints& joints, Actuator& actuator) {
  actuator.joint = item.at("joint").text();
  const Joint* joint = joints.look_up(actuator.joint);
  const auto freedom = item.find("freedom");
  if (joint != nullptr)
    actuator.freedom = read_freedom(item, *joint);
  else if (freedom)
    actuator.freedom = freedom->whole_number();
  const bool several = joint != nullptr && velocity_count(*joint) > 1;
  actuator.name = several ? fmt::format("{}:{}", actuator.joint, actuator.freedom) : actuator.joint;
}

/// What the shaft turns; false when it cannot be said. Whether there are such joints `validate` tells.
bool read_target(const Yaml& item, const Joints& joints, Actuator& actuator, Problems& problems) {
  bool complete = false;
  problems.attempt_or_repair(
      [&] {
        if (item.has("transmission"))
          read_transmission(item, joints, actuator);
        else
          read_driven_joint(item, joints, actuator);
        complete = true;
      },
      {"this actuator is left out"});
  // One of its own, where joint and freedom are not known.
  if (!complete) actuator.name = item.source().text();
  return complete;
}

void read_actuator(const Yaml& item, const Joints& joints, Model& model, Problems& problems) {
  problems.attempt([&] { item.allow_keys(Section::actuator); });
  if (!item.is_map()) return;
  Actuator actuator;
  actuator.source = item.source();
  const bool complete = read_target(item, joints, actuator, problems);
  problems.attempt_or_repair(
      [&] {
        if (const auto elastic = item.find("elastic")) actuator.elastic = read_elastic(*elastic);
      },
      {"taken as a rigid gear"});
  problems.attempt([&] { actuator.name = item.text_or("name", actuator.name); });
  read_number(item, "gear", actuator.gear, problems);
  if (const auto motor = item.find("motor")) actuator.motor = read_motor(*motor, problems);
  // A strict reader judges the rest of an incomplete one too, to tell all mistakes together.
  const bool only_to_judge =
      !problems.is_lenient() && !actuator.joint.empty() && actuator.transmission.empty();
  if (complete || only_to_judge) model.actuators.push_back(std::move(actuator));
}

}  // namespace

int read_freedom(const Yaml& item, const Joint& joint) {
  if (const auto freedom = item.find("freedom")) return freedom->whole_number();
  if (velocity_count(joint) > 1)
    item.fail(fmt::format("joint {} has {} freedoms; say which with `freedom: 0` … `freedom: {}`",
                          in_quotes(joint.name), velocity_count(joint), velocity_count(joint) - 1));
  return 0;
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

void read_actuators(const Yaml& file, const Joints& joints, Model& model, Problems& problems) {
  read_each(file, "actuators", problems, [&](const Yaml& entry) {
    read_actuator(entry.called_by_name("actuator"), joints, model, problems);
  });
}

void read_coordinates(const Yaml& file, const Joints& joints, Model& model) {
  model.coordinates = read_joint_names(file, "coordinates", joints);
  if (const auto value = file.find("coordinates")) model.coordinates_source = value->source();
}

void read_cut(const Yaml& file, const Joints& joints, Model& model) {
  model.cut = read_joint_names(file, "cut", joints);
  for (const std::string& name : model.cut)
    if (is_elastic(*joints.look_up(name)))
      file.at("cut").fail(
          fmt::format("joint {} is elastic and carries the rest of its link; cut another joint of "
                      "the loop",
                      in_quotes(name)));
  if (const auto value = file.find("cut")) model.cut_source = value->source();
}

void read_passive(const Yaml& file, const Joints& joints, Model& model) {
  const std::vector<std::string> listed = read_joint_names(file, "passive", joints);
  for (const std::string& name : listed)
    if (is_elastic(*joints.look_up(name)))
      file.at("passive").fail(
          fmt::format("joint {} is elastic, and elastic joints are passive already; remove it",
                      in_quotes(name)));
  const std::unordered_set<std::string> names(listed.begin(), listed.end());
  for (Joint& joint : model.joints) {
    if (!names.contains(joint.name)) continue;
    const std::string thing = fmt::format("joint {}", in_quotes(joint.name));
    if (velocity_count(joint) == 0)
      file.at("passive").fail(
          fmt::format("{} is {} and has no freedom; expected a joint that moves", thing,
                      to_string(joint.type)));
    if (std::find(joint.passive.begin(), joint.passive.end(), false) != joint.passive.end())
      file.at("passive").fail(
          fmt::format("{} is listed, but its own `passive` says that a freedom has a motor; keep "
                      "one of them",
                      thing));
    joint.passive = {true};
  }
}

}  // namespace linkwright::system_file
