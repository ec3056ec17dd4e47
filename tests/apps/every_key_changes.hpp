#pragma once
/// System files that hold every key between them, and a change of each key.

#include <string_view>
#include <vector>

#include "apps/effects.hpp"

namespace apps {

/// The robot that the open system is made of.
extern const std::string_view rod_urdf;
/// open.yaml, closed.yaml, flexible.yaml, network.yaml, written.yaml.
extern const std::string_view open_system, closed_system, flexible_system, network_system,
    written_system, listed_system;
/// Of listed.yaml: the robot and its list of closures.
extern const std::string_view pair_urdf, listed_closures, listed_points;

std::vector<Change> changes_of_the_open_system();
std::vector<Change> changes_of_the_closed_system();
std::vector<Change> changes_of_the_flexible_system();
std::vector<Change> changes_of_the_network();
std::vector<Change> changes_of_the_written_system();

}  // namespace apps
