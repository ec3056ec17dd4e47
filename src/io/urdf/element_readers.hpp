#pragma once
/// The readers of URDF's elements: each turns one kind of element into what the Model keeps of it.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/urdf/ignored.hpp"
#include "io/urdf/xml.hpp"
#include "linkwright/model/model.hpp"
#include "model/problems.hpp"

namespace linkwright::urdf {

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
