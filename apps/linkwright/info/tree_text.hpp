#pragma once
/// The spanning tree as a drawing, for `info`.

#include <string>

#include "linkwright/system/system.hpp"

namespace linkwright::app {

/// One line per joint with the link it carries, children below their parents.
std::string draw_tree(const System& system);
/// "loop1: revolute between 'a' and 'b', 5 equations".
std::string describe(const Closure& closure, const Model& model);
std::string describe(const Grasp& grasp, const Model& model);

}  // namespace linkwright::app
