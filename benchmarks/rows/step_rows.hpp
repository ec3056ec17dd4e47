#pragma once
/// What a step of a simulation costs beside the forward dynamics in it, and beside a peer's step.

#include <nlohmann/json.hpp>
#include <vector>

#include "contestant.hpp"
#include "models.hpp"

namespace bench {

/// Times a Runge-Kutta step against four evaluations of forward dynamics, and steps of semi-implicit
/// Euler against the peers that have a stepper; prints and appends rows. Returns whether the
/// velocities after the steps agree.
bool run_steps(const BenchModel& model, const std::vector<Contestant>& contestants,
               nlohmann::json& rows);

}  // namespace bench
