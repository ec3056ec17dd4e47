#include "info/flexible_links.hpp"

#include <fmt/format.h>

#include <numbers>

#include "linkwright/model/flexible_links.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

constexpr int told_modes = 3;

std::vector<double> in_hertz(const Beam& beam, BeamMotion motion) {
  std::vector<double> all = clamped_frequencies(beam, motion, told_modes);
  for (double& frequency : all) frequency /= 2 * std::numbers::pi;
  return all;
}

}  // namespace

Json flexible_links_json(const Model& model) {
  Json list = Json::array();
  for (const auto& [body, beam, damping_ratio] : find_flexible_links(model)) {
    Json frequencies = Json::object();
    for (const BeamMotion motion : all_beam_motions)
      if (beam.moves(motion)) frequencies[std::string(to_string(motion))] = in_hertz(beam, motion);
    list.push_back({{"body", body},
                    {"elements", beam.elements},
                    {"length", beam.length},
                    {"mass", beam.mass_per_length * beam.length},
                    {"damping_ratio", damping_ratio},
                    {"clamped_frequencies_hz", std::move(frequencies)}});
  }
  return list;
}

std::string flexible_links_text(const Model& model) {
  std::string text;
  for (const auto& [body, beam, damping_ratio] : find_flexible_links(model)) {
    text += fmt::format("  {}: {}, {:.6g} m, {:.6g} kg; clamped at its root:", printable(body),
                        counted(static_cast<std::size_t>(beam.elements), "element", "elements"),
                        beam.length, beam.mass_per_length * beam.length);
    for (const BeamMotion motion : all_beam_motions)
      if (beam.moves(motion))
        text += fmt::format(" {} {:.4g} Hz,", to_string(motion),
                            fmt::join(in_hertz(beam, motion), ", "));
    text.back() = '\n';
  }
  return text.empty() ? text : fmt::format("\n{}\n{}", bold("flexible links"), text);
}

std::string flexible_links_summary(const Model& model) {
  const std::vector<FoundFlexibleLink> beams = find_flexible_links(model);
  if (beams.empty()) return {};
  std::string text = fmt::format(", {}", counted(beams.size(), "flexible link", "flexible links"));
  for (std::size_t i = 0; i < beams.size(); ++i) {
    const auto& [body, beam, damping_ratio] = beams[i];
    double lowest = std::numeric_limits<double>::infinity();
    for (const BeamMotion motion : all_beam_motions)
      if (beam.moves(motion)) lowest = std::min(lowest, in_hertz(beam, motion).front());
    text += fmt::format("{}{} of {} from {:.4g} Hz", i == 0 ? " (" : ", ", printable(body),
                        counted(static_cast<std::size_t>(beam.elements), "element", "elements"),
                        lowest);
  }
  return text + ")";
}

std::vector<JointSpring> declared_joint_springs(const Model& model) {
  const std::vector<bool> of_beams = find_springs_of_beams(model);
  std::vector<JointSpring> springs;
  for (std::size_t i = 0; i < of_beams.size(); ++i)
    if (!of_beams[i]) springs.push_back(model.joint_springs[i]);
  return springs;
}

}  // namespace linkwright::app
