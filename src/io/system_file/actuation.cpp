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

/// The mechanical side may stand alone; of the electrical side Ra and k belong together.
Actuator::Motor read_motor(const Yaml& item, Problems& problems) {
  problems.attempt([&] { item.allow_keys(Section::motor); });
  Actuator::Motor motor;
  if (!item.is_map()) return motor;
  read_number(item, "rotor_inertia", motor.rotor_inertia, problems);
  read_number(item, "damping", motor.damping, problems);
  const auto is_given = [&item](std::string_view key) { return item.has(key); };
  constexpr std::string_view electrical[]{"Ra", "La", "k", "voltage_limit", "current_limit"};
  if (std::none_of(std::begin(electrical), std::end(electrical), is_given)) return motor;
  const Repair without{"its electrical side is left out"};
  const Actuator::Motor mechanical = motor;
  bool has_both = true;
  for (const std::string_view key : {"Ra", "k"}) {
    has_both = has_both && item.has(key);
    problems.attempt_or_repair([&] { static_cast<void>(item.at(key)); }, without);
  }
  read_number(item, "Ra", motor.Ra, problems);
  read_number(item, "La", motor.La, problems);
  read_number(item, "k", motor.k, problems);
  read_number(item, "voltage_limit", motor.voltage_limit, problems);
  read_number(item, "current_limit", motor.current_limit, problems);
  return has_both ? motor : mechanical;
}

void refuse_transmission(const Yaml& item) {
  if (const auto transmission = item.find("transmission"))
    transmission->fail(
        "coupled transmissions are not part of the library yet; drive one joint with `joint:` and "
        "`gear:`, or remove the actuator");
}

void refuse_elastic(const Yaml& item) {
  if (const auto elastic = item.find("elastic"))
    elastic->fail(
        "elastic gears are not part of the library yet; remove it for a rigid gear, or write the "
        "shaft as a body on a joint of its own with a spring");
}

/// Which joint and freedom; false when it cannot be said. Whether there is such a joint `validate`
/// tells.
bool read_target(const Yaml& item, const Joints& joints, Actuator& actuator, Problems& problems) {
  const Repair left_out{"this actuator is left out"};
  problems.attempt_or_repair([&] { refuse_transmission(item); }, left_out);
  if (item.has("transmission")) return false;
  bool complete = false;
  actuator.name = item.source().text();  // one of its own, until joint and freedom are known
  problems.attempt_or_repair(
      [&] {
        actuator.joint = item.at("joint").text();
        const Joint* joint = joints.look_up(actuator.joint);
        const auto freedom = item.find("freedom");
        if (joint != nullptr)
          actuator.freedom = read_freedom(item, *joint);
        else if (freedom)
          actuator.freedom = freedom->whole_number();
        const bool several = joint != nullptr && velocity_count(*joint) > 1;
        actuator.name =
            several ? fmt::format("{}:{}", actuator.joint, actuator.freedom) : actuator.joint;
        complete = true;
      },
      left_out);
  return complete;
}

void read_actuator(const Yaml& item, const Joints& joints, Model& model, Problems& problems) {
  problems.attempt([&] { item.allow_keys(Section::actuator); });
  if (!item.is_map()) return;
  Actuator actuator;
  actuator.source = item.source();
  const bool complete = read_target(item, joints, actuator, problems);
  problems.attempt_or_repair([&] { refuse_elastic(item); }, {"taken as a rigid gear"});
  problems.attempt([&] { actuator.name = item.text_or("name", actuator.name); });
  read_number(item, "gear", actuator.gear, problems);
  if (const auto motor = item.find("motor")) actuator.motor = read_motor(*motor, problems);
  // A strict reader judges the rest of an incomplete one too, to tell all mistakes together.
  const bool only_to_judge = !problems.is_lenient() && !actuator.joint.empty();
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
  if (const auto value = file.find("cut")) model.cut_source = value->source();
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
