#pragma once
/// The users' arrays at the door of a batch, and as the kernels take them.

#include <fmt/format.h>

#include "batch/batch_kernels.hpp"
#include "batch/convert_tree.hpp"
#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "linkwright/batch/forces.hpp"

namespace linkwright {

inline void check_threads(int threads) {
  if (threads < 1 || threads > 4096)
    throw Error(fmt::format("a batch with {} threads; expected 1 to 4096", threads));
}

template <class Matrix>
void check_rows(const Matrix& m, Eigen::Index rows, Eigen::Index cols, const char* name) {
  if (m.rows() != rows || m.cols() != cols)
    throw Error(
        fmt::format("{} is {}x{}; expected {}x{}: one row per state (as q has), one column per "
                    "entry",
                    name, m.rows(), m.cols(), rows, cols));
}

/// A freedom without a motor takes no effort, in any state.
template <class Matrix>
void check_passive(const System& system, const Matrix& tau) {
  for (const int i : system.passive_freedoms())
    for (Eigen::Index s = 0; s < tau.rows(); ++s)
      if (tau(s, i) != 0)
        door::throw_passive(system, i, fmt::format("tau({}, {}) is {}", s, i, tau(s, i)));
}

/// Those of each state may hold any number: one that is not finite spoils its own state alone.
template <class B>
void check_batch_forces(const System& system, const BasicBatchForces<B>& forces,
                        Eigen::Index states) {
  check_forces(system, forces.alike());
  for (const BasicStateForce<B>& force : forces.own()) {
    door::check_frame(system, force.frame);
    if (force.wrench.rows() != states || force.wrench.cols() != 6)
      throw Error(fmt::format(
          "the wrench on '{}' is {}x{}; expected {}x6: one row per state (as q has), [moment; "
          "force]",
          system.frame(force.frame).name, force.wrench.rows(), force.wrench.cols(), states));
  }
}
/// The forces of a call on so many states, checked, as the kernels take them.
template <class B>
void take_forces(const System& system, const BasicBatchForces<B>& forces, Eigen::Index states,
                 BatchLoads<B>& loads) {
  using To = TreeConverter<B>;
  check_batch_forces(system, forces, states);
  loads.clear();
  for (const ExternalForce& force : forces.alike())
    loads.alike.push_back(To::load(to_load(system, force)));
  for (const BasicStateForce<B>& force : forces.own()) {
    const FramePlace& place = system.frame(force.frame);
    loads.own.push_back({place.node,
                         To::vector(place.pose.translation),
                         To::matrix(place.pose.rotation),
                         {force.wrench.data(), force.wrench.outerStride()},
                         force.axes == Axes::world});
  }
}

template <class B, class Matrix>
Rows<const B> input(const Matrix& m) {
  return {m.data(), m.outerStride()};
}
template <class B, class Matrix>
Rows<B> output(Matrix& m) {
  return {m.data(), m.outerStride()};
}

}  // namespace linkwright
