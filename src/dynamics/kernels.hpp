#pragma once
/// The hot sweeps behind function pointers: kernels.cpp is compiled once per instruction set, and
/// the best table for the processor is chosen when the library is first used.

#include "linkwright/dynamics/sweeps/acting_forces.hpp"
#include "linkwright/spatial/spatial.hpp"

namespace linkwright {

using ScratchD = Scratch<double>;
using TreeD = Tree<double>;
using LoadsD = ExternalLoads<double>;

struct Kernels {
  const char* name;
  void (*place)(const TreeD&, ScratchD&, const double* q);
  const Force* (*place_and_gather)(const TreeD&, ScratchD&, const double* q, const double* v,
                                   const LoadsD& loads);
  const double* (*add_joint_forces)(const TreeD&, const double* q, const double* v,
                                    const double* tau, double* room);
  void (*inverse_dynamics)(const BundledTree&, BundledScratch&, const double* v, const double* a,
                           const Force* f_ext, double* tau);
  void (*biases)(const TreeD&, ScratchD&, const double* v, const Force* f_ext);
  /// False where nothing resists a joint: door::check_articulated names it.
  bool (*forward_dynamics_filter)(const BundledTree&, BundledScratch&, const double* q,
                                  const double* v, const double* tau, double* room,
                                  const LoadsD& loads);
  void (*forward_dynamics_smoother)(const BundledTree&, BundledScratch&, double* a);
  void (*mass_matrix)(const BundledTree&, BundledScratch&, double* out, std::ptrdiff_t stride);
  /// The lower triangle alone, where what is zero by structure is zero already.
  void (*mass_matrix_lower)(const BundledTree&, BundledScratch&, double* out,
                            std::ptrdiff_t stride);
  void (*factorize)(const TreeD&, ScratchD&);
  void (*solve)(const TreeD&, ScratchD&, const double* x, double* y);
  void (*poses)(const TreeD&, ScratchD&);
  void (*poses_from_root)(const TreeD&, ScratchD&);
  void (*velocities)(const TreeD&, ScratchD&, const double* v);
  void (*accelerations)(const TreeD&, ScratchD&, const double* v, const double* a);
  void (*motion_columns)(const TreeD&, ScratchD&);
  void (*joint_forces)(const TreeD&, const double* q, const double* v, double* out);
};

/// The last two exist where CMake defines LINKWRIGHT_HAS_X86_KERNELS.
extern const Kernels kernels_baseline, kernels_avx2, kernels_avx512;

/// The table in use.
const Kernels& kernels();

}  // namespace linkwright
