// Shapes of a flexible link: long ones are cut at the elastic joints, the others move with one piece.

#include <algorithm>
#include <array>
#include <cmath>

#include "model/flexible/pieces.hpp"

namespace linkwright {
namespace {

constexpr double parallel = 1 - 1e-6;  ///< cosine of the angle between a shape's edge and the beam

/// The entry of `size` that runs along the beam; nullptr where none does.
double* length_along(Visual& shape, const Vector3& x) {
  const Matrix3& R = shape.pose.rotation;
  const auto runs = [&](const Vector3& edge) { return std::abs(dot(edge, x)) > parallel; };
  switch (shape.shape) {
    case Visual::Shape::box:
      if (runs(R.column_x())) return &shape.size.x;
      if (runs(R.column_y())) return &shape.size.y;
      return runs(R.column_z()) ? &shape.size.z : nullptr;
    case Visual::Shape::cylinder:
    case Visual::Shape::capsule:
      return runs(R.column_z()) ? &shape.size.y : nullptr;
    case Visual::Shape::sphere:
    case Visual::Shape::mesh:
      break;
  }
  return nullptr;
}

/// The part of a shape on each piece; ends beyond the beam stay with its ends.
void cut_shape(const Visual& shape, const Pieces& pieces, const Vector3& x,
               std::vector<Visual>& parts) {
  Visual part = shape;
  double* length = length_along(part, x);
  const double middle = pieces.distance(shape.pose.translation), half = 0.5 * *length;
  const std::size_t last = pieces.count() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    const double low = i == 0 ? middle - half : std::max(middle - half, pieces.begin(i));
    const double high = i == last ? middle + half : std::min(middle + half, pieces.end(i));
    if (high <= low) continue;
    *length = high - low;
    const Vector3 along = (0.5 * (low + high) - middle) * x;
    part.body = pieces.name(i);
    part.pose.translation = shape.pose.translation + along - pieces.origin(i);
    parts.push_back(part);
  }
}

}  // namespace

void move_shapes(std::vector<Visual>& shapes, const std::string& body, const Pieces& pieces,
                 const Beam& beam) {
  std::vector<Visual> moved;
  for (Visual& shape : shapes) {
    if (shape.body == body && length_along(shape, beam.axes.column_x()) != nullptr) {
      cut_shape(shape, pieces, beam.axes.column_x(), moved);
      continue;
    }
    pieces.move(shape.body, shape.pose);
    moved.push_back(std::move(shape));
  }
  shapes = std::move(moved);
}

void draw_section(const FlexibleLink& link, const Beam& beam, const Pieces& pieces,
                  std::vector<Visual>& shapes) {
  if (!link.section) return;
  const bool flat = link.section->shape == BeamSection::Shape::rectangle;
  Visual whole{.body = link.body, .source = link.source};
  whole.pose.translation = pieces.point(0.5 * beam.length);
  whole.pose.rotation = beam.axes;
  whole.size = {beam.length, link.section->width, link.section->height};
  if (!flat) {
    const Matrix3 to_z{0, 0, 1, 1, 0, 0, 0, 1, 0};  // the cylinder's z is the beam's x
    whole.shape = Visual::Shape::cylinder;
    whole.pose.rotation = beam.axes * to_z;
    whole.size = {link.section->radius, beam.length, 0};
  }
  cut_shape(whole, pieces, beam.axes.column_x(), shapes);
}

}  // namespace linkwright
