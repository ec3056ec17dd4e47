#pragma once
/// What an SDF file says and the reader does not use.

#include <string>
#include <string_view>
#include <vector>

#include "io/urdf/ignored.hpp"
#include "io/urdf/xml.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright::sdf {

/// Elements that have no meaning here (sensors, plugins, physics, …) are told in one line; words that SDF does not
/// have, or that the reader does not know, once per kind.
class Told {
 public:
  /// Notes attributes and children that are not in sdf_vocabulary under `kind`.
  void others(const XmlElement& element, std::string_view kind);
  void others(const XmlElement& element) { others(element, element.tag()); }
  /// The same for the children of that tag, where there are some.
  void others_below(const XmlElement& parent, std::string_view tag);
  void note(const Source& where, const std::string& text, const std::string& name);
  [[nodiscard]] std::vector<Warning> warnings() const;

 private:
  void without_meaning(const XmlElement& element);

  struct Count {
    std::string tag;
    int count = 0;
  };
  urdf::Ignored notes_;
  std::vector<Count> meaningless_;
  Source first_{};
};

}  // namespace linkwright::sdf
