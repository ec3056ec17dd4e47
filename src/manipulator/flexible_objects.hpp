#pragma once
/// A flexible link that hands hold at several places: the grasps name its pieces, "rod" and "rod:3".

#include <string>
#include <vector>

#include "linkwright/system/system.hpp"

namespace linkwright::manipulator {

/// The flexible link that a body is a piece of; any other body is itself.
std::string whole_object(const Model& model, const std::string& body);

/// Bodies of an object, as indices into Model::bodies: one, or the pieces of a flexible link.
std::vector<int> pieces_of(const System& system, const std::string& object);

/// Entries of v of the elastic joints of a flexible link: its shape.
std::vector<int> shape_entries(const System& system, const std::string& object);

}  // namespace linkwright::manipulator
