// The graph of a compiled system: bodies, joints, drivers and motors; the paper's three cases.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <set>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/network/formulation_tree.hpp"
#include "linkwright/network/system_graph.hpp"
#include "network/graph_random.hpp"
#include "support/random_model.hpp"

namespace linkwright::network {
namespace {

using linkwright::testing::RandomModel;
using testing::broken_condition;
using testing::index;
using testing::message_of;

constexpr std::array kTypes{JointType::revolute,  JointType::prismatic, JointType::spherical,
                            JointType::universal, JointType::free,      JointType::cylindrical,
                            JointType::planar,    JointType::custom};

/// Bodies "l1" … in a tree: parents[i] is the number of the body that carries body i + 1, 0 the world.
System tree_of(const std::vector<int>& parents, unsigned seed) {
  RandomModel random(seed);
  Model model;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const std::string name = "l" + std::to_string(i + 1);
    model.bodies.push_back(random.body(name));
    model.joints.push_back(
        random.joint("j" + std::to_string(i + 1), kTypes[(i + seed) % kTypes.size()],
                     parents[i] == 0 ? "world" : "l" + std::to_string(parents[i]), name));
  }
  return compile(model);
}
System chain_of(int bodies, unsigned seed) {
  std::vector<int> parents(index(bodies));
  std::iota(parents.begin(), parents.end(), 0);
  return tree_of(parents, seed);
}
System bundled(const std::string& name) {
  return compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/" + name));
}

std::set<std::string> names(const LinearGraph& graph, const std::vector<int>& edges) {
  std::set<std::string> out;
  for (const int e : edges) out.insert(graph.edges()[index(e)].name);
  return out;
}
std::set<std::string> names(const LinearGraph& graph, Driver driver) {
  std::set<std::string> out;
  for (const GraphEdge& edge : graph.edges())
    if (edge.driver == driver) out.insert(edge.name);
  return out;
}
/// Names "l1:B", … for all bodies, in the paper's letters: a_i is the edge of the terminal that carries joint
/// i + 1, of the last body that of its load.
struct ChainNames {
  std::set<std::string> a, b, g, inner_joints, centres;
  std::string first_joint = "j1", load;
  explicit ChainNames(int bodies) {
    for (int i = 1; i <= bodies; ++i) {
      const std::string body = "l" + std::to_string(i);
      a.insert(i < bodies ? body + ":A:j" + std::to_string(i + 1) : body + ":A");
      b.insert(body + ":B"), g.insert(body + ":G"), centres.insert(body + ":G*");
      if (i > 1) inner_joints.insert("j" + std::to_string(i));
    }
    load = "l" + std::to_string(bodies) + ":A*";
  }
};
std::set<std::string> together(std::initializer_list<std::set<std::string>> sets) {
  std::set<std::string> all;
  for (const auto& set : sets) all.insert(set.begin(), set.end());
  return all;
}

/// Section 2 of the paper: branches and driver types of the cases (i), (ii), (iii), for chains of any joints. In
/// case (i) the load is a through driver, as the fundamental circuits (8) have it, and not an across driver.
TEST(system_graph, of_a_chain_has_the_branches_of_the_papers_cases) {
  for (const int bodies : {1, 2, 3, 7, 30}) {
    SCOPED_TRACE(bodies);
    const System system = chain_of(bodies, static_cast<unsigned>(bodies));
    const ChainNames n(bodies);
    const auto expect = [&](ActivePort port, const std::set<std::string>& branches,
                            const std::set<std::string>& across,
                            const std::set<std::string>& through) {
      const SystemGraph graph = make_system_graph(system, {.drivers = port});
      EXPECT_EQ(names(graph.graph, Driver::across), across);
      EXPECT_EQ(names(graph.graph, Driver::through), through);
      const FormulationTree tree = make_formulation_tree(graph.graph, graph.preferred);
      EXPECT_EQ(names(graph.graph, tree.branches), branches);
    };
    expect(ActivePort::centre, together({n.a, n.b, n.centres}), n.centres,
           together({n.inner_joints, {n.first_joint, n.load}}));
    expect(ActivePort::inboard, together({n.a, n.g, n.inner_joints, {n.first_joint}}),
           together({n.inner_joints, {n.first_joint}}), together({n.centres, {n.load}}));
    expect(ActivePort::outboard, together({n.b, n.g, n.inner_joints, {n.load}}),
           together({n.inner_joints, {n.load}}), together({n.centres, {n.first_joint}}));
  }
}

/// The paper's words on case (i) name the load's port among the across drivers: its last body then has no tree.
TEST(system_graph, the_load_of_case_one_cannot_be_an_across_driver) {
  const SystemGraph right = make_system_graph(chain_of(3, 1), {.drivers = ActivePort::centre});
  LinearGraph printed;
  for (const GraphNode& node : right.graph.nodes()) {
    if (node.is_reference)
      printed.reference(node.domain);
    else
      printed.add_node(node.name, node.domain);
  }
  for (const GraphEdge& e : right.graph.edges())
    printed.add_edge(e.name, e.from, e.to, e.name == "l3:A*" ? Driver::across : e.driver);
  for (const EdgeGroup& group : right.graph.groups())
    printed.add_group(group.name, group.edges, group.branches);
  std::vector<TreeConflict> conflicts;
  EXPECT_FALSE(find_formulation_tree(printed, conflicts));
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(
      conflicts[0].text,
      "multi-port 'l3' needs 1 of the edges 'l3:A', 'l3:G' as branches, and none can be, since "
      "more would close a loop with the across drivers 'l3:G*', 'l3:A*': make one of these drivers "
      "a through driver or no driver");
}

TEST(system_graph, cases_one_and_two_hold_for_every_tree_and_case_three_for_chains_only) {
  // l1 carries l2 and l3; l4 stands on the world by itself.
  const System system = tree_of({0, 1, 1, 0, 3}, 3);
  for (const ActivePort port : {ActivePort::centre, ActivePort::inboard}) {
    const SystemGraph graph = make_system_graph(system, {.drivers = port});
    const FormulationTree tree = make_formulation_tree(graph.graph);
    EXPECT_EQ(broken_condition(graph.graph, tree.is_branch), "");
    for (const SystemGraph::Body& body : graph.bodies) {
      EXPECT_EQ(tree.is_branch[index(body.b)], port == ActivePort::centre ? 1 : 0);
      EXPECT_EQ(tree.is_branch[index(body.g)], port == ActivePort::centre ? 0 : 1);
    }
  }
  const SystemGraph graph = make_system_graph(system, {.drivers = ActivePort::outboard});
  std::vector<TreeConflict> conflicts;
  EXPECT_FALSE(find_formulation_tree(graph.graph, conflicts));
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts[0].kind, TreeConflict::Kind::multi_ports);
  // Of the branching body and the chains that it carries; l4, a chain by itself, has no part in it.
  std::set<std::string> bodies;
  for (const int g : conflicts[0].groups) bodies.insert(graph.graph.groups()[index(g)].name);
  EXPECT_EQ(bodies, (std::set<std::string>{"l1", "l2", "l3", "l5"}));
  EXPECT_EQ(names(graph.graph, conflicts[0].edges),
            (std::set<std::string>{"j2", "j3", "j5", "l2:A*", "l5:A*"}));
}

