#pragma once
/// Independent coordinates of a closed mechanism: a map at a state, not a second state.
///
///     linkwright::Independent chosen = linkwright::choose_independent(work, state.q);
///     Eigen::MatrixXd G(system.nv(), chosen.entries.size());
///     Eigen::VectorXd g(system.nv());
///     linkwright::compute_coordinate_map(work, state, chosen.entries, G, g);
///     // v = G v_independent,  v̇ = G v̇_independent + g

#include <span>
#include <string>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright {

struct Independent {
  std::vector<int> entries;  ///< of v, ascending
  /// 1: the others move as much as these at most, together; 0: these do not determine them. Lengths
  /// are measured by the mechanism's size.
  double conditioning = 0;
};

/// The coordinates that the model asks for (`coordinates:`), or the best conditioned ones: those with a
/// motor before passive ones. Throws Error as require_independent does for what the model asks for.
Independent choose_independent(ClosedWorkspace& work, const ConstVectorRef& q);
/// Judges a choice by joint names ("base:3" for one freedom of several). Throws Error where they are
/// too few, too many or depend on each other, and names what would do.
Independent require_independent(ClosedWorkspace& work, const ConstVectorRef& q,
                                const std::vector<std::string>& names);

/// G (nv × n) and g (nv) for entries of v as above.
void compute_coordinate_map(ClosedWorkspace& work, const State& state, std::span<const int> entries,
                            MatrixRef G, VectorRef g);

/// Velocities, accelerations and jerks of all joints from those of the independent ones: given at `entries`
/// of v, a and jerk, written everywhere else. What stands elsewhere before is not read.
void compute_dependent_motion(ClosedWorkspace& work, const ConstVectorRef& q,
                              std::span<const int> entries, VectorRef v, VectorRef a,
                              VectorRef jerk);

}  // namespace linkwright
