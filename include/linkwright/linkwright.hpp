#pragma once
/// Everything a user of the library calls, in one include.
///
///     #include <linkwright/linkwright.hpp>

#include "linkwright/batch/batch.hpp"
#include "linkwright/dynamics/conventions.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/error.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/io/urdf.hpp"
#include "linkwright/model/validation.hpp"
#include "linkwright/simulate/recording.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "linkwright/system/system.hpp"
#include "linkwright/viewer/page.hpp"
