#pragma once
/// What most programs call, in one include: models, dynamics, batches, simulation, the viewer's page.
/// The spatial operators (operators/operators.hpp and its neighbours) and the formulations of
/// `verify` have includes of their own: their templates take long to compile.
///
///     #include <linkwright/linkwright.hpp>

#include "linkwright/actuation/voltages.hpp"
#include "linkwright/batch/batch.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/derivatives.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/coordinates/load_distribution.hpp"
#include "linkwright/coordinates/mechanism.hpp"
#include "linkwright/coordinates/redundancy.hpp"
#include "linkwright/dynamics/conventions.hpp"
#include "linkwright/dynamics/derivatives.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/dynamics/mass_matrix.hpp"
#include "linkwright/dynamics/weak_joints.hpp"
#include "linkwright/error.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/io/urdf.hpp"
#include "linkwright/linear/analysis.hpp"
#include "linkwright/linear/equilibrium.hpp"
#include "linkwright/model/validation.hpp"
#include "linkwright/simulate/closed_equations.hpp"
#include "linkwright/simulate/controllers.hpp"
#include "linkwright/simulate/driven_equations.hpp"
#include "linkwright/simulate/motions.hpp"
#include "linkwright/simulate/recording.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "linkwright/simulate/time_table.hpp"
#include "linkwright/system/system.hpp"
#include "linkwright/viewer/page.hpp"
