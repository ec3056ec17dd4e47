#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/viewer/page.hpp"
#include "shell/arguments.hpp"
#include "shell/interrupt.hpp"
#include "shell/model/loading.hpp"
#include "shell/output.hpp"
#include "shell/state/closed_start.hpp"
#include "shell/state/start.hpp"

namespace linkwright::app {
namespace {

struct ViewArguments {
  ModelArguments model;
  StartArguments start;
  std::string out;
};

/// Where the page begins: closed, if the mechanism can be closed with what --q gives. A page that cannot
/// be is written all the same, to look at what does not fit.
Eigen::VectorXd closed_start(const System& system, const StartArguments& arguments) {
  Eigen::VectorXd q = start_state(system, arguments).q;
  if (system.closures().empty()) return q;
  ClosedWorkspace work(system);
  constexpr double closed = 1e-8;
  if (compute_worst_closure(work, q).gap() <= closed) return q;
  Eigen::VectorXd moved = q;
  const Assembly result = assemble(work, {.hold = joints_given(system, arguments.q)}, moved);
  if (result.residual > closed) {
    report_warning(
        fmt::format("the mechanism cannot be closed here: {}; the sliders move the "
                    "spanning tree",
                    describe(system, result)));
    return q;
  }
  if (!result.assembled) report_warning(describe(system, result));  // beyond limits
  report_note(fmt::format("moved to close the loops: {}", fmt::join(result.moved, ", ")));
  return moved;
}

void run_view(const ViewArguments& arguments) {
  const System system = compile(load(arguments.model));
  const Page page = to_page(system, closed_start(system, arguments.start));
  sum_up_warnings(system);
  for (const Warning& warning : page.warnings) report_warning(warning.text());
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
      "  linkwright view models/quadruped.urdf --base free -o quadruped.html\n"
      "  linkwright view models/stewart.yaml -o stewart.html");
  command->callback([arguments] { run_view(*arguments); });
}

}  // namespace linkwright::app
