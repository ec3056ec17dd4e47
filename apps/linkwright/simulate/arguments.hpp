#pragma once
/// What the user asks of `linkwright simulate`, as text and as checked numbers.

#include <optional>
#include <string>
#include <vector>

#include "linkwright/simulate/simulation.hpp"
#include "shell/model/loading.hpp"
#include "shell/state/start.hpp"
#include "simulate/command/arguments.hpp"

namespace linkwright::app {

struct SimulateArguments {
  ModelArguments model;
  std::string time, step, rtol, atol, every, baumgarte;
  std::string method, limits, on_miss, on_slip;
  StartArguments start;
  std::optional<std::string> tau, voltage, extra;
  CommandArguments command;
  std::vector<std::string> records;
  std::string out, html, checkpoint, resume;
  bool rigid = false, cut_open = false, assemble = false, describe = false, json = false,
       any_size = false;
};

void add_simulate_arguments(CLI::App& command, SimulateArguments& arguments);

/// The options with their defaults: rk4 with a step of 1 ms, or adams once a tolerance is given.
/// `saved` is the checkpoint to go on from, whose method is kept unless another is named. Throws
/// Error for options that contradict each other.
SimulationOptions to_options(const SimulateArguments& arguments, const Checkpoint* saved);

/// "rk4, step 0.001 s" or "adams, rtol 1e-8, atol 1e-10".
std::string describe_method(const SimulationOptions& options);

/// A finite number that is not negative.
double parse_duration(std::string_view option, const std::string& text);

}  // namespace linkwright::app
