#pragma once
/// The parts of the URDF reader: each turns one kind of element into its piece of the Model.

#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/urdf/xml.hpp"
#include "linkwright/model/model.hpp"
#include "model/problems.hpp"

namespace linkwright::urdf {

/// What a file says that the Model has no place for. Told once per kind, not once per occurrence.
class Ignored {
 public:
  void tag(const XmlElement& element);
  void attribute(const XmlElement& element, std::string_view name);
  void note(const Source& where, const std::string& kind);
  void note(const Source& where, const std::string& kind, const std::string& name);
  /// Notes every attribute of the element that is not in `known`.
  void other_attributes(const XmlElement& element, std::initializer_list<std::string_view> known);
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

using Colour = std::array<double, 4>;
using Materials = std::map<std::string, Colour, std::less<>>;

/// The pose of an <origin>, identity when it is missing.
Pose read_origin(const XmlElement& parent, Ignored& ignored);

// Those with `problems` tell it all their mistakes; the others throw the first.

void read_link(const XmlElement& element, const Materials& materials, Model& model,
               Ignored& ignored, Problems& problems);
/// The shape of a <visual> or <collision>; nothing, and a note, when its shape is unknown.
std::optional<Visual> read_visual(const XmlElement& element, const std::string& body,
                                  const Materials& materials, Ignored& ignored);
Materials read_materials(const XmlElement& robot, Ignored& ignored, Problems& problems);
void read_joint(const XmlElement& element, Model& model, Ignored& ignored, Problems& problems);

/// Attaches the single root link to the world, or recognises the world among the links.
void attach_root(Model& model, Base base, const Source& where);

/// A whole <robot> without validation, for readers that go on building. Throws for text that is no
/// <robot> at all; all other mistakes go to `problems`.
Model build(std::string_view text, const std::string& name_for_messages, Base base,
            Problems& problems);

}  // namespace linkwright::urdf
