#pragma once
/// What `compute` is asked on the command line.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "compute/input/closed_input.hpp"
#include "shell/model/loading.hpp"
#include "shell/state/start.hpp"

namespace CLI {
class App;
}

namespace linkwright::app {

struct ComputeArguments {
  ModelArguments model;
  std::string quantity;
  std::array<std::optional<std::string>, all_variables.size()> lists;
  std::optional<Start> start;
  std::vector<std::string> frames, forces;
  std::string axes = "own", force_axes = "own";
  std::optional<int> order;
  std::optional<std::string> extra;  ///< shafts behind elastic gears
  std::string states, out;
  bool rigid = false, cut_open = false, json = false;
  ClosedArguments closed;

  [[nodiscard]] const std::optional<std::string>& text(Variable variable) const {
    return lists[static_cast<std::size_t>(variable)];
  }
};

/// Adds all options of `compute` and its help.
void add_compute_options(CLI::App& command, ComputeArguments& arguments);

}  // namespace linkwright::app
