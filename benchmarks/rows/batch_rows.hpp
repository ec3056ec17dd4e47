#pragma once
/// Linkwright's batches against the fastest build of Pinocchio on one state, in the same run.

#include <nlohmann/json.hpp>

#include "contestant.hpp"
#include "fma_peak.hpp"
#include "models.hpp"

namespace bench {

/// Times batches of 4096 states, double and float, one thread and two, for inverse and forward
/// dynamics of `model`; prints and appends rows. `single` is Linkwright on one state, which the
/// outputs must agree with; `baselines` are the builds of Pinocchio. Both have their states set.
/// Returns whether the outputs agree.
bool run_batch(const BenchModel& model, const States& states, Entry& single,
               const std::vector<Entry*>& baselines, const Peak& peak, nlohmann::json& rows);

}  // namespace bench
