#pragma once
/// What `linkwright grasp` says of held objects, as JSON and as lines.

#include <optional>
#include <string>
#include <vector>

#include "linkwright/manipulator/grasp_impedance.hpp"
#include "linkwright/manipulator/sharing.hpp"
#include "shell/json.hpp"

namespace linkwright::app {

struct ObjectReport {
  manipulator::GraspAnalysis analysis;
  manipulator::ObjectImpedance impedance;
};

struct GraspReport {
  std::string file;
  std::vector<ObjectReport> objects{};
  manipulator::SharingRule rule = manipulator::SharingRule::least_squares;
  manipulator::LoadSharing sharing{};
};

std::string_view to_string(manipulator::SharingRule rule);

Json to_json(const GraspReport& report);
std::string to_lines(const GraspReport& report);

}  // namespace linkwright::app
