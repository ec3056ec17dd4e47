#include "linear/names.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright::linear {
namespace {

/// The frame or closure of that name, or nothing.
std::optional<int> find_thing(const System& system, const Components& of, const std::string& name) {
  if (of.kind == force_in_closure.kind) {
    for (std::size_t i = 0; i < system.closures().size(); ++i)
      if (system.closures()[i].name == name) return static_cast<int>(i);
    return {};
  }
  for (std::size_t i = 0; i < system.frames().size(); ++i)
    if (system.frames()[i].name == name) return static_cast<int>(i);
  return {};
}

std::vector<std::string> known_things(const System& system, const Components& of) {
  std::vector<std::string> names;
  if (of.kind == force_in_closure.kind)
    for (const ClosurePlace& c : system.closures()) names.push_back(c.name);
  else
    for (const FramePlace& f : system.frames()) names.push_back(f.name);
  return names;
}

}  // namespace

std::optional<std::vector<Component>> find_components(const System& system, const Components& of,
                                                      const std::string& request) {
  const std::string prefix = std::string(of.kind) + ":";
  if (!request.starts_with(prefix)) return {};
  const std::string name = request.substr(prefix.size());
  std::vector<Component> out;
  if (const auto whole = find_thing(system, of, name)) {
    for (int i = 0; i < 6; ++i) out.push_back({*whole, i});
    return out;
  }
  const std::size_t colon = name.rfind(':');
  const std::string thing = name.substr(0, colon);
  const std::string last = colon == std::string::npos ? "" : name.substr(colon + 1);
  const auto found = find_thing(system, of, thing);
  const auto number = std::find(std::begin(of.names), std::end(of.names), last);
  if (found && number != std::end(of.names)) {
    out.push_back({*found, static_cast<int>(number - std::begin(of.names))});
    return out;
  }
  if (found)
    throw Error(fmt::format("{}: there is no {}; known are {}", in_quotes(request), in_quotes(last),
                            fmt::join(of.names, ", ")));
  const bool closure = of.kind == force_in_closure.kind;
  throw Error(fmt::format("{}: there is no {} {}{}", in_quotes(request),
                          closure ? "closure" : "link or frame", in_quotes(thing),
                          did_you_mean(thing, known_things(system, of))));
}

std::string name_of(const System& system, const Components& of, const Component& one) {
  const std::string& thing = of.kind == force_in_closure.kind
                                 ? system.closures()[at(one.index)].name
                                 : system.frames()[at(one.index)].name;
  return fmt::format("{}:{}:{}", of.kind, thing, of.names[one.number]);
}

bool is_passive(const System& system, int effort) {
  const std::vector<int>& passive = system.passive_freedoms();
  return std::binary_search(passive.begin(), passive.end(), effort);
}

std::optional<std::vector<int>> find_entries(std::string_view letter,
                                             const std::vector<std::string>& names,
                                             const std::string& request) {
  std::vector<int> out;
  const std::string prefix = std::string(letter) + ":";
  const bool all = request == letter;
  if (!all && !request.starts_with(prefix)) return {};
  const std::string name = all ? "" : request.substr(prefix.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    if (all || names[i] == name || names[i].starts_with(name + ":"))
      out.push_back(static_cast<int>(i));
  return out;
}

}  // namespace linkwright::linear
