#pragma once
/// [G] with every parameter measured in its unit, and what its singular values tell.

#include "linkwright/coordinates/influence.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::coordinates {

class Scaled {
 public:
  /// The influence must outlive it.
  explicit Scaled(const Influence& influence);
  [[nodiscard]] const Eigen::MatrixXd& G() const { return G_; }
  /// Largest singular value, at least 1, over the smallest: a single parameter that hardly sees the motion
  /// is as badly conditioned as two that see it alike. Infinite where the smallest is zero, 1 where there
  /// is none.
  [[nodiscard]] double condition() const;
  /// The smallest singular value; 0 where the parameters are more or fewer than the coordinates.
  [[nodiscard]] double smallest() const;
  /// The motion of the coordinates that the parameters see least, in words: "'wrist' : 'flange' = 1 : -1".
  [[nodiscard]] std::string unseen_motion() const;
  /// What of the parameters the coordinates move least, in words: "'tool' turns about (0, 1, 0) in world
  /// axes", and the names of the parameters that it binds together: "'tool:wx' and 'tool:wz'".
  [[nodiscard]] std::string lost_direction() const;
  [[nodiscard]] std::string dependent_parameters() const;

 private:
  const Influence* influence_;
  Eigen::MatrixXd G_;
  Eigen::JacobiSVD<Eigen::MatrixXd> svd_;
};

/// Diag(units of rows)⁻¹ G diag(units of columns).
Eigen::MatrixXd to_units(const Influence& influence);

}  // namespace linkwright::coordinates
