#pragma once
/// The page without data. The build makes the source file of this function from viewer/.

#include <string_view>

namespace linkwright::viewer {

/// The HTML that node bundled; empty when the build had no node, no npm or no network.
std::string_view page_bundle();

}  // namespace linkwright::viewer
