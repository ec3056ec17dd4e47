#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "linkwright/io/output_file.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/io/urdf.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "shell/arguments.hpp"
#include "shell/loading.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

struct ConvertArguments {
  ModelArguments model;
  std::string out;
};

/// The text of the format that the name of the result asks for; `told` is what that format does not say.
std::string convert(const Model& model, const ConvertArguments& arguments,
                    std::vector<Warning>& told) {
  const std::filesystem::path out(arguments.out);
  std::error_code trouble;
  const std::filesystem::path folder = std::filesystem::absolute(out, trouble).parent_path();
  const std::string extension = out.extension().string();
  if (extension == ".yaml" || extension == ".yml") return write_system_file(model, folder);
  if (extension == ".urdf")
    return write_urdf(model, {.folder = folder, .lenient = arguments.model.lenient}, &told);
  throw Error(
      fmt::format("{}: the extension {} says no format; expected .yaml, a system file, or "
                  ".urdf",
                  printable(arguments.out), in_quotes(extension)));
}

void run_convert(const ConvertArguments& arguments) {
  const Model model = load_as_it_is(arguments.model);
  const System system = compile(network::reflect_inertias(model));
  sum_up_warnings(system);
  std::vector<Warning> told;
  const std::string text = convert(model, arguments, told);
  for (const Warning& warning : told) report_warning(warning.text());
  OutputFile file(arguments.out);
  file.write(text);
  file.commit();
  print(fmt::format("{}: {}, {}, nq {}, nv {}\n", printable(arguments.out),
                    counted(model.bodies.size(), "body", "bodies"),
                    counted(declared_joints(model), "joint", "joints"), system.nq(), system.nv()));
}

}  // namespace

void add_convert(CLI::App& program) {
  auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* command = program.add_subcommand("convert", "Write a model in another format");
  add_model_arguments(*command, arguments->model);
  command->add_option("OUT", arguments->out, "the file to write: .yaml (system file) or .urdf")
      ->required()
      ->check(not_empty())
      ->type_name("OUT.yaml|OUT.urdf");
  command->footer(
      "A system file holds everything a model can have; what a URDF cannot say of the dynamics is "
      "an\n"
      "error, with --lenient left out and told.\n\n"
      "Example:\n"
      "  linkwright convert models/quadruped.urdf quadruped.yaml --base free\n"
      "  linkwright convert models/puma560.yaml puma560.urdf --lenient");
  command->callback([arguments] { run_convert(*arguments); });
}

}  // namespace linkwright::app
