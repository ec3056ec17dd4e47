#pragma once
/// Whether one-sided contacts hold an object against every push.

#include <functional>

#include "manipulator/grasp/grasp_room.hpp"

namespace linkwright::manipulator {

enum class Surface { rough, smooth };  ///< friction cones, or normals alone

/// Given    the statics of an object's contacts; `own`, the object's freedoms; `base`, freedoms that move all
///          hands alike and so count as held
/// Computes whether for every load w on the own freedoms contact forces within their cones, any forces of
///          the other closures and any motor efforts balance it. Grasps elsewhere stay within their cones
///          as well. (1) max s, the margin of all contacts at once, is above 0: some squeeze lies strictly
///          inside all cones, or its dual, a motion u that no contact resists, says which contacts never
///          do; they keep the face of their cone that is left, and (1) is asked of the others again.
///          (2) The contacts on these faces reach every w when cones are ignored. Where u moves the object
///          the answer is no at once.
/// `words`: describes a motion of the own freedoms.
ClosureVerdict find_closure(const Statics& statics, const std::vector<int>& own,
                            const std::vector<int>& base, Surface surface,
                            const std::function<std::string(const Eigen::VectorXd&)>& words);

}  // namespace linkwright::manipulator
