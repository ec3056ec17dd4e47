#pragma once
/// --move and --in: what they ask for, and whether motors can do it.

#include <string>
#include <vector>

#include "linkwright/simulate/motions.hpp"

namespace linkwright::app {

/// "joint2=1.2,joint3=-0.4" and "2". Throws Error naming the option, the joint and what is wrong.
Move parse_move(const System& system, const std::string& targets, const std::string& duration);

/// Throws Error with the row at which a motion from a table leaves a joint's limits.
void require_reference_in_limits(const System& system, const CommandedMotion& motion);
/// Throws Error for a target beyond the limits of its joint.
void require_targets_in_limits(const System& system, const std::vector<Move>& moves);

/// Warns of velocities beyond limits, and tells the time that would do.
void warn_of_fast_moves(const System& system, const PointToPoint& moves);
/// The same for efforts. Answers whether they could be foretold: where the joints that move do not
/// determine all others, they cannot. `q` is where the first move begins; `cut`: limits are enforced.
bool warn_of_heavy_moves(const System& system, const PointToPoint& moves, const Eigen::VectorXd& q,
                         bool cut);

}  // namespace linkwright::app
