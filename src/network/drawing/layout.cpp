#include "network/drawing/layout.hpp"

#include <algorithm>
#include <numeric>

#include "network/drawing/measures.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

class LayoutMaker {
 public:
  LayoutMaker(const SystemGraph& graph, const std::vector<Ladder>& ladders,
              const std::vector<double>& label_width)
      : graph_(graph),
        ladders_(ladders),
        label_width_(label_width),
        children_(graph.bodies.size()) {
    out_.bodies.resize(graph.bodies.size());
    collect_wires();
    choose_columns();
    for (std::size_t i = 0; i < graph.bodies.size(); ++i) collect_terminals(static_cast<int>(i));
    measure();
  }

  Layout place(double top) {
    place_rows(top);
    place_behind(top);
    place_columns();
    for (std::size_t i = 0; i < out_.bodies.size(); ++i) place_terminals(static_cast<int>(i));
    for (const PlacedBody& body : out_.bodies)
      out_.height = std::max(out_.height, body.y + body.height + body.below);
    return std::move(out_);
  }

 private:
  PlacedBody& body(int i) { return out_.bodies[at(i)]; }

  void collect_wires() {
    for (const SystemGraph::Joint& joint : graph_.joints)
      add_wire({joint.edge, joint.from, joint.to, joint.from_edge, joint.to_edge,
                joint.kind == SystemGraph::Joint::Kind::joint});
    // A line spring begins and ends at terminals of its own, or at the world.
    std::vector<std::pair<int, int>> owner(graph_.graph.nodes().size(), {-1, -1});
    for (std::size_t i = 0; i < graph_.bodies.size(); ++i)
      for (const int e : graph_.bodies[i].springs)
        owner[at(graph_.graph.edges()[at(e)].from)] = {static_cast<int>(i), e};
    for (std::size_t e = 0; e < graph_.components.size(); ++e) {
      if (graph_.components[e] != SystemGraph::Component::spring) continue;
      const auto [from, from_edge] = owner[at(graph_.graph.edges()[e].from)];
      const auto [to, to_edge] = owner[at(graph_.graph.edges()[e].to)];
      add_wire({static_cast<int>(e), from, to, from_edge, to_edge, false});
    }
    for (std::size_t i = 0; i < graph_.bodies.size(); ++i)
      if (graph_.bodies[i].parent >= 0)
        children_[at(graph_.bodies[i].parent)].push_back(static_cast<int>(i));
  }

  /// The world is at the end of a wire, never at its start.
  void add_wire(Wire wire) {
    if (wire.from < 0) {
      std::swap(wire.from, wire.to);
      std::swap(wire.from_edge, wire.to_edge);
      wire.reversed = true;
    }
    if (wire.from >= 0) out_.wires.push_back(wire);
  }

