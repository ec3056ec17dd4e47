#pragma once
/// What an MJCF file says and the model has no place for.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/mjcf/document/document.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright::mjcf {

/// What is not computed here; of each a file gets one line, which names all that belongs to it.
enum class Topic { contacts, solver, drawing, sensors, control, compiling, custom };

/// Collects what is ignored: by topic where the word is MuJoCo's, word by word where it is unknown.
class Told {
 public:
  /// Notes all attributes of an element that are not in mjcf_vocabulary under `kind`, and, with
  /// `document`, its children.
  void other_attributes(const XmlElement& element, std::string_view kind);
  void other_children(const XmlElement& element, std::string_view kind, const Document& document);
  /// A word of MuJoCo's that has no meaning here.
  void ignored(Topic topic, const Source& where, const std::string& word);
  /// Told once per `text`, with the names of all that it happened to.
  void note(const Source& where, const std::string& text, const std::string& name = {});
  [[nodiscard]] std::vector<Warning> warnings() const;

 private:
  struct Kind {
    std::string text;
    Source first{};
    int count = 0;
    std::vector<std::string> names{};  ///< each once
    bool lists_all = false;
  };
  void add(const std::string& text, const Source& where, const std::string& name, bool lists_all);

  std::vector<Kind> kinds_;
  std::map<std::string, std::size_t> index_;
};

}  // namespace linkwright::mjcf
