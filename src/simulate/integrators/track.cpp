#include "simulate/integrators/track.hpp"

#include "dynamics/positions/group_step.hpp"

namespace linkwright {
namespace {

/// Hermite polynomials of the value and the slope at both ends of [0, 1].
struct Cubic {
  double f0, d0, f1, d1;
  explicit Cubic(double s)
      : f0((1 + 2 * s) * (1 - s) * (1 - s)),
        d0(s * (1 - s) * (1 - s)),
        f1(s * s * (3 - 2 * s)),
        d1(s * s * (s - 1)) {}
};

/// u̇ when the pose is pose0·exp(u) and moves with the body twist V: the series of dexp⁻¹(−u), whose
/// next term is of order |u|⁶.
Motion rate_of_displacement(const Motion& u, const Motion& V) {
  const Motion once = bracket(u, V), twice = bracket(u, once);
  const Motion fourth = bracket(u, bracket(u, twice));
  return V + 0.5 * once + (1.0 / 12) * twice + (-1.0 / 720) * fourth;
}

}  // namespace

Track::Track(Rates& rates) : rates_(&rates) {
  const auto nv = rates.system().nv();
  const auto extras = rates.extra_count();
  from_.state = State(rates.system());
  from_.extra = Eigen::VectorXd::Zero(extras);
  to_ = from_;
  a_from_ = a_to_ = Eigen::VectorXd::Zero(nv);
  extra_from_ = extra_to_ = Eigen::VectorXd::Zero(extras);
}

void Track::begin(const FullState& now) {
  from_ = now;
  // A step that is taken again does not begin where it ended.
  if (to_known_ && goes_on_ && now.state.t == to_.state.t) {
    count_learned();
    a_from_ = a_to_;
    extra_from_ = extra_to_;
  } else {
    rates_->evaluate(from_, a_from_, extra_from_);
  }
  to_known_ = learned_ = false;
}

void Track::end(const FullState& now) {
  to_ = now;
  to_known_ = learned_ = false;
  goes_on_ = true;
}

void Track::make_rates_known() {
  if (!to_known_) rates_->evaluate(to_, a_to_, extra_to_);
  to_known_ = true;
  count_learned();
}

void Track::learn_rates(const FullState& now, const Eigen::VectorXd& a,
                        const Eigen::VectorXd& extra_rates) {
  if (to_known_ || !goes_on_ || now.state.t != to_.state.t) return;
  a_to_ = a, extra_to_ = extra_rates;
  to_known_ = learned_ = true;
}

/// An evaluation of the method's own, as soon as the method uses it.
void Track::count_learned() {
  if (learned_) rates_->set_evaluations(rates_->evaluations() + 1);
  learned_ = false;
}

void Track::interpolate(double t, FullState& out) {
  if (t == to_.state.t) {
    out = to_;
    return;
  }
  if (t == from_.state.t) {
    out = from_;
    return;
  }
  make_rates_known();
  const double h = to_.state.t - from_.state.t, s = (t - from_.state.t) / h;
  out = from_;
  out.state.t = t;
  for (const JointPlace& joint : rates_->system().joints())
    if (joint.quaternion >= 0)
      interpolate_pose(joint, s, h, out.state);
    else
      interpolate_plain(joint, s, h, out.state);
  const Cubic c(s);
  out.extra = c.f0 * from_.extra + c.f1 * to_.extra + h * (c.d0 * extra_from_ + c.d1 * extra_to_);
  rates_->project(out);
}

void Track::interpolate_plain(const JointPlace& joint, double s, double h, State& out) const {
  for (int i = 0; i < joint.nv; ++i) {
    const int p = joint.q + i, k = joint.v + i;
    // q = q0 + v0 x + a0 x²/2 + c3 x³ + c4 x⁴ + c5 x⁵ in x = s h, matched to the other end.
    const double v0 = h * from_.state.v[k], v1 = h * to_.state.v[k];
    const double a0 = h * h * a_from_[k], a1 = h * h * a_to_[k];
    const double rise = to_.state.q[p] - from_.state.q[p] - v0 - 0.5 * a0;
    const double slope = v1 - v0 - a0, bend = a1 - a0;
    const double c3 = 10 * rise - 4 * slope + 0.5 * bend;
    const double c4 = -15 * rise + 7 * slope - bend;
    const double c5 = 6 * rise - 3 * slope + 0.5 * bend;
    out.q[p] = from_.state.q[p] + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))));
    out.v[k] = (v0 + s * (a0 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h;
  }
}

void Track::interpolate_pose(const JointPlace& joint, double s, double h, State& out) const {
  const System& system = rates_->system();
  const Cubic c(s);
  const Motion u = group::pose_difference(system, joint, from_.state.q.data(), to_.state.q.data());
  const Motion V0 = group::pose_rate(system, joint, from_.state.v.data() + joint.v);
  const Motion V1 = group::pose_rate(system, joint, to_.state.v.data() + joint.v);
  const Motion at = c.f1 * u + (h * c.d0) * V0 + (h * c.d1) * rate_of_displacement(u, V1);
  group::displace_pose(joint, from_.state.q.data(), at, out.q.data());
  for (int k = joint.v; k < joint.v + joint.nv; ++k)
    out.v[k] =
        c.f0 * from_.state.v[k] + c.f1 * to_.state.v[k] + h * (c.d0 * a_from_[k] + c.d1 * a_to_[k]);
}

}  // namespace linkwright
