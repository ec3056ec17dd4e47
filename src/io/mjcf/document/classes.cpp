#include "io/mjcf/document/classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

/// In a class there is one actuator, which each of these writes to.
constexpr std::array<std::string_view, 13> actuator_tags{
    "general", "motor",    "position", "velocity", "intvelocity", "damper", "cylinder",
    "muscle",  "adhesion", "dcmotor",  "pid",      "orientation", "plugin"};

bool is_actuator(std::string_view tag) {
  return std::find(actuator_tags.begin(), actuator_tags.end(), tag) != actuator_tags.end();
}

bool is_default_of(std::string_view tag, std::string_view wanted) {
  return tag == wanted || (is_actuator(tag) && is_actuator(wanted));
}

/// What the vocabulary calls a default of that tag.
std::string_view kind_of_default(std::string_view tag) {
  if (tag == "equality") return "equality of default";
  return tag == "tendon" ? "fixed" : tag;
}

}  // namespace

void Classes::read(const XmlElement& root, const Document& document, Told& told,
                   Problems& problems) {
  for (const XmlElement& child : document.children(root))
    if (child.tag() == "default") read_class(child, {}, document, told, problems);
}

void Classes::read_class(const XmlElement& element, const std::string& parent,
                         const Document& document, Told& told, Problems& problems) {
  told.other_attributes(element, "default");
  told.other_children(element, "default", document);
  std::string name = std::string(element.attribute("class").value_or(""));
  const XmlElement owned = element.owned_by("class " + in_quotes(name));
  if (parent.empty() && name.empty()) name = "main";
  if (name.empty()) {
    problems.attempt([&] { owned.fail("has no attribute class; expected a name"); });
    return;
  }
  // The outermost class is the main one, whatever it is called, and stands in as many parts as the
  // files that are included.
  const auto [found, is_new] = classes_.try_emplace(name);
  if (!is_new && !parent.empty())
    problems.attempt([&] {
      owned.fail(fmt::format("class {} is declared twice; rename one", in_quotes(name)));
    });
  if (is_new) found->second.parent = parent.empty() ? "main" : parent;
  for (const XmlElement& child : document.children(owned)) {
    if (child.tag() == "default") {
      read_class(child, name, document, told, problems);
      continue;
    }
    told.other_attributes(child, kind_of_default(child.tag()));
    classes_[name].elements.push_back(child);
    if (parent.empty() && name != "main") classes_["main"].elements.push_back(child);
  }
}

void Classes::require(const XmlElement& element, std::string_view name) const {
  if (classes_.contains(name)) return;
  std::vector<std::string> known;
  for (const auto& [other, unused] : classes_) known.push_back(other);
  element.fail(fmt::format("names class {}, which no <default> declares{}", in_quotes(name),
                           did_you_mean(name, known)));
}

Attributes Classes::resolve(const XmlElement& element, std::string_view tag,
                            const std::string& childclass) const {
  std::string name(element.attribute("class").value_or(""));
  if (name.empty()) name = childclass.empty() ? "main" : childclass;
  require(element, name);
  std::vector<XmlElement> chain;
  while (!name.empty()) {
    const Class& one = classes_.find(name)->second;
    // What is written later overrides what is written before.
    for (auto e = one.elements.rbegin(); e != one.elements.rend(); ++e)
      if (is_default_of(e->tag(), tag)) chain.push_back(*e);
    name = one.parent;
  }
  return {element, std::move(chain)};
}

}  // namespace linkwright::mjcf
