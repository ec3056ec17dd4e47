// Inertia of what a mesh encloses, for density 1: the sum over pyramids that stand on its triangles.

#include <fmt/format.h>

#include <cmath>

#include "io/mjcf/bodies/bodies.hpp"

namespace linkwright::mjcf {
namespace {

using Triangles = std::vector<std::array<Vector3, 3>>;

/// Of a homogeneous body about the origin: its second moments ∫ x xᵀ dm.
struct Moments {
  double mass = 0;
  Vector3 first{};
  Symmetric3 second{};
};

/// Adds a simplex of mass m whose corners sum to `sum`: with its k corners (the origin is no term),
/// ∫ x xᵀ dm = m (Σ cᵢ cᵢᵀ + s sᵀ) / divisor.
void add_simplex(double m, const std::array<Vector3, 3>& corners, double share, double divisor,
                 Moments& moments) {
  const Vector3 s = corners[0] + corners[1] + corners[2];
  moments.mass += m;
  moments.first += (m * share) * s;
  const auto add = [&](const Vector3& c) {
    const double w = m / divisor;
    moments.second += Symmetric3{w * c.x * c.x, w * c.y * c.y, w * c.z * c.z,
                                 w * c.x * c.y, w * c.x * c.z, w * c.y * c.z};
  };
  for (const Vector3& c : corners) add(c);
  add(s);
}

std::array<Vector3, 3> seen_from(const Vector3& origin, const std::array<Vector3, 3>& t) {
  return {t[0] - origin, t[1] - origin, t[2] - origin};
}

/// Of the pyramids from `apex`, about it. `counts_all`: those that lie outside add up too.
Moments sum_pyramids(const Triangles& triangles, const Vector3& apex, bool counts_all) {
  Moments moments;
  for (const auto& triangle : triangles) {
    const auto t = seen_from(apex, triangle);
    const double volume = dot(t[0], cross(t[1], t[2])) / 6;
    add_simplex(counts_all ? std::abs(volume) : volume, t, 0.25, 20, moments);
  }
  return moments;
}

/// Of the triangles themselves, about the origin.
Moments sum_areas(const Triangles& triangles) {
  Moments moments;
  for (const auto& t : triangles)
    add_simplex(norm(cross(t[1] - t[0], t[2] - t[0])) / 2, t, 1.0 / 3, 12, moments);
  return moments;
}

Symmetric3 to_inertia_matrix(const Symmetric3& second) {
  return {second.yy + second.zz,
          second.xx + second.zz,
          second.xx + second.yy,
          -second.xy,
          -second.xz,
          -second.yz};
}

SolidInertia about(const Moments& moments, const Vector3& place) {
  return shift(place, SolidInertia{moments.mass, moments.first, to_inertia_matrix(moments.second)});
}

}  // namespace

SolidInertia compute_mesh_inertia(const MeshAsset& mesh, const Triangles& triangles,
                                  const XmlElement& element) {
  using From = MeshAsset::Inertia;
  if (mesh.inertia == From::convex)
    element.fail(
        "takes its mass from the convex hull of a mesh, which is not computed here; write "
        "inertia=\"exact\" or give the body an <inertial>");
  const Moments skin = sum_areas(triangles);
  if (!(skin.mass > 0)) element.fail("takes its mass from a mesh without any surface");
  const Vector3 middle = (1 / skin.mass) * skin.first;
  if (mesh.inertia == From::shell) return about(skin, {});
  const bool counts_all = mesh.inertia == From::legacy;
  const Moments body = sum_pyramids(triangles, middle, counts_all);
  if (!(body.mass > 0))
    element.fail(
        fmt::format("takes its mass from a mesh with the volume {:.6g}; expected triangles "
                    "counter-clockwise seen from outside",
                    body.mass));
  if (!counts_all) return about(body, middle);
  // MuJoCo's default: mass and centre as seen from the middle of the skin, inertia from that centre.
  const Vector3 centre = middle + (1 / body.mass) * body.first;
  const Moments seen = sum_pyramids(triangles, centre, true);
  const SolidInertia made{seen.mass, {}, to_inertia_matrix(seen.second)};
  return shift(centre, made);
}

}  // namespace linkwright::mjcf
