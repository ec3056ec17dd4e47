#pragma once
/// XML elements that know where they stand, so that every message has file, line and owner.

#include <tinyxml2.h>

#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/error.hpp"
#include "linkwright/spatial/spatial.hpp"

namespace linkwright {

/// One element of a parsed document; valid as long as the document lives.
class XmlElement {
 public:
  XmlElement(const tinyxml2::XMLElement& element, const std::string& file, std::string owner)
      : element_(&element), file_(&file), owner_(std::move(owner)) {}

  [[nodiscard]] std::string_view tag() const { return element_->Name(); }
  /// A copy (whose user data is what it was copied from) stands where that stood.
  [[nodiscard]] Source source() const {
    const void* original = element_->GetUserData();
    const auto* told = original ? static_cast<const tinyxml2::XMLElement*>(original) : element_;
    return {*file_, told->GetLineNum()};
  }
  /// The link or joint that this element describes, for messages.
  [[nodiscard]] const std::string& owner() const { return owner_; }
  [[nodiscard]] XmlElement owned_by(std::string owner) const;

  /// All child elements, in order.
  [[nodiscard]] std::vector<XmlElement> children() const;
  /// The only child of that tag, or nothing; throws when there are several.
  [[nodiscard]] std::optional<XmlElement> child(std::string_view tag) const;
  [[nodiscard]] XmlElement required_child(std::string_view tag, std::string_view example) const;

  /// The text inside, without the blanks around it; empty when there is none.
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] std::vector<std::string_view> attribute_names() const;
  /// The attribute's text, or nothing.
  [[nodiscard]] std::optional<std::string_view> attribute(std::string_view name) const;
  [[nodiscard]] std::string required_attribute(std::string_view name) const;
  [[nodiscard]] std::optional<double> number(std::string_view name) const;
  [[nodiscard]] double required_number(std::string_view name) const;
  [[nodiscard]] std::optional<Vector3> vector3(std::string_view name) const;
  [[nodiscard]] Vector3 required_vector3(std::string_view name) const;
  [[nodiscard]] std::optional<std::array<double, 4>> four_numbers(std::string_view name) const;
  /// All numbers of an attribute, however many; none when it is missing.
  [[nodiscard]] std::vector<double> number_list(std::string_view name) const;

  [[noreturn]] void fail(std::string_view message) const;

 private:
  [[nodiscard]] std::vector<double> numbers(std::string_view name, std::string_view text,
                                            std::size_t count) const;

  const tinyxml2::XMLElement* element_;
  const std::string* file_;
  std::string owner_;
};

/// A parsed document with exactly one root element.
class XmlDocument {
 public:
  /// Throws Error with the line for text that is not well-formed.
  XmlDocument(std::string_view text, std::string file);
  [[nodiscard]] XmlElement root() const;
  /// To change what it holds.
  [[nodiscard]] tinyxml2::XMLElement& tree() { return *document_->RootElement(); }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// Lines of comments with -- inside, which tinyxml2 lets pass and strict parsers refuse.
  [[nodiscard]] std::vector<int> malformed_comments() const;

 private:
  std::string file_;
  std::unique_ptr<tinyxml2::XMLDocument> document_;
};

}  // namespace linkwright
