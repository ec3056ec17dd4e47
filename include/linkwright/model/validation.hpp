#pragma once
/// Judges a Model before it is compiled.
///
///     std::vector<linkwright::Warning> notes = linkwright::validate(model);   // throws on errors

#include "linkwright/model/model.hpp"

namespace linkwright {

/// Limits that keep hostile files from exhausting the machine.
inline constexpr int max_bodies = 100000;

/// Throws Error for a model that has no meaning: unnamed or doubly named things, references to
/// nothing, a body with two parents or none, cycles, numbers that are not finite, negative mass, an
/// inertia with a negative principal moment, a zero axis. Returns warnings for a model that works
/// but smells: triangle inequality, mass without inertia, massless moving leaf, axis that is not
/// unit. Every message names the link or joint, its line, the violated condition and the number.
std::vector<Warning> validate(const Model& model);

}  // namespace linkwright
