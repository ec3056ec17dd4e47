#pragma once
/// The matrices of a UnifiedModel. Sizes follow from the first position, where it is decided which freedoms
/// depend on others.

#include <optional>

#include "closure/rank/orthogonal.hpp"
#include "linkwright/manipulator/unified_model.hpp"
#include "manipulator/reduction.hpp"
#include "manipulator/row_choice.hpp"

namespace linkwright::manipulator {

/// What the trunk says of the whole system: mass_matrix v̇ + bias = applied + Kᵀ λ, K v̇ + beta = 0.
struct WholeSystem {
  Eigen::MatrixXd mass_matrix, K, tips;
  Eigen::VectorXd bias, applied, beta, tip_bias;
};

/// The same in the independent freedoms ν of a Reduction, without its rows.
struct ReducedSystem {
  ReducedSystem(const Manipulator& robot, std::vector<int> rows,
                std::vector<std::vector<int>> groups);
  void compute(const WholeSystem& whole);

  Reduction reduction;
  std::vector<int> entries_a, entries_p;  // of v, independent
  std::vector<int> a, p, o;               // where these and all others are in ν
  Eigen::MatrixXd MG, mass;
  Eigen::VectorXd drift, bias, applied;

 private:
  void make_room(Eigen::Index nv);
  const Manipulator& robot_;
};

struct UnifiedModel::Room {
  explicit Room(const Manipulator& of);

  const Manipulator& robot;
  ClosedWorkspace work;
  State state;  // of the last update
  bool updated = false, solved = false;
  WholeSystem whole;
  ReducedSystem open;    // without the closures on the manipulator itself
  ReducedSystem closed;  // without any
  bool closed_known = false;
  std::vector<int> links;             // own freedoms that are not the base's
  std::vector<int> kept, kept_index;  // rows besides the manipulator's own; where each is, or −1
  Eigen::VectorXd pushed, zero, given;  // per freedom

  // The paper's.
  Eigen::MatrixXd M_a, M_ap, M_p, J_a, J_p, J_b, J_q, M, J, J_D, coupling;
  Eigen::VectorXd C_a, C_p, T_a, T_p, tau_a, C, T_hat, tip_bias;
  Eigen::MatrixXd L_p, L;  // M_p = L_p L_pᵀ, M = L Lᵀ
  // Table I.
  Eigen::MatrixXd tips, K, K_a, K_p, K_J, X, Z, H, W, HW, M_o, S, Omega, MW;
  Eigen::VectorXd beta, open_a, open_p, e, f, He, b_o, a_o, right_o, nu, accelerations, rates;
  std::optional<RowChoice> rows;
  TableReport report;
  // The base's velocity from the momentum.
  State moving;  // with the base at rest
  Eigen::MatrixXd L_b{6, 6};
  // What only some callers ask for.
  mutable Eigen::MatrixXd Y, omega_tips;
  mutable Eigen::VectorXd room_a, room_p, room_t;
  // Reaction null space, of the hands as they are: M_apᵀ scaled, its decomposition, joint rates that span it.
  Eigen::MatrixXd A, N, V, VV;
  Eigen::VectorXd scale, demand, nu_a, wish_left;
  closure::Orthogonal reaction;
  bool reaction_known = false;

  void compute_whole(const State& now, const ConstVectorRef& tau, ExternalForces forces);
  void check_closed(const State& now);
  void make_room();
  void partition(const ConstVectorRef& tau);
  void unify();
  void check_updated() const;

  [[nodiscard]] bool holds() const;
  ReducedSystem& as_the_hands_are();
  void find_reaction_space();

  // Steps of Table I.
  void compute_open();
  void build_H();
  void solve_by_object();
  void solve_by_forces();
  void factorize_objects(Eigen::MatrixXd& of);
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
