#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "linkwright/io/output_file.hpp"
#include "linkwright/network/drawing.hpp"
#include "shell/arguments.hpp"
#include "shell/json.hpp"
#include "shell/model/loading.hpp"
#include "shell/output.hpp"
#include "shell/state/closed_start.hpp"
#include "shell/state/start.hpp"

namespace linkwright::app {
namespace {

using network::ActivePort;
using network::Driver;
using network::FormulationTree;
using network::SystemGraph;
using network::TreeConflict;

struct GraphArguments {
  ModelArguments model;
  StartArguments start;
  ClosedStart closed;
  std::string out;
  std::optional<std::string> drivers;
  std::vector<std::string> across, through;
  bool json = false;
};

ActivePort to_case(const std::string& name) {
  return name == "centre"    ? ActivePort::centre
         : name == "inboard" ? ActivePort::inboard
                             : ActivePort::outboard;
}

std::vector<std::string> names_of(const SystemGraph& graph, const std::vector<int>& edges) {
  std::vector<std::string> names;
  for (const int e : edges) names.push_back(graph.graph.edges()[static_cast<std::size_t>(e)].name);
  return names;
}
std::vector<std::string> drivers_of(const SystemGraph& graph, Driver driver) {
  std::vector<std::string> names;
  for (const network::GraphEdge& edge : graph.graph.edges())
    if (edge.driver == driver) names.push_back(edge.name);
  return names;
}

/// The topological conditions, with what each says here; `conflicts` where they cannot all be kept.
Json to_json(const SystemGraph& graph, const FormulationTree* tree,
             const std::vector<TreeConflict>& conflicts, const std::string& contradiction) {
  static const std::map<TreeConflict::Kind, const char*> kinds{
      {TreeConflict::Kind::across_loop, "across_loop"},
      {TreeConflict::Kind::through_cut_set, "through_cut_set"},
      {TreeConflict::Kind::multi_ports, "multi_ports"},
      {TreeConflict::Kind::floating, "floating"}};
  Json out;
  out["tree"] = tree ? Json(names_of(graph, tree->branches)) : Json();
  out["co-tree"] = tree ? Json(names_of(graph, tree->chords)) : Json();
  Json conditions;
  conditions["satisfied"] = tree != nullptr && contradiction.empty();
  conditions["across_drivers"] = drivers_of(graph, Driver::across);
  conditions["through_drivers"] = drivers_of(graph, Driver::through);
  conditions["multi_ports"] = Json::array();
  for (const network::EdgeGroup& group : graph.graph.groups()) {
    Json one{{"name", group.name},
             {"edges", names_of(graph, group.edges)},
             {"branches", group.branches}};
    if (tree) {
      one["in_tree"] = Json::array();
      for (const int e : group.edges)
        if (tree->is_branch[static_cast<std::size_t>(e)] != 0)
          one["in_tree"].push_back(graph.graph.edges()[static_cast<std::size_t>(e)].name);
    }
    conditions["multi_ports"].push_back(std::move(one));
  }
  conditions["conflicts"] = Json::array();
  for (const TreeConflict& conflict : conflicts) {
    Json one{{"kind", kinds.at(conflict.kind)}, {"edges", names_of(graph, conflict.edges)}};
    one["terminals"] = Json::array();
    for (const int k : conflict.nodes)
      one["terminals"].push_back(graph.graph.nodes()[static_cast<std::size_t>(k)].name);
    one["multi_ports"] = Json::array();
    for (const int g : conflict.groups)
      one["multi_ports"].push_back(graph.graph.groups()[static_cast<std::size_t>(g)].name);
    one["message"] = conflict.text;
    conditions["conflicts"].push_back(std::move(one));
  }
  if (!contradiction.empty())
    conditions["conflicts"].push_back({{"kind", "mechanism"}, {"message", contradiction}});
  out["conditions"] = std::move(conditions);
  out["terminals"] = Json::array();
  for (const network::GraphNode& node : graph.graph.nodes())
    out["terminals"].push_back({{"name", node.name},
                                {"domain", network::to_string(node.domain)},
                                {"reference", node.is_reference}});
  out["edges"] = Json::array();
  for (std::size_t e = 0; e < graph.graph.edges().size(); ++e) {
    const network::GraphEdge& edge = graph.graph.edges()[e];
    out["edges"].push_back({{"name", edge.name},
                            {"from", graph.graph.nodes()[static_cast<std::size_t>(edge.from)].name},
                            {"to", graph.graph.nodes()[static_cast<std::size_t>(edge.to)].name},
                            {"component", network::to_string(graph.components[e])},
                            {"driver", edge.driver == Driver::across    ? Json("across")
                                       : edge.driver == Driver::through ? Json("through")
                                                                        : Json()}});
  }
  return out;
}

/// What drivers that the graph lets pass contradict where the mechanism stands; empty: nothing.
std::string find_contradiction(const System& system, const GraphArguments& given) {
  GraphArguments arguments = given;
  arguments.closed.given_q = joints_given(system, arguments.start.q);
  State state = start_state(system, arguments.start);
  if (given.across.empty() || system.closures().empty()) {
    if (given.start.q || given.closed.assemble)
      report_note(
          "--q and --assemble have no effect: without --across and closures the graph is "
          "the same at every position");
    return "";
  }
  ClosedWorkspace work(system);
  keep_closed(work, arguments.closed, state);
  try {
    network::require_compatible_drivers(system, state, arguments.across);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

void refuse_conflicts(const std::vector<TreeConflict>& conflicts,
                      const std::string& contradiction) {
  std::vector<Mistake> mistakes;
  for (const TreeConflict& conflict : conflicts) mistakes.emplace_back().message = conflict.text;
  if (!contradiction.empty()) mistakes.emplace_back().message = contradiction;
  if (!mistakes.empty()) throw Error(std::move(mistakes), "");
}

/// One-ports of joints that are no edges.
void note_not_drawn(const Model& model) {
  std::vector<std::string> what;
  const auto any = [&](auto has) {
    return std::any_of(model.joints.begin(), model.joints.end(), has);
  };
  const auto positive = [](double x) { return x > 0; };
  if (!model.joint_springs.empty()) what.emplace_back("springs");
  if (any([&](const Joint& j) {
        return std::any_of(j.damping.begin(), j.damping.end(), positive);
      }))
    what.emplace_back("damping");
  if (any([&](const Joint& j) {
        return std::any_of(j.rotor_inertia.begin(), j.rotor_inertia.end(), positive);
      }))
    what.emplace_back("rotors");
  if (!model.joint_loads.empty()) what.emplace_back("loads");
  if (!what.empty())
    report_note(fmt::format("{} of joints act inside the joint and are no edges of their own",
                            fmt::join(what, ", ")));
}

void run_graph(const GraphArguments& arguments) {
  if (arguments.out.empty() && !arguments.json)
    throw Error("nothing to do: give the drawing's file with -o, or --json");
  if (arguments.out == "-" && arguments.json)
    throw Error("-o - and --json both write to stdout; give the drawing a file");
  const System system = compile(load(arguments.model));
  sum_up_warnings(system);
  network::SystemGraphOptions options;
  if (arguments.drivers) options.drivers = to_case(*arguments.drivers);
  options.across = arguments.across;
  options.through = arguments.through;
  note_not_drawn(system.model());
  const SystemGraph graph = make_system_graph(system, options);
  std::vector<TreeConflict> conflicts;
  const auto tree = find_formulation_tree(graph.graph, conflicts, graph.preferred);
  const std::string contradiction = tree ? find_contradiction(system, arguments) : "";
  if (arguments.json)
    print(to_text(to_json(graph, tree ? &*tree : nullptr, conflicts, contradiction)));
  refuse_conflicts(conflicts, contradiction);
  if (arguments.out.empty()) return;
  OutputFile file(arguments.out);
  file.write(draw_system_graph(system, graph, *tree));
  file.commit();
  if (arguments.out == "-" || arguments.json) return;
  print(fmt::format("{}: {}, {}, {}, {}\n", printable(arguments.out),
                    counted(graph.bodies.size(), "body", "bodies"),
                    counted(graph.graph.edges().size(), "edge", "edges"),
                    counted(tree->branches.size(), "branch", "branches"),
                    counted(tree->chords.size(), "chord", "chords")));
}

}  // namespace

void add_graph(CLI::App& program) {
  auto arguments = std::make_shared<GraphArguments>();
  CLI::App* command = program.add_subcommand(
      "graph", "Draw the mechanism and its motors as a linear graph with a formulation tree");
  add_model_arguments(*command, arguments->model);
  command->add_option("-o,--out", arguments->out, "the drawing to write; - is stdout")
      ->check(not_empty())
      ->type_name("GRAPH.svg");
  command
      ->add_option_function<std::string>(
          "--drivers", [arguments](const std::string& name) { arguments->drivers = name; },
          "drive all ports, bodies being active at their centre, inboard or outboard port: the "
          "paper's cases (i), (ii), (iii)")
      ->check(one_of({"centre", "inboard", "outboard"}))
      ->type_name("PORT");
  command->add_option("--across", arguments->across, "joints whose motion is given")
      ->type_name("JOINT");
  command->add_option("--through", arguments->through, "joints whose force is given")
      ->type_name("JOINT");
  command
      ->add_option_function<std::string>(
          "--q", [arguments](const std::string& text) { arguments->start.q = text; },
          "where --across must not contradict the closures; default: as --start says")
      ->type_name(list_type);
  add_start_option(*command, arguments->start.start);
  command->add_flag("--assemble", arguments->closed.assemble,
                    "move the joints that --q does not give, so that all loops close");
  command->add_flag("--json", arguments->json,
                    "one JSON object: tree, co-tree, conditions, terminals, edges");
  command->footer(
      "Exit code 2: no formulation tree exists, or drivers contradict each other; they are "
      "named.\n\n"
      "Example:\n"
      "  linkwright graph models/arm7.urdf -o arm7.svg\n"
      "  linkwright graph models/four_bar.yaml --across crank_pivot -o four_bar.svg\n"
      "  linkwright graph models/arm7.urdf --drivers inboard --json");
  command->callback([arguments] { run_graph(*arguments); });
}

}  // namespace linkwright::app
