#include "linkwright/network/drawing.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "network/drawing/canvas.hpp"
#include "network/drawing/ladders.hpp"
#include "network/drawing/layout.hpp"
#include "network/drawing/look.hpp"
#include "network/drawing/measures.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

using Anchor = Canvas::Anchor;
using Component = SystemGraph::Component;

constexpr Point rightwards{1, 0}, leftwards{-1, 0}, downwards{0, 1};
constexpr std::size_t longest_name = 30;

class Drawing {
 public:
  Drawing(const System& system, const SystemGraph& graph, const FormulationTree& tree)
      : system_(system), graph_(graph), tree_(tree), ladders_(make_ladders(graph)) {
    for (std::size_t e = 0; e < graph.components.size(); ++e) {
      looks_.push_back(look_of(graph.components[e]));
      label_width_.push_back(Canvas::width_of(label(static_cast<int>(e))));
    }
    for (const SystemGraph::Joint& joint : graph.joints)
      if (joint.kind == SystemGraph::Joint::Kind::joint)
        looks_[at(joint.edge)] = look_of(system.joints()[at(joint.index)].type);
    layout_ = lay_out(graph, ladders_, label_width_, measures::top);
  }

  std::string draw() {
    for (std::size_t i = 0; i < graph_.bodies.size(); ++i) draw_body(static_cast<int>(i));
    for (const Wire& wire : layout_.wires) draw_wire(wire);
    for (std::size_t i = 0; i < graph_.bodies.size(); ++i) draw_ladder(static_cast<int>(i));
    const double width = std::max(layout_.width, 620.0);
    draw_heading();
    const double bottom = draw_legend(width, std::max(layout_.height, measures::top) + 14);
    return canvas_.finish(width, bottom);
  }

 private:
  [[nodiscard]] const GraphEdge& edge(int e) const { return graph_.graph.edges()[at(e)]; }
  [[nodiscard]] bool is_branch(int e) const { return tree_.is_branch[at(e)] != 0; }
  [[nodiscard]] std::string label(int e) const {
    return Canvas::shortened(edge(e).name, longest_name);
  }
  [[nodiscard]] Pen pen(int e) const { return {looks_[at(e)].colour, is_branch(e)}; }
  [[nodiscard]] std::string title(int e) const {
    const char* driver = edge(e).driver == Driver::across    ? ", across driver"
                         : edge(e).driver == Driver::through ? ", through driver"
                                                             : "";
    return fmt::format("{} ({}{}, {})", edge(e).name, to_string(graph_.components[at(e)]), driver,
                       is_branch(e) ? "branch" : "chord");
  }
  void draw_edge(int e, Canvas::Layer layer, const std::function<void()>& strokes) {
    canvas_.begin_edge(title(e), layer);
    strokes();
    canvas_.end_edge();
  }
  /// `along`: from the edge's first node to its second.
  void draw_driver(int e, Point place, Point along) {
    if (edge(e).driver == Driver::across) canvas_.across_driver(place);
    if (edge(e).driver == Driver::through) canvas_.through_driver(place, along);
  }

