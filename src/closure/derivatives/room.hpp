#pragma once
/// Matrices for the derivatives of closed systems, made when they are first asked for.

#include <cstdint>
#include <span>

#include "closure/derivatives/pair_change.hpp"
#include "closure/derivatives/solution.hpp"
#include "closure/rank/dense_loops.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::closure {

struct DerivativeRoom {
  explicit DerivativeRoom(const System& system);

  std::vector<PairMotion> pairs;  // one per closure; none for gears
  std::vector<PairRows> rows;
  std::vector<PairLoad> loads;
  Solution solution;
  Eigen::VectorXd a, other;  // other: nv numbers
  Eigen::VectorXd lambda, weighted, counting;
  Eigen::MatrixXd M;       // with the rotors of closing joints
  Eigen::MatrixXd L, L_q;  // rates of closing freedoms by v; of L v by q
  // By q and v, one above the other: r = M v̇ + bias − … − Jᵀ λ at fixed v̇ and λ, s = J v̇ + J̇ v at fixed v̇
  // (once solved, where rows are redundant, Fᵀ s in its place)
  Eigen::MatrixXd equations_q, equations_v;
  Eigen::MatrixXd solved_q, solved_v;  // −[v̇; μ] by q and v
  Eigen::MatrixXd w_q;                 // of J v
  Eigen::MatrixXd x_q;                 // of J x for the x that redundant rows' forces ask for
  Eigen::MatrixXd F_q, F_v;  // of the forces in closures at fixed v̇ and λ, six rows each
  Eigen::MatrixXd a_q, a_v, a_tau;
  Eigen::MatrixXd P;  // nv × rows: the shortest v̇ with J v̇ = s is P s
  Eigen::MatrixXd square, product, rows_by_v, counting_by_v, carried, wide, lambdas, solved, chosen,
      T;  // on the way
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  std::vector<double> columns, forces;  // of one closure, by its freedoms
  std::uint64_t placements = 0;         // of the joints, when the derivatives were found

  [[nodiscard]] auto r_q() { return equations_q.topRows(M.rows()); }
  [[nodiscard]] auto r_v() { return equations_v.topRows(M.rows()); }
  [[nodiscard]] auto s_q() { return equations_q.bottomRows(lambda.size()); }
  [[nodiscard]] auto s_v() { return equations_v.bottomRows(lambda.size()); }
};

/// Of the workspace, made at its first use.
DerivativeRoom& derivative_room(ClosedWorkspace& work);

/// Everything in the room but chosen and T: a_q, a_v, a_tau and what they come from. Efforts may stand at joints
/// without motors.
void find_derivatives(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                      ExternalForces forces);
/// The same in independent coordinates, along the closures, as compute_forward_dynamics_derivatives has them.
void find_derivatives_along(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                            ExternalForces forces, std::span<const int> positions,
                            std::span<const int> entries, MatrixRef da_dq, MatrixRef da_dv,
                            MatrixRef da_dtau);
/// What all of them are given.
void check_arguments(const System& system, const State& state, const ConstVectorRef& tau,
                     ExternalForces forces);

/// DerivativeRoom::pairs and rows at a state whose kinematics and motion columns the tree holds.
void compute_pairs(ClosedWorkspace& work);
/// DenseLoops::J from them.
void compute_pair_jacobian(ClosedWorkspace& work);
/// DerivativeRoom's equations, forces and solution, after forward dynamics: what is to be solved, and by what.
void find_equations(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                    ExternalForces forces);
/// DerivativeRoom::P, after compute_row_space.
void compute_shortest(ClosedWorkspace& work);
/// out = ∂(J x)/∂q for the velocities x, at the place where the joints stand.
void compute_row_changes(ClosedWorkspace& work, const double* x, Eigen::MatrixXd& out);

/// Rows `first` and following of `out`, at the entries of one closure's freedoms, become `count` forces times a field
/// of its motion: Σ over the terms.
struct Term {
  const double* forces;
  PairMotion::Field field;
};
void write_projections(const PairMotion& pair, std::initializer_list<Term> terms, int count,
                       Eigen::Index first, DerivativeRoom& room, MatrixRef out);

}  // namespace linkwright::closure
