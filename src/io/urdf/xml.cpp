#include "io/urdf/xml.hpp"

#include <fmt/format.h>

#include "io/text_file.hpp"
#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

constexpr std::string_view no_element = "there is no element; expected <robot>, <sdf> or <mujoco>";

std::string_view explain(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is not closed by its own end tag; the file may be cut off";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "an element is malformed; expected <tag attribute=\"value\"> and its end tag";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is malformed or given twice; expected name=\"value\" once";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "the text ends inside an element; the file may be cut off";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment is not closed by -->";
    case tinyxml2::XML_ERROR_PARSING_CDATA:
      return "a CDATA section is not closed by ]]>";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "the <?xml ...?> declaration is malformed or not at the start";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested deeper than 100 levels; no model needs that";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return no_element;
    default:
      return "the text is not well-formed XML; expected one element that holds all others";
  }
}

}  // namespace

XmlElement XmlElement::owned_by(std::string owner) const {
  return {*element_, *file_, std::move(owner)};
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> found;
  for (const auto* e = element_->FirstChildElement(); e != nullptr; e = e->NextSiblingElement())
    found.emplace_back(*e, *file_, owner_);
  return found;
}

std::optional<XmlElement> XmlElement::child(std::string_view tag) const {
  const std::string name(tag);
  const auto* first = element_->FirstChildElement(name.c_str());
  if (first == nullptr) return std::nullopt;
  if (const auto* second = first->NextSiblingElement(name.c_str()))
    throw Error(Source{*file_, second->GetLineNum()},
                fmt::format("{}: a second <{}>, the first is at line {}; expected one", owner_, tag,
                            first->GetLineNum()));
  return XmlElement(*first, *file_, owner_);
}

XmlElement XmlElement::required_child(std::string_view tag, std::string_view example) const {
  if (auto found = child(tag)) return *found;
  fail(fmt::format("has no <{}>; expected {}", tag, example));
}

std::string_view XmlElement::text() const {
  for (const auto* node = element_->FirstChild(); node != nullptr; node = node->NextSibling())
    if (const auto* text = node->ToText()) return trimmed(text->Value());
  return {};
}

std::vector<std::string_view> XmlElement::attribute_names() const {
  std::vector<std::string_view> names;
  for (const auto* a = element_->FirstAttribute(); a != nullptr; a = a->Next())
    names.emplace_back(a->Name());
  return names;
}

std::optional<std::string_view> XmlElement::attribute(std::string_view name) const {
  for (const auto* a = element_->FirstAttribute(); a != nullptr; a = a->Next())
    if (name == a->Name()) return a->Value();
  return std::nullopt;
}

std::string XmlElement::required_attribute(std::string_view name) const {
  const auto value = attribute(name);
  if (!value) fail(fmt::format("has no attribute {}; expected {}=\"...\"", name, name));
  if (value->empty()) fail(fmt::format("has an empty attribute {}; expected a value", name));
  return std::string(*value);
}

std::optional<double> XmlElement::number(std::string_view name) const {
  const auto text = attribute(name);
  if (!text) return std::nullopt;
  return numbers(name, *text, 1).front();
}

double XmlElement::required_number(std::string_view name) const {
  const auto value = number(name);
  if (!value) fail(fmt::format("has no attribute {}; expected a number", name));
  return *value;
}

std::optional<Vector3> XmlElement::vector3(std::string_view name) const {
  const auto text = attribute(name);
  if (!text) return std::nullopt;
  const auto v = numbers(name, *text, 3);
  return Vector3{v[0], v[1], v[2]};
}

Vector3 XmlElement::required_vector3(std::string_view name) const {
  const auto value = vector3(name);
  if (!value) fail(fmt::format("has no attribute {}; expected three numbers", name));
  return *value;
}

std::optional<std::array<double, 4>> XmlElement::four_numbers(std::string_view name) const {
  const auto text = attribute(name);
  if (!text) return std::nullopt;
  const auto v = numbers(name, *text, 4);
  return std::array<double, 4>{v[0], v[1], v[2], v[3]};
}

std::vector<double> XmlElement::number_list(std::string_view name) const {
  constexpr std::string_view blanks = " \t\r\n";
  std::vector<double> values;
  std::string_view rest = attribute(name).value_or(std::string_view{});
  for (std::size_t first; (first = rest.find_first_not_of(blanks)) != std::string_view::npos;) {
    rest.remove_prefix(first);
    const std::string_view word = rest.substr(0, rest.find_first_of(blanks));
    const auto value = parse_number(word);
    if (!value) fail(fmt::format("attribute {}: {}", name, explain_bad_number(word)));
    values.push_back(*value);
    rest.remove_prefix(word.size());
  }
  return values;
}

std::vector<double> XmlElement::numbers(std::string_view name, std::string_view text,
                                        std::size_t count) const {
  std::vector<double> values = number_list(name);
  if (values.size() != count)
    fail(fmt::format("attribute {} = {} has {} number(s); expected {}", name, in_quotes(text),
                     values.size(), count));
  return values;
}

void XmlElement::fail(std::string_view message) const {
  throw Error(source(), fmt::format("{}: <{}> {}", owner_, tag(), message));
}

XmlDocument::XmlDocument(std::string_view text, std::string file)
    : file_(std::move(file)), document_(std::make_unique<tinyxml2::XMLDocument>()) {
  check_text(text, file_);
  document_->Parse(text.data(), text.size());
  if (document_->Error())
    throw Error(Source{file_, document_->ErrorLineNum()},
                std::string(explain(document_->ErrorID())));
  const auto* root = document_->RootElement();
  if (root == nullptr) throw Error(Source{file_}, std::string(no_element));
  if (const auto* second = root->NextSiblingElement())
    throw Error(Source{file_, second->GetLineNum()},
                fmt::format("a second root element <{}> after </{}>; expected one", second->Name(),
                            root->Name()));
}

std::vector<int> XmlDocument::malformed_comments() const {
  struct Finder : tinyxml2::XMLVisitor {
    std::vector<int> lines;
    bool Visit(const tinyxml2::XMLComment& comment) override {
      const std::string_view text = comment.Value();
      if (text.find("--") != std::string_view::npos || text.ends_with('-'))
        lines.push_back(comment.GetLineNum());
      return true;
    }
  } finder;
  document_->Accept(&finder);
  return finder.lines;
}

XmlElement XmlDocument::root() const { return {*document_->RootElement(), file_, "file"}; }

}  // namespace linkwright
