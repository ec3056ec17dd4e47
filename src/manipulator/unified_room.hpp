#pragma once
/// The matrices of a UnifiedModel, sized once.

#include "closure/rank/orthogonal.hpp"
#include "linkwright/manipulator/unified_model.hpp"

namespace linkwright::manipulator {

/// Pivots below this part of their diagonal entry are none, as in the closures' own elimination.
inline constexpr double least_pivot = 1e-12;

struct UnifiedModel::Room {
  explicit Room(const Manipulator& of);

  const Manipulator& robot;
  ClosedWorkspace work;
  std::vector<int> others;  // freedoms of objects and bystanders
  std::vector<int> links;   // own freedoms that are not the base's
  State state;              // of the last update
  bool updated = false, solved = false;

  // Of the whole system: mass_matrix v̇ + bias = applied + Kᵀ λ, K v̇ + beta = 0.
  Eigen::MatrixXd mass_matrix, K, tips;
  Eigen::VectorXd bias, applied, beta, pushed, zero, tip_bias;
  // The paper's.
  Eigen::MatrixXd M_a, M_ap, M_p, J_a, J_p, J_b, J_q, M, J, J_D, coupling;
  Eigen::VectorXd C_a, C_p, T_a, T_p, tau_a, C, T_hat;
  Eigen::MatrixXd L_p, L;  // M_p = L_p L_pᵀ, M = L Lᵀ
  // Table I.
  Eigen::MatrixXd K_a, K_p, K_J, X, Z, H, W, HW, M_o, S, Omega, MW;
  Eigen::VectorXd open_a, open_p, e, f, He, b_o, a_o, right_o, chosen, accelerations;
  TableReport report;
  // The base's velocity from the momentum.
  State moving;  // with the base at rest
  Eigen::MatrixXd L_b{6, 6};
  // What only some callers ask for.
  mutable Eigen::MatrixXd A, N, Y, omega_tips;
  mutable Eigen::VectorXd room_a, room_p, room_t, scale_p;
  mutable closure::Orthogonal reaction;
  mutable bool reaction_known = false;

  void compute_system(const State& at, const ConstVectorRef& tau, ExternalForces forces);
  void check_closed(const State& at);
  void partition(const ConstVectorRef& tau);
  void unify();
  void check_updated() const;
  void find_reaction_space() const;

  // Steps of Table I.
  void compute_open();
  void build_H();
  void solve_by_object();
  void solve_by_forces();
  void solve_independent_rows();
  void gather(VectorRef a);
};

/// out = those rows or entries of x.
template <class Out, class In>
void take(const In& x, const std::vector<int>& entries, Out& out) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    out[static_cast<Eigen::Index>(i)] = x[entries[i]];
}
inline void take(const Eigen::MatrixXd& x, const std::vector<int>& rows,
                 const std::vector<int>& columns, Eigen::MatrixXd& out) {
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t i = 0; i < rows.size(); ++i)
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = x(rows[i], columns[j]);
}
inline void take_columns(const Eigen::MatrixXd& x, const std::vector<int>& columns,
                         Eigen::MatrixXd& out) {
  for (std::size_t j = 0; j < columns.size(); ++j)
    out.col(static_cast<Eigen::Index>(j)) = x.col(columns[j]);
}

}  // namespace linkwright::manipulator
