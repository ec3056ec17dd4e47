#include <fmt/format.h>
#include <cmath>

#include "docs/figures.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/manipulator/sharing.hpp"

namespace docs {
namespace {

using linkwright::manipulator::LoadSharing;
using linkwright::manipulator::SharingOptions;

constexpr double width = 760, height = 330, metre = 900, newton = 3.0;

/// A place of the plane x, z on the page, box in the middle of its panel.
struct Panel {
  double x0, y0 = 165;
  [[nodiscard]] double x(double metres) const { return x0 + metre * metres; }
  [[nodiscard]] double y(double metres) const { return y0 - metre * metres; }
};

std::string text(double x, double y, const std::string& words, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" {}>{}</text>\n", x, y,
                     more, words);
}

std::string arrow(double x, double y, double dx, double dy, const char* colour) {
  const double length = std::hypot(dx, dy);
  if (length < 1) return {};
  const double ux = dx / length, uy = dy / length, hx = x + dx, hy = y + dy;
  return fmt::format(
      "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"3\"/>\n"
      "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\" fill=\"{}\"/>\n",
      x, y, hx - 6 * ux, hy - 6 * uy, colour, hx, hy, hx - 11 * ux + 5 * uy, hy - 11 * uy - 5 * ux,
      hx - 11 * ux - 5 * uy, hy - 11 * uy + 5 * ux, colour);
}

/// The cone of forces that a finger can give at a place, opening to the side it pushes to.
std::string cone(double x, double y, double side, double friction) {
  const double reach = 100;
  return fmt::format(
      "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\" fill=\"#2a7de1\" "
      "fill-opacity=\"0.16\" "
      "stroke=\"#2a7de1\" stroke-opacity=\"0.5\"/>\n",
      x, y, x + side * reach, y - friction * reach, x + side * reach, y + friction * reach);
}

std::string hand(double x, double y, double side) {
  return fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"22\" height=\"44\" rx=\"5\" fill=\"#c9ced6\" "
      "stroke=\"#68707d\"/>\n",
      side > 0 ? x - 22 : x, y - 22);
}

std::string draw(const Panel& at, const char* title, double friction, const LoadSharing& shared) {
  std::string out = text(at.x0, 28, title, "font-weight=\"bold\"");
  out += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#f4e6cf\" "
      "stroke=\"#8a6d3b\" stroke-width=\"1.5\"/>\n",
      at.x(-0.1), at.y(0.075), 0.2 * metre, 0.15 * metre);
  const double sides[2] = {1, -1};
  for (int i = 0; i < 2; ++i) {
    const double x = at.x(-0.1 * sides[i]), y = at.y(0);
    out += hand(x, y, sides[i]) + cone(x, y, sides[i], friction);
  }
  out += arrow(at.x(0.03), at.y(0), 0, 2 * 9.81 * newton, "#444");
  out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#444\"/>\n", at.x(0.03),
                     at.y(0));
  for (int i = 0; i < 2; ++i) {
    const auto& contact = shared.contacts[static_cast<std::size_t>(i)];
    const double x = at.x(-0.1 * sides[i]), y = at.y(0);
    // Both push inward, and up along the surface.
    out += arrow(x, y, sides[i] * contact.normal * newton, -contact.tangential * newton,
                 contact.margin > 1e-6 ? "#138a4b" : "#d9480f");
    out += text(x - sides[i] * 2, at.y(-0.105),
                fmt::format("{:.1f} N in, {:.1f} N up", contact.normal, contact.tangential));
    out +=
        text(x - sides[i] * 2, at.y(-0.125),
             fmt::format("margin {:.1f} N", std::abs(contact.margin) < 1e-6 ? 0 : contact.margin));
  }
  return out;
}

}  // namespace

std::string shared_load(const std::string& root) {
  const linkwright::System system =
      linkwright::compile(linkwright::read_model(root + "/models/pinched_box.yaml"));
  linkwright::ClosedWorkspace work(system);
  const linkwright::State state = linkwright::initial_state(system);
  const auto shared = [&](double reserve) {
    return linkwright::manipulator::share_load(work, state, SharingOptions{.reserve = reserve});
  };
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" "
             "height=\"{}\" "
             "font-family=\"sans-serif\" font-size=\"13\">\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
             width, height, width, height) +
         draw({190}, "as little as possible", 0.5, shared(0)) +
         draw({570}, "a third of the friction kept back", 0.5, shared(1.0 / 3)) +
         text(width / 2, height - 14,
              "blue: what friction 0.5 allows; arrows: what the fingers give, and the weight; "
              "orange: "
              "about to slip",
              "fill=\"#555\"") +
         "</svg>\n";
}

}  // namespace docs
