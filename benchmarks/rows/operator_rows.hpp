#pragma once
/// What the operator room costs beside hand-written sweeps, and how it grows with N.

#include <nlohmann/json.hpp>

#include "models.hpp"

namespace bench {

/// Times M⁻¹ x by the trunk's filter and smoother and by the expression (I − HΨL)ᵀ D⁻¹ (I − HΨL),
/// and a product of ten operators, at one configuration; prints and appends rows. Returns whether
/// the answers agree.
bool run_operators(const BenchModel& model, nlohmann::json& rows);

}  // namespace bench
