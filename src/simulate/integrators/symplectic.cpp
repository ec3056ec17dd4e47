/// Variational integrator: the discrete principle of least action, exact in momentum.
/// Given: q and the momentum p = M v at one time, and a step h.
/// Computes: q', p' from the discrete Lagrangian that sums over the bodies
///     ½ m |Δc|²/h + ½ xᵀ I x/h,  Δc the way of the centre of mass, x = log(Rᵀ R'),
///   less h times the mean potential of both ends (Marsden & West 2001; on trees Lee, Liu, Park &
///   Srinivasa 2016). With μ∓ the momenta of the bodies at both ends and W = ∂U/∂q:
///     p  + ½h F = Σ Jᵀ(q) μ⁻ + ½h W(q)                  solved for q'
///     p' = Σ Jᵀ(q') μ⁺ − ½h W(q') + ½h F
///   F holds what has no potential (efforts, loads, damping, friction), at the middle of the step.
/// Cost: per iteration one kinematics, one inverse dynamics and one solve with M; about 6 of them.

#include <cmath>

#include <fmt/format.h>

#include "dynamics/group_step.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "simulate/integrators/stepper.hpp"
#include "simulate/integrators/track.hpp"

namespace linkwright {
namespace {

/// dexp⁻¹ of so(3), transposed: what turns I x/h into the momentum at an end of the step.
Vector3 momentum_at_end(const Vector3& x, const Vector3& L, double side) {
  const double a2 = dot(x, x), a = std::sqrt(a2);
  const double k = a2 < 1e-4 ? 1.0 / 12 + a2 / 720 + a2 * a2 / 30240
                             : (1 - 0.5 * a * std::cos(0.5 * a) / std::sin(0.5 * a)) / a2;
  const Vector3 xL = cross(x, L);
  return L + (0.5 * side) * xL + k * cross(x, xL);
}

bool has_velocity_forces(const System& system) {
  const Model& model = system.model();
  if (has_dry_friction(model)) return true;
  for (const double d : system.tree().joint_forces.damping)  // of motors and springs too
    if (d != 0) return true;
  for (const LineSpring& spring : model.line_springs)
    if (spring.damping != 0) return true;
  return !model.flexible_bases.empty();
}

class Symplectic final : public Stepper {
 public:
  explicit Symplectic(Rates& rates)
      : rates_(&rates),
        track_(rates),
        work_(rates.system(), Closures::leave_out),
        damped_(has_velocity_forces(rates.system())) {
    if (!rates.equations().extra_names().empty())
      throw Error(
          fmt::format("the method 'symplectic' needs a system without extra states; this one "
                      "has '{}'. Use rk4, adams or bdf",
                      rates.equations().extra_names().front()));
    const System& system = rates.system();
    still_ = next_ = middle_ = State(system);
    zero_ = p_ = p_before_ = u_ = du_ = r_ = F_ = x_ = rotor_ = still_.v;
    for (std::size_t b = 0; b < system.model().bodies.size(); ++b) {
      const Body& body = system.model().bodies[b];
      if (body.mass == 0 && body.inertia.xx == 0 && body.inertia.yy == 0 && body.inertia.zz == 0)
        continue;
      bodies_.push_back({FrameId{static_cast<int>(b) + 1}, &body, {}, {}});
      push_.push_back({bodies_.back().frame, {}, Axes::own});
    }
    for (Eigen::Index i = 0; i < rotor_.size(); ++i)
      rotor_[i] = system.rotor_inertia()[static_cast<std::size_t>(i)];
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
    place(still_, &MovingBody::start);
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
  struct MovingBody {
    FrameId frame;
    const Body* body;
    Pose start, finish;
  };

  /// p = M v, by inverse dynamics at rest.
  void compute_momenta(const State& now) {
    still_.q = now.q;
    compute_inverse_dynamics(work_, still_, now.v, {}, p_);
    compute_inverse_dynamics(work_, still_, zero_, {}, r_);
    p_ -= r_;
  }

  void place(const State& at, Pose MovingBody::*where) {
    compute_forward_kinematics(work_, at, zero_);
    for (MovingBody& moving : bodies_) moving.*where = frame_pose(work_, moving.frame);
  }

  /// The bodies' momenta over the step, as forces of size `scale` at its start (side 1) or finish
  /// (side −1).
  void write_momenta(double h, double side, double scale) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const auto& [frame, body, start, finish] = bodies_[i];
      const Vector3 way = finish * body->com - start * body->com;
      const Vector3 x = spatial::log_rotation(
          spatial::to_quaternion(transpose(start.rotation) * finish.rotation));
      const Vector3 L = (1 / h) * (body->inertia * x);
      const Matrix3& R = side > 0 ? start.rotation : finish.rotation;
      const Vector3 force = (scale * body->mass / h) * transpose_times(R, way);
      const Vector3 moment = scale * momentum_at_end(x, L, side);
      push_[i].force = {moment + cross(body->com, force), force};
    }
  }

