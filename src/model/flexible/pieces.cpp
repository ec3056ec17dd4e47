#include "model/flexible/pieces.hpp"

#include <algorithm>

namespace linkwright {

Pieces::Pieces(const FlexibleLink& link, const Beam& beam)
    : body_(link.body),
      from_(link.from),
      x_(beam.axes.column_x()),
      length_(beam.length),
      joints_(elastic_joint_places(beam)),
      own_(at({})) {}

std::size_t Pieces::at(const Vector3& point) const {
  const auto beyond = std::upper_bound(joints_.begin(), joints_.end(), distance(point));
  return static_cast<std::size_t>(beyond - joints_.begin());
}

std::string Pieces::name(std::size_t piece) const {
  return piece == own_ ? body_ : body_ + ":" + std::to_string(piece);
}

Vector3 Pieces::origin(std::size_t piece) const {
  return piece == own_ ? Vector3{} : point(begin(piece));
}

void Pieces::move(std::string& body, Vector3& place) const {
  if (body != body_) return;
  const std::size_t piece = at(place);
  body = name(piece);
  place = place - origin(piece);
}

}  // namespace linkwright
