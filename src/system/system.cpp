#include "linkwright/system/system.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"

namespace linkwright {

namespace {

/// The closest name, or else some of those there are.
std::string names_like(std::string_view name, const std::vector<std::string>& known,
                       std::string_view what) {
  std::string closest = did_you_mean(name, known);
  if (!closest.empty() || known.empty()) return closest;
  return fmt::format("; {} are {}", what, list_in_quotes(known));
}

}  // namespace

const JointPlace& System::joint(std::string_view name) const {
  const auto found = joint_index_.find(std::string(name));
  if (found != joint_index_.end()) return joints_[static_cast<std::size_t>(found->second)];
  std::vector<std::string> known;
  for (const JointPlace& place : joints_) known.push_back(place.name);
  throw Error(fmt::format("no joint named '{}'{}", name, names_like(name, known, "joints")));
}

FrameId System::frame(std::string_view name) const {
  const auto found = frame_index_.find(std::string(name));
  if (found != frame_index_.end()) return {found->second};
  std::vector<std::string> known;
  for (const FramePlace& place : frames_) known.push_back(place.name);
  throw Error(
      fmt::format("no link or frame named '{}'{}", name, names_like(name, known, "frames")));
}

std::vector<std::string> System::effort_names() const {
  std::vector<std::string> names = velocity_names_;
  for (const ClosingMotor& motor : closing_motors_) {
    const ClosurePlace& place = closures_[static_cast<std::size_t>(motor.closure)];
    names.push_back(closing_names_[static_cast<std::size_t>(place.closing + motor.freedom)]);
  }
  return names;
}

double System::moving_mass() const {
  double mass = 0;
  for (std::size_t k = 1; k < tree_.nodes.size(); ++k) mass += tree_.nodes[k].M.mass;
  return mass;
}

std::string System::describe_node(int node) const {
  const int body = node_body_[static_cast<std::size_t>(node - 1)];
  return fmt::format("joint '{}' (link '{}')",
                     joints_[static_cast<std::size_t>(joint_of_body(body))].name,
                     model_->bodies[static_cast<std::size_t>(body)].name);
}

}  // namespace linkwright
