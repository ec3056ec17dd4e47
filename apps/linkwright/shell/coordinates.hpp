#pragma once
/// The four lists of numbers that describe a state and what drives it, by name: q, v, a, tau.

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "linkwright/dynamics/state.hpp"

namespace linkwright::app {

enum class Part { q, v, a, tau };
inline constexpr std::array<Part, 4> all_parts{Part::q, Part::v, Part::a, Part::tau};
std::string_view letter(Part part);

/// A state with accelerations and efforts.
struct Input {
  State state;
  Eigen::VectorXd a, tau;

  explicit Input(const System& system);
  Eigen::VectorXd& part(Part part);
};

/// Where each named number sits.
class CoordinateNames {
 public:
  explicit CoordinateNames(const System& system);

  /// Names of the entries of a part, in order: "elbow", "base:3".
  [[nodiscard]] const std::vector<std::string>& names(Part part) const;
  /// The entry of that name; a joint with one freedom also answers to "elbow:0".
  [[nodiscard]] std::optional<int> find(Part part, std::string_view name) const;
  /// "; did you mean …?" or how to name one freedom of a joint that has several.
  [[nodiscard]] std::string suggestion(Part part, std::string_view name) const;

 private:
  const System& system_;
  std::unordered_map<std::string, int> positions_, velocities_;
};

/// What stands in for numbers that are not given: the neutral position, zeros.
Eigen::VectorXd neutral(const System& system, Part part);
/// Reads "0.1, -0.2" (one number for each entry) or "elbow=0.3, base:0=1" (the others neutral).
Eigen::VectorXd parse_coordinates(const System& system, Part part, const std::string& text);

}  // namespace linkwright::app
