#pragma once
/// What a model adds to rigid-body dynamics.

#include "linkwright/model/model.hpp"

namespace linkwright::app {

/// Tells on stderr which forces, that --rigid would leave out, act in the result.
void note_included_forces(const Model& model);
/// Tells on stderr that most of a network does not act here.
void note_network(const Model& model);
/// Names on stderr the motors whose rotors turn by themselves behind elastic gears, and what follows: `then`.
void note_elastic_gears(const Model& model, std::string_view then);

}  // namespace linkwright::app
