#pragma once
/// Judges a Model before it is compiled.
///
///     std::vector<linkwright::Warning> notes = linkwright::validate(model);   // throws on errors
///     notes = linkwright::repair(model);   // gives a meaning to what can be dropped or clipped

#include "linkwright/model/model.hpp"

namespace linkwright {

/// Limits that keep hostile files from exhausting the machine.
inline constexpr int max_bodies = 100000;

/// Throws one Error with all mistakes of a model that has no meaning: unnamed or doubly named things,
/// references to nothing, a body that nothing ties to the world, a loop that cannot be cut as asked,
/// a closure between bodies that move as one, numbers that are not finite,
/// negative mass, an inertia with a negative principal moment, a zero axis, limits below zero or in
/// the wrong order, shapes of negative size. Returns warnings for a model that works but smells:
/// triangle inequality, mass without inertia, massless moving leaf, axis that is not unit, springs
/// that nothing feels. Every message names the link or joint, its line, the violated condition and
/// the number.
///
/// Only what moves as one must be physical: an inertia that no body has is a warning where the link
/// is welded to others and the sum is physical.
std::vector<Warning> validate(const Model& model);

/// As `validate`, but mistakes that can be dropped or clipped are: a gear whose joint does not exist
/// (the other moves freely), negative principal moments (the nearest inertia that a body can have),
/// limits of velocity and effort below zero (none), lower and upper limits in the wrong order
/// (exchanged), negative damping, friction and rotor inertia (none), shapes that have no size or no
/// link (left out), actuators on what does not move (left out) or with numbers that no motor has
/// (gear 1, zero, no limit). Each becomes a warning that says the meaning taken. Afterwards `validate`
/// finds no mistake. What `validate` throws says in its last line which of these would help.
std::vector<Warning> repair(Model& model);

}  // namespace linkwright
