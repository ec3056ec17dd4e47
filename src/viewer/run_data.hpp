#pragma once
/// A run as the page takes it.

#include <span>
#include <vector>

#include "linkwright/viewer/page.hpp"
#include "viewer/encoding.hpp"

namespace linkwright::viewer {

/// Which of these times to keep: at most `most`, evenly spread in time, the first and the last
/// always.
std::vector<std::size_t> choose_samples(std::span<const double> time, std::size_t most);

/// The key "run". Throws Error for what does not fit together or is not finite; `bodies` gives the
/// page's number of each body, in the order of Drawing.
Json run_to_json(const System& system, const PageRun& run, const std::vector<int>& bodies);

}  // namespace linkwright::viewer
