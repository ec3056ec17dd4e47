#include "coordinates/parameters.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "closure/rank/dense_loops.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::coordinates {
namespace {

std::vector<std::string> texts(const Parameters& parameters) {
  std::vector<std::string> out;
  for (const Parameter& p : parameters) out.push_back(p.name);
  return out;
}

}  // namespace

std::vector<Eigen::Index> indices_of(const Parameters& parameters,
                                     const std::vector<std::string>& names) {
  std::vector<Eigen::Index> out;
  for (const std::string& name : names) {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const Parameter& p) { return p.name == name; });
    if (found == parameters.end())
      throw Error(fmt::format("there is no parameter {}{}; there are {}", in_quotes(name),
                              did_you_mean(name, texts(parameters)), names_of(parameters)));
    out.push_back(found - parameters.begin());
  }
  return out;
}

std::string names_of(const Parameters& parameters) {
  return parameters.empty() ? "none" : list_in_quotes(texts(parameters));
}

Parameters at_places(const Parameters& parameters, const std::vector<Eigen::Index>& places) {
  Parameters out;
  for (const Eigen::Index i : places) out.push_back(parameters[static_cast<std::size_t>(i)]);
  return out;
}

Eigen::VectorXd units_of(const Parameters& parameters) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(parameters.size()));
  for (Eigen::Index i = 0; i < out.size(); ++i)
    out[i] = parameters[static_cast<std::size_t>(i)].unit;
  return out;
}

void require_same(const Parameters& a, const Parameters& b, const char* what) {
  const bool same =
      std::equal(a.begin(), a.end(), b.begin(), b.end(),
                 [](const Parameter& x, const Parameter& y) { return x.name == y.name; });
  if (!same)
    throw Error(
        fmt::format("{} is by the coordinates {}; expected {}", what, names_of(a), names_of(b)));
}

void check_point(const Vector3& point) {
  if (std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z)) return;
  throw Error(fmt::format("the point ({}, {}, {}) is nowhere; expected three finite numbers",
                          point.x, point.y, point.z));
}

Parameters joint_parameters(const System& system) {
  const closure::DenseLoops measures(system);
  Parameters out;
  for (int i = 0; i < system.nv(); ++i)
    out.push_back({system.velocity_names()[static_cast<std::size_t>(i)], measures.column_scale[i]});
  return out;
}

}  // namespace linkwright::coordinates
