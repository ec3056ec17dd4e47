#include "simulate/equations/driving_efforts.hpp"

#include <cmath>
#include <utility>

#include "linkwright/closure/dynamics.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

/// Of the scaled response: motors whose part beyond that of the others is below it share with them.
constexpr double dependent = 1e-9;

using Eigen::Index;

Index count_of(const std::vector<int>& entries) { return static_cast<Index>(entries.size()); }
}  // namespace

DrivingEfforts::DrivingEfforts(const System& system, std::vector<int> entries)
    : entries_(std::move(entries)),
      response_(Eigen::MatrixXd::Zero(count_of(entries_), count_of(entries_))),
      scaled_(response_),
      unit_a_(Eigen::VectorXd::Zero(system.nv())),
      scale_(Eigen::VectorXd::Zero(count_of(entries_))),
      found_(scale_),
      missing_(scale_),
      more_(scale_),
      room_(scale_),
      solver_(static_cast<int>(entries_.size()), static_cast<int>(entries_.size())) {}

void DrivingEfforts::compute_response(ClosedWorkspace& work, const State& state,
                                      ExternalForces forces, Eigen::VectorXd& efforts,
                                      const ConstVectorRef& a) {
  const Index count = count_of(entries_);
  for (Index i = 0; i < count; ++i) {
    const double before = std::exchange(efforts[entries_[at(i)]], efforts[entries_[at(i)]] + 1);
    compute_forward_dynamics(work, state, efforts, forces, unit_a_);
    efforts[entries_[at(i)]] = before;
    for (Index k = 0; k < count; ++k)
      response_(k, i) = unit_a_[entries_[at(k)]] - a[entries_[at(k)]];
  }
  // Brought to ones on the diagonal, so that a wrist counts as much as a shoulder.
  const double largest = count > 0 ? response_.diagonal().maxCoeff() : 0;
  for (Index i = 0; i < count; ++i)
    scale_[i] = response_(i, i) > 1e-14 * largest ? 1 / std::sqrt(response_(i, i)) : 0;
  for (Index i = 0; i < count; ++i)
    for (Index k = 0; k < count; ++k) scaled_(k, i) = scale_[k] * response_(k, i) * scale_[i];
  solver_.compute(scaled_, dependent);
  if (solver_.rank() == count) return;
  scale_.setOnes();  // who shares work counts by its effort
  solver_.compute(response_, dependent);
}

void DrivingEfforts::solve(const Eigen::VectorXd& right, Eigen::VectorXd& out) {
  room_ = scale_.cwiseProduct(right);
  solver_.solve_columns(room_, out);
  out = out.cwiseProduct(scale_);
}

void DrivingEfforts::add(ClosedWorkspace& work, const State& state, ExternalForces forces,
                         const Eigen::VectorXd& wanted, Eigen::VectorXd& efforts, VectorRef a) {
  compute_forward_dynamics(work, state, efforts, forces, a);
  compute_response(work, state, forces, efforts, a);
  found_.setZero();
  for (int pass = 0; pass < 2; ++pass) {
    for (Index i = 0; i < count_of(entries_); ++i) missing_[i] = wanted[i] - a[entries_[at(i)]];
    solve(missing_, more_);
    found_ += more_;
    for (Index i = 0; i < count_of(entries_); ++i) efforts[entries_[at(i)]] += more_[i];
    compute_forward_dynamics(work, state, efforts, forces, a);
  }
}

void DrivingEfforts::compute_inertias(ClosedWorkspace& work, const ConstVectorRef& q,
                                      std::vector<double>& out) {
  State rest(work.system());
  rest.q = q;
  Eigen::VectorXd efforts = Eigen::VectorXd::Zero(work.system().effort_count());
  Eigen::VectorXd a(work.system().nv());
  compute_forward_dynamics(work, rest, efforts, {}, a);
  compute_response(work, rest, {}, efforts, a);
  out.resize(entries_.size());
  for (Index i = 0; i < count_of(entries_); ++i) {
    missing_ = Eigen::VectorXd::Unit(count_of(entries_), i);
    solve(missing_, more_);
    out[at(i)] = more_[i];
  }
}

}  // namespace linkwright
