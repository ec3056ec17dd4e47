#pragma once
/// Where the bodies of a system graph stand in its drawing, and where on their rims the terminals are.
///
/// Given    the bodies, parents before children, and what runs between them
/// Computes columns by depth; rows by branch, a parent beside the middle of its children. A body on the world that
///          closes loops itself (a plate on legs, a box in hands, a rocker) stands, with all that it carries,
///          behind those it is joined to, so that loops read as chains.
/// Cost     O(bodies²) at most

#include <vector>

#include "linkwright/network/system_graph.hpp"
#include "network/drawing/canvas.hpp"
#include "network/drawing/ladders.hpp"

namespace linkwright::network {

enum class Side { left, right };
struct PlacedTerminal {
  int edge = 0;  // to O
  Side side = Side::left;
  Point at{};
};
struct PlacedBody {
  int column = 0;
  double x = 0, y = 0, width = 0, height = 0;  // upper left corner, size
  double below = 0;                            // room for what hangs below
  std::vector<PlacedTerminal> terminals{};     // on the left and right rim
  [[nodiscard]] double middle() const { return y + height / 2; }
  [[nodiscard]] Point centre() const { return {x + width / 2, y + 22 + (height - 22) / 2}; }
  [[nodiscard]] Point bottom() const { return {x + width / 2, y + height}; }
};
/// A wire between terminals of two bodies, or from one to the world: a joint, a closure, a grasp or a line spring.
struct Wire {
  int edge = 0;
  int from = -1, to = -1;            // bodies; −1: the world
  int from_edge = -1, to_edge = -1;  // their terminals, by edges to O
  bool of_tree = false;
  bool reversed = false;  // the edge runs from `to` to `from`
};

struct Layout {
  std::vector<PlacedBody> bodies;
  std::vector<Wire> wires;
  double width = 0, height = 0;

  [[nodiscard]] const PlacedTerminal& terminal(int body, int edge) const;
};

/// `label_width(edge)`: room that the label of an edge takes. `ladders`: per body.
Layout lay_out(const SystemGraph& graph, const std::vector<Ladder>& ladders,
               const std::vector<double>& label_width, double top);

}  // namespace linkwright::network
