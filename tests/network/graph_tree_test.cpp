// Formulation trees: found whenever there is one, with all conditions kept; otherwise what conflicts is named.
#include <gtest/gtest.h>

#include <set>

#include "linkwright/error.hpp"
#include "network/graph_random.hpp"

namespace linkwright::network {
namespace {

using testing::all_trees;
using testing::broken_condition;
using testing::index;
using testing::RandomGraph;
using Kind = TreeConflict::Kind;

/// The graph with nothing left of its drivers and multi-ports but those that a conflict names.
LinearGraph only_what_conflicts(const LinearGraph& graph, const TreeConflict& conflict) {
  const auto named = [](const std::vector<int>& list, int i) {
    return std::find(list.begin(), list.end(), i) != list.end();
  };
  LinearGraph out;
  for (const GraphNode& node : graph.nodes()) {
    if (node.is_reference)
      out.reference(node.domain);
    else
      out.add_node(node.name, node.domain);
  }
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    const GraphEdge& edge = graph.edges()[e];
    out.add_edge(edge.name, edge.from, edge.to,
                 named(conflict.edges, static_cast<int>(e)) ? edge.driver : Driver::none);
  }
  for (const int g : conflict.groups)
    out.add_group(graph.groups()[index(g)].name, graph.groups()[index(g)].edges,
                  graph.groups()[index(g)].branches);
  return out;
}

/// Every name that a conflict speaks of stands in its sentence, up to the five that lists show.
void expect_named(const LinearGraph& graph, const TreeConflict& conflict) {
  const auto expect = [&](const std::vector<int>& list, const auto& things) {
    for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 5); ++i)
      EXPECT_NE(conflict.text.find("'" + things[index(list[i])].name + "'"), std::string::npos)
          << things[index(list[i])].name << " in: " << conflict.text;
  };
  expect(conflict.edges, graph.edges());
  expect(conflict.groups, graph.groups());
  expect(conflict.nodes, graph.nodes());
}

/// A conflict is one by itself: whatever else is released, there is no tree.
void expect_true_conflict(const LinearGraph& graph, const TreeConflict& conflict) {
  expect_named(graph, conflict);
  std::vector<TreeConflict> still;
  const LinearGraph rest = only_what_conflicts(graph, conflict);
  EXPECT_FALSE(find_formulation_tree(rest, still)) << conflict.text;
  if (rest.edges().size() <= 12) {
    EXPECT_TRUE(all_trees(rest).empty()) << conflict.text;
  }
}

TEST(formulation_tree, exists_where_brute_force_finds_one) {
  int with = 0, without = 0;
  std::set<Kind> kinds;
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    RandomGraph random(seed);
    const LinearGraph graph = random.any(random.integer(2, 7), random.integer(4, 12));
    std::vector<TreeConflict> conflicts;
    const auto tree = find_formulation_tree(graph, conflicts);
    ASSERT_EQ(tree.has_value(), !all_trees(graph).empty());
    ASSERT_EQ(tree.has_value(), conflicts.empty());
    ++(tree ? with : without);
    if (tree) {
      EXPECT_EQ(broken_condition(graph, tree->is_branch), "");
      EXPECT_EQ(tree->branches.size() + tree->chords.size(), graph.edges().size());
    }
    for (const TreeConflict& conflict : conflicts) {
      kinds.insert(conflict.kind);
      expect_true_conflict(graph, conflict);
    }
  }
  EXPECT_GT(with, 80);
  EXPECT_GT(without, 80);
  EXPECT_EQ(kinds.size(), 4U);
}

TEST(formulation_tree, keeps_all_conditions_in_large_graphs) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    RandomGraph random(seed);
    const int nodes = random.integer(20, 120);
    const LinearGraph graph = random.with_tree(nodes, 3 * nodes);
    std::vector<TreeConflict> conflicts;
    const auto tree = find_formulation_tree(graph, conflicts, random.some_edges(graph));
    if (testing::floats(graph)) {
      EXPECT_FALSE(tree);
      continue;
    }
    ASSERT_TRUE(tree) << conflicts.front().text;
    ASSERT_EQ(broken_condition(graph, tree->is_branch), "");
  }
}

