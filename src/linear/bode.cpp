#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "linkwright/linear/transfer_function.hpp"
#include "spatial/index.hpp"

namespace linkwright::linear {
namespace {

constexpr double width = 760, plot_left = 76, plot_right = 730;
constexpr double size_top = 34, size_bottom = 264, phase_top = 296, phase_bottom = 466;
constexpr const char* colours[] = {"#1565c0", "#c62828", "#2e7d32",
                                   "#6a1b9a", "#ef6c00", "#00838f"};

/// A curve over hertz; where a value is not finite it is interrupted.
struct Curve {
  std::vector<double> x, y;
};

/// A range of values in whole steps.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low, step = 1;

  void take(const std::vector<double>& values) {
    for (const double x : values)
      if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  }
  /// To whole multiples of the smallest of `steps` that gives no more than seven of them.
  void round_to(std::initializer_list<double> steps) {
    if (!(low <= high)) low = 0, high = 1;
    for (const double candidate : steps) {
      step = candidate;
      if ((high - low) / step <= 6) break;
    }
    low = step * std::floor(low / step), high = step * std::ceil(high / step);
    if (low == high) high += step;
  }
};

struct Panel {
  double top, bottom;
  Range x, y;  // x in decades
  [[nodiscard]] double page_x(double value) const {
    return plot_left + (std::log10(value) - x.low) / (x.high - x.low) * (plot_right - plot_left);
  }
  [[nodiscard]] double page_y(double value) const {
    return bottom - (value - y.low) / (y.high - y.low) * (bottom - top);
  }
};

std::string write(double x, double y, const char* anchor, std::string_view words) {
  std::string safe;
  for (const char c : words) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '&')
      safe += "&amp;";
    else
      safe += c;
  }
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     safe);
}

std::string draw_grid(const Panel& panel, const char* title, bool with_hertz) {
  std::string out;
  for (double decade = panel.x.low; decade <= panel.x.high + 0.5; ++decade) {
    const double x = panel.page_x(std::pow(10, decade));
    out += fmt::format("<path d=\"M{:.1f} {}V{}\" stroke=\"#ccc\"/>\n", x, panel.top, panel.bottom);
    if (with_hertz)
      out += write(x, panel.bottom + 18, "middle", fmt::format("{:g}", std::pow(10, decade)));
  }
  for (double value = panel.y.low; value <= panel.y.high + panel.y.step / 2;
       value += panel.y.step) {
    const double y = panel.page_y(value);
    out += fmt::format("<path d=\"M{} {:.1f}H{}\" stroke=\"#ccc\"/>\n", plot_left, y, plot_right);
    out += write(plot_left - 8, y + 4, "end", fmt::format("{:g}", value));
  }
  out += fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#666\"/>\n",
      plot_left, panel.top, plot_right - plot_left, panel.bottom - panel.top);
  return out + fmt::format(
                   "<text transform=\"translate(20 {:.1f}) rotate(-90)\" "
                   "text-anchor=\"middle\">{}</text>\n",
                   (panel.top + panel.bottom) / 2, title);
}

std::string draw_curve(const Panel& panel, const Curve& curve, const char* colour) {
  std::string path;
  bool pen_down = false;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!std::isfinite(curve.y[i]) || curve.x[i] <= 0) {
      pen_down = false;
      continue;
    }
    path += fmt::format("{}{:.2f} {:.2f}", pen_down ? 'L' : 'M', panel.page_x(curve.x[i]),
                        panel.page_y(curve.y[i]));
    pen_down = true;
  }
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>\n", path,
                     colour);
}

Curve size_of_response(const FrequencyResponse& response) {
  Curve out;
  for (std::size_t i = 0; i < response.frequencies.size(); ++i) {
    out.x.push_back(response.frequencies[i] / (2 * std::numbers::pi));
    out.y.push_back(20 * std::log10(std::abs(response.values[i])));
  }
  return out;
}

/// In degrees, without jumps of a whole turn.
Curve phase_of_response(const FrequencyResponse& response) {
  Curve out = size_of_response(response);
  double before = 0;
  for (std::size_t i = 0; i < response.values.size(); ++i) {
    const double phase = std::arg(response.values[i]) * 180 / std::numbers::pi;
    if (!std::isfinite(out.y[i])) continue;  // nothing comes through: no phase
    before = out.y[i] = phase + 360 * std::round((before - phase) / 360);
  }
  return out;
}

}  // namespace

std::string draw_frequency_response(std::span<const FrequencyResponse> responses) {
  Panel size{size_top, size_bottom, {}, {}}, phase{phase_top, phase_bottom, {}, {}};
  std::vector<Curve> sizes, phases;
  for (const FrequencyResponse& response : responses) {
    sizes.push_back(size_of_response(response));
    phases.push_back(phase_of_response(response));
    std::vector<double> decades;
    for (const double hertz : sizes.back().x)
      if (hertz > 0) decades.push_back(std::log10(hertz));
    size.x.take(decades), size.y.take(sizes.back().y), phase.y.take(phases.back().y);
  }
  size.x.round_to({1}), size.y.round_to({1, 2, 5, 10, 20, 40, 80, 100, 200, 400});
  phase.x = size.x, phase.y.round_to({15, 30, 45, 90, 180, 360, 720});
  const double height = phase_bottom + 62 + 20 * static_cast<double>(responses.size());
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n",
      width, height);
  out += draw_grid(size, "size, dB", false) + draw_grid(phase, "phase, degrees", true);
  out += write((plot_left + plot_right) / 2, phase_bottom + 38, "middle", "frequency, Hz");
  for (std::size_t i = 0; i < responses.size(); ++i) {
    const char* colour = colours[i % std::size(colours)];
    out += draw_curve(size, sizes[i], colour) + draw_curve(phase, phases[i], colour);
    const double y = phase_bottom + 58 + 20 * static_cast<double>(i);
    out += fmt::format("<path d=\"M{} {:.1f}h28\" stroke=\"{}\" stroke-width=\"3\"/>\n", plot_left,
                       y - 4, colour);
    out += write(plot_left + 36, y, "start",
                 fmt::format("from {} to {}", responses[i].input, responses[i].output));
  }
  return out + "</svg>\n";
}

}  // namespace linkwright::linear
