#pragma once
/// The paper's four forward-dynamics algorithms, each an operator expression: the same answer by
/// four different roads, and all of them linear in N.
///
///     Operators at(system);
///     OperatorDynamics found = forward_dynamics(Algorithm::FD3, at, state, tau, {});
///     found.a                       // joint accelerations, as compute_forward_dynamics gives them
///
/// | | equations | sweeps | gives |
/// |---|---|---|---|
/// | FD1 | (4.17), (4.18) | 4 | joint accelerations |
/// | FD2 | (5.5)–(5.7) | 4 | joint, link and tip accelerations |
/// | FD3 | (5.8)–(5.10) | 3 | joint accelerations |
/// | FD4 | (5.13)–(5.15) | 3 | joint accelerations |

#include <array>
#include <string>

#include "linkwright/dynamics/forces.hpp"
#include "linkwright/operators/operators.hpp"

namespace linkwright::operators {

enum class Algorithm { FD1, FD2, FD3, FD4 };
inline constexpr std::array all_algorithms{Algorithm::FD1, Algorithm::FD2, Algorithm::FD3,
                                           Algorithm::FD4};
const char* name(Algorithm algorithm);

struct OperatorDynamics {
  Eigen::VectorXd a;     // joint accelerations, nv; of a closed system all of them, too
  Eigen::VectorXd link;  // FD2: α, link motions; true accelerations plus −gravity
  Eigen::VectorXd tip;   // FD2: true acceleration of each of the frames given to set_tips, own axes
};

/// Moves `at` to the state and solves for the accelerations under the efforts tau and the external
/// forces. Forces that the model itself declares (springs, damping, friction, loads) are included,
/// as in compute_forward_dynamics. FD2 also writes `link` and `tip`; for the others they are empty.
void compute_forward_dynamics(Algorithm algorithm, Operators& at, const State& state,
                              const ConstVectorRef& tau, ExternalForces forces, VectorRef a,
                              VectorRef link, VectorRef tip);
inline OperatorDynamics forward_dynamics(Algorithm algorithm, Operators& at, const State& state,
                                         const ConstVectorRef& tau, ExternalForces forces) {
  const bool all = algorithm == Algorithm::FD2;
  OperatorDynamics found{Eigen::VectorXd(at.system().nv()),
                         Eigen::VectorXd(all ? at.size(Space::link_motion) : 0),
                         Eigen::VectorXd(all ? at.size(Space::tip_motion) : 0)};
  compute_forward_dynamics(algorithm, at, state, tau, forces, found.a, found.link, found.tip);
  return found;
}
/// The sweeps of an algorithm, in order. Velocities, biases and P, D, G, which the paper computes
/// along with the first sweep in each direction, are not among them, but for the velocities and
/// biases of FD4: they are its first sweep (5.13). Nor are FD2's poses and velocities, two more passes
/// outward for the a(0) of the frames.
std::vector<SweepNote> sweeps_of(Algorithm algorithm, const Operators& at);
/// The same as text, one line each.
std::string explain(Algorithm algorithm, const Operators& at);

}  // namespace linkwright::operators
