#pragma once
/// Whether formulations agree: plain numbers in, a verdict out. Knows neither models nor sweeps.
///
///     Comparison comparison;
///     for (…) compare(state, {{"trunk", a1, tip1}, {"FD1", a2, tip2}}, yardstick, comparison);
///     require_agreement(comparison);

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "linkwright/error.hpp"

namespace linkwright::verify {

/// What one formulation found at one state.
struct NamedResult {
  std::string name;
  Eigen::VectorXd acceleration;  ///< of the joints
  Eigen::VectorXd tip;           ///< of the tip: angular, linear
};

/// How closely two vectors can be expected to agree.
struct Limit {
  double size = 1;   ///< what differences are relative to
  double bound = 0;  ///< the most that two may differ, relative
};
/// The same for all that is compared at one state.
struct Yardstick {
  Limit acceleration, tip;
};

struct Disagreement {
  std::string quantity, first, second;
  int state = 0;  ///< counted from 1
  double got = 0, bound = 0;
};

/// What has been seen of one formulation: the worst relative differences to the first one.
struct Worst {
  double acceleration = 0, tip = 0;
};

/// The verdict over all states given to compare() so far.
struct Comparison {
  std::vector<Worst> worst;                  ///< one per formulation
  std::optional<Disagreement> disagreement;  ///< the first
  long pairs = 0, disagreeing = 0;           ///< quantities of pairs of formulations
  double smallest_bound = std::numeric_limits<double>::infinity(), largest_bound = 0;
  double closest = 0;  ///< largest share of its bound that a difference took
};

/// ‖x − y‖ / size; infinite unless both are numbers of one length.
inline double relative_difference(const Eigen::VectorXd& x, const Eigen::VectorXd& y, double size) {
  if (x.size() != y.size() || !x.allFinite() || !y.allFinite())
    return std::numeric_limits<double>::infinity();
  const double apart = (x - y).stableNorm();
  return apart == 0 ? 0 : apart / size;
}

/// Takes note of one quantity of one pair.
inline void judge(const Disagreement& pair, Comparison& into) {
  ++into.pairs;
  into.smallest_bound = std::min(into.smallest_bound, pair.bound);
  into.largest_bound = std::max(into.largest_bound, pair.bound);
  into.closest = std::max(into.closest, pair.got == 0 ? 0 : pair.got / pair.bound);
  if (std::isfinite(pair.got) && pair.got <= pair.bound) return;
  ++into.disagreeing;
  if (!into.disagreement) into.disagreement = pair;
}

/// Compares every two results of a state, both quantities.
inline void compare(int state, const std::vector<NamedResult>& results, const Yardstick& yardstick,
                    Comparison& into) {
  into.worst.resize(results.size());
  const auto& [joints, tip] = yardstick;
  for (std::size_t i = 0; i < results.size(); ++i)
    for (std::size_t j = i + 1; j < results.size(); ++j) {
      const NamedResult &one = results[i], &other = results[j];
      const Worst apart{relative_difference(one.acceleration, other.acceleration, joints.size),
                        relative_difference(one.tip, other.tip, tip.size)};
      judge({"acceleration", one.name, other.name, state, apart.acceleration, joints.bound}, into);
      judge({"tip acceleration", one.name, other.name, state, apart.tip, tip.bound}, into);
      if (i > 0) continue;
      into.worst[j].acceleration = std::max(into.worst[j].acceleration, apart.acceleration);
      into.worst[j].tip = std::max(into.worst[j].tip, apart.tip);
    }
}

/// "acceleration: trunk and FD3 differ by 1.0e-03 (relative) at state 7; expected at most 3.2e-12 …"
inline std::string to_text(const Disagreement& found) {
  const auto number = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", x);
    return std::string(text);
  };
  return found.quantity + ": " + found.first + " and " + found.second + " differ by " +
         number(found.got) + " (relative) at state " + std::to_string(found.state) +
         "; expected at most " + number(found.bound) + " (2 κ(M) ε, scaled)";
}

/// Throws Error (failed_computation) that names the first disagreement.
inline void require_agreement(const Comparison& comparison) {
  if (!comparison.disagreement) return;
  throw Error(to_text(*comparison.disagreement) + "; " + std::to_string(comparison.disagreeing) +
                  " of " + std::to_string(comparison.pairs) +
                  " comparisons disagree. This is a defect of Linkwright: please report it with "
                  "the model and the --seed",
              Error::Kind::failed_computation);
}

}  // namespace linkwright::verify
