#pragma once
/// The users' arrays at the door of a batch, and as the kernels take them.

#include <fmt/format.h>

#include "batch/batch_kernels.hpp"
#include "dynamics/door.hpp"

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

template <class B, class Matrix>
Rows<const B> input(const Matrix& m) {
  return {m.data(), m.outerStride()};
}
template <class B, class Matrix>
Rows<B> output(Matrix& m) {
  return {m.data(), m.outerStride()};
}

}  // namespace linkwright
