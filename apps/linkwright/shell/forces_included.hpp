#pragma once
/// What a model adds to rigid-body dynamics, and what it asks for that is not done yet.

#include "linkwright/model/model.hpp"

namespace linkwright::app {

/// --rigid: drops damping, friction, springs and loads. Rotor inertia stays, it is part of M.
void leave_out_forces(Model& model);
/// Tells on stderr which of them act in the result.
void note_included_forces(const Model& model);
/// Warns on stderr that closures and grasps are not enforced.
void warn_of_loops(const Model& model);

}  // namespace linkwright::app
