#pragma once
/// The variables of a motion, each a list of named numbers: q, v, a, j, s, c, tau.

#include <Eigen/Core>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "linkwright/dynamics/forces.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright::app {

/// Positions, velocities, accelerations, jerk, snap, crackle, efforts.
enum class Variable { q, v, a, j, s, c, tau };
inline constexpr std::array<Variable, 7> all_variables{
    Variable::q, Variable::v, Variable::a, Variable::j, Variable::s, Variable::c, Variable::tau};
/// Derivatives of the velocity, in order.
inline constexpr std::array<Variable, 4> all_rates{Variable::a, Variable::j, Variable::s,
                                                   Variable::c};
std::string_view letter(Variable variable);

/// A state with accelerations, their rates and efforts; the file's state at first, without any.
struct Input {
  State state;
  Eigen::VectorXd a, j, s, c, tau;
  /// What is said of motors, by name: "motor:m1:current", "motor:m1:angle", "motor:m1:speed", "voltage:m1".
  std::map<std::string, double> motors;
  std::vector<ExternalForce> forces;

  explicit Input(const System& system);
  /// The numbers of one variable.
  Eigen::VectorXd& values(Variable variable);
};

/// Where each named number sits.
class CoordinateNames {
 public:
  explicit CoordinateNames(const System& system);

  /// Names of the entries of a variable, in order: "elbow", "base:3".
  [[nodiscard]] const std::vector<std::string>& names(Variable variable) const;
  /// The entry of that name; a joint with one freedom also answers to "elbow:0".
  [[nodiscard]] std::optional<int> find(Variable variable, std::string_view name) const;
  /// "; did you mean …?" or how to name one freedom of a joint that has several.
  [[nodiscard]] std::string suggestion(Variable variable, std::string_view name) const;

 private:
  const System& system_;
  std::unordered_map<std::string, int> positions_, velocities_;
  std::vector<std::string> effort_names_;
  std::unordered_map<std::string, int> efforts_;
};

/// What stands in for numbers that are not given: the neutral position, zeros.
Eigen::VectorXd neutral(const System& system, Variable variable);
/// Whether a list names its entries, "elbow=0.3", and so may leave some out.
bool names_entries(const std::string& text);
/// Reads "0.1, -0.2" (one number for each entry) or "elbow=0.3, base:0=1" (the others as in
/// `others`).
Eigen::VectorXd parse_coordinates(const System& system, Variable variable, const std::string& text,
                                  const Eigen::VectorXd& others);

}  // namespace linkwright::app
