#pragma once
/// What a linear model can do: its modes, and which of them inputs reach and outputs show.
///
///     Analysis found = analyse(model);
///     for (const Mode& mode : found.modes)
///       fmt::print("{:.3f} rad/s, damping {:.2f}, moves {}\n", mode.frequency, mode.damping_ratio, mode.state);
///     bool fine = found.controllability_rank == static_cast<int>(model.states.size());
///
/// Ranks are decided by staircases: orthogonal transformations of (A, B), and of (Aᵀ, Cᵀ), that take off, step
/// by step, what inputs reach. Before that the states are scaled by powers of two so that rows and columns of
/// A are alike (units cancel), and every input and output by its norm. What stays below rank_tolerance · |A| (in
/// the first step: of the largest input) counts as nothing; `weakest` and `dropped` tell how sharply it was
/// decided. The matrix of all A^k B is never formed: its columns differ by as many powers of |A| as there are states.

#include <complex>
#include <string>
#include <vector>

#include "linkwright/linear/linear_model.hpp"

namespace linkwright::linear {

inline constexpr double rank_tolerance = 1e-9;

struct Mode {
  /// λ of ẋ = A x; of a discrete model z of x(k+1) = A x(k).
  std::complex<double> eigenvalue{};
  double frequency = 0;      ///< |λ|, rad/s; of a discrete model that of ln z / step
  double damping_ratio = 0;  ///< −Re λ / |λ|; NaN for λ = 0
  /// How far rounding may move it: 100 ε |A| times its condition.
  double uncertainty = 0;
  std::string state{};  ///< that it moves most, of the numbers as they are
};

/// One staircase.
struct Reach {
  int rank = 0;
  double weakest = 0;          ///< smallest singular value that counted, relative as above
  double dropped = 0;          ///< largest that did not
  std::vector<Mode> missed{};  ///< modes beyond it
};

struct Analysis {
  std::vector<Mode> modes{};     ///< by growing |λ|, the upper of a pair first
  std::vector<Mode> unstable{};  ///< grow, by more than their uncertainty
  /// Neither grow nor fall, as far as rounding tells.
  std::vector<Mode> undecided{};
  int controllability_rank = 0, observability_rank = 0;
  Reach controllability{}, observability{};
};

Analysis analyse(const LinearModel& model);

}  // namespace linkwright::linear
