#pragma once
/// What commands the motion of `linkwright simulate`, as text.

#include <optional>
#include <string>
#include <vector>

#include "linkwright/simulate/recording.hpp"

namespace CLI {
class App;
}

namespace linkwright::app {

struct CommandArguments {
  std::string effort_limits = "tell";
  [[nodiscard]] bool cuts_efforts() const { return effort_limits == "cut"; }
  std::string input, between = "linear";
  std::string reference, control, period;
  std::optional<std::string> kp, kd;
  std::vector<std::string> moves, durations;

  /// Whether joints are to make a motion.
  [[nodiscard]] bool moves_joints() const { return !reference.empty() || !moves.empty(); }
  /// pd, pd-gravity, computed-torque or exact.
  [[nodiscard]] std::string control_name() const {
    return control.empty() ? "computed-torque" : control;
  }
  [[nodiscard]] bool is_exact() const { return moves_joints() && control_name() == "exact"; }
};

void add_command_arguments(CLI::App& command, CommandArguments& arguments);

/// Throws Error for options that contradict each other or have no effect.
void check_command(const CommandArguments& arguments);

/// What a recording says about who commanded the run.
std::vector<Fact> facts_of(const CommandArguments& arguments);

}  // namespace linkwright::app
