#include "linkwright/coordinates/redundancy.hpp"

#include <fmt/format.h>

#include "coordinates/parameters.hpp"
#include "coordinates/scaled.hpp"
#include "dynamics/door.hpp"
#include "linkwright/coordinates/transfer.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Σ direction(k) · [what coordinate k does]: Ġ, of × by, and Ẇ.
MatrixXd rate_of(const Influence& u, const VectorXd& direction) {
  return rate_along(u.H, direction).view();
}
MatrixXd rate_of(const Weight& weight, const VectorXd& direction) {
  MatrixXd out = MatrixXd::Zero(weight.W.rows(), weight.W.cols());
  if (weight.rate.planes() == 0) return out;
  for (Index k = 0; k < direction.size(); ++k) out += direction[k] * weight.rate.plane(k);
  return out;
}

double condition_of(const Influence& u) {
  const Scaled scaled(u);
  const double condition = scaled.condition();
  if (!(condition <= Transfer::worst_condition))
    throw Error(
        fmt::format(
            "{} cannot be moved independently here: condition {:.2g}, at most {:.0e} "
            "is allowed. Lost direction, which nothing moves: {}; it binds {}. Ask for fewer, or "
            "leave the singular position",
            names_of(u.of), condition, Transfer::worst_condition, scaled.lost_direction(),
            scaled.dependent_parameters()),
        Error::Kind::failed_computation);
  return condition;
}

void check(const Influence& u, const Weight& weight) {
  if (u.of.size() > u.by.size())
    throw Error(
        fmt::format("{} parameters ({}) by {} coordinates; expected no more than there are "
                    "coordinates",
                    u.of.size(), names_of(u.of), u.by.size()));
  const auto n = static_cast<Index>(u.by.size());
  if (weight.W.rows() != n || weight.W.cols() != n)
    throw Error(fmt::format("the weight is {}x{}; expected {}x{}, one row per coordinate",
                            weight.W.rows(), weight.W.cols(), n, n));
}

}  // namespace

Weight constant_weight(const ConstMatrixRef& W) { return {Matrix(W), Array()}; }

Weight compute_kinetic_energy_weight(Workspace& work, const ConstVectorRef& q) {
  const Index n = work.system().nv();
  Weight out{Matrix(n, n), Array(n, n)};
  {
    auto M = out.W.view();
    compute_mass_matrix(work, q, M);
  }
  State state(work.system());
  state.q = q;
  MatrixXd C(n, n);
  for (Index k = 0; k < n; ++k) {  // Ṁ = C + Cᵀ
    state.v.setZero();
    state.v[k] = 1;
    compute_coriolis_matrix(work, state, C);
    out.rate.plane(k) = C + C.transpose();
  }
  return out;
}

RedundantTransfer::RedundantTransfer(const Influence& u_by_phi, Weight weight)
    : u_by_phi_(u_by_phi), weight_(std::move(weight)) {
  check(u_by_phi_, weight_);
  condition_ = condition_of(u_by_phi_);
  const auto G = u_by_phi_.G.view();
  const Index n = G.cols(), m = G.rows();
  const Eigen::LLT<MatrixXd> W(weight_.W.view());
  if (W.info() != Eigen::Success)
    throw Error(
        "the weight of the coordinates is not positive definite; expected φ̇ᵀ W φ̇ > 0 for "
        "every motion");
  // With W = L Lᵀ, φ̇ = L⁻ᵀ x: the shortest x with ([G] L⁻ᵀ) x = u̇, by QR, free of squared conditions.
  const MatrixXd A = W.matrixL().solve(G.transpose());  // n × m
  const Eigen::HouseholderQR<MatrixXd> qr(A);
  const MatrixXd Q = MatrixXd(qr.householderQ()).leftCols(m);
  const MatrixXd R = qr.matrixQR().topRows(m).triangularView<Eigen::Upper>();
  const MatrixXd R_inverse = R.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(m, m));
  const MatrixXd right = W.matrixU().solve(Q * R_inverse.transpose());
  Lambda_ = Matrix(R_inverse * R_inverse.transpose());
  null_space_ = Matrix(MatrixXd::Identity(n, n) - right * G);
  flexible_ = Matrix(null_space_.view() * W.solve(MatrixXd::Identity(n, n)));
  least_acceleration_ = {
      u_by_phi_.by, u_by_phi_.of, Matrix(right), dot(-right, quadratic(u_by_phi_.H, right)), {}};
  initial_ = least_acceleration_;
  for (Index k = 0; k < m; ++k) {  // what the null space adds: N W⁻¹ (Ġᵀ Λ − Ẇ [G]⁻ᴿ)
    const VectorXd direction = right.col(k);
    const MatrixXd more =
        flexible_.view() * (rate_of(u_by_phi_, direction).transpose() * Lambda_.view() -
                            rate_of(weight_, direction) * right);
    for (Index p = 0; p < n; ++p) initial_.H.plane(p).col(k) += more.row(p).transpose();
  }
}

void RedundantTransfer::compute_rates(const ConstVectorRef& u_rate, const ConstVectorRef& xi,
                                      VectorRef rates) const {
  door::check_output(u_rate.size(), u_by_phi_.G.rows(), "u_rate");
  door::check_output(xi.size(), u_by_phi_.G.cols(), "xi");
  rates = initial_.G.view() * u_rate + null_space_.view() * xi;
}

void RedundantTransfer::compute_accelerations(const ConstVectorRef& u_rate,
                                              const ConstVectorRef& u_acceleration,
                                              const ConstVectorRef& xi,
                                              const ConstVectorRef& xi_rate,
                                              VectorRef accelerations) const {
  door::check_output(u_acceleration.size(), u_by_phi_.G.rows(), "u_acceleration");
  door::check_output(xi_rate.size(), u_by_phi_.G.cols(), "xi_rate");
  VectorXd rates(u_by_phi_.G.cols());
  compute_rates(u_rate, xi, rates);
  const auto right = initial_.G.view();
  const MatrixXd G_rate = rate_of(u_by_phi_, rates);
  // φ̇ = [G]⁻ᴿ s + ξ with s = u̇ − [G] ξ.
  const VectorXd s = u_rate - u_by_phi_.G.view() * xi;
  const VectorXd right_rate_s = flexible_.view() * (G_rate.transpose() * (Lambda_.view() * s) -
                                                    rate_of(weight_, rates) * (right * s)) -
                                right * (G_rate * (right * s));
  accelerations =
      right * (u_acceleration - G_rate * xi) + right_rate_s + null_space_.view() * xi_rate;
}

}  // namespace linkwright::coordinates
