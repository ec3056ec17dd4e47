#pragma once
/// A system in words: its tree as a drawing, its loops in a line each.
///
///     std::cout << linkwright::describe(system);

#include <functional>
#include <string>
#include <string_view>

#include "linkwright/system/system.hpp"

namespace linkwright {

/// What a name is set in: bold on a terminal, say.
using Emphasis = std::function<std::string(std::string_view)>;

/// One line per joint with the link it carries, children below their parents.
std::string draw_tree(const System& system, const Emphasis& emphasize = {});
/// "loop1: revolute between a and b, 5 equations".
std::string describe(const Closure& closure);
std::string describe(const Grasp& grasp);
/// Name, sizes, the tree and the loops. `cut_open` tells that the loops are left out.
std::string describe(const System& system, bool cut_open = false);

/// A name as a terminal may show it: control characters as \xNN.
std::string printable(std::string_view name);

}  // namespace linkwright