TEST(formulation_tree, conflicts_of_large_graphs_stand_by_themselves) {
  int without = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    RandomGraph random(seed);
    const int nodes = random.integer(20, 60);
    const LinearGraph graph = random.any(nodes, 3 * nodes);
    std::vector<TreeConflict> conflicts;
    if (find_formulation_tree(graph, conflicts)) continue;
    ++without;
    for (const TreeConflict& conflict : conflicts) expect_true_conflict(graph, conflict);
  }
  EXPECT_GT(without, 50);
}

TEST(formulation_tree, takes_preferred_edges_in_their_order) {
  int refused = 0, taken = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    RandomGraph random(seed);
    const LinearGraph graph = random.any(random.integer(3, 7), random.integer(6, 12));
    std::vector<std::vector<char>> trees = all_trees(graph);
    if (trees.empty()) continue;
    const std::vector<int> preferred = random.some_edges(graph);
    const FormulationTree tree = make_formulation_tree(graph, preferred);
    ASSERT_EQ(broken_condition(graph, tree.is_branch), "");
    for (const int e : preferred) {
      std::vector<std::vector<char>> with;
      for (const auto& other : trees)
        if (other[index(e)] != 0) with.push_back(other);
      ASSERT_EQ(tree.is_branch[index(e)] != 0, !with.empty()) << graph.edges()[index(e)].name;
      ++(with.empty() ? refused : taken);
      if (!with.empty()) trees = std::move(with);
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(taken, 100);
}

/// A circuit whose across sources form a loop, whose through sources are all that feeds a part, and a part that
/// floats: all are told at once.
TEST(formulation_tree, names_what_conflicts) {
  LinearGraph graph;
  const int ground = graph.reference(Domain::electrical);
  const int a = graph.add_node("a", Domain::electrical),
            b = graph.add_node("b", Domain::electrical),
            c = graph.add_node("c", Domain::electrical),
            d = graph.add_node("d", Domain::electrical),
            lost = graph.add_node("lost", Domain::shaft);
  graph.add_edge("u1", a, ground, Driver::across);
  graph.add_edge("u2", b, a, Driver::across);
  graph.add_edge("u3", b, ground, Driver::across);
  graph.add_edge("i1", c, a, Driver::through);
  graph.add_edge("i2", d, b, Driver::through);
  graph.add_edge("r", c, d);
  std::vector<TreeConflict> conflicts;
  EXPECT_FALSE(find_formulation_tree(graph, conflicts));
  ASSERT_EQ(conflicts.size(), 3U);
  EXPECT_EQ(conflicts[0].kind, Kind::floating);
  EXPECT_EQ(conflicts[0].nodes, std::vector{lost});
  EXPECT_EQ(conflicts[1].kind, Kind::across_loop);
  EXPECT_EQ(conflicts[1].edges, (std::vector{0, 1, 2}));
  EXPECT_EQ(conflicts[2].kind, Kind::through_cut_set);
  EXPECT_EQ(conflicts[2].edges, (std::vector{3, 4}));
  EXPECT_EQ(conflicts[2].nodes, (std::vector{c, d}));
  try {
    make_formulation_tree(graph);
    FAIL();
  } catch (const Error& e) {
    ASSERT_EQ(e.mistakes().size(), 3U);
    EXPECT_EQ(e.mistakes()[1].message,
              "across drivers 'u1', 'u2', 'u3' form a loop, in which the across variables must add "
              "up to zero: make one of them a through driver or no driver");
    EXPECT_EQ(e.mistakes()[2].message,
              "through drivers 'i1', 'i2' are all that joins terminals 'c', 'd' to the rest, so "
              "that their through variables must add up to zero: make one of them an across driver "
              "or no driver");
  }
}

/// An ideal transformer between two sources: both of its ports would have to be branches, or none.
TEST(formulation_tree, names_multi_ports_with_their_drivers) {
  for (const Driver driver : {Driver::across, Driver::through}) {
    LinearGraph graph;
    const int ground = graph.reference(Domain::electrical);
    const int in = graph.add_node("in", Domain::electrical),
              out = graph.add_node("out", Domain::electrical),
              far = graph.add_node("far", Domain::electrical);
    const int source = graph.add_edge("source", in, ground, driver);
    const int other = graph.add_edge("other", out, ground, driver);
    const int p = graph.add_edge("primary", in, ground),
              s = graph.add_edge("secondary", out, ground);
    const int transformer = graph.add_group("transformer", {p, s}, 1);
    // Elsewhere all is well, and is not named.
    graph.add_edge("battery", far, ground, Driver::across);
    graph.add_edge("lamp", far, ground);
    std::vector<TreeConflict> conflicts;
    EXPECT_FALSE(find_formulation_tree(graph, conflicts));
    ASSERT_EQ(conflicts.size(), 1U);
    EXPECT_EQ(conflicts[0].kind, Kind::multi_ports);
    EXPECT_EQ(conflicts[0].groups, std::vector{transformer});
    EXPECT_EQ(conflicts[0].edges, (std::vector{source, other}));
    EXPECT_EQ(
        conflicts[0].text,
        driver == Driver::across
            ? "multi-port 'transformer' needs 1 of the edges 'primary', 'secondary' as "
              "branches, and none can be, since more would close a loop with the across drivers "
              "'source', 'other': make one of these drivers a through driver or no driver"
            : "multi-port 'transformer' gives 1 of the 2 branches that must hold their "
              "terminals, since 'source', 'other' are in no tree as through drivers: make one "
              "of these an across driver or no driver, or join their terminals by another edge");
  }
}

/// B x = 0 for across variables that stem from potentials, Q y = 0 for through variables that balance at every
/// node, B Qᵀ = 0 exactly: on random graphs.
TEST(circuits_and_cut_sets, obey_potentials_and_balance) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> number(-9, 9);
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    RandomGraph graphs(seed);
    const int nodes = graphs.integer(2, 30);
    const LinearGraph graph = graphs.with_tree(nodes, 3 * nodes);
    if (testing::floats(graph)) continue;
    const FormulationTree tree = make_formulation_tree(graph);
    const Eigen::SparseMatrix<double> B = fundamental_circuits(graph, tree),
                                      Q = fundamental_cut_sets(graph, tree);
    const auto edges = static_cast<Eigen::Index>(graph.edges().size());
    ASSERT_EQ(B.rows() + Q.rows(), edges);
    EXPECT_EQ(Eigen::SparseMatrix<double>(B * Q.transpose()).toDense().cwiseAbs().maxCoeff(), 0);
    Eigen::VectorXd potential(nodes), x(edges);
    for (Eigen::Index k = 0; k < nodes; ++k) potential[k] = number(random);
    Eigen::MatrixXd incidence = Eigen::MatrixXd::Zero(nodes, edges);
    for (Eigen::Index e = 0; e < edges; ++e) {
      const GraphEdge& edge = graph.edges()[static_cast<std::size_t>(e)];
      x[e] = potential[edge.from] - potential[edge.to];
      incidence(edge.from, e) += 1, incidence(edge.to, e) -= 1;
    }
    EXPECT_EQ((B * x).cwiseAbs().maxCoeff(), 0);
    // Through variables of the chords at will, those of the branches by the cut sets: they balance at every node.
    Eigen::VectorXd y = Eigen::VectorXd::Zero(edges);
    for (const int chord : tree.chords) y[chord] = number(random);
    const Eigen::VectorXd left = Q * y;
    for (std::size_t i = 0; i < tree.branches.size(); ++i)
      y[tree.branches[i]] = -left[static_cast<Eigen::Index>(i)];
    EXPECT_EQ((incidence * y).cwiseAbs().maxCoeff(), 0);
    for (std::size_t i = 0; i < tree.chords.size(); ++i)
      EXPECT_EQ(B.coeff(static_cast<Eigen::Index>(i), tree.chords[i]), 1);
    for (std::size_t i = 0; i < tree.branches.size(); ++i)
      EXPECT_EQ(Q.coeff(static_cast<Eigen::Index>(i), tree.branches[i]), 1);
  }
}

}  // namespace
}  // namespace linkwright::network
