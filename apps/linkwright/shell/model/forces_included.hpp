#pragma once
/// What a model adds to rigid-body dynamics.

#include "linkwright/model/model.hpp"

namespace linkwright::app {

/// --rigid: drops damping (that of motors too), friction, springs and loads. Rotor inertia stays, it
/// is part of M, and so does the stiffness of flexible links.
void leave_out_forces(Model& model);
/// Tells on stderr which of them act in the result.
void note_included_forces(const Model& model);
/// Tells on stderr that most of a network does not act here.
void note_network(const Model& model);
/// Names on stderr the motors whose rotors turn by themselves behind elastic gears, and what follows: `then`.
void note_elastic_gears(const Model& model, std::string_view then);

}  // namespace linkwright::app
