#pragma once
/// Whether formulations agree: plain numbers in, a verdict out. Knows neither models nor sweeps.
///
/// Two accelerations a and a' are judged by M (a − a'), the efforts by which they differ: each entry relative
/// to the size of what balances at that freedom. That is a backward error. Its bound holds no condition
/// number, so it means as much for a badly conditioned mass matrix as for a good one. Tip accelerations are
/// judged by what is left of their difference after J (a − a'), in the same way. How far the accelerations
/// themselves are apart is noted too, but does not decide.
///
/// Of a closed system the efforts that count are those along the motions that the closures allow, Gᵀ M (a − a'):
/// what is across is the closures' own force. The closures' rows of a − a' are judged besides, and, by
/// formulations that look for themselves, whether the closures are closed where the library says so.
///
///     Comparison comparison;
///     for (…) compare(state, {{"trunk", a1, tip1}, {"FD1", a2, tip2}}, scale, comparison);
///     require_agreement(comparison);

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "linkwright/error.hpp"

namespace linkwright::verify {

/// What one formulation found at one state.
struct NamedResult {
  std::string name;
  Eigen::VectorXd acceleration;                        ///< of the joints
  Eigen::VectorXd tip;                                 ///< of the tip: angular, linear
  std::vector<std::pair<std::string, double>> gaps{};  ///< closures, and how far they are open
  double magnification = 1;  ///< of rounding, by coordinates that the formulation chose for itself
};

/// What differences at one state are measured with.
struct ComparisonScale {
  Eigen::MatrixXd mass_matrix;               ///< M; of a closed system Gᵀ M
  Eigen::VectorXd efforts;                   ///< per row of it: the size of all that balances there
  std::vector<std::string> freedoms;         ///< their names
  Eigen::MatrixXd closures{};                ///< rows of the closures; none: there are none
  Eigen::VectorXd closure_sizes{};           ///< per row: the size of all that balances there
  std::vector<std::string> closure_names{};  ///< per row
  Eigen::MatrixXd jacobian;                  ///< J of the tip, 6×nv
  Eigen::VectorXd tip;  ///< per component: the size of what the tip's acceleration sums up
  double kept =
      1;  ///< the smallest singular value of the closures' rows that counts, of the largest
  double gap = 1;        ///< the size of the poses that meet in a closure
  double left_open = 0;  ///< the largest gap that the state has of itself
  double bound = 0;      ///< the most that two may differ, relative to these sizes
};

/// Two formulations that differ by more than rounding.
struct Disagreement {
  std::string quantity;  ///< "effort", "tip acceleration", "closure acceleration" or "closure gap"
  std::string where;     ///< a freedom, a component of the tip, or a closure
  std::string first, second;
  int state = 0;  ///< counted from 1
  double got = 0, bound = 0;
};

/// The largest differences of one formulation to the first one, over all states.
struct LargestDifferences {
  double effort = 0;  ///< of M (a − a'), relative to ComparisonScale::efforts; judged
  double closure =
      0;  ///< of the closures' rows, relative to ComparisonScale::closure_sizes; judged
  double acceleration = 0;  ///< of a − a', relative to the norm of the first; not judged
  double tip = 0;    ///< of the tip's acceleration, relative to the norm of the first; not judged
  double bound = 0;  ///< the most that was allowed it: its own magnification counts
};

/// The verdict over all states given to compare() so far.
struct Comparison {
  std::vector<LargestDifferences> differences;  ///< one per formulation
  std::optional<Disagreement> disagreement;     ///< the first
  long pairs = 0, disagreeing = 0;              ///< quantities of pairs of formulations
  double bound = 0;                             ///< the largest of all states
  double kept = 1;                              ///< the smallest of all states
  double closest = 0;  ///< largest share of its bound that a difference took
};

/// A relative difference and the entry that has it.
struct EntryDifference {
  double value = 0;
  Eigen::Index entry = 0;
};

/// The largest |difference| / size. Infinite where something is not a number, or differs though nothing has
/// any size.
inline EntryDifference largest_entry(const Eigen::VectorXd& difference,
                                     const Eigen::VectorXd& size) {
  EntryDifference largest;
  for (Eigen::Index i = 0; i < difference.size(); ++i) {
    const double apart = std::abs(difference[i]);
    const double relative = apart == 0 ? 0
                            : std::isfinite(apart) && i < size.size() && size[i] > 0
                                ? apart / size[i]
                                : std::numeric_limits<double>::infinity();
    if (relative > largest.value) largest = {relative, i};
  }
  return largest;
}

/// ‖x − y‖ / ‖x‖, both of one length; infinite unless finite.
inline double relative_difference(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  const double apart = (x - y).stableNorm();
  if (apart == 0) return 0;
  const double relative = apart / x.stableNorm();
  return std::isfinite(relative) ? relative : std::numeric_limits<double>::infinity();
}

/// Takes note of one quantity of one pair.
inline void record_difference(const Disagreement& pair, Comparison& into) {
  ++into.pairs;
  into.closest = std::max(into.closest, pair.got == 0 ? 0 : pair.got / pair.bound);
  if (std::isfinite(pair.got) && pair.got <= pair.bound) return;
  ++into.disagreeing;
  if (!into.disagreement) into.disagreement = pair;
}

/// Judges what a formulation itself says of the closures' gaps.
inline void judge_gaps(int state, const NamedResult& result, const ComparisonScale& scale,
                       Comparison& into) {
  for (const auto& [closure, gap] : result.gaps) {
    const double beyond = std::isfinite(gap) ? std::max(0.0, gap - scale.left_open) : gap;
    record_difference(
        {"closure gap", closure, "assembly", result.name, state, beyond / scale.gap, scale.bound},
        into);
  }
}

/// Compares every two results of a state: efforts, closures and tip.
inline void compare(int state, const std::vector<NamedResult>& results,
                    const ComparisonScale& scale, Comparison& into) {
  constexpr const char* components[]{"angular x", "angular y", "angular z",
                                     "linear x",  "linear y",  "linear z"};
  const double infinity = std::numeric_limits<double>::infinity();
  into.differences.resize(results.size());
  into.bound = std::max(into.bound, scale.bound);
  into.kept = std::min(into.kept, scale.kept);
  for (const NamedResult& result : results) judge_gaps(state, result, scale, into);
  for (std::size_t i = 0; i < results.size(); ++i)
    for (std::size_t j = i + 1; j < results.size(); ++j) {
      const NamedResult &one = results[i], &other = results[j];
      const bool comparable = one.acceleration.size() == other.acceleration.size() &&
                              one.tip.size() == 6 && other.tip.size() == 6;
      EntryDifference effort{infinity, 0}, closure{infinity, 0}, tip{infinity, 0};
      const double bound = scale.bound * std::max(one.magnification, other.magnification);
      LargestDifferences apart{infinity, infinity, infinity, infinity, bound};
      if (comparable) {
        const Eigen::VectorXd joints = one.acceleration - other.acceleration;
        effort = largest_entry(scale.mass_matrix * joints, scale.efforts);
        closure = {};
        if (scale.closures.rows() > 0)
          closure = largest_entry(scale.closures * joints, scale.closure_sizes);
        tip = largest_entry(one.tip - other.tip - scale.jacobian * joints, scale.tip);
        apart = {effort.value, closure.value,
                 relative_difference(one.acceleration, other.acceleration),
                 relative_difference(one.tip, other.tip), bound};
      }
      const auto record = [&](const char* quantity, const std::vector<std::string>& names,
                              const EntryDifference& found) {
        if (!names.empty())
          record_difference({quantity, names.at(static_cast<std::size_t>(found.entry)), one.name,
                             other.name, state, found.value, bound},
                            into);
      };
      record("closure acceleration", scale.closure_names, closure);
      record("effort", scale.freedoms, effort);
      record_difference({"tip acceleration", components[tip.entry], one.name, other.name, state,
                         tip.value, bound},
                        into);
      if (i > 0) continue;
      LargestDifferences& largest = into.differences[j];
      largest = {std::max(largest.effort, apart.effort), std::max(largest.closure, apart.closure),
                 std::max(largest.acceleration, apart.acceleration),
                 std::max(largest.tip, apart.tip), std::max(largest.bound, apart.bound)};
    }
}

/// "effort at 'elbow': trunk and FD3 differ by 1.0e-03 (relative) at state 7; expected at most 3.2e-12"
inline std::string to_text(const Disagreement& found) {
  const auto number = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", x);
    return std::string(text);
  };
  return found.quantity + " at '" + found.where + "': " + found.first + " and " + found.second +
         " differ by " + number(found.got) + " (relative) at state " + std::to_string(found.state) +
         "; expected at most " + number(found.bound);
}

/// Closures that forbid a motion by less than this, relative to what they forbid most, leave it to rounding whether
/// they do: formulations that decide by themselves may decide differently.
inline constexpr double open_to_rounding = 1e-4;

/// Throws Error (failed_computation) that names the first disagreement.
inline void require_agreement(const Comparison& comparison) {
  if (!comparison.disagreement) return;
  char narrow[256];
  std::snprintf(narrow, sizeof narrow,
                "The closures forbid some motion by %.1e of the largest row only, and not all "
                "formulations count that (the limit is 1e-06): `linkwright info` names the motion. "
                "Give the poses of that loop with more digits, or close it by a joint with fewer "
                "equations",
                comparison.kept);
  throw Error(to_text(*comparison.disagreement) + "; " + std::to_string(comparison.disagreeing) +
                  " of " + std::to_string(comparison.pairs) + " comparisons disagree. " +
                  (comparison.kept < open_to_rounding
                       ? narrow
                       : "This is a defect of Linkwright: please report it with the model and the "
                         "--seed"),
              Error::Kind::failed_computation);
}

}  // namespace linkwright::verify
