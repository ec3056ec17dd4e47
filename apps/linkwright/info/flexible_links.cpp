#include "info/flexible_links.hpp"

#include <fmt/format.h>

#include <numbers>
#include <unordered_set>

#include "linkwright/io/system_file.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

constexpr int told_modes = 3;

std::vector<DescribedBeam> beams_of(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension != ".yaml" && extension != ".yml") return {};
  return read_beams(file);
}

std::vector<double> in_hertz(const Beam& beam, BeamMotion motion) {
  std::vector<double> all = clamped_frequencies(beam, motion, told_modes);
  for (double& frequency : all) frequency /= 2 * std::numbers::pi;
  return all;
}

}  // namespace

Json flexible_links_json(const std::filesystem::path& file) {
  Json list = Json::array();
  for (const auto& [link, beam] : beams_of(file)) {
    Json frequencies = Json::object();
    for (const BeamMotion motion : all_beam_motions)
      if (beam.moves(motion)) frequencies[std::string(to_string(motion))] = in_hertz(beam, motion);
    list.push_back({{"body", link.body},
                    {"elements", beam.elements},
                    {"length", beam.length},
                    {"mass", beam.mass_per_length * beam.length},
                    {"damping_ratio", link.damping_ratio},
                    {"clamped_frequencies_hz", std::move(frequencies)}});
  }
  return list;
}

std::string flexible_links_text(const std::filesystem::path& file) {
  std::string text;
  for (const auto& [link, beam] : beams_of(file)) {
    text += fmt::format("  {}: {}, {:.6g} m, {:.6g} kg; clamped at its root:", printable(link.body),
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

std::string flexible_links_summary(const std::filesystem::path& file) {
  const std::vector<DescribedBeam> beams = beams_of(file);
  if (beams.empty()) return {};
  std::string text = fmt::format(", {}", counted(beams.size(), "flexible link", "flexible links"));
  for (std::size_t i = 0; i < beams.size(); ++i) {
    const auto& [link, beam] = beams[i];
    double lowest = std::numeric_limits<double>::infinity();
    for (const BeamMotion motion : all_beam_motions)
      if (beam.moves(motion)) lowest = std::min(lowest, in_hertz(beam, motion).front());
    text += fmt::format("{}{} of {} from {:.4g} Hz", i == 0 ? " (" : ", ", printable(link.body),
                        counted(static_cast<std::size_t>(beam.elements), "element", "elements"),
                        lowest);
  }
  return text + ")";
}

std::vector<JointSpring> declared_joint_springs(const Model& model) {
  std::unordered_set<std::string> elastic;
  for (const Joint& joint : model.joints)
    if (is_elastic(joint)) elastic.insert(joint.name);
  std::vector<JointSpring> springs;
  for (const JointSpring& spring : model.joint_springs)
    if (!elastic.contains(spring.joint)) springs.push_back(spring);
  return springs;
}

}  // namespace linkwright::app
