#pragma once
/// What closes loops, as chords of the graph.
///
/// Given    a placement, the state, the chords (System::closures)
/// Computes per chord the across variable of its fundamental circuit and its rate at v̇ = 0,
///            x_c = x_b(P) − x_a(P) = Σ ± K_Aᵀ H* v,   P the terminal on b
///          and so J, J̇ v of the rows that it holds at zero, and L, L̇ v of its own freedoms
/// Cost     O(N + length of the circuits), in dense rows of nv numbers

#include <vector>

#include "linkwright/closure/meeting.hpp"
#include "linkwright/closure/workspace.hpp"
#include "network/mechanics/terminal.hpp"

namespace linkwright::network::mechanics {

class LoopEquations {
 public:
  LoopEquations(const System& system, const Placement& placement);

  /// After place(), which leaves the poses of the state in `poses`.
  void update(const Workspace& poses, const Placement& at, const State& state,
              Recursion& recursion);

  Eigen::MatrixXd J, L;                // rows × nv, closing freedoms × nv
  Eigen::VectorXd bias, closing_bias;  // J̇ v, L̇ v
  std::vector<int> rotors;             // closing freedoms that have a rotor,
  std::vector<double> rotor;           // and its inertia

 private:
  /// A chord at the state: b's axes, the two terminals, what the rows are made of.
  struct Chord {
    Matrix3 R;
    Terminal a, b;
    closure::Meeting<double> meeting;
    Motion V_rate;  // of the numbers of V in b's axes
  };
  [[nodiscard]] Chord chord(const Workspace& poses, const Placement& at, const ClosurePlace& c,
                            const Recursion& recursion) const;
  static void write_row(const Placement& at, const Chord& chord, const closure::Row<double>& row,
                        RowRef out, double& drift);

  std::vector<int> body_of_node_;
  Eigen::VectorXd no_acceleration_, efforts_;
};

}  // namespace linkwright::network::mechanics
