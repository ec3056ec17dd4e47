#pragma once
/// Classes of defaults, nested in each other.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/mjcf/document/attributes.hpp"

namespace linkwright::mjcf {

/// What <default> says, by class. Every class inherits from the one around it, all from "main".
class Classes {
 public:
  void read(const XmlElement& root, const Document& document, Told& told, Problems& problems);

  /// The element with the defaults of the class that it names or, failing that, of `childclass`. `tag` is
  /// what the defaults are called: joint, geom, … Throws for a class that does not exist.
  [[nodiscard]] Attributes resolve(const XmlElement& element, std::string_view tag,
                                   const std::string& childclass) const;
  /// The same for an element that inherits nothing (<freejoint>).
  [[nodiscard]] static Attributes without_defaults(const XmlElement& element) {
    return {element, {}};
  }
  /// Throws for a class that does not exist.
  void require(const XmlElement& element, std::string_view name) const;

 private:
  struct Class {
    std::string parent;  ///< empty: none
    std::vector<XmlElement> elements{};
  };
  void read_class(const XmlElement& element, const std::string& parent, const Document& document,
                  Told& told, Problems& problems);

  std::map<std::string, Class, std::less<>> classes_{{"main", {}}};
};

}  // namespace linkwright::mjcf
