// Mass and inertia of bodies: of homogeneous shapes and skins, of <inertial>, and what the compiler's
// settings make of both.

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/mjcf/bodies/bodies.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

using Type = Geom::Type;
constexpr double pi = std::numbers::pi;

Symmetric3 diagonal(double xx, double yy, double zz) { return {xx, yy, zz, 0, 0, 0}; }

SolidInertia about_centre(double mass, const Symmetric3& inertia) { return {mass, {}, inertia}; }

/// Of mass m, half edges a, b, c.
SolidInertia solid_box(double m, double a, double b, double c) {
  return about_centre(
      m, diagonal(m * (b * b + c * c) / 3, m * (a * a + c * c) / 3, m * (a * a + b * b) / 3));
}

/// A closed skin: three pairs of plates, in proportion to their areas.
SolidInertia skin_of_box(double m, double a, double b, double c) {
  const double area = 8 * (a * b + b * c + c * a);
  const double x = m * 8 * b * c / area, y = m * 8 * a * c / area, z = m * 8 * a * b / area;
  const auto second = [&](double across, double half, double others) {
    return across * half * half + others * half * half / 3;
  };
  const double xx = second(x, a, y + z), yy = second(y, b, x + z), zz = second(z, c, x + y);
  return about_centre(m, diagonal(yy + zz, xx + zz, xx + yy));
}

SolidInertia solid_cylinder(double m, double r, double h) {
  const double across = m * (r * r / 4 + h * h / 3);
  return about_centre(m, diagonal(across, across, m * r * r / 2));
}

/// Mantle and both discs.
SolidInertia skin_of_cylinder(double m, double r, double h) {
  const double area = 4 * pi * r * h + 2 * pi * r * r;
  const double mantle = m * 4 * pi * r * h / area, disc = m * pi * r * r / area;
  const double across = mantle * (r * r / 2 + h * h / 3) + 2 * disc * (r * r / 4 + h * h);
  return about_centre(m, diagonal(across, across, mantle * r * r + disc * r * r));
}

/// A cylinder of half length h between two half balls.
SolidInertia solid_capsule(double m, double r, double h) {
  const double volume = pi * r * r * (2 * h + 4 * r / 3);
  const double ball = m * (4 * pi * r * r * r / 3) / volume, rod = m - ball;
  const double axial = rod * r * r / 2 + ball * 2 * r * r / 5;
  // A half ball has its centre of mass 3r/8 from its flat side.
  const double across =
      rod * (r * r / 4 + h * h / 3) + ball * (2 * r * r / 5 + h * h + 3 * h * r / 4);
  return about_centre(m, diagonal(across, across, axial));
}

SolidInertia skin_of_capsule(double m, double r, double h) {
  const double area = 4 * pi * r * h + 4 * pi * r * r;
  const double ball = m * 4 * pi * r * r / area, mantle = m - ball;
  const double axial = mantle * r * r + ball * 2 * r * r / 3;
  // The skin of a half ball has its centre of mass r/2 from the rim.
  const double across = mantle * (r * r / 2 + h * h / 3) + ball * (2 * r * r / 3 + h * h + h * r);
  return about_centre(m, diagonal(across, across, axial));
}

/// Volume or, of a skin, area.
double measure(const Geom& geom, const XmlElement& element) {
  const std::vector<double>& s = geom.size;
  switch (geom.type) {
    case Type::sphere:
      return geom.is_shell ? 4 * pi * s[0] * s[0] : 4 * pi * s[0] * s[0] * s[0] / 3;
    case Type::box:
      return geom.is_shell ? 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]) : 8 * s[0] * s[1] * s[2];
    case Type::cylinder:
      return geom.is_shell ? 2 * pi * s[0] * (2 * s[1] + s[0]) : 2 * pi * s[0] * s[0] * s[1];
    case Type::capsule:
      return geom.is_shell ? 4 * pi * s[0] * (s[1] + s[0])
                           : pi * s[0] * s[0] * (2 * s[1] + 4 * s[0] / 3);
    case Type::ellipsoid:
      if (geom.is_shell)
        element.fail(
            "is the skin of an ellipsoid, whose inertia has no closed form; give the body "
            "an <inertial>");
      return 4 * pi * s[0] * s[1] * s[2] / 3;
    default:
      return 0;
  }
}

SolidInertia of_mass(const Geom& geom, double m) {
  const std::vector<double>& s = geom.size;
  switch (geom.type) {
    case Type::sphere: {
      const double I = (geom.is_shell ? 2.0 / 3 : 2.0 / 5) * m * s[0] * s[0];
      return about_centre(m, diagonal(I, I, I));
    }
    case Type::box:
      return geom.is_shell ? skin_of_box(m, s[0], s[1], s[2]) : solid_box(m, s[0], s[1], s[2]);
    case Type::cylinder:
      return geom.is_shell ? skin_of_cylinder(m, s[0], s[1]) : solid_cylinder(m, s[0], s[1]);
    case Type::capsule:
      return geom.is_shell ? skin_of_capsule(m, s[0], s[1]) : solid_capsule(m, s[0], s[1]);
    case Type::ellipsoid:
      return about_centre(
          m, diagonal(m * (s[1] * s[1] + s[2] * s[2]) / 5, m * (s[0] * s[0] + s[2] * s[2]) / 5,
                      m * (s[0] * s[0] + s[1] * s[1]) / 5));
    default:
      return {};
  }
}

