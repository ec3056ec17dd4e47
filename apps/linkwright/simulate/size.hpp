#pragma once
/// How much a run will record, told before it begins.

#include <cstddef>

#include "simulate/arguments.hpp"

namespace linkwright::app {

struct RunLength {
  double seconds = 0;  ///< to simulate
  double every = 0;    ///< seconds between two rows, 0: every step
};

/// Refuses a recording of more than 2 GB or 20 million rows unless --any-size is given, and notes
/// when there are more than 1e10 steps ahead. The steps of adams, bdf and ida are not known beforehand:
/// without --every they are not judged.
void check_size(const SimulateArguments& arguments, const SimulationOptions& options,
                const RunLength& length, std::size_t columns);

}  // namespace linkwright::app
