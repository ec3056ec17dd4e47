#pragma once
/// What `compute` can compute: one table entry per quantity.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "shell/state/coordinates.hpp"

namespace linkwright::app {

/// What is asked besides the state.
struct QuantityOptions {
  std::vector<FrameId> frames;
  Axes axes = Axes::own;
  /// Entries of v in which a closed system is described; none: all of them.
  std::vector<int> coordinates;
  int order = 1;  ///< of influence coefficients
  /// What decides the motion at which derivatives are taken.
  Variable motion = Variable::a;
};

/// How the numbers of a result are called: a list of `names`, a matrix of `rows` × `names`, an array with
/// further dimensions between the two, or several `matrices` of one shape.
struct ResultNames {
  std::vector<std::string> names;
  std::vector<std::string> rows{};
  std::string prefix{};  ///< of a matrix's columns in CSV, PREFIX:ROW:NAME
  std::vector<std::vector<std::string>> between{};
  std::vector<std::string> matrices{};  ///< their names, prefixes in CSV
  bool timed = false;                   ///< each result comes with the time of its state

  /// How many names each dimension has, the outermost first; of one of several matrices.
  [[nodiscard]] std::vector<std::size_t> shape() const {
    std::vector<std::size_t> out;
    if (!rows.empty()) out.push_back(rows.size());
    for (const auto& dimension : between) out.push_back(dimension.size());
    out.push_back(names.size());
    return out;
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t product = matrices.empty() ? 1 : matrices.size();
    for (const std::size_t count : shape()) product *= count;
    return product;
  }
};

struct Quantity {
  enum class Frames { none, one, all_unless_named };

  std::string_view name, summary;
  std::vector<Variable> depends_on;
  bool takes_forces = false;
  Frames frames = Frames::none;
  std::function<ResultNames(const System&, const QuantityOptions&)> result_names;
  /// Writes one number per name, a matrix row by row.
  std::function<void(ClosedWorkspace&, const Input&, const QuantityOptions&, Eigen::VectorXd& out)>
      evaluate;
  /// What --coordinates means for it.
  enum class Coordinates {
    unused,   ///< nothing
    reduces,  ///< what is written by them: independent unless asked otherwise
    selects,  ///< what the equations of motion produce: full unless asked otherwise
  };
  Coordinates coordinates = Coordinates::unused;
  /// What it depends on in a closed system, where that is something else.
  std::vector<Variable> depends_when_closed{};

  [[nodiscard]] bool uses(Variable variable) const;
};

std::span<const Quantity> quantities();
/// The quantity of that name; throws Error listing the known ones otherwise.
const Quantity& find_quantity(std::string_view name);

}  // namespace linkwright::app