SolidInertia scaled(const SolidInertia& inertia, double by) {
  const Symmetric3& I = inertia.rotational;
  return {by * inertia.mass,
          by * inertia.first_moment,
          {by * I.xx, by * I.yy, by * I.zz, by * I.xy, by * I.xz, by * I.yz}};
}

Symmetric3 negative(const Symmetric3& I) { return {-I.xx, -I.yy, -I.zz, -I.xy, -I.xz, -I.yz}; }

/// From the sum of the geoms, which is about the body's origin.
void take_sum(const SolidInertia& sum, Body& body) {
  body.mass = sum.mass;
  if (!(sum.mass > 0)) return;
  body.com = (1 / sum.mass) * sum.first_moment;
  body.inertia = sum.rotational + negative(spatial::point_inertia(sum.mass, body.com));
}

void read_inertial(const Scene& scene, const Part& part, Body& body) {
  const XmlElement element = part.element.owned_by("body " + in_quotes(body.name));
  const Pose pose = part.frame * read_pose(element, scene.settings);
  body.inertial_source = element.source();
  (void)element.required_vector3("pos");
  body.mass = element.required_number("mass");
  body.com = pose.translation;
  const auto principal = element.vector3("diaginertia");
  const auto full = read_numbers(element, "fullinertia", 6, 6);
  if (principal && full) element.fail("has both diaginertia and fullinertia; keep one of them");
  if (full) {
    for (const char* name : {"quat", "axisangle", "xyaxes", "zaxis", "euler"})
      if (element.attribute(name))
        element.fail(
            fmt::format("has both fullinertia and {}; a full matrix has no axes of its own, "
                        "keep one of them",
                        name));
    const auto& f = *full;
    body.inertia = congruence(pose.rotation, Symmetric3{f[0], f[1], f[2], f[3], f[4], f[5]});
  } else if (principal) {
    body.inertia = congruence(pose.rotation, diagonal(principal->x, principal->y, principal->z));
  } else if (body.mass != 0) {
    element.fail("has neither diaginertia nor fullinertia; expected one of them");
  }
}

/// The moments about the principal axes within the bounds, and brought to their mean where no body could
/// have them.
Symmetric3 bounded(const Symmetric3& I, double least, bool balances) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(to_eigen(to_full(I)));
  Eigen::Vector3d moments = solver.eigenvalues().cwiseMax(least);
  if (balances && moments[0] + moments[1] < moments[2]) moments.setConstant(moments.mean());
  const Eigen::Matrix3d& axes = solver.eigenvectors();
  const Eigen::Matrix3d made = axes * moments.asDiagonal() * axes.transpose();
  return {made(0, 0), made(1, 1), made(2, 2), made(0, 1), made(0, 2), made(1, 2)};
}

void apply_bounds(const Settings& settings, Body& body) {
  if (settings.least_mass > 0) body.mass = std::max(body.mass, settings.least_mass);
  if (settings.least_inertia > 0 || settings.balance_inertia)
    body.inertia = bounded(body.inertia, settings.least_inertia, settings.balance_inertia);
  if (body.mass > 0 || settings.least_inertia > 0) body.has_inertial = true;
}

}  // namespace

SolidInertia compute_inertia(const Scene& scene, const Geom& geom, const XmlElement& element) {
  SolidInertia inertia;
  if (geom.type == Type::mesh) {
    const bool is_weightless = geom.mass ? *geom.mass == 0 : geom.density == 0;
    if (is_weightless) return {};
    const auto triangles = read_triangles(*geom.mesh, scene.document.folder(), element);
    const SolidInertia unit = compute_mesh_inertia(*geom.mesh, triangles, element);
    inertia = scaled(unit, geom.mass ? *geom.mass / unit.mass : geom.density);
  } else if (geom.type == Type::sdf) {
    element.fail(
        "takes its mass from a signed distance field, which is not read; give the body an "
        "<inertial>");
  } else {
    inertia = of_mass(geom, geom.mass.value_or(geom.density * measure(geom, element)));
  }
  return to_parent(geom.pose, inertia);
}

void set_inertia(Scene& scene, Body& body, const std::optional<Part>& inertial,
                 const std::vector<Part>& geoms) {
  using From = Settings::FromGeoms;
  const Settings& settings = scene.settings;
  body.has_inertial = false;
  if (inertial) {
    scene.told.other_attributes(inertial->element, "inertial");
    body.has_inertial = true;
  }
  const bool from_geoms = settings.inertia_from_geoms == From::always ||
                          (settings.inertia_from_geoms == From::where_missing && !inertial);
  SolidInertia sum;
  if (from_geoms)
    for (const Part& part : geoms) {
      const Part owned{part.element.owned_by("geom of " + in_quotes(body.name)), part.frame,
                       part.childclass};
      scene.problems.attempt([&] {
        const Geom geom = read_geom(scene, owned);
        if (geom.group >= settings.first_group && geom.group <= settings.last_group)
          sum += compute_inertia(scene, geom, owned.element);
      });
    }
  // Geoms without mass leave what <inertial> says.
  if (from_geoms && sum.mass > 0) {
    take_sum(sum, body);
    body.has_inertial = true;
  } else if (inertial) {
    read_inertial(scene, *inertial, body);
  }
  apply_bounds(settings, body);
}

}  // namespace linkwright::mjcf
