#pragma once
/// A model and its written self: every field that a file can hold compared to the last bit, and the dynamics
/// of both at random states.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "linkwright/model/model.hpp"

namespace linkwright::testing {

/// EXPECTs that the two models are the same but for warnings, sources and what has no effect.
void expect_same_model(const Model& a, const Model& b, const std::string& what);

/// EXPECTs that accelerations, efforts and closure rows agree at `states` random states to `bound`, relative to
/// the largest entry; positions and velocities are numbered alike.
void expect_same_dynamics(const Model& a, const Model& b, const std::string& what,
                          double bound = 1e-14, int states = 3);

}  // namespace linkwright::testing
