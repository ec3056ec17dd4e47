#pragma once
/// Whether a checkpoint was saved under the options of this run.

#include "simulate/arguments.hpp"

namespace linkwright::app {

/// Throws Error when the file gives the system of the checkpoint under another --base, --rigid or
/// --lenient: then not the model has changed but the options.
void require_same_options(const SimulateArguments& arguments, const System& system,
                          const Checkpoint& saved);

}  // namespace linkwright::app
