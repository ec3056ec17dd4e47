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
};

/// Among all formulation trees one that has as many as possible of the edges `preferred`, earlier ones first;
/// otherwise nothing, and every conflict found.
std::optional<FormulationTree> find_formulation_tree(const LinearGraph& graph,
                                                     std::vector<TreeConflict>& conflicts,
                                                     std::span<const int> preferred = {});
/// The same; throws Error with the conflicts.
FormulationTree make_formulation_tree(const LinearGraph& graph,
                                      std::span<const int> preferred = {});

/// One row per chord (FormulationTree::chords), one column per edge, entries 0 and ±1: B x = 0. The chord itself
/// has +1.
Eigen::SparseMatrix<double> fundamental_circuits(const LinearGraph& graph,
                                                 const FormulationTree& tree);
/// One row per branch: Q y = 0; the branch itself has +1. B Qᵀ = 0.
Eigen::SparseMatrix<double> fundamental_cut_sets(const LinearGraph& graph,
                                                 const FormulationTree& tree);

}  // namespace linkwright::network
