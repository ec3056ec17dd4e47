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

/// For commands with --cut-open: warns on stderr that the closures and grasps of a model are left out,
/// or notes that there are none.
Closures judge_loops(const Model& model);

/// Takes closures and grasps out of a model and returns their names.
std::vector<std::string> cut_loops(Model& model);
/// With --cut-open: takes closures and grasps out of a model, warns that they are left out and returns
/// their names.
std::vector<std::string> leave_out_loops(Model& model, bool cut_open);

/// Names of all closures and grasps: what --cut-open leaves out.
std::vector<std::string> names_of_loops(const Model& model);

}  // namespace linkwright::app
