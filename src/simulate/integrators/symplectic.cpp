/// Variational integrator: the discrete principle of least action, exact in momentum.
/// Given: q and the momentum p = M v at one time, and a step h.
/// Computes: q' = q ⊕ u and p' from the discrete Lagrangian that sums over bodies and rotors
///     ½ m |Δc|²/h + ½ xᵀ I x/h,  Δc the way of the centre of mass, x = log(Rᵀ R'),
///     ½ uᵀ B u/h,                u the joint's own displacement, B its rotor inertias (where
///                                rotors follow from a Lagrangian; discrete_motion.hpp),
///   less h times the mean potential of both ends (Marsden & West 2001; on trees Lee, Liu, Park &
///   Srinivasa 2016). With μ∓ the momenta at both ends and W = ∂U/∂q:
///     p  + ½h F = Σ Jᵀ(q) μ⁻ + ½h W(q)                  solved for q'
///     p' = Σ Jᵀ(q') μ⁺ − ½h W(q') + ½h F
///   F holds what has no potential (efforts, loads, damping, friction), at the middle of the step.
///   How far each body comes is computed from u along the tree (discrete_motion.hpp), not as the
///   difference of two places in the world, whose rounding would be divided by h.
/// Cost: per iteration one such sweep, one inverse dynamics and one solve with M; about 6 of them.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/positions/group_step.hpp"
#include "linkwright/dynamics/dissipation.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "simulate/integrators/discrete_motion.hpp"
#include "simulate/integrators/stepper.hpp"
#include "simulate/integrators/track.hpp"

namespace linkwright {
namespace {

class Symplectic final : public Stepper {
 public:
  explicit Symplectic(Rates& rates)
      : rates_(&rates),
        track_(rates),
        work_(rates.system(), Closures::leave_out),
        motion_(rates.system()),
        damped_(drains_energy(rates.system())) {
    if (rates.extra_count() > 0)
      throw Error(
          fmt::format("the method 'symplectic' needs a system without extra states; this one "
                      "has '{}'. Use rk4, adams or bdf",
                      rates.extra_states().front().name));
    if (rates.equations().obeys_closures() && rates.system().closures().empty())
      throw Error(
          "the method 'symplectic' steps trees by their own Lagrangian, and these motions are "
          "given. Use rk4, semi-implicit, adams or bdf");
    if (rates.equations().obeys_closures())
      throw Error(
          fmt::format("the method 'symplectic' steps trees, and this system has {}. Use rk4, "
                      "semi-implicit, adams "
                      "or bdf; --cut-open (Closures::leave_out) would move the spanning tree alone",
                      describe_loops(rates.system().model())));
    if (!rates.equations().follows_tree())
      throw Error(
          "the method 'symplectic' steps the tree by its own Lagrangian, and this simulation has "
          "equations of its own that do not say they follow it (Equations::follows_tree). Use "
          "rk4, semi-implicit, adams or bdf");
    refuse_contacts(rates.equations().contacts());
    const System& system = rates.system();
    still_ = next_ = State(system);
    middle_.state = still_;
    zero_ = p_ = p_before_ = u_ = du_ = r_ = F_ = x_ = rotor_ = still_.v;
  }

  void step(FullState& now, double end) override {
    track_.begin(now);
    const double h = end - now.state.t;
    if (!p_known_) {
      compute_momenta(now.state);
      p_known_ = true;
    }
    p_before_ = p_;
    still_.q = now.state.q;
    motion_.begin(work_, still_.q);
    u_ = h * now.state.v;
    solve(now.state, h);
    leave(h);
    now.state.q = next_.q;
    compute_mass_matrix_solve(work_, next_.q, p_, now.state.v);
    now.state.t = end;
    track_.end(now);
  }

  void repeat(FullState& start, double end) override {
    p_ = p_before_;
    step(start, end);
  }
  void interpolate(double t, FullState& out) override { track_.interpolate(t, out); }
  void evaluate_end(const FullState& /*now*/) override { track_.make_rates_known(); }
  void learn_end(const FullState& now, const Eigen::VectorXd& a,
                 const Eigen::VectorXd& extra_rates) override {
    track_.learn_rates(now, a, extra_rates);
  }
  void restart(const FullState& /*now*/, bool moved) override {
    track_.forget();
    p_known_ = p_known_ && !moved;
  }

  [[nodiscard]] std::vector<double> memory() const override {
    return p_known_ ? std::vector<double>(p_.begin(), p_.end()) : std::vector<double>{};
  }
  void set_memory(const std::vector<double>& memory) override {
    p_known_ = memory.size() == static_cast<std::size_t>(p_.size());
    if (p_known_) p_ = Eigen::Map<const Eigen::VectorXd>(memory.data(), p_.size());
  }

