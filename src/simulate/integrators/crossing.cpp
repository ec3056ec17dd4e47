#include "simulate/integrators/crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwright {

Crossing::Crossing(Rates& rates, const FullState& start, double relative, double absolute)
    : stepper_(make_runge_kutta(rates)),
      halves_(make_runge_kutta(rates)),
      other_(make_runge_kutta(rates)),
      relative_(relative),
      absolute_(absolute),
      whole_(start),
      half_(start) {}

double Crossing::distance() const {
  double worst = 0;
  const auto compare = [&](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    for (Eigen::Index i = 0; i < a.size(); ++i)
      worst = std::max(worst, std::abs(a[i] - b[i]) / (relative_ * std::abs(b[i]) + absolute_));
  };
  compare(whole_.state.q, half_.state.q);
  compare(whole_.state.v, half_.state.v);
  compare(whole_.extra, half_.extra);
  return worst;
}

double Crossing::error_of(const FullState& now, double h) {
  const double end = now.state.t + h;
  try {
    half_ = whole_ = now;
    halves_->restart(now, true);
    halves_->step(half_, now.state.t + 0.5 * h);
    halves_->step(half_, end);
    halves_->restart(now, true);
    halves_->step(whole_, end);
  } catch (const Error& e) {
    if (e.kind() != Error::Kind::failed_computation) throw;
    return std::numeric_limits<double>::infinity();
  }
  return distance() * 16 / 15;  // the error of the halves is a sixteenth of the whole step's
}

void Crossing::choose_step(const FullState& now) {
  h_ = longest;
  for (double error = error_of(now, h_); error > 1 && h_ > shortest;) {
    const double shorter = h_ * std::clamp(0.9 * std::pow(error, -0.2), 0.2, 0.9);
    const double left = error_of(now, shorter);
    if (std::isfinite(error) && left > 0.5 * error) return;  // it is rounding that is left
    h_ = shorter, error = left;
  }
}

void Crossing::step(FullState& now, double end) {
  if (h_ == 0) choose_step(now);
  stepper_->restart(now, true);
  stepper_->step(now, end - now.state.t > 1.5 * h_ ? now.state.t + h_ : end);
}

void Crossing::follow(FullState& other, double end) {
  other_->restart(other, true);
  other_->step(other, end);
}

}  // namespace linkwright
