#pragma once
/// Limits of velocity and effort bound nothing yet: numbers beyond them are used as they are given,
/// and told.

#include <optional>
#include <string>
#include <vector>

#include "shell/state/coordinates.hpp"

namespace linkwright::app {

/// Collects numbers of `v` or `tau` that exceed the limits of their joints.
///
///     BeyondLimits efforts(system, Variable::tau);
///     efforts.take(tau);
///     efforts.report();   // warning: the effort 200 at joint 'elbow' exceeds its limit of 87; …
class BeyondLimits {
 public:
  /// The System must outlive it.
  BeyondLimits(const System& system, Variable variable);

  /// One number per freedom; `where` names a row of many.
  void take(const Eigen::VectorXd& values, const std::string& where = {});
  /// A warning for each freedom with the number that exceeds most, or for the first few.
  void report() const;

 private:
  struct Excess {
    double value = 0;
    std::string where;
  };
  const System& system_;
  Variable variable_;
  std::vector<double> limits_;
  std::vector<std::optional<Excess>> worst_;
};

}  // namespace linkwright::app