 private:
  /// A discrete Lagrangian knows no forces that jump or hold.
  static void refuse_contacts(const Contacts* contacts) {
    if (contacts == nullptr) return;
    for (const ContactFreedom& freedom : contacts->freedoms()) {
      const Friction& f = freedom.friction;
      const bool rubs = has_friction(f);
      const bool stops = contacts->stops_act() && (std::isfinite(freedom.limits.lower) ||
                                                   std::isfinite(freedom.limits.upper));
      if (rubs)
        throw Error(fmt::format(
            "the method 'symplectic' knows no dry friction, and joint '{}' has it. Use rk4, "
            "semi-implicit, adams or bdf; --rigid would leave friction out",
            freedom.name));
      if (stops)
        throw Error(fmt::format(
            "the method 'symplectic' knows no stops, and joint '{}' has a limit that holds. Use "
            "rk4, semi-implicit, adams or bdf, or let limits be told only (--limits report, "
            "LimitAction::report)",
            freedom.name));
    }
  }

  /// p = M v, by inverse dynamics at rest.
  void compute_momenta(const State& now) {
    still_.q = now.q;
    compute_inverse_dynamics(work_, still_, now.v, {}, p_);
    compute_inverse_dynamics(work_, still_, zero_, {}, r_);
    p_ -= r_;
  }

  /// F at the middle of the step.
  void compute_forces_without_potential(const State& from, double h) {
    State& middle = middle_.state;
    middle.t = from.t + 0.5 * h;
    group::displace(rates_->system(), from.q.data(), u_.data(), 0.5, middle.q.data());
    middle.v = (1 / h) * u_;
    rates_->compute_input(middle_);
    F_ = rates_->compute_efforts(middle_);
    if (!damped_ && !rates_->has_loads()) return;
    // What the equations subtract at this velocity beyond Coriolis terms and the potential.
    compute_inverse_dynamics(work_, middle, zero_, rates_->forces(), x_);
    F_ -= x_;
    compute_coriolis(work_, middle, x_);
    F_ += x_;
    middle.v.setZero();
    compute_inverse_dynamics(work_, middle, zero_, {}, x_);
    F_ += x_;
  }

  /// Quasi-Newton: h M⁻¹ is the inverse of the residual's derivative up to terms of order h². Leaves
  /// in r_ what rounding keeps from vanishing.
  void solve(const State& from, double h) {
    constexpr int most = 60;
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most; ++i) {
      motion_.compute(u_, h);
      compute_forces_without_potential(from, h);
      motion_.write_rotor_momenta(rotor_);
      compute_inverse_dynamics(work_, still_, zero_, motion_.body_momenta(Side::start, -2 / h), r_);
      r_ = p_ + (0.5 * h) * (F_ - r_) - rotor_;
      compute_mass_matrix_solve(work_, from.q, r_, du_);
      const double size = h * du_.cwiseAbs().maxCoeff();
      // Rounding is reached when the corrections stop shrinking.
      const double small = 1e-9 * (1 + u_.cwiseAbs().maxCoeff());
      if (size == 0 || (size >= 0.5 * last && size < small)) return;
      u_ += h * du_;
      last = size;
    }
    throw Error(fmt::format("the symplectic step of {} s from t = {} s has no solution that {} "
                            "iterations could find; take a shorter step",
                            h, from.t, most),
                Error::Kind::failed_computation);
  }

  /// The momentum with which the step ends. The residual is carried over, as in a compensated sum:
  /// otherwise rounding, divided by h, would walk away with the momentum.
  void leave(double h) {
    group::displace(rates_->system(), still_.q.data(), u_.data(), 1, next_.q.data());
    motion_.write_rotor_momenta(rotor_);
    compute_inverse_dynamics(work_, next_, zero_, motion_.body_momenta(Side::finish, 2 / h), x_);
    p_ = r_ + (0.5 * h) * (F_ - x_) + rotor_;
  }

  Rates* rates_;
  Track track_;
  Workspace work_;
  DiscreteMotion motion_;
  bool damped_;
  bool p_known_ = false;
  State still_, next_;
  FullState middle_;
  Eigen::VectorXd zero_, p_, p_before_, u_, du_, r_, F_, x_, rotor_;
};

}  // namespace

std::unique_ptr<Stepper> make_symplectic(Rates& rates) {
  return std::make_unique<Symplectic>(rates);
}

}  // namespace linkwright
