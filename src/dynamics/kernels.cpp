// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy.
#include <algorithm>
#include <cstddef>

#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/sweeps/bundles.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/dynamics/sweeps/mass_matrix.hpp"
#include "linkwright/dynamics/sweeps/mass_matrix_inverse.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"

#define LINKWRIGHT_TEXT_(x) #x
#define LINKWRIGHT_TEXT(x) LINKWRIGHT_TEXT_(x)
#define LINKWRIGHT_TABLE_(isa) kernels_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)

namespace linkwright {

const Kernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {
    .name = LINKWRIGHT_TEXT(LINKWRIGHT_ISA),
    .place = sweeps::place_joints<double>,
    .place_and_gather = sweeps::place_and_gather<double>,
    .add_joint_forces = sweeps::add_joint_forces<double>,
    .inverse_dynamics = sweeps::bundled_inverse_dynamics,
    .biases = sweeps::biases<double>,
    .forward_dynamics_filter = sweeps::bundled_forward_dynamics_filter,
    .forward_dynamics_smoother = sweeps::bundled_forward_dynamics_smoother,
    .mass_matrix = sweeps::bundled_mass_matrix,
    .mass_matrix_lower = sweeps::bundled_mass_matrix_lower,
    .factorize = sweeps::factorize<double>,
    .solve = sweeps::solve<double>,
    .poses = sweeps::poses<sweeps::Origin::world, double>,
    .poses_from_root = sweeps::poses<sweeps::Origin::root, double>,
    .velocities = sweeps::velocities<double>,
    .accelerations = sweeps::accelerations<double>,
    .motion_columns = sweeps::motion_columns<double>,
    .joint_forces = sweeps::joint_forces<double>,
};

}  // namespace linkwright
