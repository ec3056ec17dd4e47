#include "simulate/size.hpp"

#include <fmt/format.h>

#include "shell/output.hpp"

namespace linkwright::app {
namespace {

constexpr double most_rows = 20e6, most_bytes = 2e9;
constexpr double most_steps = 1e10;
constexpr double most_countable_steps = 9e15;  // 2⁵³
constexpr double bytes_as_text = 20;           // 17 digits, point, sign or exponent, comma
constexpr double bytes_as_double = 8;

/// Of the file; a page has some thousand rows however long the run.
double bytes_per_number(const SimulateArguments& arguments) {
  if (arguments.out.empty()) return 0;
  const bool text = arguments.out == "-" || arguments.out.ends_with(".csv");
  return text ? bytes_as_text : bytes_as_double;
}

void note_long_run(const SimulationOptions& options, double seconds) {
  const double steps = seconds / options.step;
  if (!has_fixed_step(options.method) || steps <= most_steps) return;
  if (steps > most_countable_steps)
    throw Error(
        fmt::format("{:g} s in steps of {:g} s: the time would be the same before and after a step "
                    "(it has 16 digits); expected at most {:.1g} steps. Choose a longer --step or "
                    "a shorter --time",
                    seconds, options.step, most_countable_steps));
  report_note(fmt::format(
      "{:.3g} steps of {:g} s lie ahead; at a million steps per second they take {:.3g} "
      "hours. --step makes them longer",
      steps, options.step, steps / 1e6 / 3600));
}

}  // namespace

void check_size(const SimulateArguments& arguments, const SimulationOptions& options,
                const RunLength& length, std::size_t columns) {
  note_long_run(options, length.seconds);
  const double per_number = bytes_per_number(arguments);
  const double pause = length.every > 0 ? length.every : options.step;
  if (arguments.any_size || per_number == 0) return;
  if (length.every == 0 && !has_fixed_step(options.method)) return;
  const double rows = length.seconds / pause + 1;
  const double bytes = rows * static_cast<double>(columns) * per_number;
  if (rows <= most_rows && bytes <= most_bytes) return;
  throw Error(fmt::format(
      "a row every {:g} s for {:g} s makes {:.3g} rows of {} numbers, about {:.3g} GB; expected at "
      "most {:g} million rows and {:g} GB. Choose a longer --every, or insist with --any-size",
      pause, length.seconds, rows, columns, bytes / 1e9, most_rows / 1e6, most_bytes / 1e9));
}

}  // namespace linkwright::app
