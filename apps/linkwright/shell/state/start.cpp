#include "shell/state/start.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <map>

#include "shell/arguments.hpp"

namespace linkwright::app {
namespace {

const std::map<std::string, Start> start_names{
    {"neutral", Start::neutral}, {"middle", Start::middle}, {"file", Start::file}};

/// A list of all numbers leaves nothing for --start to say.
void require_effect(const StartArguments& arguments) {
  if (!arguments.start || *arguments.start == Start::file) return;
  if (arguments.q && !names_entries(*arguments.q))
    throw Error(
        "--q gives every number, so --start has no effect; remove one of them, or name "
        "the numbers you mean as in --q elbow=0.3");
}

}  // namespace

void add_start_option(CLI::App& command, std::optional<Start>& start) {
  command
      .add_option_function<std::string>(
          "--start", [&start](const std::string& name) { start = start_names.at(name); },
          "neutral (zeros), middle (of the joints' limits) or file (the system file's state); "
          "default: file where it has a state, else neutral")
      ->type_name("WHERE")
      ->check(one_of({"neutral", "middle", "file"}));
}

State base_state(const System& system, std::optional<Start> start) {
  const InitialState& given = system.model().initial;
  if (start == Start::file && given.q.empty() && given.v.empty())
    throw Error(
        "--start file: the file gives no state; choose neutral or middle, or add `state:` to a "
        "system file");
  if (!start || *start == Start::file) return initial_state(system);
  State state(system);
  if (*start == Start::middle) compute_middle(system, state.q);
  return state;
}

State start_state(const System& system, const StartArguments& arguments) {
  require_effect(arguments);
  State state = base_state(system, arguments.start);
  const State others = arguments.start ? state : State(system);
  if (arguments.q) state.q = parse_coordinates(system, Variable::q, *arguments.q, others.q);
  if (arguments.v) state.v = parse_coordinates(system, Variable::v, *arguments.v, others.v);
  return state;
}

}  // namespace linkwright::app
