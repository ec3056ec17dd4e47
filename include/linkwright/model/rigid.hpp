#pragma once
/// A mechanism of rigid bodies alone.
///
///     linkwright::Model model = linkwright::read_model("arm.urdf");
///     linkwright::leave_out_forces(model);    // as `--rigid` of the program does

#include "linkwright/model/model.hpp"

namespace linkwright {

/// Drops what a model adds to rigid bodies: damping (that of motors too), friction, springs, loads, and what
/// holds a flexible base. Rotor inertia stays, it is part of M, and so does the stiffness of flexible links.
/// Coordinates stay what they are.
void leave_out_forces(Model& model);

}  // namespace linkwright
