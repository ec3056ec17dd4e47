#pragma once
/// What <compiler> and <option> say about the whole file.

#include <numbers>
#include <string>

#include "io/mjcf/document/document.hpp"
#include "io/mjcf/told.hpp"

namespace linkwright::mjcf {

struct Settings {
  double angle = std::numbers::pi / 180;  ///< radians per unit of an angle in the file
  std::string eulerseq = "xyz";           ///< small letters turn with the frame, capitals do not
  bool autolimits = true;
  enum class FromGeoms { never, where_missing, always };
  FromGeoms inertia_from_geoms = FromGeoms::where_missing;
  double first_group = 0, last_group = 5;  ///< of geoms that have mass
  bool balance_inertia = false, discard_visual = false, strip_path = false;
  double least_mass = 0, least_inertia = 0;
  double total_mass = -1;  ///< not positive: as the bodies are
  std::string mesh_folder{};
  Vector3 gravity{0, 0, -9.81};
  // What <flag> leaves in force.
  bool equalities = true, friction = true, limits = true, springs = true, damping = true;
};

Settings read_settings(const XmlElement& root, const Document& document, Told& told,
                       Problems& problems);

}  // namespace linkwright::mjcf