TEST(system_graph, bodies_are_what_moves_after_welding) {
  const System system = bundled("puma560.yaml");
  const SystemGraph graph = make_system_graph(system);
  ASSERT_EQ(graph.bodies.size(), 6U);
  for (std::size_t i = 0; i < graph.bodies.size(); ++i) {
    const SystemGraph::Body& body = graph.bodies[i];
    const SystemGraph::Joint& joint = graph.joints[index(body.joint)];
    EXPECT_EQ(body.parent, static_cast<int>(i) - 1);
    EXPECT_EQ(body.node, system.joints()[index(joint.index)].node);
    EXPECT_EQ(joint.from, static_cast<int>(i));
    EXPECT_EQ(joint.from_edge, body.b);
    EXPECT_EQ(joint.to, body.parent);
    EXPECT_EQ(graph.graph.edges()[index(joint.edge)].from, graph.graph.edges()[index(body.b)].from);
  }
  for (unsigned seed = 0; seed < 8; ++seed) {
    const System mixed = tree_of({0, 1, 2, 1, 4, 0, 6, 6}, seed);
    const SystemGraph built = make_system_graph(mixed);
    ASSERT_EQ(built.bodies.size(), 8U);
    for (const SystemGraph::Body& body : built.bodies) {
      // The node above the joint's own nodes is the parent's.
      const JointPlace& place = mixed.joint(built.joints[index(body.joint)].name);
      int node = body.node;
      for (int freedoms = place.nv; freedoms > 0;) {
        freedoms -= mixed.tree().nodes[index(node)].d;
        node = mixed.tree().nodes[index(node)].parent;
      }
      EXPECT_EQ(node, body.parent < 0 ? 0 : built.bodies[index(body.parent)].node);
    }
    const FormulationTree tree = make_formulation_tree(built.graph, built.preferred);
    EXPECT_EQ(broken_condition(built.graph, tree.is_branch), "");
    for (const int e : built.preferred) EXPECT_EQ(tree.is_branch[index(e)], 1);
  }
}

