#include "network/drawing/canvas.hpp"

#include <fmt/format.h>

#include "operators/svg_text.hpp"

namespace linkwright::network {
namespace {

constexpr std::string_view dark = "#333333", red = "#b3261e";

std::string stroke(const Pen& pen) {
  return pen.heavy
             ? fmt::format(R"(stroke="{}" stroke-width="3.2")", pen.colour)
             : fmt::format(R"(stroke="{}" stroke-width="1.4" stroke-dasharray="5 3")", pen.colour);
}

}  // namespace

double Canvas::width_of(const std::string& text, double size) {
  return 0.62 * size * static_cast<double>(length_of(text));
}

std::string Canvas::shortened(const std::string& text, std::size_t most) {
  if (length_of(text) <= most) return text;
  // Whole characters only: a byte that continues another stays with it.
  const auto prefix = [](const std::string& of, std::size_t count) {
    std::size_t i = 0;
    for (std::size_t seen = 0; i < of.size(); ++i)
      if ((of[i] & 0xC0) != 0x80 && seen++ == count) break;
    return i;
  };
  const std::size_t head = most / 2, tail = most - 1 - head;
  return text.substr(0, prefix(text, head)) + "…" +
         text.substr(prefix(text, length_of(text) - tail));
}

void Canvas::begin_edge(const std::string& title, Layer layer) {
  layer_ = layer;
  lines() += "<g><title>" + escaped(title) + "</title>";
}
void Canvas::end_edge() {
  lines() += "</g>\n";
  layer_ = Layer::behind;
}

void Canvas::line(Point a, Point b, const Pen& pen) {
  lines() += fmt::format(R"(<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}" {}/>)", a.x, a.y, b.x, b.y,
                         stroke(pen));
}
void Canvas::curve(Point a, double lead, Point b, Point end, const Pen& pen) {
  const double start = a.x + lead, reach = 0.5 * (b.x - start);
  lines() += fmt::format(
      R"(<path d="M{:.1f} {:.1f}H{:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}L{:.1f} {:.1f}" {}/>)",
      a.x, a.y, start, start + reach, a.y, b.x - reach, b.y, b.x, b.y, end.x, end.y, stroke(pen));
}
void Canvas::hook(Point a, double turn, Point b, const Pen& pen) {
  lines() += fmt::format(
      R"(<path d="M{:.1f} {:.1f}H{:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}H{:.1f}" {}/>)",
      a.x, a.y, turn, turn + 40, a.y, turn + 40, b.y, turn, b.y, b.x, stroke(pen));
}
void Canvas::arc_below(Point a, Point b, double depth, const Pen& pen) {
  lines() +=
      fmt::format(R"(<path d="M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}" {}/>)", a.x,
                  a.y, a.x, a.y + depth * 4 / 3, b.x, b.y + depth * 4 / 3, b.x, b.y, stroke(pen));
}
void Canvas::rail(Point a, Point b) {
  lines() +=
      fmt::format(R"(<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}" stroke="{}" stroke-width="1.2"/>)"
                  "\n",
                  a.x, a.y, b.x, b.y, dark);
}
void Canvas::tie(Point a, Point b, double out) {
  lines() += fmt::format(
      R"(<path d="M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}" stroke="#777777" stroke-width="1.2" stroke-dasharray="1.5 3"/>)"
      "\n",
      a.x, a.y, std::min(a.x, b.x) - out, b.y, b.x);
}

void Canvas::ground(Point at, Point direction) {
  const Point across{-direction.y, direction.x};
  for (int i = 0; i < 3; ++i) {
    const Point middle = at + (3.0 * i) * direction;
    const Point a = middle + (6.0 - 2 * i) * across, b = middle - (6.0 - 2 * i) * across;
    signs_ +=
        fmt::format(R"(<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}" stroke="{}" stroke-width="1.3"/>)",
                    a.x, a.y, b.x, b.y, dark);
  }
  signs_ += '\n';
}
void Canvas::terminal(Point at) {
  signs_ += fmt::format(
      R"(<circle cx="{:.1f}" cy="{:.1f}" r="3.4" fill="#ffffff" stroke="{}" stroke-width="1.4"/>)"
      "\n",
      at.x, at.y, dark);
}
void Canvas::dot(Point at) {
  signs_ += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2.6" fill="{}"/>)"
                        "\n",
                        at.x, at.y, dark);
}
void Canvas::body(Point corner, double width, double height, const std::string& title) {
  boxes_ += fmt::format(
      R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="9" fill="#f6f7f9" stroke="#9aa3ad"><title>{}</title></rect>)"
      "\n",
      corner.x, corner.y, width, height, escaped(title));
}
void Canvas::across_driver(Point at) {
  signs_ += fmt::format(
      R"(<circle cx="{0:.1f}" cy="{1:.1f}" r="8" fill="#ffffff" stroke="{2}" stroke-width="1.6"/>)"
      R"(<path d="M{3:.1f} {4:.1f}h6M{0:.1f} {5:.1f}v6M{3:.1f} {6:.1f}h6" stroke="{2}" stroke-width="1.4"/>)"
      "\n",
      at.x, at.y, red, at.x - 3, at.y - 2, at.y - 5, at.y + 4);
}
void Canvas::through_driver(Point at, Point direction) {
  const Point across{-direction.y, direction.x};
  const Point tail = at - 5.0 * direction, tip = at + 5.0 * direction;
  const Point a = tip - 4.0 * direction + 3.0 * across, b = tip - 4.0 * direction - 3.0 * across;
  signs_ += fmt::format(
      R"(<circle cx="{:.1f}" cy="{:.1f}" r="8" fill="#ffffff" stroke="{}" stroke-width="1.6"/>)"
      R"(<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}" stroke="{}" stroke-width="1.4" fill="none"/>)"
      "\n",
      at.x, at.y, red, tail.x, tail.y, tip.x, tip.y, a.x, a.y, tip.x, tip.y, b.x, b.y, red);
}
void Canvas::symbol(Point at, const std::string& letter, std::string_view colour) {
  const double half = std::max(8.0, width_of(letter, small_text) / 2 + 3);
  signs_ += fmt::format(
      R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="13" rx="2" fill="#ffffff" stroke="{}" stroke-width="1.2"/>)"
      "\n",
      at.x - half, at.y - 6.5, 2 * half, colour);
  text(at + Point{0, 3.2}, letter, Anchor::middle, dark, small_text);
}

void Canvas::text(Point at, const std::string& words, Anchor anchor, std::string_view colour,
                  double size, bool bold) {
  constexpr std::string_view anchors[]{"start", "middle", "end"};
  texts_ += fmt::format(
      R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" fill="{}" font-size="{:g}"{}>{}</text>)"
      "\n",
      at.x, at.y, anchors[static_cast<int>(anchor)], colour, size,
      bold ? R"( font-weight="600")" : "", escaped(words));
}

std::string Canvas::finish(double width, double height) const {
  return fmt::format(
             R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" font-family="Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', sans-serif">)"
             "\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
             width, height) +
         "<g fill=\"none\" stroke-linecap=\"round\">\n" + behind_ + "</g>\n" + boxes_ +
         "<g fill=\"none\" stroke-linecap=\"round\">\n" + front_ + signs_ + "</g>\n" + texts_ +
         "</svg>\n";
}

}  // namespace linkwright::network
