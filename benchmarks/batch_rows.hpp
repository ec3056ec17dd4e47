#pragma once
/// Linkwright's batches against the fastest build of Pinocchio on one state, in the same run.

#include <nlohmann/json.hpp>

#include "contestant.hpp"
#include "fma_peak.hpp"
#include "models.hpp"

namespace bench {

/// Times batches of 4096 states, double and float, one thread and two, for inverse and forward
/// dynamics of `model`; prints and appends rows. `baselines` are the builds of Pinocchio, with the
/// first states of `states` set. Returns whether the outputs agree.
bool run_batch(const BenchModel& model, const States& states, const std::vector<Entry*>& baselines,
               const Peak& peak, nlohmann::json& rows);

}  // namespace bench
