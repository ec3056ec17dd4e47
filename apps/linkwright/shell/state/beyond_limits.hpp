#pragma once
/// Numbers that the joints are not made for are used as they are given, and told: beyond limits, and efforts that push
/// a free body from outside.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "shell/state/coordinates.hpp"

namespace linkwright::app {

/// Collects numbers of `q`, `v` or `tau` that exceed the limits of their joints.
///
///     BeyondLimits efforts(system, Variable::tau);
///     efforts.take(tau);
///     efforts.report();   // warning: the effort 200 of joint 'elbow' exceeds its effort limit 87; …
class BeyondLimits {
 public:
  /// The System must outlive it.
  BeyondLimits(const System& system, Variable variable);

  /// One number per entry; `where` names a row of many.
  void take(const Eigen::VectorXd& values, const std::string& where = {});
  /// A warning for each entry with the number that exceeds most, or for the first few.
  void report() const;

 private:
  struct Range {
    double lower = -std::numeric_limits<double>::infinity(),
           upper = std::numeric_limits<double>::infinity();
  };
  struct Excess {
    double value = 0, by = 0;
    std::string where;
  };
  [[nodiscard]] std::vector<Range> find_ranges() const;
  [[nodiscard]] std::string message(const Excess& worst, std::size_t entry,
                                    const std::string& name) const;
  void note_pushes() const;

  const System& system_;
  Variable variable_;
  std::vector<Range> ranges_;
  std::vector<std::optional<Excess>> worst_;
  std::vector<int> pushed_;  ///< joints by which nothing but the world holds a free body
};

/// Of one state.
void report_beyond_limits(const System& system, Variable variable, const Eigen::VectorXd& values);

}  // namespace linkwright::app
