#pragma once
/// The network of a model, as `info` shows it.

#include <string>

#include "linkwright/system/system.hpp"
#include "shell/json.hpp"

namespace linkwright::app {

/// Components, states, index and what depends on what; empty without a network.
Json network_json(const Model& model);
std::string network_text(const Model& model);

}  // namespace linkwright::app
