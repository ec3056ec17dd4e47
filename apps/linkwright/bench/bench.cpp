#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "bench/closed_runs.hpp"
#include "bench/runs.hpp"
#include "commands.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/model/rigid.hpp"
#include "shell/arguments.hpp"
#include "shell/json.hpp"
#include "shell/model/forces_included.hpp"
#include "shell/model/loading.hpp"
#include "shell/model/loops.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

constexpr double largest_memory = 4.0 * 1024 * 1024 * 1024;
constexpr int most_states = 1'000'000'000, most_threads = 4096;
constexpr double most_seconds = 3600;

struct BenchArguments {
  ModelArguments model;
  std::optional<std::string> states, threads;
  std::string seconds = "3";
  bool rigid = false, cut_open = false, json = false;
};

double parse_seconds(const std::string& text) {
  const double value = parse_real("--seconds", text);
  if (!(value > 0) || value > most_seconds)
    throw Error(fmt::format("--seconds {}: expected a time greater than 0 and at most {}",
                            in_quotes(text), most_seconds));
  return value;
}

void require_something_to_time(const std::string& file, const System& system, BenchSize size) {
  if (system.nv() == 0)
    throw Error(fmt::format("{}: no joint moves, so there is nothing to time", file));
  const double memory = memory_needed(system, size);
  if (memory > largest_memory)
    throw Error(
        fmt::format("--states {} with --threads {} needs {:.3g} GiB for this model (nv {}); "
                    "expected at most {:.0f} GiB, ask for fewer",
                    size.states, size.threads, memory / std::exp2(30), system.nv(),
                    largest_memory / std::exp2(30)));
}

/// The run of this cell of the table; there is one.
const Run& find(const BenchRuns& bench, Timed quantity, bool single, std::string_view scalar,
                int threads) {
  return *std::find_if(bench.runs().begin(), bench.runs().end(), [&](const Run& run) {
    return run.quantity == quantity && run.single == single && run.scalar == scalar &&
           run.threads == threads;
  });
}

std::string cell(const Run& run) {
  if (!run.failure.empty()) return "no answer";
  return fmt::format("{:.{}f}", run.ns, run.ns < 1000 ? 1 : 0);
}

/// "33.1 M".
std::string rate(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.1f} M", per_second / 1e6);
  if (per_second >= 1e3) return fmt::format("{:.1f} k", per_second / 1e3);
  return fmt::format("{:.1f}  ", per_second);
}

constexpr std::string_view row_format = "{:<20}{:>7}{:>16}{:>25}{:>24}{:>19}{:>12}\n";

std::string table_row(const BenchRuns& bench, Timed quantity, int threads) {
  const Run& one = find(bench, quantity, true, "double", 1);
  const Run& doubles = find(bench, quantity, false, "double", threads);
  const Run& floats = find(bench, quantity, false, "float", threads);
  if (!doubles.failure.empty())
    return fmt::format("{:<20}{:>7}  no answer: {}\n", name(quantity), threads,
                       printable(doubles.failure));
  // One state at a time gives more than a batch does here: the two are not to be compared.
  const std::string gain =
      quantity == Timed::forward_kinematics ? "-" : fmt::format("{:.1f}x", one.ns / doubles.ns);
  return fmt::format(fmt::runtime(row_format), name(quantity), threads, cell(one), cell(doubles),
                     cell(floats), rate(1e9 / doubles.ns), gain);
}

std::string foot(const BenchRuns& bench, BenchSize size) {
  std::string text =
      "\nMedians. One state: single-state functions on random states; states per second and gain "
      "over one state: batch double.\n";
  text += fmt::format(
      "forward-kinematics: pose, velocity and acceleration of all frames for one state, the pose "
      "of {} in a batch; jacobian of {}.\n",
      in_quotes(printable(bench.frame())), in_quotes(printable(bench.frame())));
  for (const Timed quantity : all_timed) {
    const int batch = find(bench, quantity, false, "double", 1).batch;
    if (batch < size.states)
      text +=
          fmt::format("{}: in batches of {}, to bound the memory of the results.\n", name(quantity),
                      counted(static_cast<std::size_t>(batch), "state", "states"));
  }
  text += fmt::format(
      "Worst difference between batch and one state: {:.1e} in double, {:.1e} in float (relative, "
      "as forces).\n",
      bench.worst_difference("double"), bench.worst_difference("float"));
  return text;
}

