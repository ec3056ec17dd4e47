#pragma once
/// What a closed mechanism can do at a position, and what its closures take for granted.
///
///     linkwright::Mobility found = linkwright::compute_mobility(work, q);
///     // found.mobility freedoms, found.redundant closures, found.idle freedoms, …
///     fmt::print("{}", describe(system, found));  // as `linkwright info` tells it

#include <string>
#include <vector>

#include "linkwright/closure/independent.hpp"

namespace linkwright {

struct Mobility {
  int rows = 0, rank = 0;
  int mobility = 0;  ///< freedoms that are left: nv − rank
  int grubler = 0;   ///< nv − rows: what counting alone would say

  /// A closure some of whose rows the others (or the joints themselves) already demand.
  struct Redundant {
    std::string closure;
    int rows = 0;
  };
  std::vector<Redundant> redundant;

  /// Freedoms that move one body, or a chain of bodies as one, and nothing else: a connecting rod that
  /// spins about its own axis.
  struct Idle {
    std::vector<std::string> bodies;
    std::vector<std::string> joints;  ///< that turn or slide in it
    int freedoms = 1;
  };
  std::vector<Idle> idle;

  /// Nearby, closed positions have more independent rows: the mechanism is singular here, not
  /// overconstrained.
  bool singular = false;
  int nearby_rank = 0;
  std::vector<std::string> locked;  ///< joints that can move nearby and cannot here
  std::vector<std::string> gained;  ///< joints that can move here and cannot nearby

  /// Of the scaled rows, relative to the largest: how far the next singularity is, and how sharply the
  /// rank was decided.
  double smallest_kept = 0, largest_dropped = 0;

  /// A motion that the closures forbid by a hair: its singular value counts and is below `narrow`. Near a
  /// singular position it grows as the mechanism moves away. Where it does not, poses are likely given to few
  /// digits: a loop that should be planar is a little askew, and locks. What depends on it (accelerations, forces)
  /// is known to about 1e-16 / singular_value² only.
  struct Narrow {
    double singular_value = 0;          ///< of the scaled rows, relative to the largest
    std::vector<std::string> closures;  ///< that forbid it together
    std::vector<std::string> joints;    ///< that would move in it
    bool nearby_too = true;             ///< at every closed position nearby that was looked at
  };
  static constexpr double narrow = 1e-3;
  std::vector<Narrow> narrowly_forbidden;
  /// Motions that the closures forbid by less than counts (1e-6), and by more than rounding: rows that are nearly
  /// redundant. They count as free, here and wherever velocities are judged, and open `closures` as they go, at
  /// the singular value times their rate. As soon as the rows count, they lock.
  std::vector<Narrow> narrowly_allowed;

  Independent independent;
  /// Forces among the closures that balance each other: rows × (rows − rank), column after column.
  std::vector<double> internal_forces;
  /// Joints and closures whose loops share joints.
  std::vector<std::vector<std::string>> clusters;
};

/// At a position that closes every loop.
Mobility compute_mobility(ClosedWorkspace& work, const ConstVectorRef& q);

/// Names of `found.independent`, as `System::velocity_names` gives them.
std::vector<std::string> independent_names(const System& system, const Mobility& found);

/// In words, a line each.
std::string describe(const System& system, const Mobility& found);

}  // namespace linkwright
