/// Classical Runge-Kutta of order 4.
/// Given: y = (q, v, extra states) and a step h.
/// Computes: y after h. Plain coordinates see the classical method; poses see its commutator-free
///   form (Celledoni, Marthinsen & Owren 2003), which uses exponentials of velocities only and so
///   stays on the group and within the modes of any joint:
///     q2 = q ⊕ ½h v1,  q3 = q ⊕ ½h v2,  q4 = q2 ⊕ (h v3 − ½h v1),
///     q' = q ⊕ h/12 (3v1 + 2v2 + 2v3 − v4) ⊕ h/12 (−v1 + 2v2 + 2v3 + 3v4).
///   Constraints are kept at the end of the step. Near their singular positions rates within the step
///   are those of states on the constraints: other rates off them, of the same motion.
/// Cost: 4 evaluations per step.

#include "dynamics/positions/group_step.hpp"
#include "simulate/integrators/stepper.hpp"
#include "simulate/integrators/track.hpp"

namespace linkwright {
namespace {

class RungeKutta final : public Stepper {
 public:
  explicit RungeKutta(Rates& rates) : rates_(&rates), track_(rates) {
    const System& system = rates.system();
    const auto extras = rates.extra_count();
    stage_.state = State(system);
    stage_.extra = Eigen::VectorXd::Zero(extras);
    q2_ = stage_.state.q;
    u_ = v2_ = v3_ = v4_ = a2_ = a3_ = a4_ = stage_.state.v;
    z2_ = z3_ = z4_ = stage_.extra;
  }

  void step(FullState& now, double end) override {
    const System& system = rates_->system();
    track_.begin(now);
    const FullState& from = track_.from();
    const Eigen::VectorXd &v1 = from.state.v, &a1 = track_.a_from(), &z1 = track_.extra_rate_from();
    const double t = from.state.t, h = end - t, half = 0.5 * h;

    v2_ = v1 + half * a1;
    group::displace(system, from.state.q.data(), v1.data(), half, q2_.data());
    stage(t + half, q2_, v2_, half, z1, a2_, z2_);

    v3_ = v1 + half * a2_;
    group::displace(system, from.state.q.data(), v2_.data(), half, stage_.state.q.data());
    stage(t + half, stage_.state.q, v3_, half, z2_, a3_, z3_);

    v4_ = v1 + h * a3_;
    u_ = v3_ - 0.5 * v1;
    group::displace(system, q2_.data(), u_.data(), h, stage_.state.q.data());
    stage(end, stage_.state.q, v4_, h, z3_, a4_, z4_);

    finish(now, end, h);
  }

  void interpolate(double t, FullState& out) override { track_.interpolate(t, out); }
  void evaluate_end(const FullState& /*now*/) override { track_.make_rates_known(); }
  void learn_end(const FullState& now, const Eigen::VectorXd& a,
                 const Eigen::VectorXd& extra_rates) override {
    track_.learn_rates(now, a, extra_rates);
  }
  void restart(const FullState& /*now*/, bool /*moved*/) override { track_.forget(); }

 private:
  void stage(double t, const Eigen::VectorXd& q, Eigen::VectorXd& v, double h,
             const Eigen::VectorXd& z, Eigen::VectorXd& a, Eigen::VectorXd& z_next) {
    stage_.state.t = t;
    if (&q != &stage_.state.q) stage_.state.q = q;
    stage_.state.v = v;
    stage_.extra = track_.from().extra + h * z;
    if (rates_->is_delicate()) {
      rates_->project(stage_);
      v = stage_.state.v;
    }
    rates_->evaluate(stage_, a, z_next);
  }

  void finish(FullState& now, double end, double h) {
    const System& system = rates_->system();
    const FullState& from = track_.from();
    const Eigen::VectorXd& v1 = from.state.v;
    double* q = now.state.q.data();
    if (system.quaternion_joints().empty()) {
      u_ = v1 + 2 * (v2_ + v3_) + v4_;
      group::displace(system, q, u_.data(), h / 6, q);
    } else {
      u_ = 3 * v1 + 2 * (v2_ + v3_) - v4_;
      group::displace(system, q, u_.data(), h / 12, q);
      u_ = 2 * (v2_ + v3_) - v1 + 3 * v4_;
      group::displace(system, q, u_.data(), h / 12, q);
    }
    now.state.v += (h / 6) * (track_.a_from() + 2 * (a2_ + a3_) + a4_);
    now.extra += (h / 6) * (track_.extra_rate_from() + 2 * (z2_ + z3_) + z4_);
    now.state.t = end;
    rates_->settle(now);
    track_.end(now);
  }

  Rates* rates_;
  Track track_;
  FullState stage_;
  Eigen::VectorXd q2_, u_, v2_, v3_, v4_, a2_, a3_, a4_, z2_, z3_, z4_;
};

}  // namespace

std::unique_ptr<Stepper> make_runge_kutta(Rates& rates) {
  return std::make_unique<RungeKutta>(rates);
}

}  // namespace linkwright
