#pragma once
/// The lane-group loops behind function pointers; kernels.cpp is compiled once per instruction set.

#include <cstddef>
#include <vector>

#include "batch/members.hpp"
#include "linkwright/dynamics/forces.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/spatial/pack.hpp"

namespace linkwright {

template <class B>
using BatchPack = spatial::Pack<B, 64 / sizeof(B)>;

/// A users' matrix: row s, column i at data[s + i·stride].
template <class B>
struct Rows {
  B* data = nullptr;
  std::ptrdiff_t stride = 0;
};

/// A force that each state has of its own, and the users' rows [moment; force]. In world axes, or, turned by
/// `turn`, in the node's.
template <class B>
struct OwnLoad {
  int node;
  spatial::Vector3<B> at;
  spatial::Matrix3<B> turn;
  Rows<const B> wrench;
  bool in_world;
};
/// The external forces of one call.
template <class B>
struct BatchLoads {
  std::vector<typename BodyForces<B>::Load> alike;
  std::vector<OwnLoad<B>> own;
  void clear() { alike.clear(), own.clear(); }
};

/// One call, as every thread sees it.
template <class B>
struct BatchJob {
  int count = 0;
  Rows<const B> q{}, v{}, x{};  // x: accelerations or efforts
  Rows<B> out{}, out_v{};       // out_v: rollout
  const BatchLoads<B>* loads = nullptr;
  int node = 0;  // of the frame asked for
  spatial::Pose<B> frame{};
  Axes axes = Axes::own;
  B dt{};
  int steps = 0;
};

/// Where an entry of the mass matrix that is not zero by structure stands: once per pair.
struct MassEntry {
  int row, column;
};
/// Those entries in the order in which mass_matrix_rows gives them, and the users' columns that stay
/// zero.
struct MassLayout {
  std::vector<MassEntry> entries;
  std::vector<int> zeros;
};
template <class B>
MassLayout mass_layout(const Tree<B>& tree);

/// What one thread writes. Packs of everything that is single in Scratch<double>.
template <class B>
struct BatchScratch : BadStates {
  using P = BatchPack<B>;
  explicit BatchScratch(const Tree<B>& tree);
  Scratch<P> sweep;
  int tile;                   // lane groups copied at once
  std::vector<P> q, v, x, y;  // [tile] of [nq], [nv], [nv], [nv]
  std::vector<P> results;     // [max(6 nv, 12)]
  MassLayout layout;
  int mass_tile;         // lane groups whose mass matrices are written at once
  std::vector<P> mass;   // [entries] of [mass_tile]
  std::vector<P> zeros;  // [mass_tile], stays zero
};

template <class B>
using BatchKernel = void (*)(const Tree<B>&, BatchScratch<B>&, const BatchJob<B>&, int first,
                             int last);

template <class B>
struct BatchKernels {
  BatchKernel<B> inverse_dynamics, forward_dynamics, mass_matrix, forward_kinematics, jacobian,
      rollout;
};

extern const BatchKernels<double> batch_double_baseline, batch_double_avx2, batch_double_avx512;
extern const BatchKernels<float> batch_float_baseline, batch_float_avx2, batch_float_avx512;

template <class B>
const BatchKernels<B>& batch_kernels();

}  // namespace linkwright
