#pragma once
/// The rows of all closures as matrices, with their rank. Lengths are measured by the mechanism's own
/// size: rows in metres are divided by it, columns of slides multiplied, so that rank and independence
/// do not depend on the units.

#include <cstdint>
#include <memory>

#include <Eigen/Cholesky>

#include "closure/rank/orthogonal.hpp"
#include "linkwright/closure/dynamics.hpp"

namespace linkwright::closure {

struct DerivativeRoom;

struct DenseLoops {
  explicit DenseLoops(const System& system);
  ~DenseLoops();
  /// Sizes the matrices, at their first use: a long chain whose loops are local never needs them.
  void make_room();

  double length;                 // the mechanism's size
  Eigen::VectorXd row_scale;     // multiplies rows of J
  Eigen::VectorXd column_scale;  // multiplies columns
  // By compute_row_space.
  Eigen::MatrixXd J;  // rows × nv, as it is
  Eigen::MatrixXd A;  // scaled, transposed: nv × rows
  Orthogonal space;
  Eigen::MatrixXd N;  // [nv × nv], the first nv − rank columns: all v with J v = 0
  int mobility = 0;
  // By the independent way of forward dynamics.
  Eigen::MatrixXd M, MN, reduced;
  Eigen::VectorXd bias, effort, particular, coefficients, rows, lambda;
  // Of the last forward dynamics.
  ClosedReport report;
  Eigen::VectorXd q;
  std::uint64_t placements = 0;                 // of the joints, when it ended
  bool has_lambda = false;                      // in `lambda`; otherwise in LoopScratch
  std::unique_ptr<DerivativeRoom> derivatives;  // by derivative_room
};

/// Its rank and N, from J.
void decompose_rows(DenseLoops& dense);
/// J at q, its rank, and N.
void compute_row_space(ClosedWorkspace& work, const ConstVectorRef& q);
/// x with J x = b in the least-squares sense, of least (scaled) norm.
void solve_rows(DenseLoops& dense, const ConstVectorRef& b, VectorRef x);
/// λ of least (scaled) norm with Jᵀ λ = f in the least-squares sense.
void solve_forces(DenseLoops& dense, const ConstVectorRef& f, VectorRef lambda);

}  // namespace linkwright::closure
