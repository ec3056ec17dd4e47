// docs/figures/flexible_beam.svg: a beam of elastic joints against Euler and Bernoulli's.
#include <fmt/format.h>

#include <cmath>

#include "docs/figures.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/linear/analysis.hpp"
#include "linkwright/linear/equilibrium.hpp"
#include "linkwright/model/flexible_links.hpp"

namespace docs {
namespace {

using namespace linkwright;

constexpr double top = 40, bottom = 340;

FlexibleLink rod(int elements) {
  FlexibleLink link{.body = "rod",
                    .along = {1, 0, 0},
                    .EI = {1},
                    .mass_per_length = 1,
                    .inertia_per_length = 1e-9};
  link.bending = FlexibleLink::Bending::y, link.elements = elements;
  return link;
}

System cantilever(int elements) {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {{.name = "rod"}};
  model.joints = {{.name = "root", .parent = "world", .child = "rod"}};
  model.frames = {{.name = "tip", .body = "rod", .pose = {.translation = {1, 0, 0}}}};
  return compile(to_elastic_chains(model, {rod(elements)}));
}

std::string text(double x, double y, const char* anchor, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     words);
}
std::string line(const std::vector<std::pair<double, double>>& points, const char* colour,
                 const char* more) {
  std::string out =
      "<polyline fill=\"none\" stroke=\"" + std::string(colour) + "\" " + more + " points=\"";
  for (const auto& [x, y] : points) out += fmt::format("{:.1f},{:.1f} ", x, y);
  return out + "\"/>\n";
}
std::string dot_at(double x, double y, const char* style) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" {}/>\n", x, y, style);
}

/// Errors of the first frequencies over the number of elements, both logarithmic.
std::string convergence() {
  constexpr double left = 70, right = 340;
  const auto x = [&](double k) { return left + std::log2(k / 3) / 4 * (right - left); };
  const auto y = [&](double error) {
    return top + (std::log10(0.1) - std::log10(error)) / 4 * (bottom - top);
  };
  std::string out = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888\"/>\n", left,
      top, right - left, bottom - top);
  for (const int k : {3, 6, 12, 24, 48})
    out += text(x(k), bottom + 18, "middle", std::to_string(k));
  for (const auto& [error, words] : {std::pair{0.1, "10 %"},
                                     {0.01, "1 %"},
                                     {1e-3, "0.1 %"},
                                     {1e-4, "0.01 %"},
                                     {1e-5, "0.001 %"}}) {
    out += text(left - 6, y(error) + 4, "end", words);
    out += line({{left, y(error)}, {right, y(error)}}, "#ddd", "");
  }
  out += text((left + right) / 2, bottom + 38, "middle", "elements k");
  out += text(left, top - 14, "start", "error of the first three frequencies");
  out += line({{x(6), y(0.05)}, {x(48), y(0.05 / 64)}}, "#999", "stroke-dasharray=\"4 4\"");
  out += text(x(24) + 6, y(0.05 / 16) - 6, "start", "1/k²");
  constexpr std::array colours{"#1f6fb4", "#d1671a", "#2a8f4d"};
  std::array<std::vector<std::pair<double, double>>, 3> curves;
  for (const int k : {3, 4, 6, 8, 12, 16, 24, 32, 48}) {
    const System system = cantilever(k);
    ClosedWorkspace work(system);
    const auto modes = analyse(linearize(work, linear::OperatingPoint(system))).modes;
    const auto exact = clamped_frequencies(to_beam(rod(k), {.name = "rod"}), BeamMotion::bend_y, 3);
    for (std::size_t n = 0; n < 3; ++n) {
      const double error = std::abs(modes[2 * n].frequency / exact[n] - 1);
      if (error > 0.1) continue;
      curves[n].emplace_back(x(k), y(error));
    }
  }
  for (std::size_t n = 0; n < 3; ++n) {
    out += line(curves[n], colours[n], "stroke-width=\"2\"");
    for (const auto& [px, py] : curves[n])
      out += dot_at(px, py, fmt::format("fill=\"{}\"", colours[n]).c_str());
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">mode {}</text>\n", left + 12,
                       bottom - 14 - 18.0 * static_cast<double>(n), colours[n], n + 1);
  }
  return out;
}

/// Shapes under forces that keep their direction, and the exact tips.
std::string elastica() {
  constexpr double left = 400, side = 300;
  struct Row {
    double load, shortening, deflection;
  };
  const System system = cantilever(8);
  ClosedWorkspace work(system);
  Workspace tree(system);
  linear::OperatingPoint point(system);
  std::string out =
      text(left, top - 14, "start", "eight elements, PL²/EI = 0, 1, 2, 5, 10; exact tips");
  const auto at = [&](double px, double pz) {
    return std::pair{left + side * px, top + 10 - side * pz};
  };
  for (const Row& row : {Row{0, 0, 0},
                         {1, 0.05643, 0.30172},
                         {2, 0.16064, 0.49346},
                         {5, 0.38763, 0.71379},
                         {10, 0.55500, 0.81061}}) {
    point.forces = {{system.frame("tip"), {{}, {0, 0, -row.load}}, Axes::world}};
    find_equilibrium(work, point);
    compute_forward_kinematics(tree, point.state, Eigen::VectorXd::Zero(system.nv()));
    std::vector<std::pair<double, double>> shape{at(0, 0)};
    for (int i = 1; i <= 8; ++i) {
      const Vector3 p = frame_pose(tree, system.frame("rod:" + std::to_string(i))).translation;
      shape.push_back(at(p.x, p.z));
    }
    const Vector3 tip = frame_pose(tree, system.frame("tip")).translation;
    shape.push_back(at(tip.x, tip.z));
    out += line(shape, "#1f6fb4", "stroke-width=\"3\" stroke-linejoin=\"round\"");
    for (std::size_t i = 1; i + 1 < shape.size(); ++i)
      out += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.2\" fill=\"#fff\" stroke=\"#1f6fb4\"/>\n",
          shape[i].first, shape[i].second);
    const auto exact = at(1 - row.shortening, -row.deflection);
    out += dot_at(exact.first, exact.second, "fill=\"none\" stroke=\"#c0392b\" stroke-width=\"2\"");
  }
  return out + fmt::format("<rect x=\"{}\" y=\"{}\" width=\"8\" height=\"60\" fill=\"#888\"/>\n",
                           left - 8, top - 8);
}

}  // namespace

std::string flexible_beam() {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 400\" width=\"760\" "
         "height=\"400\" "
         "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" "
         "fill=\"#fff\"/>\n" +
         convergence() + elastica() + "</svg>\n";
}

}  // namespace docs
