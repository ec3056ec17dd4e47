#pragma once
/// Matrices for the derivatives of closed systems, made when they are first asked for.

#include <cstdint>

#include "closure/derivatives/pair_change.hpp"
#include "closure/rank/dense_loops.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::closure {

struct DerivativeRoom {
  explicit DerivativeRoom(const System& system);

  std::vector<PairMotion> pairs;  // one per closure; none for gears
  std::vector<PairRows> rows;
  std::vector<PairLoad> loads;
  Eigen::VectorXd a, other;  // other: nv numbers
  Eigen::VectorXd lambda, weighted;
  Eigen::MatrixXd M;         // with the rotors of closing joints
  Eigen::MatrixXd P;         // nv × rows: the shortest v̇ with J v̇ = s is P s
  Eigen::MatrixXd H;         // nv × nv: v̇ of efforts, along the closures
  Eigen::MatrixXd L, L_q;    // rates of closing freedoms by v; of L v by q
  Eigen::MatrixXd r_q, r_v;  // of M v̇ + bias − … − Jᵀ λ, at fixed v̇ and λ
  Eigen::MatrixXd s_q, s_v;  // of J v̇ + J̇ v, at fixed v̇
  Eigen::MatrixXd w_q;       // of J v
  Eigen::MatrixXd x_q;       // of J x for the x that redundant rows' forces ask for
  Eigen::MatrixXd F_q, F_v;  // of the forces in closures at fixed v̇ and λ, six rows each
  Eigen::MatrixXd a_q, a_v, a_tau;
  // With N̂ the motions that the closures allow, N̂ᵀ M N̂ = 1, and P̂ = P − H M P, the v̇ of s that costs least:
  Eigen::MatrixXd along;           // [N̂; M N̂], rows in whole packs
  Eigen::MatrixXd B, Bt;           // −[P̂ N̂] and [P̂ N̂]ᵀ
  Eigen::MatrixXd pull_q, pull_v;  // P̂ᵀ r_q, P̂ᵀ r_v
  Eigen::MatrixXd square, product, reduced, turned, Pt, rows_by_rows, rows_by_v, wide_rows, carried,
      lambdas;
  Eigen::MatrixXd solved, chosen, T;  // on the way
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  std::vector<double> columns, forces;  // of one closure, by its freedoms
  std::uint64_t placements = 0;         // of the joints, when the derivatives were found
};

/// out = A B; `out` is none of them.
void multiply(MatrixRef out, const ConstMatrixRef& a, const ConstMatrixRef& b);

/// Of the workspace, made at its first use.
DerivativeRoom& derivative_room(ClosedWorkspace& work);

/// Everything in the room but chosen and T: a_q, a_v, a_tau and what they come from.
void find_derivatives(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                      ExternalForces forces);

/// DerivativeRoom::pairs and rows at a state whose kinematics and motion columns the tree holds.
void compute_pairs(ClosedWorkspace& work);
/// J from them, its rank, and P.
void compute_pair_row_space(ClosedWorkspace& work);
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
                       Eigen::Index first, DerivativeRoom& room, Eigen::MatrixXd& out);

}  // namespace linkwright::closure