/// Every model of the repository has a graph and a tree with its joints as branches, motors and all.
TEST(system_graph, of_every_bundled_model_has_a_tree) {
  int seen = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(LINKWRIGHT_SOURCE_DIR) + "/models")) {
    if (file.path().extension() != ".yaml" && file.path().extension() != ".urdf") continue;
    SCOPED_TRACE(file.path().filename());
    const System system = compile(read_model(file.path().string()));
    const SystemGraph graph = make_system_graph(system);
    ASSERT_EQ(graph.components.size(), graph.graph.edges().size());
    const FormulationTree tree = make_formulation_tree(graph.graph, graph.preferred);
    EXPECT_EQ(broken_condition(graph.graph, tree.is_branch), "");
    for (const int e : graph.preferred)
      if (graph.components[index(e)] == SystemGraph::Component::joint) {
        EXPECT_EQ(tree.is_branch[index(e)], 1) << graph.graph.edges()[index(e)].name;
      }
    for (const ActivePort port : {ActivePort::centre, ActivePort::inboard}) {
      const SystemGraph driven = make_system_graph(system, {.drivers = port});
      EXPECT_EQ(broken_condition(driven.graph, make_formulation_tree(driven.graph).is_branch), "");
    }
    ++seen;
  }
  EXPECT_GE(seen, 25);
}

/// Where joints are through drivers, inertias take their places: each is the state of its body.
TEST(system_graph, inertias_are_branches_where_joints_are_through_drivers) {
  const System system = chain_of(4, 2);
  const SystemGraph graph = make_system_graph(system, {.through = {"j2", "j4"}});
  const FormulationTree tree = make_formulation_tree(graph.graph, graph.preferred);
  EXPECT_EQ(broken_condition(graph.graph, tree.is_branch), "");
  int inertias = 0;
  for (const SystemGraph::Body& body : graph.bodies)
    inertias += tree.is_branch[index(body.inertia)];
  EXPECT_EQ(inertias, 2);
  EXPECT_EQ(tree.is_branch[index(graph.graph.edge("j1"))], 1);
  EXPECT_EQ(tree.is_branch[index(graph.graph.edge("j3"))], 1);
}

