#pragma once
/// From a descriptor system E ż = A z + B w + B₁ ẇ to its states, by Luenberger's shuffle.

#include <vector>

#include "network/circuits/elimination.hpp"

namespace linkwright::network {

struct Descriptor {
  Eigen::MatrixXd E, A, B, B1;
  /// Per variable: 0 what may be solved for first, 1 stores that the tree leaves out, 2 stores of the tree, which
  /// should remain as states.
  std::vector<int> rank_of_variable;
};

/// ṡ = A s + B w + B₁ ẇ and z = Z s + U w + U₁ ẇ, where s are the variables `states` of z.
struct Reduced {
  enum class Outcome { found, dependent_rows, higher_derivatives };
  Outcome outcome = Outcome::found;
  std::vector<int> states;
  Eigen::MatrixXd A, B, B1, Z, U, U1;
  int differentiations = 0;  ///< how often E was singular
};

/// Costs O(n³) per differentiation; n variables.
Reduced reduce(const Descriptor& system);

/// Afterwards no ẇ is in ṡ: s − B₁ w take the place of s.
void shift_states(Reduced& system);

}  // namespace linkwright::network
