#include "compute/quantity_layouts.hpp"

#include <fmt/format.h>

#include <utility>

namespace linkwright::app::layouts {
namespace {

Layout matrix(const std::string& prefix, std::vector<std::string> rows,
              const std::vector<std::string>& names) {
  Layout layout{{}, names, std::move(rows)};
  for (const std::string& row : layout.rows)
    for (const std::string& name : names)
      layout.columns.push_back(fmt::format("{}:{}:{}", prefix, row, name));
  return layout;
}

}  // namespace

MakeLayout plain(std::vector<std::string> names) {
  return [names = std::move(names)](const System&, const Request&) {
    return Layout{names, names, {}};
  };
}

MakeLayout per_freedom(std::string prefix) {
  return [prefix = std::move(prefix)](const System& system, const Request&) {
    std::vector<std::string> names;
    for (const std::string& name : system.velocity_names())
      names.push_back(fmt::format("{}:{}", prefix, name));
    return Layout{names, names, {}};
  };
}

MakeLayout square(std::string prefix) {
  return [prefix = std::move(prefix)](const System& system, const Request&) {
    return matrix(prefix, system.velocity_names(), system.velocity_names());
  };
}

Layout frames(const System& system, const Request& request) {
  std::vector<std::string> names;
  for (const FrameId frame : request.frames)
    for (const char* component : {"x", "y", "z", "qw", "qx", "qy", "qz", "wx", "wy", "wz", "vx",
                                  "vy", "vz", "alphax", "alphay", "alphaz", "ax", "ay", "az"})
      names.push_back("frame:" + system.frame(frame).name + ":" + component);
  return {names, names, {}};
}

Layout jacobian(const System& system, const Request&) {
  return matrix("J", {"wx", "wy", "wz", "vx", "vy", "vz"}, system.velocity_names());
}

Layout reactions(const System& system, const Request&) {
  std::vector<std::string> names;
  for (const JointPlace& joint : system.joints())
    for (const char* component : {"nx", "ny", "nz", "fx", "fy", "fz"})
      names.push_back("reaction:" + joint.name + ":" + component);
  return {names, names, {}};
}

}  // namespace linkwright::app::layouts
