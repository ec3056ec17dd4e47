#include "io/closures_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "io/system_file/yaml.hpp"
#include "io/text_file.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

/// A link, or what a joint of that name carries.
std::string link_of(const Yaml& name, const Model& model, const Problems& problems) {
  std::string text = name.text();
  std::vector<std::string> known;
  for (const Body& body : model.bodies) {
    if (body.name == text) return text;
    known.push_back(body.name);
  }
  for (const Joint& joint : model.joints) {
    if (joint.name == text) return joint.child;
    known.push_back(joint.name);
  }
  if (problems.is_unread(text)) throw Consequence{};
  name.fail(
      fmt::format("there is no link or joint {}{}", in_quotes(text), did_you_mean(text, known)));
}

JointType pair_of(const Yaml& type) {
  const std::string text = type.text();
  if (text == "6d" || text == "6D") return JointType::fixed;
  if (text == "3d" || text == "3D") return JointType::spherical;
  type.fail(fmt::format("{} is unknown; expected 6d, frames that coincide, or 3d, origins that do",
                        in_quotes(text)));
}

std::string free_closure_name(const Model& model, std::size_t number) {
  std::unordered_set<std::string_view> taken;
  for (const Closure& closure : model.closures) taken.insert(closure.name);
  for (const Joint& joint : model.joints) taken.insert(joint.name);
  std::string name = fmt::format("loop{}", number);
  while (taken.contains(name)) name += '_';
  return name;
}

void check_keys(const Yaml& file) {
  const std::vector<std::string> known{"closed_loop", "type", "name_mot"};
  for (const auto& [key, value] : file.entries())
    if (std::find(known.begin(), known.end(), key) == known.end())
      value.fail(
          fmt::format("this key is unknown{}; a list of closures has closed_loop, type and "
                      "name_mot",
                      did_you_mean(key, known)));
}

void add_pairs(const Yaml& file, Model& model, Problems& problems) {
  const std::vector<Yaml> pairs = file.at("closed_loop").items();
  const std::vector<Yaml> types = file.at("type").items();
  if (types.size() != pairs.size())
    file.at("type").fail(
        fmt::format("has {} entries for {} pairs under closed_loop; expected one "
                    "for each",
                    types.size(), pairs.size()));
  for (std::size_t i = 0; i < pairs.size(); ++i)
    problems.attempt([&] {
      const std::vector<Yaml> ends = pairs[i].items();
      if (ends.size() != 2) pairs[i].fail(fmt::format("has {} names; expected two", ends.size()));
      Closure closure{.name = free_closure_name(model, i + 1)};
      closure.body_a = link_of(ends[0], model, problems);
      closure.body_b = link_of(ends[1], model, problems);
      closure.joint = pair_of(types[i]);
      closure.source = pairs[i].source();
      model.closures.push_back(std::move(closure));
    });
}

/// Joints that are not among the motors have none.
void mark_passive(const Yaml& file, Model& model, const Problems& problems) {
  const auto list = file.find("name_mot");
  if (!list) return;
  std::unordered_set<std::string> motors;
  for (const Yaml& item : list->items()) {
    const std::string name = item.text();
    std::vector<std::string> known;
    for (const Joint& joint : model.joints) known.push_back(joint.name);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      if (problems.is_unread(name)) throw Consequence{};
      item.fail(fmt::format("there is no joint {}{}", in_quotes(name), did_you_mean(name, known)));
    }
    motors.insert(name);
  }
  for (Joint& joint : model.joints)
    if (velocity_count(joint) > 0 && !joint.implied && !motors.contains(joint.name))
      joint.passive = {true};
}

}  // namespace

void add_closures_of(const std::filesystem::path& path, Model& model, Problems& problems) {
  problems.attempt([&] {
    const std::string text = read_text_file(path, "a list of closures (.closures.yaml)");
    const Yaml file = Yaml::parse(text, path.string());
    check_keys(file);
    problems.attempt([&] { add_pairs(file, model, problems); });
    problems.attempt([&] { mark_passive(file, model, problems); });
    model.sources.push_back({path.filename().string(), text});
  });
}

}  // namespace linkwright
