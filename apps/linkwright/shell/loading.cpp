#include "shell/loading.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "linkwright/io/read_model.hpp"

namespace linkwright::app {

void add_model_arguments(CLI::App& command, ModelArguments& arguments) {
  command.add_option("FILE", arguments.file, "URDF (.urdf) or system file (.yaml)")->required();
  static const std::map<std::string, Base> bases{
      {"fixed", Base::fixed}, {"free", Base::free}, {"planar", Base::planar}};
  command
      .add_option_function<std::string>(
          "--base", [&arguments](const std::string& name) { arguments.base = bases.at(name); },
          "how the root of a URDF is attached to the world: fixed (default), free or planar")
      ->type_name("BASE")
      ->check([](const std::string& name) {
        return bases.contains(name) ? std::string{}
                                    : "'" + name + "' is unknown; expected fixed, free or planar";
      });
}

Model load(const ModelArguments& arguments) { return read_model(arguments.file, arguments.base); }

std::vector<std::string> warning_texts(const System& system) {
  std::vector<std::string> texts;
  for (const Warning& warning : system.warnings()) texts.push_back(warning.text());
  return texts;
}

std::size_t declared_joints(const Model& model) {
  return static_cast<std::size_t>(std::count_if(model.joints.begin(), model.joints.end(),
                                                [](const Joint& joint) { return !joint.implied; }));
}

}  // namespace linkwright::app
