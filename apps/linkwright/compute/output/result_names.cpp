#include "compute/output/result_names.hpp"

#include <fmt/format.h>

#include <utility>

#include "linkwright/closure/grasp_contacts.hpp"

namespace linkwright::app::result_names {

namespace {

std::vector<std::string> coordinate_names(const System& system, const QuantityOptions& options) {
  if (options.coordinates.empty()) return system.velocity_names();
  std::vector<std::string> names;
  for (const int i : options.coordinates)
    names.push_back(system.velocity_names()[static_cast<std::size_t>(i)]);
  return names;
}

}  // namespace

MakeNames plain(std::vector<std::string> names) {
  return [names = std::move(names)](const System&, const QuantityOptions&) {
    return ResultNames{names};
  };
}

MakeNames per_freedom(std::string prefix) {
  return [prefix = std::move(prefix)](const System& system, const QuantityOptions& options) {
    std::vector<std::string> names;
    for (const std::string& name : coordinate_names(system, options))
      names.push_back(fmt::format("{}:{}", prefix, name));
    return ResultNames{names};
  };
}

ResultNames accelerations(const System& system, const QuantityOptions& options) {
  ResultNames result = per_freedom("a")(system, options);
  for (const Actuator& actuator : system.model().actuators)
    if (actuator.motor && actuator.elastic)
      result.names.push_back(fmt::format("motor:{}:acceleration", actuator.name));
  return result;
}

ResultNames efforts(const System& system, const QuantityOptions& options) {
  std::vector<std::string> names;
  const bool some = !options.coordinates.empty();
  for (const std::string& name : some ? coordinate_names(system, options) : system.effort_names())
    names.push_back("tau:" + name);
  return {names};
}

ResultNames voltages(const System& system, const QuantityOptions&) {
  std::vector<std::string> names;
  for (const Actuator& actuator : system.model().actuators) {
    if (!actuator.motor) continue;
    names.push_back(fmt::format("motor:{}:torque", actuator.name));
    if (!has_electrical_side(actuator)) continue;
    names.push_back(fmt::format("motor:{}:current", actuator.name));
    names.push_back("voltage:" + actuator.name);
  }
  return {names};
}

ResultNames closing_joints(const System& system, const QuantityOptions&) {
  std::vector<std::string> names;
  for (const char* letter : {"q", "v"})
    for (const std::string& name : system.closing_names())
      names.push_back(fmt::format("{}:{}", letter, name));
  return {names};
}

ResultNames joint_forces(const System& system, const QuantityOptions&) {
  std::vector<std::string> names;
  for (const auto* list : {&system.velocity_names(), &system.closing_names()})
    for (const std::string& name : *list) names.push_back("joint_force:" + name);
  return {names};
}

MakeNames square(std::string prefix) {
  return [prefix = std::move(prefix)](const System& system, const QuantityOptions& options) {
    const std::vector<std::string> names = coordinate_names(system, options);
    return ResultNames{names, names, prefix};
  };
}

MakeNames squares(std::vector<std::string> matrices) {
  return [matrices = std::move(matrices)](const System& system, const QuantityOptions& options) {
    const std::vector<std::string> names = coordinate_names(system, options);
    return ResultNames{.names = names, .rows = names, .matrices = matrices};
  };
}

ResultNames frames(const System& system, const QuantityOptions& options) {
  std::vector<std::string> names;
  for (const FrameId frame : options.frames)
    for (const char* component : {"x", "y", "z", "qw", "qx", "qy", "qz", "wx", "wy", "wz", "vx",
                                  "vy", "vz", "alphax", "alphay", "alphaz", "ax", "ay", "az"})
      names.push_back("frame:" + system.frame(frame).name + ":" + component);
  return {names};
}

ResultNames jacobian(const System& system, const QuantityOptions&) {
  return {system.velocity_names(), {"wx", "wy", "wz", "vx", "vy", "vz"}, "J"};
}

ResultNames influence(const System& system, const QuantityOptions& options) {
  constexpr const char* letters[]{"G", "H", "D"};
  const std::vector<std::string> by = coordinate_names(system, options);
  ResultNames names{by, {"wx", "wy", "wz", "vx", "vy", "vz"}, letters[options.order - 1]};
  names.between.assign(static_cast<std::size_t>(options.order - 1), by);
  return names;
}

ResultNames coriolis_array(const System& system, const QuantityOptions& options) {
  const std::vector<std::string> names = coordinate_names(system, options);
  return {names, names, "P", {names}};
}

ResultNames reactions(const System& system, const QuantityOptions&) {
  std::vector<std::string> names;
  for (const JointPlace& joint : system.joints())
    for (const char* component : {"nx", "ny", "nz", "fx", "fy", "fz"})
      names.push_back("reaction:" + joint.name + ":" + component);
  for (const ClosurePlace& closure : system.closures())
    for (const char* component : {"nx", "ny", "nz", "fx", "fy", "fz"})
      names.push_back("reaction:" + closure.name + ":" + component);
  return {names};
}

ResultNames closure_forces(const System& system, const QuantityOptions&) {
  std::vector<std::string> names;
  for (const ClosurePlace& closure : system.closures())
    for (const char* component : {"mx", "my", "mz", "fx", "fy", "fz"})
      names.push_back("closure:" + closure.name + ":" + component);
  return {names};
}

ResultNames contacts(const System& system, const QuantityOptions&) {
  std::vector<std::string> names;
  for (const Grasp& grasp : system.model().grasps) {
    const auto add = [&](std::initializer_list<const char*> components) {
      for (const char* component : components)
        names.push_back("contact:" + grasp.name + ":" + component);
    };
    if (lets_turn(grasp)) add({"qw", "qx", "qy", "qz"});
    if (is_one_sided(grasp)) add({"normal", "tangential", "moment", "margin"});
  }
  return {names};
}

ResultNames closure_rows(const System& system, const QuantityOptions&) {
  std::vector<std::string> names;
  for (const ClosurePlace& closure : system.closures())
    for (int i = 0; i < closure.rows; ++i)
      names.push_back(fmt::format("closure:{}:{}", closure.name, i));
  return {names};
}

}  // namespace linkwright::app::result_names
