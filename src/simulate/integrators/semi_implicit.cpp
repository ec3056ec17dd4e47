/// Semi-implicit Euler.
/// Given: (q, v, extra states) and a step h.
/// Computes: v' = v + h v̇(q, v), q' = q ⊕ h v', then onto the constraints. Order 1.
/// Cost: 1 evaluation per step.

#include "dynamics/positions/group_step.hpp"
#include "simulate/integrators/stepper.hpp"
#include "simulate/integrators/track.hpp"

namespace linkwright {
namespace {

class SemiImplicit final : public Stepper {
 public:
  explicit SemiImplicit(Rates& rates) : rates_(&rates), track_(rates) {}

  void step(FullState& now, double end) override {
    track_.begin(now);
    const double h = end - now.state.t;
    now.state.v += h * track_.a_from();
    group::displace(rates_->system(), now.state.q.data(), now.state.v.data(), h,
                    now.state.q.data());
    now.extra += h * track_.extra_rate_from();
    now.state.t = end;
    rates_->settle(now);
    track_.end(now);
  }
  void interpolate(double t, FullState& out) override { track_.interpolate(t, out); }
  void evaluate_end(const FullState& /*now*/) override { track_.make_rates_known(); }
  void learn_end(const FullState& now, const Eigen::VectorXd& a,
                 const Eigen::VectorXd& extra_rates) override {
    track_.learn_rates(now, a, extra_rates);
  }
  void restart(const FullState& /*now*/, bool /*moved*/) override { track_.forget(); }

 private:
  Rates* rates_;
  Track track_;
};

}  // namespace

std::unique_ptr<Stepper> make_semi_implicit(Rates& rates) {
  return std::make_unique<SemiImplicit>(rates);
}

}  // namespace linkwright