/// A motor-driven arm: rotors and coils as a circuit designer would have them.
TEST(system_graph, holds_motors_and_their_circuits) {
  const SystemGraph graph = make_system_graph(bundled("puma560_motors.yaml"));
  const FormulationTree tree = make_formulation_tree(graph.graph, graph.preferred);
  for (const char* motor : {"m1", "m6"}) {
    const auto is_branch = [&](const std::string& part) {
      return tree.is_branch[index(graph.graph.edge(motor + part))] != 0;
    };
    EXPECT_TRUE(is_branch(":voltage"));
    EXPECT_NE(is_branch(":motor"), is_branch(":coil"));
    EXPECT_NE(is_branch(":gear"), is_branch(":gear:joint" + std::string(motor).substr(1)));
    EXPECT_TRUE(is_branch(":rotor"));
    EXPECT_FALSE(is_branch(":L"));
  }
  EXPECT_EQ(graph.graph.edges()[index(graph.graph.edge("m1:voltage"))].driver, Driver::across);
  // Driven from outside, a joint takes its motor along, and the rotor is no branch.
  const SystemGraph driven =
      make_system_graph(bundled("puma560_motors.yaml"), {.across = {"joint1"}});
  const FormulationTree with = make_formulation_tree(driven.graph, driven.preferred);
  EXPECT_EQ(with.is_branch[index(driven.graph.edge("joint1*"))], 1);
  EXPECT_EQ(with.is_branch[index(driven.graph.edge("joint1"))], 0);
  EXPECT_EQ(with.is_branch[index(driven.graph.edge("joint1:shaft"))], 1);
}

TEST(system_graph, names_drivers_that_close_a_loop) {
  const System four_bar = bundled("four_bar.yaml");
  const std::vector<std::string> all{"crank_pivot", "crank_pin", "rocker_pivot", "rocker_pin"};
  const SystemGraph graph = make_system_graph(four_bar, {.across = all});
  std::vector<TreeConflict> conflicts;
  EXPECT_FALSE(find_formulation_tree(graph.graph, conflicts));
  ASSERT_FALSE(conflicts.empty());
  for (const std::string& name : all)
    EXPECT_NE(conflicts[0].text.find("'" + name + "'"), std::string::npos) << conflicts[0].text;
  // All but one are no contradiction of the graph; of the mechanism they are.
  const SystemGraph fewer =
      make_system_graph(four_bar, {.across = {"crank_pivot", "crank_pin", "rocker_pivot"}});
  EXPECT_TRUE(find_formulation_tree(fewer.graph, conflicts));
}

TEST(system_graph, drivers_that_the_mechanism_binds_are_named) {
  const System four_bar = bundled("four_bar.yaml");
  const State state = initial_state(four_bar);
  EXPECT_NO_THROW(require_compatible_drivers(four_bar, state, {"crank_pivot"}));
  EXPECT_NO_THROW(require_compatible_drivers(four_bar, state, {"rocker_pin"}));
  EXPECT_EQ(
      message_of([&] {
        require_compatible_drivers(four_bar, state, {"crank_pivot", "rocker_pivot"});
      }),
      "across drivers 'crank_pivot', 'rocker_pivot' conflict: at this position the mechanism has "
      "1 freedom, and of the 2 velocities of these joints only 1 can be chosen; make one of them "
      "a through driver or no driver");
  EXPECT_NE(message_of([&] {
              require_compatible_drivers(four_bar, state, {"rocker_pin", "crank_pin"});
            }).find("'rocker_pin', 'crank_pin' conflict"),
            std::string::npos);
  EXPECT_NE(
      message_of([&] { require_compatible_drivers(four_bar, state, {"nothing"}); }).find("nothing"),
      std::string::npos);
  // Six legs are as many as the plate has freedoms; its own six and a leg are one too many.
  const System stewart = bundled("stewart.yaml");
  const State at = initial_state(stewart);
  EXPECT_NO_THROW(
      require_compatible_drivers(stewart, at, {"leg1", "leg2", "leg3", "leg4", "leg5", "leg6"}));
  EXPECT_NE(message_of([&] {
              require_compatible_drivers(stewart, at, {"floating", "leg2"});
            }).find("'floating', 'leg2' conflict: at this position the mechanism has 6 freedoms"),
            std::string::npos);
}