  void choose_columns() {
    for (std::size_t i = 0; i < graph_.bodies.size(); ++i)
      out_.bodies[i].column =
          graph_.bodies[i].parent < 0 ? 0 : body(graph_.bodies[i].parent).column + 1;
    behind_.assign(graph_.bodies.size(), 0);
    std::vector<std::vector<int>> partners(graph_.bodies.size());
    for (const Wire& wire : out_.wires) {
      if (wire.of_tree || wire.from < 0 || wire.to < 0 || wire.from == wire.to) continue;
      partners[at(wire.from)].push_back(wire.to);
      partners[at(wire.to)].push_back(wire.from);
    }
    std::vector<int> order(graph_.bodies.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return partners[at(a)].size() > partners[at(b)].size(); });
    for (const int i : order) {
      if (graph_.bodies[at(i)].parent >= 0) continue;
      const std::vector<int> carried = subtree_of(i);
      int column = -1;
      for (const int p : partners[at(i)])
        if (behind_[at(p)] == 0 && std::find(carried.begin(), carried.end(), p) == carried.end())
          column = std::max(column, body(p).column);
      if (column < 0) continue;
      for (const int k : carried) {
        behind_[at(k)] = 1;
        body(k).column += column + 1;
      }
    }
    partners_ = std::move(partners);
  }

  /// Towards the other end; what stands in the same column is met on the right.
  [[nodiscard]] Side side_of(int own, int other) const {
    return other >= 0 && out_.bodies[at(other)].column < out_.bodies[at(own)].column ? Side::left
                                                                                     : Side::right;
  }
  void collect_terminals(int i) {
    const SystemGraph::Body& b = graph_.bodies[at(i)];
    auto& terminals = body(i).terminals;
    terminals.push_back({b.b, Side::left, {}});
    for (const Wire& wire : out_.wires) {
      if (wire.from == i && !wire.of_tree)
        terminals.push_back({wire.from_edge, side_of(i, wire.to), {}});
      if (wire.to == i) terminals.push_back({wire.to_edge, side_of(i, wire.from), {}});
    }
    if (b.tip >= 0) terminals.push_back({b.tip, Side::right, {}});
  }
  [[nodiscard]] static int count(const PlacedBody& b, Side side) {
    return static_cast<int>(std::count_if(b.terminals.begin(), b.terminals.end(),
                                          [&](const PlacedTerminal& t) { return t.side == side; }));
  }
  void measure() {
    for (std::size_t i = 0; i < out_.bodies.size(); ++i) {
      PlacedBody& b = out_.bodies[i];
      const int most = std::max(count(b, Side::left), count(b, Side::right));
      b.height = measures::title + measures::terminal_gap * std::max(2, most);
      b.width = std::max(measures::least_width,
                         Canvas::width_of(Canvas::shortened(graph_.bodies[i].name, 26)) + 20);
      b.below = measures::stub +
                (ladders_[i].rungs.empty() ? 0 : rows_of(ladders_[i]).back() + measures::rung);
    }
  }

  /// Returns where the room of a body and all that it carries ends.
  double place_subtree(int i, double top) {
    PlacedBody& b = body(i);
    double end = top;
    for (const int child : children_[at(i)]) end = place_subtree(child, end) + measures::row_gap;
    if (children_[at(i)].empty()) {
      b.y = top;
    } else {
      end -= measures::row_gap;
      const double middle =
          (body(children_[at(i)].front()).middle() + body(children_[at(i)].back()).middle()) / 2;
      b.y = middle - b.height / 2;
      if (b.y < top) {
        const double down = top - b.y;
        shift(i, down);
        end += down;
      }
    }
    return std::max(end, b.y + b.height + b.below);
  }
  /// The body first.
  [[nodiscard]] std::vector<int> subtree_of(int i) const {
    std::vector<int> all{i};
    for (std::size_t head = 0; head < all.size();) {
      const auto& more = children_[at(all[head++])];
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }
  void shift(int i, double down) {
    for (const int k : subtree_of(i)) body(k).y += down;
  }
  void place_rows(double top) {
    for (std::size_t i = 0; i < graph_.bodies.size(); ++i)
      if (graph_.bodies[i].parent < 0 && behind_[i] == 0)
        top = place_subtree(static_cast<int>(i), top) + measures::row_gap;
  }
  /// With all that they carry in the middle of those that they are joined to, or below what stands there already.
  void place_behind(double top) {
    std::vector<char> placed(behind_.size(), 0);
    for (std::size_t i = 0; i < behind_.size(); ++i) placed[i] = behind_[i] == 0 ? 1 : 0;
    for (std::size_t i = 0; i < behind_.size(); ++i) {
      if (behind_[i] == 0 || graph_.bodies[i].parent >= 0) continue;
      const auto root = static_cast<int>(i);
      const std::vector<int> carried = subtree_of(root);
      double sum = 0;
      int count = 0;
      for (const int p : partners_[i])
        if (placed[at(p)] != 0) sum += body(p).middle(), ++count;
      place_subtree(root, top);
      if (count > 0) shift(root, std::max(0.0, sum / count - body(root).middle()));
      for (double down = 1; down > 0;) {
        down = 0;
        for (std::size_t k = 0; k < placed.size(); ++k)
          if (placed[k] != 0)
            for (const int own : carried) down = std::max(down, overlap(body(own), out_.bodies[k]));
        shift(root, down);
      }
      for (const int k : carried) placed[at(k)] = 1;
    }
  }
  /// How far down a body must go so as to stand below another of its column; 0 where they are apart.
  static double overlap(const PlacedBody& b, const PlacedBody& other) {
    const double end = other.y + other.height + other.below + measures::row_gap;
    if (b.column != other.column || b.y >= end ||
        b.y + b.height + b.below + measures::row_gap <= other.y)
      return 0;
    return end - b.y;
  }

  void place_columns() {
    int columns = 0;
    for (const PlacedBody& b : out_.bodies) columns = std::max(columns, b.column + 1);
    std::vector<double> width(at(columns), 0), left(at(columns), 0), right(at(columns), 0);
    for (std::size_t i = 0; i < out_.bodies.size(); ++i) {
      const PlacedBody& b = out_.bodies[i];
      double own = b.width;
      for (const Rung& rung : ladders_[i].rungs)
        own = std::max(own, measures::rung_length + label_width_[at(rung.edge)]);
      width[at(b.column)] = std::max(width[at(b.column)], own);
      if (graph_.bodies[i].tip >= 0)
        right[at(b.column)] = std::max(right[at(b.column)], measures::load);
    }
    for (const Wire& wire : out_.wires) {
      const double room = label_width_[at(wire.edge)] + measures::wire_end;
      const auto [body_at, side] = label_place(wire);
      auto& column = (side == Side::left ? left : right)[at(body(body_at).column)];
      column = std::max(column, room);
    }
    double x = measures::margin;
    std::vector<double> start(at(columns), 0);
    for (int c = 0; c < columns; ++c) {
      x += left[at(c)] + (c == 0 ? 0 : measures::column_gap);
      start[at(c)] = x;
      x += width[at(c)] + right[at(c)];
    }
    for (PlacedBody& b : out_.bodies) b.x = start[at(b.column)];
    out_.width = x + measures::margin + (hooks_ ? measures::hook : 0);
  }
  /// Of a wire between columns at the left rim of the right one, otherwise at its first end.
  std::pair<int, Side> label_place(const Wire& wire) {
    if (wire.of_tree || wire.to < 0) return {wire.from, wire.of_tree ? Side::left : Side::right};
    const int a = body(wire.from).column, b = body(wire.to).column;
    if (a == b) hooks_ = true;
    return a > b   ? std::pair(wire.from, Side::left)
           : b > a ? std::pair(wire.to, Side::left)
                   : std::pair(wire.from, Side::right);
  }

  /// On each rim in the order of what is at the other end.
  void place_terminals(int i) {
    PlacedBody& b = body(i);
    const auto height_of = [&](const PlacedTerminal& t) {
      for (const Wire& wire : out_.wires) {
        if (wire.from == i && wire.from_edge == t.edge)
          return wire.to < 0 ? 1e9 : body(wire.to).middle();
        if (wire.to == i && wire.to_edge == t.edge)
          return wire.from < 0 ? 1e9 : body(wire.from).middle();
      }
      return 2e9;
    };
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t t = 0; t < b.terminals.size(); ++t)
      order.emplace_back(height_of(b.terminals[t]), t);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& p, const auto& q) { return p.first < q.first; });
    for (const Side side : {Side::left, Side::right}) {
      const double step = (b.height - measures::title) / count(b, side);
      double y = b.y + measures::title + step / 2;
      for (const auto& [height, t] : order) {
        if (b.terminals[t].side != side) continue;
        b.terminals[t].at = {side == Side::left ? b.x : b.x + b.width, y};
        y += step;
      }
    }
  }

  const SystemGraph& graph_;
  const std::vector<Ladder>& ladders_;
  const std::vector<double>& label_width_;
  std::vector<std::vector<int>> children_, partners_;
  std::vector<char> behind_;
  bool hooks_ = false;
  Layout out_;
};

}  // namespace

const PlacedTerminal& Layout::terminal(int body, int edge) const {
  const auto& terminals = bodies[at(body)].terminals;
  return *std::find_if(terminals.begin(), terminals.end(),
                       [&](const PlacedTerminal& t) { return t.edge == edge; });
}

Layout lay_out(const SystemGraph& graph, const std::vector<Ladder>& ladders,
               const std::vector<double>& label_width, double top) {
  return LayoutMaker(graph, ladders, label_width).place(top);
}

}  // namespace linkwright::network
