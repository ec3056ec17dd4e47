#pragma once
/// Formulation trees: which across variables the equations of a network are written in.
///
///     const FormulationTree tree = make_formulation_tree(graph);          // or throws, naming what conflicts
///     const Eigen::SparseMatrix<double> circuits = fundamental_circuits(graph, tree);   // chords × edges
///
/// A formulation tree is a spanning tree of every connected part that holds every across driver and no through
/// driver, and of every ideal multi-port as many edges as its terminal equations are solved for. It is found as a
/// common base of two matroids, the graph's and that of the groups, so that one is found whenever there is one.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/SparseCore>

#include "linkwright/network/graph.hpp"

namespace linkwright::network {

struct FormulationTree {
  std::vector<char> is_branch{};          ///< per edge
  std::vector<int> branches{}, chords{};  ///< edges, rising
};

/// Why there is no formulation tree.
struct TreeConflict {
  enum class Kind {
    across_loop,      ///< across drivers form a loop: their values are not independent
    through_cut_set,  ///< through drivers are all that holds a part: their values are not independent
    multi_ports,  ///< these multi-ports and drivers together ask for more branches, or fewer, than they can have
    floating  ///< a part that no edge joins to the reference of its domain
  };
  Kind kind = Kind::floating;
  std::vector<int> edges{}, nodes{}, groups{};
  std::string text{};  ///< one sentence that names them and says what to do
  std::string what{};  ///< the same without what to do
};

/// A formulation tree, or nothing and every conflict found. Of the edges `preferred`, in their order, each is in the
/// tree if any formulation tree has it together with those taken before it. Cost: O(edges) for each of the steps
/// that a greedy start leaves to do; chains and trees of bodies leave hardly any, a preferred edge that the start
/// has not got costs one more, and there are never more than edges.
std::optional<FormulationTree> find_formulation_tree(const LinearGraph& graph,
                                                     std::vector<TreeConflict>& conflicts,
                                                     std::span<const int> preferred = {});
/// The same; throws Error with the conflicts.
FormulationTree make_formulation_tree(const LinearGraph& graph,
                                      std::span<const int> preferred = {});

/// A branch in the loop that a chord closes, or equally a chord in the cut set of a branch.
struct LoopEntry {
  int chord = 0, branch = 0;  ///< edges
  /// +1: the way through the tree from the chord's first node to its second passes the branch from its first node
  /// to its second; −1: the other way.
  int sign = 1;
};
/// All of them, chord by chord.
std::vector<LoopEntry> find_loop_entries(const LinearGraph& graph, const FormulationTree& tree);

/// One row per chord (FormulationTree::chords), one column per edge, entries 0 and ±1: B x = 0. The chord itself
/// has +1.
inline Eigen::SparseMatrix<double> fundamental_circuits(const LinearGraph& graph,
                                                        const FormulationTree& tree) {
  std::vector<int> row(graph.edges().size(), 0);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < tree.chords.size(); ++i) {
    row[static_cast<std::size_t>(tree.chords[i])] = static_cast<int>(i);
    entries.emplace_back(static_cast<int>(i), tree.chords[i], 1.0);
  }
  for (const LoopEntry& entry : find_loop_entries(graph, tree))
    entries.emplace_back(row[static_cast<std::size_t>(entry.chord)], entry.branch, -entry.sign);
  Eigen::SparseMatrix<double> B(static_cast<Eigen::Index>(tree.chords.size()),
                                static_cast<Eigen::Index>(graph.edges().size()));
  B.setFromTriplets(entries.begin(), entries.end());
  return B;
}

/// One row per branch: Q y = 0; the branch itself has +1. B Qᵀ = 0.
inline Eigen::SparseMatrix<double> fundamental_cut_sets(const LinearGraph& graph,
                                                        const FormulationTree& tree) {
  std::vector<int> row(graph.edges().size(), 0);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < tree.branches.size(); ++i) {
    row[static_cast<std::size_t>(tree.branches[i])] = static_cast<int>(i);
    entries.emplace_back(static_cast<int>(i), tree.branches[i], 1.0);
  }
  for (const LoopEntry& entry : find_loop_entries(graph, tree))
    entries.emplace_back(row[static_cast<std::size_t>(entry.branch)], entry.chord, entry.sign);
  Eigen::SparseMatrix<double> Q(static_cast<Eigen::Index>(tree.branches.size()),
                                static_cast<Eigen::Index>(graph.edges().size()));
  Q.setFromTriplets(entries.begin(), entries.end());
  return Q;
}

}  // namespace linkwright::network
