#pragma once
/// Where a beam is cut into rigid pieces: piece i lies between elastic joints i and i + 1.
///
///     const Pieces pieces(link, beam);
///     pieces.move(load.body, load.at);   // from the body to the piece at that place

#include <string>
#include <vector>

#include "linkwright/model/flexible_links.hpp"

namespace linkwright {

class Pieces {
 public:
  Pieces(const FlexibleLink& link, const Beam& beam);

  [[nodiscard]] std::size_t count() const { return joints_.size() + 1; }
  /// The piece at a point of the body; beyond an end, the one at that end.
  [[nodiscard]] std::size_t at(const Vector3& point) const;
  /// The piece at the body's origin has the body's name and frame.
  [[nodiscard]] std::size_t own() const { return own_; }
  [[nodiscard]] std::string name(std::size_t piece) const;
  /// Origin of a piece's frame, in the body's; its axes are the body's when nothing is bent.
  [[nodiscard]] Vector3 origin(std::size_t piece) const;
  /// Where elastic joint i = 1 … k sits, in the body's frame.
  [[nodiscard]] Vector3 joint(std::size_t i) const { return point(joints_[i - 1]); }
  /// Begin and end of a piece as distances from the root.
  [[nodiscard]] double begin(std::size_t piece) const {
    return piece == 0 ? 0 : joints_[piece - 1];
  }
  [[nodiscard]] double end(std::size_t piece) const {
    return piece == joints_.size() ? length_ : joints_[piece];
  }
  [[nodiscard]] double distance(const Vector3& p) const { return dot(p - from_, x_); }
  [[nodiscard]] Vector3 point(double distance) const { return from_ + distance * x_; }

  /// What sits on the body sits on a piece from now on; other bodies stay as they are.
  void move(std::string& body, Vector3& place) const;
  void move(std::string& body, Pose& place) const { move(body, place.translation); }

 private:
  std::string body_;
  Vector3 from_, x_;
  double length_;
  std::vector<double> joints_;  // distances from the root
  std::size_t own_;
};

/// Shapes of the body as shapes of its pieces.
void move_shapes(std::vector<Visual>& shapes, const std::string& body, const Pieces& pieces,
                 const Beam& beam);
/// Draws pieces by the section of the beam, where it is known.
void draw_section(const FlexibleLink& link, const Beam& beam, const Pieces& pieces,
                  std::vector<Visual>& shapes);

}  // namespace linkwright