  void draw_body(int i) {
    const SystemGraph::Body& body = graph_.bodies[at(i)];
    const PlacedBody& box = layout_.bodies[at(i)];
    canvas_.body({box.x, box.y}, box.width, box.height, "body " + body.name);
    canvas_.text({box.x + box.width / 2, box.y + 15}, Canvas::shortened(body.name, 26),
                 Anchor::middle, "#1a1a1a", Canvas::text_size, true);
    const Point O = box.centre();
    for (const PlacedTerminal& t : box.terminals) {
      draw_edge(t.edge, Canvas::Layer::front, [&] { canvas_.line(t.at, O, pen(t.edge)); });
      canvas_.terminal(t.at);
      const bool left = t.side == Side::left;
      canvas_.text(t.at + Point{left ? -6.0 : 6.0, 11}, t.edge == body.b ? "B" : "A",
                   left ? Anchor::end : Anchor::start, "#5b6570", Canvas::small_text);
    }
    const Point G = box.bottom();
    draw_edge(body.g, Canvas::Layer::front, [&] { canvas_.line(G, O, pen(body.g)); });
    canvas_.terminal(G);
    canvas_.text(G + Point{7, 11}, "G", Anchor::start, "#5b6570", Canvas::small_text);
    canvas_.dot(O);
    const auto on_left =
        std::count_if(box.terminals.begin(), box.terminals.end(),
                      [](const PlacedTerminal& t) { return t.side == Side::left; });
    const bool right_is_free = 2 * on_left >= static_cast<std::ptrdiff_t>(box.terminals.size());
    canvas_.text(O + Point{right_is_free ? 5.0 : -5.0, -5}, "O",
                 right_is_free ? Anchor::start : Anchor::end, "#5b6570", Canvas::small_text);
    for (const int e : {body.inertia, body.centre_driver})
      if (e >= 0) draw_stub(e, G, downwards, measures::stub - 18);
    if (body.tip_driver >= 0)
      draw_stub(body.tip_driver, layout_.terminal(i, body.tip).at, rightwards, measures::load - 14);
  }
  /// An edge from a terminal to a ground sign of its own.
  void draw_stub(int e, Point from, Point direction, double length) {
    const Point end = from + length * direction;
    const Point middle =
        from +
        (edge(e).domain == Domain::mechanical && direction.x > 0 ? 0.68 * length : 0.5 * length) *
            direction;
    draw_edge(e, Canvas::Layer::behind, [&] { canvas_.line(from, end, pen(e)); });
    canvas_.ground(end, direction);
    if (edge(e).driver != Driver::none)
      draw_driver(e, middle, direction);
    else
      canvas_.symbol(middle, std::string(looks_[at(e)].letter), looks_[at(e)].colour);
  }

  void draw_wire(const Wire& wire) {
    const double room = label_width_[at(wire.edge)] + measures::wire_end - 8;
    const Point a = layout_.terminal(wire.from, wire.from_edge).at;
    Point inner, outer;  // the straight stretch with the label: at a body, and away from it
    draw_edge(wire.edge, Canvas::Layer::behind, [&] {
      if (wire.to < 0) {
        const Point out =
            layout_.terminal(wire.from, wire.from_edge).side == Side::left ? leftwards : rightwards;
        inner = a, outer = a + room * out;
        canvas_.line(inner, outer, pen(wire.edge));
        canvas_.ground(outer, out);
        return;
      }
      const Point b = layout_.terminal(wire.to, wire.to_edge).at;
      const int column_a = layout_.bodies[at(wire.from)].column,
                column_b = layout_.bodies[at(wire.to)].column;
      if (column_a == column_b) {
        inner = a, outer = a + room * rightwards;
        canvas_.hook(inner, outer.x, b, pen(wire.edge));
        return;
      }
      const Point left = column_a < column_b ? a : b;
      inner = column_a < column_b ? b : a, outer = inner + room * leftwards;
      const SystemGraph::Body& begins =
          graph_.bodies[at(column_a < column_b ? wire.from : wire.to)];
      canvas_.curve(left, begins.tip >= 0 ? measures::load : measures::lead, outer, inner,
                    pen(wire.edge));
    });
    const double side = outer.x < inner.x ? -1 : 1;
    canvas_.text({inner.x + side * (12 + label_width_[at(wire.edge)] / 2), inner.y - 6},
                 label(wire.edge), Anchor::middle, looks_[at(wire.edge)].colour);
    const bool from_inner = std::abs(a.x - inner.x) < 1 && std::abs(a.y - inner.y) < 1;
    const Point along = (from_inner != wire.reversed ? side : -side) * rightwards;
    draw_driver(wire.edge, outer - (side * 12.0) * rightwards, along);
    draw_beside(wire, inner, outer, along);
  }
  /// A driver between the same terminals as a joint.
  void draw_beside(const Wire& wire, Point inner, Point outer, Point along) {
    for (std::size_t e = 0; e < graph_.components.size(); ++e) {
      const GraphEdge &driver = graph_.graph.edges()[e], &own = edge(wire.edge);
      if (graph_.components[e] != Component::driver || driver.from != own.from ||
          driver.to != own.to)
        continue;
      const auto index = static_cast<int>(e);
      const double toward = outer.x < inner.x ? -1 : 1;
      const Point a = inner + (toward * 14) * rightwards;
      draw_edge(index, Canvas::Layer::behind, [&] { canvas_.arc_below(a, outer, 17, pen(index)); });
      draw_driver(index, 0.5 * (a + outer) + Point{0, 17}, along);
    }
  }

