#pragma once
/// A picture of a system graph, as a circuit designer would draw it.
///
///     const std::string svg = draw_system_graph(system, graph, make_formulation_tree(graph.graph, graph.preferred));
///
/// Bodies are boxes with their terminals on the rim and the star of their edges to O inside, in columns by depth;
/// joints, closures and grasps run between terminals; every other edge to O ends in a ground sign of its own. Motors
/// and their circuits stand below the joint that they turn, ports of one component tied by dotted lines. Branches of
/// the formulation tree are heavy, chords light and dashed, drivers marked by a circle.

#include <string>

#include "linkwright/network/formulation_tree.hpp"
#include "linkwright/network/system_graph.hpp"

namespace linkwright::network {

/// SVG; the names of all edges are titles that browsers show at the pointer.
std::string draw_system_graph(const System& system, const SystemGraph& graph,
                              const FormulationTree& tree);

}  // namespace linkwright::network
