#include "linkwright/simulate/box_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwright {
namespace {

/// Pivots below this, of a matrix with unit diagonal, are dependence and rounding.
constexpr double dependent = 1e-10;

}  // namespace

DependentSolve::~DependentSolve() = default;
DependentSolve::DependentSolve(Eigen::Index most)
    : L_(Eigen::MatrixXd::Zero(most, most)),
      scale_(Eigen::VectorXd::Zero(most)),
      y_(Eigen::VectorXd::Zero(most)),
      order_(static_cast<std::size_t>(most)) {}

int DependentSolve::factorise(const Eigen::MatrixXd& R, const std::vector<int>& which) {
  count_ = static_cast<int>(which.size());
  rank_ = 0;
  double largest = 0;
  for (int i = 0; i < count_; ++i)
    largest = std::max(largest,
                       R(which[static_cast<std::size_t>(i)], which[static_cast<std::size_t>(i)]));
  for (int i = 0; i < count_; ++i) {
    const int a = which[static_cast<std::size_t>(i)];
    order_[static_cast<std::size_t>(i)] = i;
    // What hardly responds at all depends on nothing but rounding.
    scale_[i] = R(a, a) > 1e-15 * largest ? 1 / std::sqrt(R(a, a)) : 0;
    for (int k = 0; k <= i; ++k)
      L_(i, k) = scale_[i] * scale_[k] * R(a, which[static_cast<std::size_t>(k)]);
  }
  for (int k = 0; k < count_; ++k) {
    int best = k;
    for (int i = k + 1; i < count_; ++i)
      if (L_(i, i) > L_(best, best)) best = i;
    if (!(L_(best, best) > dependent)) break;
    if (best != k) {
      std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(best)]);
      for (int j = 0; j < k; ++j) std::swap(L_(k, j), L_(best, j));
      std::swap(L_(k, k), L_(best, best));
      for (int j = k + 1; j < best; ++j) std::swap(L_(j, k), L_(best, j));
      for (int j = best + 1; j < count_; ++j) std::swap(L_(j, k), L_(j, best));
    }
    const double pivot = std::sqrt(L_(k, k));
    L_(k, k) = pivot;
    for (int i = k + 1; i < count_; ++i) L_(i, k) /= pivot;
    for (int j = k + 1; j < count_; ++j)
      for (int i = j; i < count_; ++i) L_(i, j) -= L_(i, k) * L_(j, k);
    ++rank_;
  }
  return rank_;
}

void DependentSolve::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) {
  for (int k = 0; k < rank_; ++k) {
    const int i = order_[static_cast<std::size_t>(k)];
    y_[k] = scale_[i] * b[i];
    for (int j = 0; j < k; ++j) y_[k] -= L_(k, j) * y_[j];
    y_[k] /= L_(k, k);
  }
  for (int k = rank_ - 1; k >= 0; --k) {
    for (int j = k + 1; j < rank_; ++j) y_[k] -= L_(j, k) * y_[j];
    y_[k] /= L_(k, k);
  }
  for (int k = 0; k < count_; ++k) {
    const int i = order_[static_cast<std::size_t>(k)];
    x[i] = k < rank_ ? scale_[i] * y_[k] : 0;
  }
}

BoxProblem::~BoxProblem() = default;
BoxProblem::BoxProblem(Eigen::Index most)
    : solver_(most),
      sides_(static_cast<std::size_t>(most)),
      rounding_(Eigen::VectorXd::Zero(most)),
      right_(Eigen::VectorXd::Zero(most)),
      step_(Eigen::VectorXd::Zero(most)) {
  within_.reserve(static_cast<std::size_t>(most));
}

