#pragma once
/// --cut-open, and what commands do with a model whose loops are closed.

#include <string>
#include <vector>

#include "linkwright/system/closures.hpp"

namespace CLI {
class App;
}

namespace linkwright::app {

/// Adds --cut-open.
void add_cut_open(CLI::App& command, bool& cut_open);

/// Throws Error naming the closures and grasps of a model that has any, unless they are to be cut
/// open; then it warns on stderr that they are left out.
Closures judge_loops(const Model& model, const std::string& file, bool cut_open);

/// With --cut-open: takes closures and grasps out of a model, warns that they are left out and returns
/// their names.
std::vector<std::string> leave_out_loops(Model& model, bool cut_open);

/// Names of all closures and grasps: what --cut-open leaves out.
std::vector<std::string> names_of_loops(const Model& model);

}  // namespace linkwright::app
