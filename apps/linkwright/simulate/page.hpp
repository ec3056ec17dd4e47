#pragma once
/// The page of a run.

#include <string>

#include "simulate/recording.hpp"
#include "simulate/summary.hpp"

namespace linkwright::app {

/// Throws Error when this build has no page, so that this is known before a long run.
void require_page();

/// Writes the page; warns of meshes that are not there.
void write_run_page(const std::string& path, const System& system, const RunRecording& recording,
                    const RunSummary& run, const SummaryLines& lines);

}  // namespace linkwright::app
