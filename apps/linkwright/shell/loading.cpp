#include "shell/loading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "linkwright/io/read_model.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "shell/arguments.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

constexpr std::size_t few_warnings = 3;

/// In the order of their first appearance; a warning without a kind is one of its own.
std::vector<std::string> kinds_of(const std::vector<Warning>& warnings) {
  std::vector<std::string> kinds;
  for (const Warning& warning : warnings) {
    const std::string& kind = warning.kind.empty() ? warning.message : warning.kind;
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

/// "12 warnings of 4 kinds".
std::string count_of(const std::vector<Warning>& warnings) {
  return counted(warnings.size(), "warning", "warnings") + " of " +
         counted(kinds_of(warnings).size(), "kind", "kinds");
}

}  // namespace

void add_model_arguments(CLI::App& command, ModelArguments& arguments) {
  command
      .add_option("FILE", arguments.file, "URDF (.urdf), SDF (.sdf, .world) or system file (.yaml)")
      ->required();
  static const std::map<std::string, Base> bases{
      {"fixed", Base::fixed}, {"free", Base::free}, {"planar", Base::planar}};
  command
      .add_option_function<std::string>(
          "--base", [&arguments](const std::string& name) { arguments.base = bases.at(name); },
          "how the root of a URDF or SDF model is attached to the world: fixed (default), free or "
          "planar")
      ->type_name("BASE")
      ->check(one_of({"fixed", "free", "planar"}));
  command.add_flag(
      "--lenient", arguments.lenient,
      "drop or clip what can be, with a warning that says the meaning taken (--quiet hides "
      "these warnings too)");
  command
      .add_option("--package", arguments.packages,
                  "where package://NAME/ and model://NAME/ lie; may be repeated")
      ->type_name("NAME=DIR")
      ->allow_extra_args(false);
  command
      .add_option(
          "--closures", arguments.closures,
          "a list of frames that coincide where the loops of a URDF or SDF model are closed")
      ->type_name("FILE.yaml")
      ->check(not_empty());
  command.add_flag_callback(
      "--quiet",
      [&arguments] {
        arguments.quiet = true;
        silence_warnings();
      },
      "no warnings");
}

Model load_as_it_is(const ModelArguments& arguments) {
  ReadOptions options{.base = arguments.base, .lenient = arguments.lenient};
  for (const std::string& package : arguments.packages) {
    const std::size_t sign = package.find('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == package.size())
      throw Error(
          fmt::format("--package {}: expected NAME=DIR, the folder that package://NAME/ "
                      "means",
                      printable(package)));
    options.packages[package.substr(0, sign)] = package.substr(sign + 1);
  }
  options.closures = arguments.closures;
  return read_model(arguments.file, options);
}

Model load(const ModelArguments& arguments) {
  return network::reflect_inertias(load_as_it_is(arguments));
}

std::vector<std::string> warning_texts(const System& system) {
  std::vector<std::string> texts;
  for (const Warning& warning : system.warnings()) texts.push_back(warning.text());
  return texts;
}

void report_warnings(const System& system) {
  for (const std::string& text : warning_texts(system)) report_warning(text);
  if (system.warnings().size() > few_warnings)
    report_warning(count_of(system.warnings()) + "; --quiet hides them");
}

void sum_up_warnings(const System& system) {
  if (system.warnings().size() <= few_warnings) {
    for (const std::string& text : warning_texts(system)) report_warning(text);
    return;
  }
  std::vector<Warning> rest;
  for (const Warning& warning : system.warnings()) {
    if (warning.kind.starts_with("repaired"))
      report_warning(warning.text());
    else
      rest.push_back(warning);
  }
  if (rest.empty()) return;
  report_warning(fmt::format("{}: {} ({}); `linkwright check` tells each, --quiet hides this line",
                             rest.front().source.file, count_of(rest),
                             fmt::join(kinds_of(rest), ", ")));
}

std::size_t declared_joints(const Model& model) {
  return static_cast<std::size_t>(std::count_if(model.joints.begin(), model.joints.end(),
                                                [](const Joint& joint) { return !joint.implied; }));
}

std::vector<std::string> declared_bodies(const Model& model) {
  std::vector<std::string> welded_ends, names;
  for (const Joint& joint : model.joints)
    if (joint.implied && joint.name == joint.parent) welded_ends.push_back(joint.parent);
  for (const Body& body : model.bodies)
    if (std::find(welded_ends.begin(), welded_ends.end(), body.name) == welded_ends.end())
      names.push_back(body.name);
  return names;
}

}  // namespace linkwright::app
