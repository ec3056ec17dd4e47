#pragma once
/// [G] with every parameter measured in its unit, and what its singular values tell.

#include "linkwright/coordinates/influence.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::coordinates {

class Scaled {
 public:
  explicit Scaled(const Influence& influence);
  [[nodiscard]] const Eigen::MatrixXd& G() const { return G_; }
  /// Largest singular value, at least 1, over the smallest: a single parameter that hardly sees the motion
  /// is as badly conditioned as two that see it alike. Infinite where the smallest is zero, 1 where there
  /// is none.
  [[nodiscard]] double condition() const;
  /// The coordinate that moves most in the motion that the parameters see least.
  [[nodiscard]] const Parameter& least_seen() const;

 private:
  const Parameters* by_;
  Eigen::MatrixXd G_;
  Eigen::JacobiSVD<Eigen::MatrixXd> svd_;
};

/// Diag(units of rows)⁻¹ G diag(units of columns).
Eigen::MatrixXd to_units(const Influence& influence);

}  // namespace linkwright::coordinates
