#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "docs/figures.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/linear/analysis.hpp"
#include "linkwright/linear/equilibrium.hpp"

namespace docs {
namespace {

using linkwright::linear::Mode;

constexpr double width = 720, height = 420, left = 70, right = 590, top = 30, bottom = 360;

/// From eigenvalues to places on the page.
struct Axes {
  double most;
  [[nodiscard]] double x(double re) const { return left + (re / most + 1) / 2 * (right - left); }
  [[nodiscard]] double y(double im) const { return bottom - (im / most + 1) / 2 * (bottom - top); }
};

/// Once around the circle of colours.
std::string colour(double part) {
  const auto share = [part](double at) {
    const double away = std::abs(std::remainder(part - at, 1.0));  // 0 … 0.5
    return static_cast<int>(std::lround(215 * std::clamp(2 - 6 * away, 0.0, 1.0)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", share(0), share(1.0 / 3), share(2.0 / 3));
}

std::string text(double x, double y, const char* anchor, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     words);
}

std::string frame_of(const Axes& axes) {
  std::string out = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888\"/>\n", left,
      top, right - left, bottom - top);
  out += fmt::format("<path d=\"M{:.1f} {}V{}M{} {:.1f}H{}\" stroke=\"#bbb\"/>\n", axes.x(0), top,
                     bottom, left, axes.y(0), right);
  for (int k = -2; k <= 2; ++k) {
    const double at = k * axes.most / 2;
    out += text(axes.x(at), bottom + 18, "middle", fmt::format("{:g}", at));
    out += text(left - 8, axes.y(at) + 4, "end", fmt::format("{:g}", at));
  }
  out += text((left + right) / 2, bottom + 40, "middle", "Re λ, 1/s");
  out += fmt::format(
      "<text transform=\"translate(22 {:.1f}) rotate(-90)\" text-anchor=\"middle\">Im λ, "
      "rad/s</text>\n",
      (top + bottom) / 2);
  return out;
}

/// Colours of the crank's angles.
std::string legend(int count) {
  std::string out = text(right + 20, top + 8, "start", "crank angle");
  for (int k = 0; k < count; ++k)
    out += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"18\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                       right + 20, top + 20 + k * 240.0 / count, 240.0 / count + 0.5,
                       colour(k / static_cast<double>(count)));
  for (int k = 0; k <= 4; ++k)
    out += text(right + 44, top + 24 + k * 60, "start", fmt::format("{}°", 90 * k));
  return out;
}

}  // namespace

std::string eigenvalue_locus(const std::string& root) {
  linkwright::Model model = linkwright::read_model(root + "/models/four_bar.yaml");
  for (linkwright::Joint& joint : model.joints)
    if (joint.name == "crank_pivot") joint.damping = {0.03};
  const linkwright::System system = linkwright::compile(model);
  linkwright::ClosedWorkspace work(system);
  linkwright::linear::OperatingPoint point(system);
  const int crank = system.joint("crank_pivot").q, count = 72;
  const Axes axes{20};
  std::string points;
  for (int k = 0; k < count; ++k) {
    point.state.q[crank] = 2 * std::numbers::pi * (k + 0.5) / count;
    if (!assemble(work, {.hold = {"crank_pivot"}}, point.state.q).assembled) continue;
    find_equilibrium(work, point, {.find = linkwright::linear::EquilibriumOptions::Find::efforts});
    for (const Mode& mode : analyse(linearize(work, point)).modes)
      points += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" fill=\"{}\"/>\n",
                            axes.x(mode.eigenvalue.real()), axes.y(mode.eigenvalue.imag()),
                            colour((k + 0.5) / count));
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" "
             "height=\"{}\" "
             "font-family=\"sans-serif\" font-size=\"13\">\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
             width, height, width, height) +
         frame_of(axes) + points + legend(36) + "</svg>\n";
}

}  // namespace docs
