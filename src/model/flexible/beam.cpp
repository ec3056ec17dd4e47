// What the numbers of a flexible link amount to: stiffness and inertia per length.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "linkwright/model/flexible_links.hpp"
#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"

namespace linkwright {
namespace {

using std::numbers::pi;

/// E/ρ of steel, aluminium, magnesium and titanium alike (m²/s²): it tells the rotary inertia of a slice
/// where only EI is known, ρ I = EI / (E/ρ).
constexpr double stiffness_to_density_of_metals = 2.6e7;

constexpr std::size_t number(BeamMotion motion) { return static_cast<std::size_t>(motion); }

/// Area and second moments of a section.
struct SectionMoments {
  double A = 0, I_y = 0, I_z = 0, J = 0;
};

/// St. Venant's series for the torsion of a rectangle; J / (long · short³) is 1/3 for a thin strip.
double torsion_constant(double width, double height) {
  const double a = std::max(width, height), b = std::min(width, height);
  double sum = 0;
  for (int n = 1; n < 20; n += 2) sum += std::tanh(0.5 * n * pi * a / b) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 / std::pow(pi, 5) * (b / a) * sum);
}

SectionMoments moments_of(const BeamSection& section) {
  if (section.shape == BeamSection::Shape::rectangle) {
    const double w = section.width, h = section.height;
    return {w * h, w * h * h * h / 12, h * w * w * w / 12, torsion_constant(w, h)};
  }
  const double R2 = section.radius * section.radius;
  const double r2 = section.inner_radius * section.inner_radius;
  const double I = pi / 4 * (R2 * R2 - r2 * r2);
  return {pi * (R2 - r2), I, I, 2 * I};
}

/// Length of a vector whose squares may be too large or too small for a double.
double size_of(const Vector3& v) { return std::hypot(v.x, v.y, v.z); }
Vector3 unit(const Vector3& v) {
  const double size = size_of(v);
  return {v.x / size, v.y / size, v.z / size};
}

/// Judges the numbers of one link.
class LinkCheck {
 public:
  LinkCheck(const FlexibleLink& link, const Body& body)
      : link_(link), body_(body), thing_("flexible link " + in_quotes(link.body)) {}

  void run() const {
    check_line();
    const bool by_material = link_.E || link_.section || link_.G || link_.density;
    if (by_material && !link_.EI.empty())
      fail("`EI` is given beside E, G, density or section; keep one way to describe the beam");
    if (by_material)
      check_material();
    else
      check_stiffness();
    check_mass();
    check_elements();
    checks::require_not_negative(link_.source, thing_, "its damping ratio", link_.damping_ratio);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw Error(link_.source, fmt::format("{}: {}", thing_, message));
  }
  void require_positive(std::string_view what, double value) const {
    checks::require_finite(link_.source, thing_, what, value);
    if (!(value > 0)) fail(fmt::format("{} is {}; expected more than zero", what, value));
  }

  void check_line() const {
    checks::require_finite(link_.source, thing_, "`from`", link_.from);
    checks::require_finite(link_.source, thing_, "`along`", link_.along);
    checks::require_finite(link_.source, thing_, "`up`", link_.up);
    if (size_of(link_.along) == 0)
      fail("`along` is [0, 0, 0]; expected the way from the root of the beam to its tip");
    if (size_of(link_.up) > 0 && norm(cross(unit(link_.up), unit(link_.along))) < 1e-6)
      fail("`up` is parallel to `along`; expected the direction of the section's height");
  }

  void check_material() const {
    if (!link_.E) fail("E is missing; expected Young's modulus (Pa), or EI in place of material");
    if (!link_.section)
      fail(
          "the section is missing; expected {rectangle: [width, height]}, {circle: radius} or "
          "{tube: [radius, inner radius]}");
    if (link_.GJ || link_.EA)
      fail("GJ and EA follow from E, G and the section; remove them, or give EI in place of E");
    require_positive("E", *link_.E);
    if (link_.G) require_positive("G", *link_.G);
    const BeamSection& section = *link_.section;
    if (section.shape == BeamSection::Shape::rectangle) {
      require_positive("the width of its section", section.width);
      require_positive("the height of its section", section.height);
      return;
    }
    require_positive("the radius of its section", section.radius);
    checks::require_not_negative(link_.source, thing_, "the inner radius", section.inner_radius);
    if (section.inner_radius >= section.radius)
      fail(fmt::format("the inner radius {} leaves nothing of the radius {}; expected less",
                       section.inner_radius, section.radius));
  }

