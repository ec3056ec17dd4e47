// The program: collects the subcommands and turns every outcome into an exit code.
// 0 fine, 1 the computation failed or the disk is full, 2 bad input, 128 + n ended by signal n.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <sstream>

#include "commands.hpp"
#include "linkwright/error.hpp"
#include "linkwright/model/names.hpp"
#include "shell/arguments.hpp"
#include "shell/help.hpp"
#include "shell/interrupt.hpp"
#include "shell/option_errors.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

constexpr int fine = 0, failed = 1, bad_input = 2;

std::unique_ptr<CLI::App> make_program() {
  auto program = std::make_unique<CLI::App>("Dynamics of linkages.", "linkwright");
  program->formatter(make_help_formatter());
  program->set_version_flag("--version", "linkwright " LINKWRIGHT_VERSION);
  program->footer(
      "`linkwright COMMAND --help` tells more about each.\n"
      "Exit codes: 0 fine, 1 the computation failed or the disk is full, 2 bad input, 130 ended "
      "by\n"
      "Ctrl-C.\n\n"
      "Example:\n  linkwright info models/arm7.urdf");
  add_check(*program);
  add_info(*program);
  add_convert(*program);
  add_assemble(*program);
  add_compute(*program);
  add_linearize(*program);
  add_grasp(*program);
  add_graph(*program);
  add_simulate(*program);
  add_identify(*program);
  add_verify(*program);
  add_bench(*program);
  add_view(*program);
  return program;
}

std::string hint(const CLI::App& program) {
  const auto chosen = program.get_subcommands();
  const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
  return "; see `linkwright" + command + " --help`";
}

void require_known_command(const CLI::App& program, const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with('-')) return;
  std::vector<std::string> known;
  for (const CLI::App* command : program.get_subcommands({})) known.push_back(command->get_name());
  if (std::find(known.begin(), known.end(), words.front()) != known.end()) return;
  throw Error("there is no command " + in_quotes(words.front()) +
              did_you_mean(words.front(), known) + "; known are " + list_in_quotes(known));
}

int run(const std::vector<std::string>& typed) {
  const std::unique_ptr<CLI::App> program = make_program();
  require_known_command(*program, typed);
  require_known_options(*program, typed);
  std::vector<std::string> words = join_lists(*program, typed);
  std::reverse(words.begin(), words.end());
  try {
    program->parse(words);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      program->exit(e, text, text);
      print(text.str());
      return fine;
    }
    report_error(explain(e, *program) + hint(*program));
    return bad_input;
  }
  if (!program->get_subcommands().empty()) return fine;
  report_error(
      "no command given; expected check, info, convert, assemble, compute, linearize, grasp, "
      "graph, "
      "simulate, identify, verify, bench or view");
  std::fputs(program->help().c_str(), stderr);
  return bad_input;
}

}  // namespace
}  // namespace linkwright::app

int main(int argc, char** argv) {
  using namespace linkwright::app;
  try {
    return run({argv + 1, argv + std::max(argc, 1)});
  } catch (const Interrupted& e) {
    return 128 + e.signal;
  } catch (const linkwright::Error& e) {
    report_error(e);
    return e.kind() == linkwright::Error::Kind::bad_input ? bad_input : failed;
  } catch (const std::bad_alloc&) {
    report_error(
        "there is not enough memory; ask for less at a time: fewer states or rows, a quantity "
        "without a matrix, a smaller mechanism");
    return failed;
  } catch (const std::exception& e) {
    report_error(std::string("internal error: ") + e.what());
    return failed;
  }
}
