#pragma once
/// What would have helped a run that failed, found by trying it.

#include <functional>
#include <string>

#include "linkwright/simulate/simulation.hpp"
#include "shell/interrupt.hpp"

namespace linkwright::app {

/// Given: the options of a run that failed, the last time it reached, and how to make the same run with
/// other options. Tries shorter steps, tighter tolerances and other methods from the same start until one
/// gets past that time, each for a few seconds at most. Returns a sentence about all that was tried, which
/// follows the message of the failure.
std::string try_remedies(const SimulationOptions& failed, double reached,
                         const Interrupt& interrupt,
                         const std::function<Simulation(const SimulationOptions&)>& make);

}  // namespace linkwright::app
