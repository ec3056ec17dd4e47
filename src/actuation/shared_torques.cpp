#include "actuation/shared_torques.hpp"

#include <cmath>

#include <fmt/format.h>

#include "closure/rank/dense_loops.hpp"
#include "linkwright/actuation/voltages.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright::actuation {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// What the motors may miss of what a motion needs, as part of it.
constexpr double miss = 1e-9;
/// What a motion may miss the closures by, as part of it: the digits of a file.
constexpr double closure_miss = 1e-6;

constexpr const char* powers[series_orders]{"²", "³", "⁴", "⁵"};

VectorXd order_of(const SeriesVector& all, int k) {
  VectorXd out(static_cast<Index>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) out[static_cast<Index>(i)] = all[i].c[k];
  return out;
}
void set_order(SeriesVector& all, int k, const VectorXd& values) {
  for (std::size_t i = 0; i < all.size(); ++i) all[i].c[k] = values[static_cast<Index>(i)];
}

}  // namespace

SharedTorques::SharedTorques(const System& system, const Drives& drives)
    : torques(drives.list().size()),
      speeds(torques),
      system_(&system),
      drives_(&drives),
      efforts_(system),
      lambda_(efforts_.closure_accelerations),
      closing_(system.closing_names().size()),
      rest_(at(system.nv())),
      mu_(rest_),
      rows_of_mu_(lambda_),
      closing_of_mu_(closing_),
      S_(drives.count(), system.nv()),
      space_(0, 0) {}

void SharedTorques::prepare(ClosedWorkspace& work, const State& state) {
  for (SeriesVector* all : {&torques, &lambda_, &closing_, &mu_})
    std::fill(all->begin(), all->end(), Series(0));
  drives_->compute_shaft_map(work, state.q, S_);
  closure::compute_row_space(work, state.q);
  const closure::DenseLoops& d = work.dense();
  N_ = d.N.leftCols(d.mobility);
  B_ = N_.transpose() * S_.transpose();
  space_ = closure::Orthogonal(static_cast<int>(B_.cols()), static_cast<int>(B_.rows()));
  space_.compute(B_.transpose(), closure::rank_threshold);
}

void SharedTorques::require_motors(const State& state, const VectorXd& missing, double needed,
                                   int k) const {
  const double size = missing.norm();
  if (size <= miss * std::max(1.0, needed)) return;
  const VectorXd motion = N_ * missing;
  Index most = 0;
  motion.cwiseAbs().maxCoeff(&most);
  throw Error(
      fmt::format(
          "the motors cannot give this motion{} at t = {:g} s: nothing drives the "
          "freedom in which joint {} moves most, and it would need {:.3g} there",
          k == 0 ? std::string() : fmt::format("'s {}", NominalVoltages::name_of_derivative(k + 1)),
          state.t, in_quotes(system_->velocity_names()[at(static_cast<int>(most))]), size),
      Error::Kind::failed_computation);
}

/// With all lower orders known.
void SharedTorques::solve_order(ClosedWorkspace& work, const State& state, int k) {
  closure::DenseLoops& d = work.dense();
  efforts_.compute_rest(lambda_, closing_, rest_);
  r2_ = order_of(rest_, k);
  const VectorXd needed = N_.transpose() * r2_;
  VectorXd T(B_.cols());
  space_.solve_rows(needed, T);
  require_motors(state, needed - B_ * T, needed.norm(), k);
  const bool spare = space_.rank() < B_.cols();
  if (spare) {
    // T = c + Bᵀ y with c = r₁ + S J⁺ r₃: what the motors' own motion turns of the way they share.
    efforts_.compute_rows(mu_, rows_of_mu_, closing_of_mu_);
    r1_ = VectorXd::Zero(T.size());
    for (std::size_t i = 0; i < torques.size(); ++i)
      if (const Drive& drive = drives_->list()[i]; drive.closing >= 0)
        r1_[static_cast<Index>(i)] = drive.gear * closing_of_mu_[at(drive.closing)].c[k];
    VectorXd own = VectorXd::Zero(system_->nv());
    if (!rows_of_mu_.empty()) {
      r3_ = -order_of(rows_of_mu_, k);
      closure::solve_rows(d, r3_, own);
    }
    const VectorXd c = r1_ + S_ * own;
    VectorXd shared(T.size()), y(B_.rows());
    space_.solve_rows(needed - B_ * c, shared);
    T = c + shared;
    space_.solve_columns(shared, y);
    set_order(mu_, k, own + N_ * y);
  }
  set_order(torques, k, T);
  for (std::size_t i = 0; i < torques.size(); ++i)
    if (const Drive& drive = drives_->list()[i]; drive.closing >= 0)
      closing_[at(drive.closing)].c[k] += drive.gear * T[static_cast<Index>(i)];
  if (lambda_.empty()) return;
  VectorXd lambda(static_cast<Index>(lambda_.size()));
  closure::solve_forces(d, r2_ - S_.transpose() * T, lambda);
  set_order(lambda_, k, lambda);
}

void SharedTorques::require_closed(const State& state, const ConstMatrixRef& rates,
                                   int order) const {
  double scale = 1 + state.v.norm();
  for (int k = 0; k <= order; ++k) {
    scale += rates.col(k).norm() + std::pow(state.v.norm(), k + 2);
    for (const ClosurePlace& c : system_->closures())
      for (int i = 0; i < c.rows; ++i) {
        const double opens = efforts_.closure_accelerations[at(c.row + i)].derivative(k);
        if (std::abs(opens) <= closure_miss * scale) continue;
        throw Error(fmt::format(
            "the {} at t = {:g} s {} not keep closure {}: {} would open it by {:.3g} m/s{} or "
            "rad/s{}. complete_rates finds those of the other joints from independent ones",
            NominalVoltages::name_of_derivative(k + 1), state.t, k == 0 ? "do" : "does",
            in_quotes(c.name), k == 0 ? "they" : "it", opens, powers[k], powers[k]));
      }
  }
}

void SharedTorques::write_speeds() {
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    const Drive& drive = drives_->list()[i];
    speeds[i] = drive.closing >= 0 ? drive.gear * efforts_.closing_rates[at(drive.closing)] : 0;
    for (const TreeTerm& term : drive.terms) speeds[i] += term.ratio * efforts_.v()[at(term.v)];
  }
}

void SharedTorques::compute(ClosedWorkspace& work, const State& state, const ConstMatrixRef& rates,
                            int order) {
  prepare(work, state);
  efforts_.place(work, state, rates);
  efforts_.compute_rest(lambda_, closing_, rest_);
  require_closed(state, rates, order);
  write_speeds();
  for (int k = 0; k <= order; ++k) solve_order(work, state, k);
}

}  // namespace linkwright::actuation