  void check_stiffness() const {
    if (link_.EI.empty()) fail("it has no stiffness; expected E and section, or EI (N m²)");
    if (link_.EI.size() > 2)
      fail(fmt::format("EI has {} numbers; expected one, or those about y and z of the beam",
                       link_.EI.size()));
    for (const double EI : link_.EI) require_positive("EI", EI);
    if (link_.GJ) require_positive("GJ", *link_.GJ);
    if (link_.EA) require_positive("EA", *link_.EA);
    if (link_.axial.value_or(false) && !link_.EA)
      fail("it stretches (`axial: true`), but EA (N) is missing");
    if (!link_.axial.value_or(true) && link_.EA)
      fail("EA is given, but with `axial: false` it does not stretch; remove one of them");
  }

  void check_mass() const {
    if (link_.density && link_.mass_per_length)
      fail("density and mass_per_length are given; keep one of them");
    if (link_.density) require_positive("its density", *link_.density);
    if (link_.mass_per_length) require_positive("its mass_per_length", *link_.mass_per_length);
    if (link_.inertia_per_length)
      require_positive("its inertia_per_length", *link_.inertia_per_length);
    if (!link_.density && !link_.mass_per_length && !(body_.mass > 0))
      fail(fmt::format("it has no mass; expected {}mass_per_length (kg/m), or a mass of the body",
                       link_.section ? "density (kg/m³), " : ""));
  }

  void check_elements() const {
    if (link_.elements && link_.modes)
      fail("elements and modes are given; keep one of them (modes: n makes 2 n + 2 elements)");
    const auto require_between = [&](std::string_view what, int value, int most) {
      if (value < 1 || value > most)
        fail(fmt::format("{} is {}; expected 1 … {}", what, value, most));
    };
    if (link_.elements) require_between("elements", *link_.elements, max_elements);
    if (link_.modes) require_between("modes", *link_.modes, (max_elements - 2) / 2);
  }

  const FlexibleLink& link_;
  const Body& body_;
  std::string thing_;
};

Matrix3 axes_of(const FlexibleLink& link) {
  const Vector3 x = unit(link.along);
  Vector3 up = std::abs(x.z) < 1 - 1e-9 ? Vector3{0, 0, 1} : Vector3{1, 0, 0};
  if (size_of(link.up) > 0) up = unit(link.up);
  const Vector3 z = unit(up - dot(up, x) * x), y = cross(z, x);
  return transpose(Matrix3{x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z});
}

/// Numbers that are all in order may still amount to more or less than a double can hold.
void check_beam(const FlexibleLink& link, const Beam& beam) {
  const auto require = [&](const std::string& what, double value) {
    if (!std::isfinite(value) || !(value > 0))
      throw Error(link.source,
                  fmt::format("flexible link {}: {} comes to {}; expected a finite number above "
                              "zero: check its numbers and their units",
                              in_quotes(link.body), what, value));
  };
  require("its length", beam.length);
  require("its mass", beam.mass_per_length * beam.length);
  const Vector3& slice = beam.inertia_per_length;
  for (const double inertia : {slice.x, slice.y, slice.z})
    require("the inertia of a slice", inertia * beam.length);
  require("its inertia", beam.mass_per_length * beam.length * beam.length * beam.length);
  constexpr std::array<std::string_view, 4> stiffnesses{"EI about y", "EI about z", "GJ", "EA"};
  using Bending = FlexibleLink::Bending;
  const std::array<bool, 4> wanted{link.bending != Bending::z, link.bending != Bending::y,
                                   link.G || link.GJ, link.axial.value_or(link.EA.has_value())};
  for (const BeamMotion motion : all_beam_motions) {
    if (!wanted[number(motion)]) continue;
    const double stiffness = beam.stiffness[number(motion)];
    require(fmt::format("its {}", stiffnesses[number(motion)]), stiffness);
    require(fmt::format("the stiffness of its joints by {}", stiffnesses[number(motion)]),
            stiffness * beam.elements / beam.length);
    const double first = clamped_frequencies(beam, motion, 1).front();
    require(fmt::format("its first frequency of {}", to_string(motion)), first);
    if (link.damping_ratio > 0)
      require(fmt::format("its damping of {}", to_string(motion)),
              2 * link.damping_ratio / first * (stiffness * beam.elements / beam.length));
  }
}

/// Roots of cos β cosh β = −1, the clamped and free beam's; they lie near (n − ½) π.
double bending_root(int n) {
  double beta = n == 1 ? 1.875 : (n - 0.5) * pi;
  for (int i = 0; i < 20; ++i) {
    const double sech = 1 / std::cosh(beta);
    beta -= (std::cos(beta) + sech) / (-std::sin(beta) - sech * std::tanh(beta));
  }
  return beta;
}

}  // namespace

