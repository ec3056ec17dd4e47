#pragma once
/// Documents that use every word of MJCF that is understood, and a change of each.

#include <map>
#include <string>
#include <vector>

#include "apps/every/effects.hpp"

namespace apps {

const std::map<std::string, std::string, std::less<>>& mjcf_documents();
const std::vector<Change>& mjcf_changes();

}  // namespace apps
