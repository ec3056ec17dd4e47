#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "linkwright/system/closures.hpp"
#include "linkwright/viewer/page.hpp"
#include "shell/arguments.hpp"
#include "shell/interrupt.hpp"
#include "shell/loading.hpp"
#include "shell/output.hpp"
#include "shell/start.hpp"

namespace linkwright::app {
namespace {

struct ViewArguments {
  ModelArguments model;
  StartArguments start;
  std::string out;
};

void run_view(const ViewArguments& arguments) {
  const System system = compile(load(arguments.model));
  const Page page = to_page(system, start_state(system, arguments.start).q);
  sum_up_warnings(system);
  for (const Warning& warning : page.warnings) report_warning(warning.text());
  if (const std::string loops = describe_loops(system.model()); !loops.empty())
    report_warning(loops + " not enforced yet: the sliders move the spanning tree");
  {
    const Interrupt interrupt;  // a page that is being written is finished
    write_page(arguments.out, page.text);
    if (interrupt.requested()) throw Interrupted{interrupt.signal()};
  }
  if (arguments.out == "-") return;
  print(fmt::format("{}: {}, {}, {:.1f} MB; open it in a browser\n", printable(arguments.out),
                    counted(system.model().bodies.size(), "body", "bodies"),
                    counted(declared_joints(system.model()), "joint", "joints"),
                    static_cast<double>(page.text.size()) / 1e6));
}

}  // namespace

void add_view(CLI::App& program) {
  auto arguments = std::make_shared<ViewArguments>();
  CLI::App* command = program.add_subcommand(
      "view", "Write a page that shows the mechanism in 3D, with a slider per joint");
  add_model_arguments(*command, arguments->model);
  command->add_option("-o,--out", arguments->out, "the page to write; - is stdout")
      ->required()
      ->check([](const std::string& text) {
        return text.empty() ? std::string("the path is empty") : std::string{};
      })
      ->type_name("PAGE.html");
  command
      ->add_option_function<std::string>(
          "--q", [arguments](const std::string& text) { arguments->start.q = text; },
          "position shown first, as for `compute`; default: as --start says")
      ->type_name(list_type);
  add_start_option(*command, arguments->start.start);
  command->footer(
      "The page is one file and needs no network. Links to which the file gives no shape, or a "
      "mesh\n"
      "that is not there, are drawn from their joints and inertia.\n\n"
      "Example:\n  linkwright view models/arm7.urdf -o arm7.html\n"
      "  linkwright view models/quadruped.urdf --base free -o quadruped.html");
  command->callback([arguments] { run_view(*arguments); });
}

}  // namespace linkwright::app
