#include "io/writers/freedoms.hpp"

#include <fmt/format.h>

#include "linkwright/model/names.hpp"

namespace linkwright::writers {
namespace {

/// One for all freedoms, or a list with one per freedom.
void add_per_freedom(std::string_view key, const std::vector<std::string>& values, FlowMap& map) {
  if (!values.empty()) map.add(key, values.size() == 1 ? values.front() : yaml_list(values));
}

std::vector<std::string> numbers_of(const std::vector<double>& values, const std::string& thing) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const double x : values) texts.push_back(yaml_number(x, thing));
  return texts;
}

std::string to_text(const Friction& friction, const std::string& thing) {
  if (friction.forward == friction.backward && friction.breakaway == 0)
    return yaml_number(friction.forward, thing);
  FlowMap map(thing);
  map.number_unless("forward", friction.forward, 0);
  map.number_unless("backward", friction.backward, 0);
  map.number_unless("breakaway", friction.breakaway, 0);
  return map.inlined();
}

std::string to_text(const Limits& limits, const std::string& thing) {
  const Limits none;
  FlowMap map(thing + ": limits");
  map.number_unless("lower", limits.lower, none.lower);
  map.number_unless("upper", limits.upper, none.upper);
  map.number_unless("velocity", limits.velocity, none.velocity);
  map.number_unless("effort", limits.effort, none.effort);
  map.number_unless("restitution", limits.restitution, none.restitution);
  map.number_unless("stiffness", limits.stiffness, none.stiffness);
  map.number_unless("damping", limits.damping, none.damping);
  return map.inlined();
}

}  // namespace

void add_friction(std::string_view key, const Friction& friction, FlowMap& map) {
  map.add(key, to_text(friction, map.thing()));
}

template <class Pair>
void add_freedoms(const Pair& pair, FlowMap& map) {
  std::vector<std::string> passive, friction, limits;
  for (const bool is_passive : pair.passive) passive.emplace_back(is_passive ? "true" : "false");
  for (const Friction& f : pair.friction) friction.push_back(to_text(f, map.thing()));
  for (const Limits& l : pair.limits) limits.push_back(to_text(l, map.thing()));
  add_per_freedom("passive", passive, map);
  add_per_freedom("damping", numbers_of(pair.damping, map.thing()), map);
  add_per_freedom("friction", friction, map);
  add_per_freedom("rotor_inertia", numbers_of(pair.rotor_inertia, map.thing()), map);
  add_per_freedom("limits", limits, map);
}
template void add_freedoms(const Joint& pair, FlowMap& map);
template void add_freedoms(const Closure& pair, FlowMap& map);

void add_modes(const std::vector<std::array<double, 6>>& modes, FlowMap& map) {
  std::vector<std::string> rows;
  rows.reserve(modes.size());
  for (const auto& mode : modes)
    rows.push_back(yaml_list(numbers_of({mode.begin(), mode.end()}, map.thing())));
  map.add("modes", yaml_list(rows));
}

FreedomNames::FreedomNames(const Model& model) {
  for (const Joint& joint : model.joints) joints_.emplace(joint.name, joint);
  for (const Closure& closure : model.closures)
    if (closure.kind == Closure::Kind::joint) joints_.emplace(closure.name, to_joint(closure));
}

bool FreedomNames::has_several(const std::string& joint) const {
  const auto found = joints_.find(joint);
  return found != joints_.end() && velocity_count(found->second) > 1;
}

void FreedomNames::add_freedom(const std::string& joint, int freedom, FlowMap& map) const {
  if (has_several(joint)) map.add("freedom", fmt::format("{}", freedom));
}

std::string FreedomNames::term(const GearTerm& term, const std::string& thing) const {
  if (!has_several(term.joint)) return term.joint;
  std::string name = fmt::format("{}:{}", term.joint, term.freedom);
  if (joints_.contains(name))
    throw Error(
        fmt::format("{}: freedom {} of joint {} is written as {}, which is another joint's "
                    "name; rename one of them",
                    thing, term.freedom, in_quotes(term.joint), in_quotes(name)));
  return name;
}

bool FreedomNames::slides(const std::string& joint, int freedom) const {
  const auto found = joints_.find(joint);
  return found != joints_.end() && linkwright::slides(found->second, freedom);
}

}  // namespace linkwright::writers
