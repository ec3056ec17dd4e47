#pragma once
/// What a URDF file says and the reader does not use.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/urdf/xml.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright::urdf {

/// What a file says that the Model has no place for. Told once per kind, not once per occurrence.
class Ignored {
 public:
  void tag(const XmlElement& element);
  void attribute(const XmlElement& element, std::string_view name);
  void note(const Source& where, const std::string& kind);
  void note(const Source& where, const std::string& kind, const std::string& name);
  /// Note every attribute, every child, or both, that are not in urdf_vocabulary. A child that has no
  /// place there at all (a macro, a link inside a link) is thrown as an Error.
  void other_attributes(const XmlElement& element);
  void other_children(const XmlElement& element);
  void others(const XmlElement& element);
  [[nodiscard]] std::vector<Warning> warnings() const;

 private:
  struct Kind {
    std::string text;
    Source first;
    int count = 0;
    std::vector<std::string> names;
  };
  Kind& kind(const std::string& text, const Source& where);

  std::vector<Kind> kinds_;
  std::map<std::string, std::size_t> index_;
};

}  // namespace linkwright::urdf
