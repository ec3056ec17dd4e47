/// A mechanism in descriptor form, from its graph.
///
/// Given    x = q, v, and of loops λ and μ, one each per row
/// Computes q̇ − N(q) (v + Jᵀ μ),  M v̇ − f − Jᵀ λ by (40) and (41),  J v,  gaps
///          Rows that follow from others hold by themselves: theirs say λ = 0 and μ = 0 instead, as do those of μ where
///          a row binds velocities alone. Which rows these are is found where a run begins or goes on.
/// Cost     O(N + length of the circuits); nothing is solved for

#include <fmt/format.h>

#include "dynamics/positions/group_step.hpp"
#include "linkwright/network/descriptor.hpp"
#include "simulate/equations/descriptor_forms.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

std::vector<Quantity> multipliers(const System& system) {
  std::vector<Quantity> all;
  for (const char* end : {"", ":shift"})
    for (const ClosurePlace& closure : system.closures())
      for (int i = 0; i < closure.rows; ++i)
        all.push_back({fmt::format("closure:{}:{}{}", closure.name, i, end), "1"});
  return all;
}

class MechanismForm final : public DescriptorForm {
 public:
  MechanismForm(const System& system, Closures closures)
      : DescriptorForm(
            system, {},
            closures == Closures::leave_out ? std::vector<Quantity>{} : multipliers(system),
            closures == Closures::leave_out || multipliers(system).empty() ? 0 : 2),
        work_(system,
              closures == Closures::leave_out ? network::Loops::leave_out : network::Loops::keep),
        rows_(work_.rows()),
        efforts_(Eigen::VectorXd::Zero(closures == Closures::leave_out ? system.nv()
                                                                       : system.effort_count())),
        speeds_(Eigen::VectorXd::Zero(system.nv())),
        position_rate_(Eigen::VectorXd::Zero(system.nq())),
        lambda_(Eigen::VectorXd::Zero(rows_)),
        mu_(lambda_),
        gaps_(lambda_),
        kept_(at(rows_), 1),
        shifted_(at(rows_), 0) {
    if (rows_ > 0)
      for (const ClosurePlace& closure : system.closures())
        for (int i = 0; i < closure.position_rows; ++i) binds_position_.push_back(closure.row + i);
  }

  [[nodiscard]] Eigen::Index multiplier_count() const override { return 2 * rows_; }

  void compute_start(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                     VectorRef x, VectorRef rate) override {
    const Eigen::Index nq = system().nq(), nv = system().nv();
    x.setZero(), rate.setZero();
    x.head(nq) = now.state.q, x.segment(nq, nv) = now.state.v;
    efforts_ = input.head(efforts_.size());
    group::compute_position_rate(system(), x.data(), now.state.v.data(), rate.data());
    auto a = rate.segment(nq, nv);
    compute_forward_dynamics(work_, now.state, efforts_, forces, a);
    if (rows_ == 0) return;
    Eigen::VectorXd missing(nv);
    lambda_.setZero();
    network::compute_residual(work_, now.state, efforts_, forces, a, lambda_, missing);
    network::find_independent_rows(work_, kept_);
    std::fill(shifted_.begin(), shifted_.end(), char(0));
    for (const int row : binds_position_) shifted_[at(row)] = kept_[at(row)];
    find_lambda(missing, x.segment(nq + nv, rows_));
  }

  void compute_residual(const FullState& now, const ConstVectorRef& x, const ConstVectorRef& rate,
                        const Eigen::VectorXd& input, ExternalForces forces,
                        VectorRef residual) override {
    const Eigen::Index nq = system().nq(), nv = system().nv();
    efforts_ = input.head(efforts_.size());
    for (Eigen::Index i = 0; i < rows_; ++i) {
      lambda_[i] = kept_[at(i)] != 0 ? x[nq + nv + i] : 0;
      mu_[i] = shifted_[at(i)] != 0 ? x[nq + nv + rows_ + i] : 0;
    }
    network::compute_residual(work_, now.state, efforts_, forces, rate.segment(nq, nv), lambda_,
                              residual.segment(nq, nv));
    speeds_ = x.segment(nq, nv);
    if (rows_ > 0) close(now.state.q, x.tail(2 * rows_), residual.tail(2 * rows_));
    group::compute_position_rate(system(), x.data(), speeds_.data(), position_rate_.data());
    residual.head(nq) = rate.head(nq) - position_rate_;
  }

 private:
  /// Rows of λ and μ; speeds_ are v before and v + Jᵀ μ after.
  void close(const Eigen::VectorXd& q, const ConstVectorRef& multipliers, VectorRef residual) {
    const Eigen::MatrixXd& J = network::loop_rows(work_);
    network::compute_loop_gaps(work_, q, gaps_);
    for (Eigen::Index i = 0; i < rows_; ++i) {
      residual[i] = kept_[at(i)] != 0 ? J.row(i).dot(speeds_) : multipliers[i];
      residual[rows_ + i] = shifted_[at(i)] != 0 ? gaps_[i] : multipliers[rows_ + i];
    }
    speeds_.noalias() += J.transpose() * mu_;
  }

  /// Jᵀ λ = missing, on the rows kept.
  void find_lambda(const Eigen::VectorXd& missing, VectorRef lambda) {
    const Eigen::MatrixXd& J = network::loop_rows(work_);
    std::vector<Eigen::Index> rows;
    for (Eigen::Index i = 0; i < rows_; ++i)
      if (kept_[at(i)] != 0) rows.push_back(i);
    Eigen::MatrixXd columns(J.cols(), static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      columns.col(static_cast<Eigen::Index>(i)) = J.row(rows[i]);
    const Eigen::VectorXd found = columns.colPivHouseholderQr().solve(missing);
    for (std::size_t i = 0; i < rows.size(); ++i)
      lambda[rows[i]] = found[static_cast<Eigen::Index>(i)];
  }

  network::NetworkWorkspace work_;
  Eigen::Index rows_;
  std::vector<int> binds_position_;
  Eigen::VectorXd efforts_, speeds_, position_rate_, lambda_, mu_, gaps_;
  std::vector<char> kept_, shifted_;  // per row: whether λ acts, and μ
};

}  // namespace

std::unique_ptr<DescriptorForm> make_mechanism_form(const System& system, Closures closures) {
  return std::make_unique<MechanismForm>(system, closures);
}

}  // namespace linkwright