  void draw_ladder(int i) {
    const Ladder& ladder = ladders_[at(i)];
    if (ladder.rungs.empty()) return;
    const PlacedBody& box = layout_.bodies[at(i)];
    const Point start{box.x + 6, box.y + box.height + measures::stub + 8};
    const std::vector<double> rows = rows_of(ladder);
    const auto row = [&](int r) { return start + Point{0, rows[at(r)]}; };
    for (std::size_t r = 0; r < ladder.rungs.size(); ++r)
      draw_rung(ladder, static_cast<int>(r), row);
    for (const Ladder::Tie& tie : ladder.ties) {
      const auto inside = std::count_if(
          ladder.ties.begin(), ladder.ties.end(),
          [&](const Ladder::Tie& t) { return t.upper > tie.upper && t.lower < tie.lower; });
      if (tie.upper < 0)
        canvas_.tie(layout_.terminal(i, graph_.bodies[at(i)].b).at, row(tie.lower), 16);
      else
        canvas_.tie(row(tie.upper), row(tie.lower), 9 + 4 * static_cast<double>(inside));
    }
  }
  /// A terminal is named where an edge that is drawn elsewhere leads to it.
  [[nodiscard]] std::string rung_label(const Rung& rung) const {
    const auto name = [&](int node) { return graph_.graph.nodes()[at(node)].name; };
    std::string text = label(rung.edge);
    if (rung.to >= 0) text += " to " + name(rung.to);
    for (const Ladder& ladder : ladders_)
      for (const Rung& other : ladder.rungs)
        if (rung.at >= 0 && other.to == rung.at) return text + ", at " + name(rung.at);
    return text;
  }
  template <class Row>
  void draw_rung(const Ladder& ladder, int r, const Row& row) {
    const Rung& rung = ladder.rungs[at(r)];
    const Point here = row(r);
    constexpr double half = measures::on_rail / 2;
    if (r > 0 && !rung.begins)
      canvas_.rail(ladder.rungs[at(r - 1)].on_rail ? row(r - 1) + Point{0, half} : row(r - 1),
                   rung.on_rail ? here - Point{0, half} : here);
    if (rung.on_rail) {
      draw_edge(rung.edge, Canvas::Layer::behind, [&] {
        canvas_.line(here - Point{0, half}, here + Point{0, half}, pen(rung.edge));
      });
      canvas_.symbol(here, std::string(looks_[at(rung.edge)].letter), looks_[at(rung.edge)].colour);
      canvas_.text(here + Point{14, 4}, rung_label(rung), Anchor::start,
                   looks_[at(rung.edge)].colour, 10);
      return;
    }
    canvas_.dot(here);
    if (rung.to >= 0) {  // the far terminal is drawn elsewhere: its name stands for it
      draw_edge(rung.edge, Canvas::Layer::behind, [&] {
        canvas_.line(here, here + Point{44, 0}, pen(rung.edge));
      });
      canvas_.symbol(here + Point{22, 0}, std::string(looks_[at(rung.edge)].letter),
                     looks_[at(rung.edge)].colour);
      canvas_.dot(here + Point{44, 0});
    } else {
      draw_stub(rung.edge, here, rightwards, 44);
    }
    canvas_.text(here + Point{58, 4}, rung_label(rung), Anchor::start, looks_[at(rung.edge)].colour,
                 10);
  }

