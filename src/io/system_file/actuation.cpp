#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "io/system_file/parts.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::system_file {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The mechanical side may stand alone; of the electrical side Ra and k belong together.
Actuator::Motor read_motor(const Yaml& item) {
  item.allow_keys(Section::motor);
  Actuator::Motor motor;
  motor.rotor_inertia = item.number_or("rotor_inertia", 0);
  motor.damping = item.number_or("damping", 0);
  const auto is_given = [&item](std::string_view key) { return item.has(key); };
  constexpr std::string_view electrical[]{"Ra", "La", "k", "voltage_limit", "current_limit"};
  if (std::none_of(std::begin(electrical), std::end(electrical), is_given)) return motor;
  motor.Ra = item.at("Ra").number();
  motor.La = item.number_or("La", 0);
  motor.k = item.at("k").number();
  motor.voltage_limit = item.number_or("voltage_limit", unlimited);
  motor.current_limit = item.number_or("current_limit", unlimited);
  return motor;
}

void refuse_later_keys(const Yaml& item) {
  if (const auto transmission = item.find("transmission"))
    transmission->fail(
        "coupled transmissions are not part of the library yet; drive one joint with `joint:` and "
        "`gear:`, or remove the actuator");
  if (const auto elastic = item.find("elastic"))
    elastic->fail(
        "elastic gears are not part of the library yet; remove it for a rigid gear, or write the "
        "shaft as a body on a joint of its own with a spring");
}

Actuator read_actuator(const Yaml& item, const Joints& joints) {
  item.allow_keys(Section::actuator);
  refuse_later_keys(item);
  const Joint& joint = joints.find(item.at("joint"));
  Actuator actuator;
  actuator.joint = joint.name;
  actuator.freedom = read_freedom(item, joint);
  actuator.name = item.text_or("name", velocity_count(joint) > 1
                                           ? fmt::format("{}:{}", joint.name, actuator.freedom)
                                           : joint.name);
  actuator.gear = item.number_or("gear", 1);
  actuator.source = item.source();
  if (const auto motor = item.find("motor")) actuator.motor = read_motor(*motor);
  return actuator;
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
    model.actuators.push_back(read_actuator(entry.called_by_name("actuator"), joints));
  });
}

void read_coordinates(const Yaml& file, const Joints& joints, Model& model) {
  model.coordinates = read_joint_names(file, "coordinates", joints);
}

void read_passive(const Yaml& file, Model& model, const Problems& problems) {
  const std::vector<std::string> listed =
      read_joint_names(file, "passive", Joints(model, problems));
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
