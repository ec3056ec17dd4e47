#pragma once
/// What all subcommands do first: the FILE argument and its options, reading, telling the warnings.

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
  bool lenient = false, quiet = false;
  std::vector<std::string> packages{};  ///< NAME=DIR
  std::string closures{};
};

/// Adds FILE, --base, --lenient, --quiet, --package and --closures.
void add_model_arguments(CLI::App& command, ModelArguments& arguments);

/// Reads the file; `compile` judges it.
Model load(const ModelArguments& arguments);
/// The same with the inertias of its network where the file has them, for what does not compute.
Model load_as_it_is(const ModelArguments& arguments);

/// Every warning as "file:line: message".
std::vector<std::string> warning_texts(const System& system);
/// Reports every warning, and when there are many how many of how many kinds.
void report_warnings(const System& system);
/// Reports a few warnings as they are and many in one line, for commands whose subject is another.
/// What --lenient made of mistakes is always told in full.
void sum_up_warnings(const System& system);

/// Joints that the file itself declares.
std::size_t declared_joints(const Model& model);
/// Links without those that `compile` puts between a joint and a child that it carries elsewhere than by the child's
/// own frame (to_tree_with_closures).
std::vector<std::string> declared_bodies(const Model& model);

}  // namespace linkwright::app
