#pragma once
/// The strokes of a schematic: lines, signs and texts of an SVG, in layers so that texts stay on top.

#include <string>
#include <string_view>

namespace linkwright::network {

struct Point {
  double x = 0, y = 0;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(double s, Point p) { return {s * p.x, s * p.y}; }

/// How an edge is drawn.
struct Pen {
  std::string_view colour = "#333333";
  bool heavy = false;  // a branch; otherwise thin and dashed
};

class Canvas {
 public:
  static constexpr double text_size = 11, small_text = 9;
  /// Room that a text takes, generously.
  static double width_of(const std::string& text, double size = text_size);
  /// At most `most` characters, with a gap in the middle where it is longer.
  static std::string shortened(const std::string& text, std::size_t most);

  /// Wires pass behind the bodies, their own edges stand in front.
  enum class Layer { behind, front };
  /// Everything until end_edge() shows the title at the pointer.
  void begin_edge(const std::string& title, Layer layer = Layer::behind);
  void end_edge();

  void line(Point a, Point b, const Pen& pen);
  /// Straight for a while, bent towards b, and straight to the end.
  void curve(Point a, double lead, Point b, Point end, const Pen& pen);
  /// Straight to the right as far as `turn`, round, and straight back.
  void hook(Point a, double turn, Point b, const Pen& pen);
  /// Below a stretch of line.
  void arc_below(Point a, Point b, double depth, const Pen& pen);
  /// A terminal that is longer than a point.
  void rail(Point a, Point b);
  /// Ports of one component belong together; the tie stands out to the left.
  void tie(Point a, Point b, double out);

  /// The sign of the reference, behind a line that arrives there in the direction given (a unit vector along an axis).
  void ground(Point at, Point direction);
  void terminal(Point at);
  void dot(Point at);
  void body(Point corner, double width, double height, const std::string& title);
  /// A circle on a line: ± for an across driver, an arrow along `direction` for a through driver.
  void across_driver(Point at);
  void through_driver(Point at, Point direction);
  /// A small box with a letter on a line.
  void symbol(Point at, const std::string& letter, std::string_view colour);

  enum class Anchor { start, middle, end };
  void text(Point at, const std::string& words, Anchor anchor, std::string_view colour = "#1a1a1a",
            double size = text_size, bool bold = false);

  [[nodiscard]] std::string finish(double width, double height) const;

 private:
  std::string& lines() { return layer_ == Layer::front ? front_ : behind_; }

  Layer layer_ = Layer::behind;
  std::string behind_, boxes_, front_, signs_, texts_;
};

}  // namespace linkwright::network
