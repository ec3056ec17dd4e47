#pragma once
/// Small mechanisms with dry friction and stops, and what simulations of them tell.

#include <gtest/gtest.h>

#include <cmath>

#include "simulate/mechanisms.hpp"
#include "support/files.hpp"

namespace linkwright::testing {

inline const std::vector<Method>& methods_with_contacts() {
  static const std::vector<Method> all{Method::rk4, Method::semi_implicit, Method::adams,
                                       Method::bdf, Method::ida};
  return all;
}

inline SimulationOptions with_method(Method method, double step = 1e-3) {
  return {.method = method, .step = step, .relative_tolerance = 1e-10, .absolute_tolerance = 1e-12};
}

/// Errors of a method of order 1 are of another kind.
inline bool is_exact(Method method) { return method != Method::semi_implicit; }

/// A block of 2 kg that slides along a direction of this slope, q its way upwards.
inline Model incline(double slope, double friction) {
  Model model = slider(2);
  model.name = "incline";
  model.joints[0].axis = {std::cos(slope), 0, std::sin(slope)};
  if (friction > 0) model.joints[0].friction = {{friction, friction}};
  return model;
}

/// When something happened for the first time after t; NaN: never.
inline double time_of(const Simulation& simulation, const std::string& what, double after = -1) {
  for (const Occurrence& o : simulation.occurrences())
    if (o.time > after && o.name.find(what) != std::string::npos) return o.time;
  return std::nan("");
}

inline int count_of(const Simulation& simulation, const std::string& what) {
  int count = 0;
  for (const Occurrence& o : simulation.occurrences())
    count += o.name.find(what) != std::string::npos ? 1 : 0;
  return count;
}

}  // namespace linkwright::testing
