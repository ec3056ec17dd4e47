#pragma once
/// The unified form from first principles, (B3)–(B6), as matrices over all links: another way to M, J, C and T̂
/// than the partition of the trunk's mass matrix. Bases with fewer than six freedoms take X_b Φ_b for X_b.

#include <set>

#include "linkwright/manipulator/manipulator.hpp"
#include "linkwright/operators/dense.hpp"

namespace linkwright::testing {

struct StackedForm {
  Eigen::MatrixXd M, J;
  Eigen::VectorXd C, T_hat;

  /// Of arms that hold nothing, whose only passive freedoms are the base's.
  StackedForm(const manipulator::Manipulator& robot, const State& state,
              const Eigen::VectorXd& tau) {
    using namespace operators;
    using Eigen::MatrixXd, Eigen::VectorXd, Eigen::Index;
    Operators at(robot.system(), Closures::leave_out);
    std::vector<FrameId> tips;
    for (const auto& arm : robot.arms()) tips.push_back(arm.frame);
    at.set_tips(tips);
    at.update(state, tau);
    const std::vector<Index> base_rows = rows_of_base(robot, true),
                             rows = rows_of_base(robot, false);
    const std::vector<int>&a = robot.active(), &p = robot.base().freedoms;
    const MatrixXd XPhi = dense(transpose(phi) * transpose(H), at);
    const MatrixXd inertia = dense(operators::M, at), M_q = inertia(rows, rows);
    const VectorXd drift = evaluate(at, transpose(phi) * (at.a() + E * at.g()));
    const VectorXd b = Eigen::Map<const VectorXd>(at.b().data, drift.size());
    const VectorXd T = Eigen::Map<const VectorXd>(at.T().data, robot.system().nv());
    const MatrixXd X_Phi = XPhi(rows, a), X_b = XPhi(rows, p), Phi_b = XPhi(base_rows, p);
    const MatrixXd D = dense(B, at)(rows, Eigen::all);
    const MatrixXd M_b = Phi_b.transpose() * inertia(base_rows, base_rows) * Phi_b;
    const VectorXd b_b =
        Phi_b.transpose() *
        (VectorXd(b(base_rows)) + inertia(base_rows, base_rows) * VectorXd(drift(base_rows)));
    // G = M_q − M_q X_b (M_b + X_bᵀ M_q X_b)⁻¹ X_bᵀ M_q
    const MatrixXd G =
        M_q - M_q * X_b * (M_b + X_b.transpose() * M_q * X_b).inverse() * X_b.transpose() * M_q;
    const MatrixXd left = X_Phi.transpose() * G, from_b = X_b * M_b.inverse();
    M = left * X_Phi;
    for (std::size_t i = 0; i < a.size(); ++i)
      M(static_cast<Index>(i), static_cast<Index>(i)) +=
          robot.system().rotor_inertia()[static_cast<std::size_t>(a[i])];
    J = (left * M_q.inverse() * D).transpose();
    C = left * (VectorXd(drift(rows)) + M_q.inverse() * VectorXd(b(rows)) - from_b * b_b);
    T_hat = VectorXd(T(a)) - left * from_b * VectorXd(T(p));
  }

 private:
  /// Rows of stacked link vectors that belong to the base's nodes, or to all others.
  static std::vector<Eigen::Index> rows_of_base(const manipulator::Manipulator& robot, bool base) {
    const auto& nodes = robot.system().tree().nodes;
    std::set<int> inboard;
    for (int k = robot.system().frame(robot.base().frame).node; k != 0;
         k = nodes[static_cast<std::size_t>(k)].parent)
      inboard.insert(k);
    std::vector<Eigen::Index> rows;
    for (int k = 1; k < static_cast<int>(nodes.size()); ++k)
      if (inboard.contains(k) == base)
        for (int i = 0; i < 6; ++i) rows.push_back(6 * (k - 1) + i);
    return rows;
  }
};

}  // namespace linkwright::testing
