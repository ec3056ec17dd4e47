#pragma once
/// What is drawn for each body: the file's shapes, or shapes that follow from joints and inertia.

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "linkwright/dynamics/state.hpp"
#include "linkwright/io/mesh.hpp"

namespace linkwright::viewer {

using Colour = std::array<double, 4>;

struct Shape {
  Visual::Shape type = Visual::Shape::box;
  Vector3 size{};  ///< as in Visual
  Pose pose{};     ///< in the body's frame
  Colour colour{};
  std::string_view source = "file";  ///< or "inertia", "layout"
  int mesh = -1;                     ///< index into Drawing::meshes
  std::string_view name{};           ///< the Model's; may be empty
};

struct Drawing {
  double size = 1;  ///< a length that fits the whole mechanism
  std::vector<std::vector<Shape>>
      shapes;              ///< per body: the world, then bodies in the model's order
  std::vector<bool> lost;  ///< per body: the file gives a shape that could not be drawn
  std::vector<Mesh> meshes;
  std::vector<Warning> warnings;
};

/// Index of a body's name in Drawing::shapes; 0 = world, nothing for an unknown name.
std::optional<std::size_t> find_body(const Model& model, std::string_view name);

/// Shapes for every body, with thicknesses and the overall size as they fit the position q.
Drawing draw(const System& system, const ConstVectorRef& q);

}  // namespace linkwright::viewer