  /// F at the middle of the step.
  void compute_forces_without_potential(const State& from, double h) {
    middle_.t = from.t + 0.5 * h;
    group::displace(rates_->system(), from.q.data(), u_.data(), 0.5, middle_.q.data());
    middle_.v = (1 / h) * u_;
    rates_->compute_efforts(middle_);
    F_ = rates_->efforts();
    if (!damped_ && !rates_->has_loads()) return;
    // What the equations subtract at this velocity beyond Coriolis terms and the potential.
    compute_inverse_dynamics(work_, middle_, zero_, rates_->forces(), x_);
    F_ -= x_;
    compute_coriolis(work_, middle_, x_);
    F_ += x_;
    middle_.v.setZero();
    compute_inverse_dynamics(work_, middle_, zero_, {}, x_);
    F_ += x_;
  }

  /// Quasi-Newton: h M⁻¹ is the inverse of the residual's derivative up to terms of order h². Leaves
  /// in r_ what rounding of the positions keeps from vanishing.
  void solve(const State& from, double h) {
    constexpr int most = 60;
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most; ++i) {
      group::displace(rates_->system(), from.q.data(), u_.data(), 1, next_.q.data());
      place(next_, &MovingBody::finish);
      write_momenta(h, 1, -2 / h);
      compute_forces_without_potential(from, h);
      compute_inverse_dynamics(work_, still_, zero_, push_, r_);
      r_ = p_ + (0.5 * h) * (F_ - r_) - rotor_.cwiseProduct(u_) / h;
      compute_mass_matrix_solve(work_, from.q, r_, du_);
      const double size = h * du_.cwiseAbs().maxCoeff();
      // Rounding is reached when the corrections stop shrinking.
      if (size == 0 || (size >= 0.5 * last && size < 1e-9)) return;
      u_ += h * du_;
      last = size;
    }
    throw Error(fmt::format("the symplectic step of {} s from t = {} s has no solution that {} "
                            "iterations could find; {}",
                            h, from.t, most,
                            has_dry_friction(rates_->system().model())
                                ? "dry friction jumps at rest: use rk4 or semi-implicit"
                                : "take a shorter step"),
                Error::Kind::failed_computation);
  }

  /// The momentum with which the step ends. The residual is carried over, as in a compensated sum:
  /// otherwise rounding of positions, divided by h, would walk away with the momentum.
  void leave(double h) {
    write_momenta(h, -1, 2 / h);
    compute_inverse_dynamics(work_, next_, zero_, push_, x_);
    p_ = r_ + (0.5 * h) * (F_ - x_) + rotor_.cwiseProduct(u_) / h;
  }

  Rates* rates_;
  Track track_;
  Workspace work_;
  bool damped_;
  bool p_known_ = false;
  State still_, next_, middle_;
  Eigen::VectorXd zero_, p_, p_before_, u_, du_, r_, F_, x_, rotor_;
  std::vector<MovingBody> bodies_;
  std::vector<ExternalForce> push_;
};

}  // namespace

std::unique_ptr<Stepper> make_symplectic(Rates& rates) {
  return std::make_unique<Symplectic>(rates);
}

}  // namespace linkwright
