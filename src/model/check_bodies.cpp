#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "linkwright/model/names.hpp"
#include "model/checks.hpp"

namespace linkwright::checks {
namespace {

// Files carry five or six digits, so a moment that should vanish comes out as a small negative one.
constexpr double moment_rounding = 1e-5;
constexpr double triangle_rounding = 1e-5;

Eigen::Vector3d principal_moments(const Symmetric3& inertia) {
  Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(
                                to_eigen(to_full(inertia)), Eigen::EigenvaluesOnly)
                                .eigenvalues();
  const double rounding = 1e-14 * moments.cwiseAbs().maxCoeff();
  for (double& moment : moments)
    if (std::abs(moment) < rounding) moment = 0;
  return moments;
}

const Source& place(const Body& body) {
  return body.inertial_source.file.empty() ? body.source : body.inertial_source;
}

std::string numbers(const Eigen::Vector3d& v) {
  return fmt::format("{:.6g}, {:.6g}, {:.6g}", v[0], v[1], v[2]);
}

void check_inertia(const Body& body, std::string_view thing, std::vector<Warning>& warnings) {
  const Symmetric3& I = body.inertia;
  require_finite(place(body), thing, "the inertia's diagonal", Vector3{I.xx, I.yy, I.zz});
  require_finite(place(body), thing, "the inertia's products [ixy, ixz, iyz]",
                 Vector3{I.xy, I.xz, I.yz});
  const double scale = std::max({std::abs(I.xx), std::abs(I.yy), std::abs(I.zz), std::abs(I.xy),
                                 std::abs(I.xz), std::abs(I.yz)});
  if (scale == 0) {
    if (body.mass > 0)
      warnings.push_back(
          {place(body), fmt::format("{}: mass {} without inertia, a point mass; forward dynamics "
                                    "will refuse a joint that moves it alone about an axis through "
                                    "it",
                                    thing, body.mass)});
    return;
  }
  const Eigen::Vector3d moments = principal_moments(I);
  const double largest = moments[2];
  if (largest <= 0 || moments[0] < -moment_rounding * largest)
    throw Error(place(body),
                fmt::format("{}: its inertia has the principal moments {}; expected none below "
                            "zero, check the signs of the products ixy, ixz, iyz",
                            thing, numbers(moments)));
  const double excess = largest - moments[0] - moments[1];
  if (excess > triangle_rounding * largest)
    warnings.push_back(
        {place(body), fmt::format("{}: its principal moments {} violate the triangle inequality "
                                  "({:.6g} > {:.6g} + {:.6g}), no real body has them",
                                  thing, numbers(moments), largest, moments[0], moments[1])});
}

}  // namespace

void check_bodies(const Model& model, std::vector<Warning>& warnings) {
  for (const Body& body : model.bodies) {
    const std::string thing = "link " + in_quotes(body.name);
    require_finite(place(body), thing, "the mass", body.mass);
    if (body.mass < 0)
      throw Error(place(body),
                  fmt::format("{}: the mass is {} kg; expected zero or more", thing, body.mass));
    require_finite(place(body), thing, "the centre of mass", body.com);
    check_inertia(body, thing, warnings);
  }
}

}  // namespace linkwright::checks
