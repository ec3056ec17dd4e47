#pragma once
/// A joint taken apart into the nodes of the tree that realise it.

#include <vector>

#include "linkwright/model/model.hpp"
#include "linkwright/system/tree.hpp"

namespace linkwright {

/// One node of the tree to be: a joint's freedom (or all of them, for joints of several freedoms in one node).
struct Element {
  enum class Motion { rotate, slide, spherical, free, custom } motion;
  Vector3 axis{0, 0, 1};  // rotate, slide: in the joint frame
};

/// One per node, base → tip; none for a joint that does not move.
std::vector<Element> elements_of(const Joint& joint);

bool is_one_freedom(Element::Motion motion);

/// `twist`: the constant rotation is a turn about x only. `d`: freedoms, for custom joints.
NodeKind kind_of(Element::Motion motion, bool twist, bool rotor);

/// H* of a joint whose freedoms make one node together, with the rotor inertia of each.
Modes<double> modes_of(const Joint& joint, const double* rotor_inertia);

}  // namespace linkwright