std::string to_table(const std::string& file, const System& system, const BenchRuns& bench,
                     BenchSize size) {
  std::string text =
      fmt::format("{}: nv {}, batches of {}, {}, instruction set chosen automatically\n\n",
                  bold(printable(file)), system.nv(),
                  counted(static_cast<std::size_t>(size.states), "state", "states"),
                  counted(static_cast<std::size_t>(size.threads), "thread", "threads"));
  text += bold(fmt::format(fmt::runtime(row_format), "quantity", "threads", "one state (ns)",
                           "batch double (ns/state)", "batch float (ns/state)", "states per second",
                           "batch gain"));
  for (const Timed quantity : all_timed) {
    text += table_row(bench, quantity, 1);
    if (size.threads > 1) text += table_row(bench, quantity, size.threads);
  }
  return text + foot(bench, size);
}

Json to_json(const Run& run) {
  Json row{{"quantity", name(run.quantity)},
           {"call", run.single ? "one state" : "batch"},
           {"batch", run.batch},
           {"scalar", run.scalar},
           {"threads", run.threads},
           {"ns", run.failure.empty() ? Json(run.ns) : Json(nullptr)}};
  if (!run.failure.empty()) row["error"] = run.failure;
  return row;
}

Json to_json(const std::string& file, const System& system, const BenchRuns& bench,
             BenchSize size) {
  Json json{
      {"file", file},
      {"nv", system.nv()},
      {"states", size.states},
      {"threads", size.threads},
      {"frame", bench.frame()},
      {"worst_difference",
       {{"double", bench.worst_difference("double")}, {"float", bench.worst_difference("float")}}},
      {"rows", Json::array()}};
  if (size.closures == Closures::leave_out) json["cut_open"] = names_of_loops(system.model());
  for (const Run& run : bench.runs()) json["rows"].push_back(to_json(run));
  return json;
}

/// After the table is out: the first quantity that has none.
void require_answers(const std::vector<Run>& runs) {
  for (const Run& run : runs)
    if (!run.failure.empty())
      throw Error(fmt::format("{}: no answer: {}", name(run.quantity), run.failure),
                  Error::Kind::failed_computation);
}

constexpr std::string_view closed_format = "{:<20}{:>7}{:>16}{:>18}{:>19}{:>12}\n";

/// One quantity on some threads; those that batches do not give stand with one state alone.
std::string closed_row(const Run& one, const Run* batch) {
  const Run& best = batch == nullptr ? one : *batch;
  for (const Run* run : {&one, &best})
    if (!run->failure.empty())
      return fmt::format("{:<20}{:>7}  no answer: {}\n", name(one.quantity), best.threads,
                         printable(run->failure));
  return fmt::format(fmt::runtime(closed_format), name(one.quantity), best.threads, cell(one),
                     batch == nullptr ? "-" : cell(*batch), rate(1e9 / best.ns),
                     batch == nullptr ? "-" : fmt::format("{:.1f}x", one.ns / batch->ns));
}

std::string closed_rows(const ClosedRuns& bench) {
  std::string text;
  for (const Run& one : bench.runs()) {
    if (!one.single) continue;
    std::string batches;
    for (const Run& run : bench.runs())
      if (!run.single && run.quantity == one.quantity) batches += closed_row(one, &run);
    text += batches.empty() ? closed_row(one, nullptr) : batches;
  }
  return text;
}

std::string to_table(const std::string& file, const System& system, const ClosedRuns& bench,
                     BenchSize size) {
  std::string text = fmt::format(
      "{}: nv {}, closed by {}: {} of {} rows independent, {} left; batches of {}\n\n",
      bold(printable(file)), system.nv(), describe_loops(system.model()), bench.rank(),
      bench.rows(), counted(static_cast<std::size_t>(bench.mobility()), "freedom", "freedoms"),
      counted(static_cast<std::size_t>(size.states), "state", "states"));
  text += bold(fmt::format(fmt::runtime(closed_format), "quantity", "threads", "one state (ns)",
                           "batch (ns/state)", "states per second", "batch gain"));
  text += closed_rows(bench);
  text += fmt::format(
      "\nMedians over {} random states, each assembled, all loops closed. inverse-dynamics: the "
      "efforts of all motors;\nmass-matrix: in independent coordinates. Worst difference between "
      "the ways to forward dynamics, and after inverse\ndynamics: {:.1e}, of batches from one "
      "state "
      "{:.1e} (relative, as forces). --cut-open times the spanning tree.\n",
      bench.states(), bench.worst_difference(), bench.worst_batch_difference());
  if (!bench.note().empty()) text += fmt::format("{}.\n", printable(bench.note()));
  return text;
}