void BoxProblem::begin(Eigen::Index n, const Eigen::MatrixXd& R, const Eigen::VectorXd& w0,
                       const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
                       Eigen::VectorXd& f) {
  n_ = n;
  // In units in which every freedom responds alike, so that one size of rounding serves all. What the forces
  // could do counts too: where all balance, the accelerations w0 are themselves but rounding.
  double size = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!(R(i, i) > 0)) continue;
    const double unit = std::sqrt(R(i, i));
    size = std::max(size, std::abs(w0[i]) / unit);
    for (const double bound : {lower[i], upper[i]})
      if (std::isfinite(bound)) size = std::max(size, unit * std::abs(bound));
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    f[i] = std::clamp(0.0, lower[i], upper[i]);
    rounding_[i] =
        R(i, i) > 0 ? box_rounding * size * std::sqrt(R(i, i)) : box_rounding * std::abs(w0[i]);
    sides_[static_cast<std::size_t>(i)] = f[i] == lower[i]   ? Side::lower
                                          : f[i] == upper[i] ? Side::upper
                                                             : Side::within;
  }
}

bool BoxProblem::release(const Eigen::VectorXd& w, bool first) {
  Eigen::Index worst = -1;
  double most = 1;
  for (Eigen::Index i = 0; i < n_; ++i) {
    const Side side = sides_[static_cast<std::size_t>(i)];
    if (side == Side::within) continue;
    const double wrong = side == Side::lower ? -w[i] : w[i];
    if (!(wrong > rounding_[i])) continue;
    const double share =
        rounding_[i] > 0 ? wrong / rounding_[i] : std::numeric_limits<double>::max();
    if (share > most && (!first || worst < 0)) worst = i, most = share;
  }
  if (worst < 0) return false;
  sides_[static_cast<std::size_t>(worst)] = Side::within;
  return true;
}

bool BoxProblem::solve(Eigen::Index n, const Eigen::MatrixXd& R, const Eigen::VectorXd& w0,
                       const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
                       Eigen::VectorXd& f, Eigen::VectorXd& w) {
  begin(n, R, w0, lower, upper, f);
  const auto move = [&] {
    for (Eigen::Index i = 0; i < n; ++i) {
      w[i] = w0[i];
      for (Eigen::Index k = 0; k < n; ++k) w[i] += R(i, k) * f[k];
    }
  };
  move();
  const Eigen::Index most = 50 * (n + 1);
  for (Eigen::Index round = 0; round < most; ++round) {
    within_.clear();
    for (Eigen::Index i = 0; i < n; ++i)
      if (sides_[static_cast<std::size_t>(i)] == Side::within)
        within_.push_back(static_cast<int>(i));
    // To the minimum over the forces within, as far as their bounds let it.
    solver_.factorise(R, within_);
    for (std::size_t k = 0; k < within_.size(); ++k)
      right_[static_cast<Eigen::Index>(k)] = -w[within_[k]];
    solver_.solve(right_, step_);
    double way = 1;
    int hindered = -1;
    for (std::size_t k = 0; k < within_.size(); ++k) {
      const int i = within_[k];
      double& d = step_[static_cast<Eigen::Index>(k)];
      // What no force moves goes straight to the bound that its motion asks for.
      const bool unmoved = !(R(i, i) > 0) && w[i] != 0;
      if (unmoved) {
        const double bound = w[i] > 0 ? lower[i] : upper[i];
        if (!std::isfinite(bound)) return false;
        d = bound - f[i];
      }
      const double room = std::abs(d > 0 ? upper[i] - f[i] : lower[i] - f[i]);
      const double asked = way * std::abs(d);
      if (room < asked || (unmoved && room <= asked)) {
        if (d != 0) way = room / std::abs(d);
        hindered = i;
      }
    }
    for (std::size_t k = 0; k < within_.size(); ++k)
      f[within_[k]] += way * step_[static_cast<Eigen::Index>(k)];
    if (hindered >= 0) {
      const auto at = static_cast<std::size_t>(hindered);
      const bool down =
          std::abs(f[hindered] - lower[hindered]) < std::abs(f[hindered] - upper[hindered]);
      sides_[at] = down ? Side::lower : Side::upper;
      f[hindered] = down ? lower[hindered] : upper[hindered];
    }
    move();
    if (hindered >= 0) continue;
    if (!release(w, round > most / 2)) return true;
  }
  return false;
}

}  // namespace linkwright
