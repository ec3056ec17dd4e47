#pragma once
/// What all subcommands do first: the FILE and --base arguments, reading, compiling.

#include <string>
#include <vector>

#include "linkwright/system/system.hpp"

namespace CLI {
class App;
}

namespace linkwright::app {

struct ModelArguments {
  std::string file;
  Base base = Base::fixed;
};

/// Adds FILE and --base.
void add_model_arguments(CLI::App& command, ModelArguments& arguments);

/// Reads the file; `compile` judges it.
Model load(const ModelArguments& arguments);

/// Every warning as "file:line: message".
std::vector<std::string> warning_texts(const System& system);

/// Joints that the file itself declares.
std::size_t declared_joints(const Model& model);

}  // namespace linkwright::app