Json to_json(const std::string& file, const System& system, const ClosedRuns& bench,
             BenchSize size) {
  Json json{{"file", file},
            {"nv", system.nv()},
            {"closed_by", names_of_loops(system.model())},
            {"closure_rows", bench.rows()},
            {"rank", bench.rank()},
            {"mobility", bench.mobility()},
            {"samples", bench.states()},
            {"states", size.states},
            {"threads", size.threads},
            {"worst_difference",
             {{"double", bench.worst_difference()}, {"batch", bench.worst_batch_difference()}}},
            {"rows", Json::array()}};
  if (!bench.note().empty()) json["note"] = bench.note();
  for (const Run& run : bench.runs()) json["rows"].push_back(to_json(run));
  return json;
}

/// The mechanism, not its spanning tree.
void run_closed_bench(const BenchArguments& arguments, const System& system, BenchSize size,
                      double seconds) {
  const std::string& file = arguments.model.file;
  ClosedRuns bench(system, size);
  bench.check();
  bench.measure(seconds);
  print(arguments.json ? to_text(to_json(file, system, bench, size))
                       : to_table(file, system, bench, size));
  require_answers(bench.runs());
}

void run_bench(const BenchArguments& arguments) {
  const std::string& file = arguments.model.file;
  BenchSize size{parse_whole("--states", arguments.states.value_or("4096"), 1, most_states),
                 parse_whole("--threads", arguments.threads.value_or("1"), 1, most_threads)};
  const double seconds = parse_seconds(arguments.seconds);
  Model model = load(arguments.model);
  if (arguments.rigid) leave_out_forces(model);
  const System system = compile(model);
  require_something_to_time(file, system, size);
  sum_up_warnings(system);
  if (arguments.cut_open) size.closures = judge_loops(system.model());
  note_included_forces(model);
  note_network(model);
  note_elastic_gears(model, "no part of what is timed");
  if (!system.closures().empty() && !arguments.cut_open)
    return run_closed_bench(arguments, system, size, seconds);

  BenchRuns bench(system, size);
  bench.check();
  bench.measure(seconds);
  print(arguments.json ? to_text(to_json(file, system, bench, size))
                       : to_table(file, system, bench, size));
  require_answers(bench.runs());
}

}  // namespace

void add_bench(CLI::App& program) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command =
      program.add_subcommand("bench", "Time a model: one state and a batch of many");
  add_model_arguments(*command, arguments->model);
  command->add_option("--states", arguments->states, "states per batch (default 4096)")
      ->type_name("N");
  command
      ->add_option("--threads", arguments->threads,
                   "threads for the batch (default 1); with more, 1 is timed too")
      ->type_name("T");
  command->add_option("--seconds", arguments->seconds, "time to spend, in all (default 3)")
      ->type_name("S");
  command->add_flag("--rigid", arguments->rigid,
                    "leave out the model's damping, friction, springs and loads");
  add_cut_open(*command, arguments->cut_open);
  command->add_flag("--json", arguments->json,
                    "one JSON object: file, nv, states, threads, rows of quantity, batch, scalar, "
                    "threads, ns");
  command->footer(
      "Times inverse-dynamics, forward-dynamics, mass-matrix, forward-kinematics and jacobian in\n"
      "nanoseconds per state, after checking that a batch and one state at a time agree. Of a "
      "system\n"
      "with loops it times inverse-dynamics, forward-dynamics and mass-matrix of the closed "
      "mechanism,\n"
      "the first two in batches too.\n\n"
      "Example:\n  linkwright bench models/arm7.urdf --seconds 1\n"
      "  linkwright bench models/quadruped.urdf --base free --threads 2 --seconds 1 --json");
  command->callback([arguments] { run_bench(*arguments); });
}

}  // namespace linkwright::app