  void draw_heading() {
    const std::string& name = system_.model().name;
    canvas_.text({measures::margin, 28}, name.empty() ? "System graph" : "System graph of " + name,
                 Anchor::start, "#1a1a1a", 15, true);
    canvas_.text(
        {measures::margin, 46},
        fmt::format("{} terminals, {} edges: {} branches of the formulation tree, {} chords",
                    graph_.graph.nodes().size(), graph_.graph.edges().size(), tree_.branches.size(),
                    tree_.chords.size()),
        Anchor::start, "#4a5560");
  }

  /// Signs that occur, with their meanings, in lines as wide as the drawing. Returns where it ends.
  double draw_legend(double width, double y) {
    Point next{measures::margin, y + 12};
    const auto entry = [&](const std::string& meaning, const std::function<void(Point)>& sign) {
      const double room = 40 + Canvas::width_of(meaning) + 22;
      if (next.x > measures::margin && next.x + room > width - measures::margin)
        next = {measures::margin, next.y + 24};
      sign(next);
      canvas_.text(next + Point{40, 4}, meaning, Anchor::start);
      next.x += room;
    };
    const auto line = [&](const Pen& with) {
      return [&, with](Point p) { canvas_.line(p, p + Point{30, 0}, with); };
    };
    entry("branch of the formulation tree", line({"#333333", true}));
    entry("chord", line({"#333333", false}));
    entry("reference: O, housing of shafts, ground of circuits", [&](Point p) {
      canvas_.ground(p + Point{14, -3}, downwards);
    });
    std::vector<std::string> told;
    for (std::size_t e = 0; e < looks_.size(); ++e) {
      const Look& look = looks_[e];
      constexpr std::array sources{Component::driver, Component::torque_source,
                                   Component::speed_source, Component::voltage_source,
                                   Component::current_source};
      const bool source =
          std::find(sources.begin(), sources.end(), graph_.components[e]) != sources.end();
      if (source || std::find(told.begin(), told.end(), look.meaning) != told.end()) continue;
      told.push_back(look.meaning);
      entry(look.meaning, [&](Point p) {
        canvas_.line(p, p + Point{30, 0}, {look.colour, true});
        if (!look.letter.empty())
          canvas_.symbol(p + Point{15, 0}, std::string(look.letter), look.colour);
      });
    }
    const auto driven = [&](Driver driver) {
      return std::any_of(graph_.graph.edges().begin(), graph_.graph.edges().end(),
                         [&](const GraphEdge& e) { return e.driver == driver; });
    };
    if (driven(Driver::across))
      entry("across driver", [&](Point p) { canvas_.across_driver(p + Point{15, 0}); });
    if (driven(Driver::through))
      entry("through driver", [&](Point p) {
        canvas_.through_driver(p + Point{15, 0}, rightwards);
      });
    const auto tied = [](const Ladder& ladder) { return !ladder.ties.empty(); };
    if (std::any_of(ladders_.begin(), ladders_.end(), tied))
      entry("ports of one component", [&](Point p) {
        canvas_.tie(p + Point{30, -6}, p + Point{30, 6}, 10);
      });
    return next.y + 24;
  }

  const System& system_;
  const SystemGraph& graph_;
  const FormulationTree& tree_;
  std::vector<Ladder> ladders_;
  std::vector<Look> looks_;
  std::vector<double> label_width_;
  Layout layout_;
  Canvas canvas_;
};

}  // namespace

std::string draw_system_graph(const System& system, const SystemGraph& graph,
                              const FormulationTree& tree) {
  return Drawing(system, graph, tree).draw();
}

}  // namespace linkwright::network
