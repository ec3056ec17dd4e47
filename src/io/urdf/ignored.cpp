#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "io/urdf/parts.hpp"
#include "linkwright/io/vocabulary.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::urdf {

namespace {

/// What a reader understands must stand in urdf_vocabulary, and the other way round: tests change
/// all of it in turn and look for an effect.
void require_vocabulary(std::string_view tag, std::initializer_list<std::string_view> known) {
  const auto words = urdf_vocabulary();
  const auto found = std::find_if(words.begin(), words.end(),
                                  [tag](const UrdfElement& word) { return word.tag == tag; });
  if (found == words.end() ||
      !std::is_permutation(found->attributes.begin(), found->attributes.end(), known.begin(),
                           known.end()))
    throw std::logic_error(
        fmt::format("the reader of <{}> and urdf_vocabulary() know different attributes", tag));
}

}  // namespace

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

void Ignored::other_attributes(const XmlElement& element,
                               std::initializer_list<std::string_view> known) {
  require_vocabulary(element.tag(), known);
  for (const std::string_view name : element.attribute_names())
    if (std::find(known.begin(), known.end(), name) == known.end() && !name.starts_with("xmlns"))
      attribute(element, name);
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