/// Two four-bars side by side: two drivers are as many as there are freedoms, but both at one of them are too many.
TEST(system_graph, drivers_are_told_apart_by_the_loops_they_bind) {
  Model model = read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/four_bar.yaml");
  const auto twice = [](auto& list, const auto& rename) {
    const auto once = list;
    for (auto copy : once) {
      rename(copy);
      list.push_back(copy);
    }
  };
  twice(model.bodies, [](Body& b) { b.name = "other/" + b.name; });
  twice(model.joints, [](Joint& j) {
    for (std::string* name : {&j.name, &j.parent, &j.child})
      if (*name != "world") *name = "other/" + *name;
  });
  twice(model.closures, [](Closure& c) {
    for (std::string* name : {&c.name, &c.body_a, &c.body_b}) *name = "other/" + *name;
  });
  twice(model.initial.q, [](InitialState::Entry& e) { e.joint = "other/" + e.joint; });
  model.coordinates.clear();
  const System system = compile(model);
  const State state = initial_state(system);
  EXPECT_NO_THROW(require_compatible_drivers(system, state, {"crank_pivot", "other/rocker_pivot"}));
  EXPECT_NE(message_of([&] {
              require_compatible_drivers(system, state,
                                         {"other/crank_pivot", "crank_pivot", "rocker_pin"});
            })
                .find("across drivers 'crank_pivot', 'rocker_pin' conflict: at this position the "
                      "mechanism has 2 "
                      "freedoms, and of the 2 velocities of these joints only 1"),
            std::string::npos);
}

/// Bodies, joints and terminals may bear each other's names; each edge has one of its own all the same.
TEST(system_graph, gives_every_edge_a_name_of_its_own) {
  Model model;
  model.bodies.push_back(
      {.name = "rod", .mass = 1, .com = {0, 0, -0.5}, .inertia = {1, 1, 1, 0, 0, 0}});
  model.bodies.push_back(
      {.name = "rod:B", .mass = 1, .com = {0, 0, -0.5}, .inertia = {1, 1, 1, 0, 0, 0}});
  model.joints.push_back(
      {.name = "rod:B", .type = JointType::revolute, .parent = "world", .child = "rod"});
  model.joints.push_back(
      {.name = "rod:G", .type = JointType::revolute, .parent = "rod", .child = "rod:B"});
  const SystemGraph graph = make_system_graph(compile(model));
  EXPECT_EQ(graph.graph.edges()[index(graph.joints[0].edge)].name, "rod:B'");
  EXPECT_EQ(graph.graph.edges()[index(graph.bodies[0].b)].name, "rod:B");
  EXPECT_EQ(broken_condition(graph.graph, make_formulation_tree(graph.graph).is_branch), "");
}

TEST(system_graph, refuses_drivers_by_name) {
  const System system = chain_of(3, 0);
  EXPECT_NE(message_of([&] { make_system_graph(system, {.across = {"j7"}}); }).find("'j7'"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              make_system_graph(system, {.across = {"j1"}, .through = {"j1"}});
            }).find("joint 'j1' is driven twice"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              make_system_graph(system, {.drivers = ActivePort::centre, .across = {"j1"}});
            }).find("'j1'"),
            std::string::npos);
}

/// A thousand bodies, in all the ways: well under a second each.
TEST(system_graph, of_a_thousand_bodies_is_quick) {
  const System system = chain_of(1000, 4);
  std::vector<std::string> odd;
  for (int i = 1; i <= 1000; i += 2) odd.push_back("j" + std::to_string(i));
  for (const auto& options :
       {SystemGraphOptions{}, SystemGraphOptions{.drivers = ActivePort::centre},
        SystemGraphOptions{.drivers = ActivePort::inboard},
        SystemGraphOptions{.drivers = ActivePort::outboard}, SystemGraphOptions{.through = odd}}) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const SystemGraph graph = make_system_graph(system, options);
    const FormulationTree tree = make_formulation_tree(graph.graph, graph.preferred);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    EXPECT_EQ(tree.branches.size(), graph.graph.nodes().size() - 1);
    std::cout << graph.graph.edges().size() << " edges: " << 1e3 * seconds << " ms\n";
    EXPECT_LT(seconds, 1.0 * LINKWRIGHT_TIME_FACTOR);
  }
}

}  // namespace
}  // namespace linkwright::network