std::string_view to_string(BeamMotion motion) {
  constexpr std::array<std::string_view, 4> names{"bend_y", "bend_z", "twist", "stretch"};
  return names[number(motion)];
}

Beam to_beam(const FlexibleLink& link, const Body& body) {
  LinkCheck(link, body).run();
  Beam beam;
  beam.length = size_of(link.along);
  beam.axes = axes_of(link);
  beam.elements = link.elements ? *link.elements : 2 * link.modes.value_or(3) + 2;
  double EI_y = 0, EI_z = 0, GJ = link.GJ.value_or(0), EA = link.EA.value_or(0);
  double slenderness = 1 / stiffness_to_density_of_metals;  // rotary inertia of a slice per EI
  beam.mass_per_length = link.mass_per_length.value_or(body.mass / beam.length);
  if (link.section) {
    const SectionMoments m = moments_of(*link.section);
    EI_y = *link.E * m.I_y, EI_z = *link.E * m.I_z, EA = *link.E * m.A;
    GJ = link.G.value_or(0) * m.J;
    if (link.density) beam.mass_per_length = *link.density * m.A;
    slenderness = beam.mass_per_length / (m.A * *link.E);
  } else {
    EI_y = link.EI.front(), EI_z = link.EI.back();
  }
  beam.inertia_per_length = {slenderness * (EI_y + EI_z), slenderness * EI_y, slenderness * EI_z};
  if (link.inertia_per_length) beam.inertia_per_length.x = *link.inertia_per_length;
  const bool stretches = link.axial.value_or(link.EA.has_value());
  using Bending = FlexibleLink::Bending;
  beam.stiffness = {link.bending == Bending::z ? 0 : EI_y, link.bending == Bending::y ? 0 : EI_z,
                    GJ, stretches ? EA : 0};
  check_beam(link, beam);
  return beam;
}

std::vector<double> elastic_joint_places(const Beam& beam) {
  const double k = beam.elements, middle = 0.5 * beam.length;
  // Equal steps of L / √(k² − 1): the second moment of the k weights L / k is that of the beam, L³/12.
  const double step = beam.elements > 1 ? beam.length / std::sqrt(k * k - 1) : 0;
  std::vector<double> places;
  for (int i = 0; i < beam.elements; ++i) places.push_back(middle + step * (i - 0.5 * (k - 1)));
  return places;
}

std::vector<double> clamped_frequencies(const Beam& beam, BeamMotion motion, int count) {
  std::vector<double> all;
  if (!beam.moves(motion)) return all;
  const bool bends = motion == BeamMotion::bend_y || motion == BeamMotion::bend_z;
  const double L = beam.length;
  const double inertia =
      motion == BeamMotion::twist ? beam.inertia_per_length.x : beam.mass_per_length;
  const double speed = std::sqrt(beam.stiffness[number(motion)] / inertia);
  for (int n = 1; n <= count; ++n)
    all.push_back(bends ? std::pow(bending_root(n) / L, 2) * speed : (n - 0.5) * pi / L * speed);
  return all;
}

}  // namespace linkwright
