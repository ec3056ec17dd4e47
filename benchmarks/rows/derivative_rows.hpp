#pragma once
/// Derivatives of the dynamics beside Pinocchio's, of one state and of batches, in the same run.

#include <nlohmann/json.hpp>
#include <string>

#include "models.hpp"

namespace bench {

/// First derivatives of inverse and forward dynamics, second ones of inverse dynamics, and batches of
/// first ones; prints and appends rows. `folder` holds the peers. Returns whether the outputs agree.
bool run_derivatives(const BenchModel& model, const std::string& folder, nlohmann::json& rows);

}  // namespace bench
