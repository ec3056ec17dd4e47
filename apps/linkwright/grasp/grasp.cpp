#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "grasp/report.hpp"
#include "linkwright/model/names.hpp"
#include "shell/arguments.hpp"
#include "shell/model/loading.hpp"
#include "shell/output.hpp"
#include "shell/state/closed_start.hpp"
#include "shell/state/start.hpp"

namespace linkwright::app {
namespace {

using manipulator::SharingOptions;
using manipulator::SharingRule;

struct GraspArguments {
  ModelArguments model;
  StartArguments start;
  ClosedStart closed;
  std::string object, weights;
  std::string sharing = "least-squares";
  std::optional<std::string> a, wrench, stiffness, reserve;
  bool ignore_limits = false, json = false;

  /// Whether a load is asked for, and not merely how the object is held.
  [[nodiscard]] bool asks_for_a_load() const { return a || wrench; }
};

/// The objects to speak of: the one that --object names, or all.
std::vector<std::string> chosen_objects(const GraspArguments& arguments, const System& system) {
  std::vector<std::string> held;
  try {
    held = manipulator::held_objects(system);
  } catch (const Error& e) {
    throw Error(Source{arguments.model.file}, e.what(), e.kind());
  }
  if (arguments.object.empty()) {
    if (held.size() > 1 && arguments.asks_for_a_load())
      throw Error(
          fmt::format("--a and --wrench act on one object, and grasps hold {}; choose one "
                      "with --object",
                      list_in_quotes(held)));
    return held;
  }
  if (std::find(held.begin(), held.end(), arguments.object) == held.end())
    throw Error(fmt::format("--object: nothing holds {}{}; grasps hold {}",
                            in_quotes(arguments.object), did_you_mean(arguments.object, held),
                            list_in_quotes(held)));
  return {arguments.object};
}

std::vector<double> parse_numbers(const char* option, const std::string& text, std::size_t count,
                                  const std::string& what) {
  std::vector<double> numbers;
  for (const std::string& part : split_names(text)) numbers.push_back(parse_real(option, part));
  if (numbers.size() != count)
    throw Error(
        fmt::format("{} has {} numbers; expected {}: {}", option, numbers.size(), count, what));
  return numbers;
}

/// Accelerations of the object's own freedoms: a number for each, or some by their names.
std::vector<double> parse_acceleration(const System& system, const std::string& text,
                                       const manipulator::GraspMap& map) {
  if (!names_entries(text))
    return parse_numbers("--a", text, map.entries.size(),
                         fmt::format("one for each of {}", list_in_quotes(map.freedoms)));
  Eigen::VectorXd all = parse_coordinates(system, Variable::a, text, neutral(system, Variable::a));
  std::vector<double> own;
  for (const int entry : map.entries) own.push_back(std::exchange(all[entry], 0.0));
  Eigen::Index other = 0;
  if (all.size() > 0 && all.cwiseAbs().maxCoeff(&other) > 0)
    throw Error(fmt::format("--a: {} is not a freedom of object {}; its own are {}",
                            in_quotes(system.velocity_names()[static_cast<std::size_t>(other)]),
                            in_quotes(map.object), list_in_quotes(map.freedoms)));
  return own;
}

/// "left=2,right=1": one weight per grasp, 1 where none is given.
std::vector<double> parse_weights(const System& system, const std::string& text) {
  std::vector<double> weights(system.model().grasps.size(), 1.0);
  std::vector<std::string> names;
  for (const Grasp& grasp : system.model().grasps) names.push_back(grasp.name);
  for (const std::string& part : split_names(text)) {
    const std::size_t equals = part.rfind('=');
    const std::string name = part.substr(0, equals);
    const auto found = std::find(names.begin(), names.end(), name);
    if (equals == std::string::npos || found == names.end())
      throw Error(fmt::format("--weights {}: expected GRASP=WEIGHT with one of {}{}",
                              in_quotes(part), list_in_quotes(names), did_you_mean(name, names)));
    weights[static_cast<std::size_t>(found - names.begin())] =
        parse_real("--weights", part.substr(equals + 1));
  }
  return weights;
}

SharingOptions make_options(const GraspArguments& arguments, ClosedWorkspace& work,
                            const State& state, const std::vector<std::string>& objects) {
  SharingOptions options;
  if (arguments.sharing == "weighted") options.rule = SharingRule::weighted;
  if (arguments.sharing == "least-torque") options.rule = SharingRule::least_torque;
  if (options.rule == SharingRule::weighted)
    options.weights = parse_weights(work.system(), arguments.weights);
  else if (!arguments.weights.empty())
    throw Error("--weights has no effect without --sharing weighted; add it");
  if (arguments.ignore_limits) options.efforts = SharingOptions::Bounds::ignore;
  if (arguments.reserve) options.reserve = parse_real("--reserve", *arguments.reserve);
  if (arguments.a) {
    options.object = objects.front();
    options.acceleration =
        parse_acceleration(work.system(), *arguments.a,
                           manipulator::compute_grasp_map(work, state.q, objects.front()));
  }
  return options;
}

manipulator::ServoGains make_gains(const GraspArguments& arguments, const System& system) {
  manipulator::ServoGains gains;
  if (!arguments.stiffness) return gains;
  const Eigen::VectorXd k =
      parse_coordinates(system, Variable::a, *arguments.stiffness, neutral(system, Variable::a));
  gains.stiffness.assign(k.data(), k.data() + k.size());
  return gains;
}

/// What cannot be computed is an answer about the load, and the rest is still worth reading.
manipulator::LoadSharing share_or_say_why(ClosedWorkspace& work, const State& state,
                                          const SharingOptions& options, ExternalForces forces) {
  try {
    return share_load(work, state, options, forces);
  } catch (const Error& e) {
    if (e.kind() != Error::Kind::failed_computation) throw;
    manipulator::LoadSharing none;
    none.reason = e.what();
    return none;
  }
}

void run_grasp(const GraspArguments& given) {
  GraspArguments arguments = given;
  const System system = compile(load(arguments.model));
  sum_up_warnings(system);
  const std::vector<std::string> objects = chosen_objects(arguments, system);
  arguments.closed.given_q = joints_given(system, arguments.start.q);
  State state = start_state(system, arguments.start);
  ClosedWorkspace work(system);
  keep_closed(work, arguments.closed, state);
  const SharingOptions options = make_options(arguments, work, state, objects);
  std::vector<ExternalForce> forces;
  if (arguments.wrench) {
    const std::vector<double> w =
        parse_numbers("--wrench", *arguments.wrench, 6, "mx my mz fx fy fz");
    forces.push_back(
        {system.frame(objects.front()), {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}, Axes::world});
  }
  GraspReport report{.file = arguments.model.file, .rule = options.rule};
  const manipulator::ServoGains gains = make_gains(arguments, system);
  for (const std::string& object : objects)
    report.objects.push_back({manipulator::analyse_grasp(work, state.q, object),
                              compute_object_impedance(work, state.q, object, gains)});
  report.sharing = share_or_say_why(work, state, options, forces);
  print(arguments.json ? to_text(to_json(report)) : to_lines(report));
  if (!report.sharing.feasible && arguments.asks_for_a_load())
    throw Error(report.sharing.reason, Error::Kind::failed_computation);
}

void add_lists(CLI::App& command, GraspArguments& arguments) {
  const auto add = [&command](const char* name, std::optional<std::string>& to, const char* help) {
    return command.add_option_function<std::string>(
        name, [&to](const std::string& text) { to = text; }, help);
  };
  add("--q", arguments.start.q, "positions; default: as --start says")->type_name(list_type);
  add_start_option(command, arguments.start.start);
  command.add_flag("--assemble", arguments.closed.assemble,
                   "move the joints that --q does not give, so that all grasps close");
  command.add_option("--object", arguments.object, "speak of this one; default: all that are held")
      ->check(not_empty())
      ->type_name("NAME");
  add("--a", arguments.a, "accelerations of the object's own freedoms; default: it rests")
      ->type_name(list_type);
  add("--wrench", arguments.wrench,
      "mx,my,mz,fx,fy,fz on the object besides its weight, at its frame, world axes")
      ->type_name(list_type);
  add("--stiffness", arguments.stiffness, "of the joints' servos, for the stiffness at the object")
      ->type_name(list_type);
  command
      .add_option("--sharing", arguments.sharing,
                  "least-squares (default) or weighted contact forces, or least-torque")
      ->check(one_of({"least-squares", "weighted", "least-torque"}))
      ->type_name("RULE");
  command
      .add_option("--weights", arguments.weights, "of --sharing weighted; 1 where none is given")
      ->type_name("GRASP=WEIGHT,…");
  add("--reserve", arguments.reserve, "part of the friction to keep back, 0 … 1; default 0")
      ->type_name("PART");
}

}  // namespace

void add_grasp(CLI::App& program) {
  auto arguments = std::make_shared<GraspArguments>();
  CLI::App* command = program.add_subcommand(
      "grasp", "How hands hold an object: force closure, squeeze, who carries how much");
  add_model_arguments(*command, arguments->model);
  add_lists(*command, *arguments);
  command->add_flag("--ignore-limits", arguments->ignore_limits,
                    "motors may exceed their effort limits");
  command->add_flag("--json", arguments->json,
                    "one JSON object: force_closure, form_closure, grasp_rank, internal_basis, "
                    "margins, sharing, …");
  command->footer(
      "Exit code 1: the load of --a or --wrench cannot be shared within cones and limits.\n\n"
      "Example:\n"
      "  linkwright grasp models/three_fingers_and_ball.yaml\n"
      "  linkwright grasp models/three_fingers_and_ball.yaml --a ball:5=2 --sharing least-torque\n"
      "  linkwright grasp models/three_fingers_and_ball.yaml --wrench 0,0,0,0,0,-1 --json");
  command->callback([arguments] { run_grasp(*arguments); });
}

}  // namespace linkwright::app
