#include <fmt/format.h>

#include <algorithm>

#include "io/element_words.hpp"
#include "io/urdf/ignored.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::urdf {
Ignored::Kind& Ignored::kind(const std::string& text, const Source& where) {
  const auto [found, inserted] = index_.emplace(text, kinds_.size());
  if (inserted) kinds_.push_back({text, where, 0, {}});
  return kinds_[found->second];
}

void Ignored::tag(const XmlElement& element) {
  if (element.tag().starts_with("xacro:"))
    element.fail("is a macro; run xacro on the file first and read its output");
  const bool misplaced = element.tag() == "link" || element.tag() == "joint";
  if (misplaced) element.fail("stands inside another element; links and joints stand in <robot>");
  ++kind(fmt::format("ignored <{}>", element.tag()), element.source()).count;
}

void Ignored::attribute(const XmlElement& element, std::string_view name) {
  ++kind(fmt::format("ignored attribute {} of <{}>", name, element.tag()), element.source()).count;
}

void Ignored::note(const Source& where, const std::string& text) { ++kind(text, where).count; }

void Ignored::note(const Source& where, const std::string& text, const std::string& name) {
  Kind& found = kind(text, where);
  ++found.count;
  found.names.push_back(name);
}

void Ignored::other_attributes(const XmlElement& element) {
  const ElementWords& words = words_of(urdf_vocabulary(), element.tag());
  for (const std::string_view name : element.attribute_names())
    if (!holds(words.attributes, name) && !name.starts_with("xmlns")) attribute(element, name);
}

void Ignored::other_children(const XmlElement& element) {
  const ElementWords& words = words_of(urdf_vocabulary(), element.tag());
  for (const XmlElement& child : element.children())
    if (!holds(words.children, child.tag())) tag(child);
}

void Ignored::others(const XmlElement& element) {
  other_attributes(element);
  other_children(element);
}

std::vector<Warning> Ignored::warnings() const {
  std::vector<Warning> found;
  for (const Kind& k : kinds_) {
    const std::string names = k.names.empty() ? std::string{} : ": " + list_in_quotes(k.names);
    const std::string times =
        k.count == 1 ? fmt::format("once, at line {}", k.first.line)
                     : fmt::format("{} times, first at line {}", k.count, k.first.line);
    found.push_back({k.first, fmt::format("{} ({}){}", k.text, times, names), k.text});
  }
  return found;
}

}  // namespace linkwright::urdf
