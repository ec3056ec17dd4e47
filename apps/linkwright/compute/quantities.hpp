#pragma once
/// What `compute` can compute: one table entry per quantity.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/dynamics/forces.hpp"
#include "shell/coordinates.hpp"

namespace linkwright::app {

/// What is asked besides the state.
struct Request {
  std::vector<FrameId> frames;
  Axes axes = Axes::own;
  std::vector<ExternalForce> forces;
};

/// How the numbers of a result are called. A result with `rows` is a matrix of rows × names.
struct Layout {
  std::vector<std::string> columns;  ///< every number, row by row, as a CSV column
  std::vector<std::string> names;
  std::vector<std::string> rows;
};

struct Quantity {
  enum class Frames { none, one, all_unless_named };

  std::string_view name, summary;
  std::vector<Part> parts;  ///< what it depends on
  bool takes_forces = false;
  Frames frames = Frames::none;
  std::function<Layout(const System&, const Request&)> layout;
  /// Writes one number per column.
  void (*evaluate)(Workspace&, const Input&, const Request&, Eigen::VectorXd& out) = nullptr;
  /// A function of the given motion alone: right for a closed system too, if that motion keeps its
  /// loops closed.
  bool is_of_motion_alone = false;

  [[nodiscard]] bool uses(Part part) const;
};

std::span<const Quantity> quantities();
/// The quantity of that name; throws Error listing the known ones otherwise.
const Quantity& find_quantity(std::string_view name);

}  // namespace linkwright::app
