#include <algorithm>
#include <cmath>

#include "io/mesh/formats.hpp"
#include "linkwright/io/number.hpp"

namespace linkwright::mesh {
namespace {

/// What a library says of one material so far.
struct Material {
  std::string name{};
  Colour diffuse{};
  double opacity = 1;
  bool has_texture = false;

  /// The plain colour; a texture hides it.
  [[nodiscard]] Colour colour() const {
    if (!diffuse || has_texture) return std::nullopt;
    Colour rgba = diffuse;
    (*rgba)[3] = to_alpha(opacity);
    return rgba;
  }
};

/// "0.8 0.1 0.1"; nothing for "spectral …" and what is no colour.
Colour read_colour(std::string_view line) {
  std::array<double, 4> rgba{0, 0, 0, 1};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto value = parse_number(next_word(line));
    if (!value) return std::nullopt;
    rgba[k] = std::clamp(*value, 0.0, 1.0);
  }
  return rgba;
}

}  // namespace

std::map<std::string, Colour, std::less<>> parse_materials(std::string_view text) {
  std::map<std::string, Colour, std::less<>> colours;
  Material material;
  const auto keep = [&] {
    if (!material.name.empty()) colours.insert_or_assign(material.name, material.colour());
  };
  while (!text.empty()) {
    std::string_view line = next_line(text);
    const std::string_view kind = next_word(line);
    if (kind == "newmtl") {
      keep();
      material = {.name = std::string(trimmed(line))};
    } else if (kind == "Kd") {
      material.diffuse = read_colour(line);
    } else if (kind == "d") {
      material.opacity = parse_number(next_word(line)).value_or(1);
    } else if (kind == "Tr") {
      material.opacity = 1 - parse_number(next_word(line)).value_or(0);
    } else if (kind == "map_Kd") {
      material.has_texture = true;
    }
  }
  keep();
  return colours;
}

}  // namespace linkwright::mesh
