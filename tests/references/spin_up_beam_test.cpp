// The beam that spins up: J. C. Simo and L. Vu-Quoc, On the dynamics of flexible beams under large overall
// motions, J. Appl. Mech. 53 (1986). Its tip lags behind the hub, and rests stretched by 5.14e-4 m.
#include <gtest/gtest.h>

#include <cmath>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/simulate/closed_equations.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "support/beams.hpp"

namespace linkwright::testing {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double L = 10, EA = 2.8e7, EI = 1.4e4, mu = 1.2;

System beam(int elements) {
  FlexibleLink link{
      .body = "boom", .along = {L, 0, 0}, .EI = {EI}, .EA = EA, .mass_per_length = mu};
  link.bending = FlexibleLink::Bending::z;
  link.elements = elements;
  return compile(to_elastic_chains(boom_on(JointType::continuous, link.along), {link}));
}

/// The tip as it is seen from the hub.
struct Tip {
  double stretch = 0, lag = 0;
};
Tip tip_of(const System& system, const State& now) {
  Workspace work(system);
  compute_forward_kinematics(work, now, Eigen::VectorXd::Zero(system.nv()));
  const Pose tip =
      inverse(frame_pose(work, system.frame("boom"))) * frame_pose(work, system.frame("tip"));
  return {tip.translation.x - L, -tip.translation.y};
}

constexpr double T = 15, speed = 6;
GivenValue to_six_radians_per_second(double t) {
  if (t >= T) return {speed * (t - T / 2), speed, 0};
  const double w = 2 * pi / T;
  return {speed / T * (t * t / 2 + (std::cos(w * t) - 1) / (w * w)),
          speed / T * (t - std::sin(w * t) / w), speed / T * (1 - std::cos(w * t))};
}

TEST(SpinUpBeam, lags_and_comes_to_rest_stretched) {
  const System system = beam(6);
  Simulation simulation(
      std::make_unique<ClosedEquations>(
          system, ClosedOptions{.motions = {{"root", to_six_radians_per_second, {T}}}}),
      FullState{initial_state(system), {}}, {.method = Method::rk4, .step = 4e-4});
  double largest_lag = 0, when = 0, mean_stretch = 0;
  int counted = 0;
  for (double t = 0.1; t < 18; t += 0.1) {
    simulation.advance_to(t);
    const Tip tip = tip_of(system, simulation.state());
    if (tip.lag > largest_lag) largest_lag = tip.lag, when = t;
    if (t > 1 && t < 12) {
      EXPECT_GT(tip.lag, 0) << t;
    }
    if (t < T + 1) continue;
    EXPECT_LT(std::abs(tip.lag), 0.01) << t;
    mean_stretch += tip.stretch, ++counted;
  }
  EXPECT_NEAR(largest_lag, 0.56, 0.04)
      << "their plot as recalled: the paper was not at hand to check it";
  EXPECT_NEAR(when, 6.5, 0.7);
  // What is left of the vibration in bending shortens the beam a little.
  EXPECT_NEAR(mean_stretch / counted, mu * speed * speed * L * L * L / (3 * EA), 2e-5);
}

/// Where the elastic joints balance what it takes to move the beam like this, hub at rest or spinning.
Tip balanced_tip(const System& system, double spin, double acceleration) {
  Workspace work(system);
  State state = initial_state(system);
  Eigen::VectorXd a = Eigen::VectorXd::Zero(system.nv()), tau(system.nv());
  state.v[0] = spin, a[0] = acceleration;
  for (int i = 0; i < 20; ++i) {  // each round corrects by what the springs do not hold yet
    compute_inverse_dynamics(work, state, a, {}, tau);
    for (const JointSpring& spring : system.model().joint_springs) {
      const JointPlace& place = system.joint(spring.joint);
      state.q[place.q] -= tau[place.v] / spring.stiffness;
    }
  }
  return tip_of(system, state);
}

/// N(x) = µΩ²(L² − x²)/2 stretches the beam by µΩ²L³/3EA: the joints stand where parabolas are summed exactly.
/// The stretched beam carries its mass farther out, which adds strains of the second order.
TEST(SpinUpBeam, stretches_as_the_formula_says) {
  for (const int elements : {2, 5, 10}) {
    const double spin = 6, exact = mu * spin * spin * L * L * L / (3 * EA);
    EXPECT_NEAR(balanced_tip(beam(elements), spin, 0).stretch / exact, 1, 3 * exact / L)
        << elements;
  }
}

/// A steady acceleration α bends the beam as the load µαx does: the tip lags by 11 µαL⁵/120EI. This integrand is a
/// polynomial of degree four, so the rule of the places errs: 0.2 % at four joints, of the second order from there.
TEST(SpinUpBeam, lags_as_the_formula_says) {
  const double alpha = 1e-4, exact = 11 * mu * alpha * std::pow(L, 5) / (120 * EI);
  const auto error = [&](int elements) {
    return balanced_tip(beam(elements), 0, alpha).lag / exact - 1;
  };
  EXPECT_NEAR(error(4), 2.02e-3, 2e-5);
  EXPECT_NEAR(error(8), 4.81e-4, 2e-5);
}

}  // namespace
}  // namespace linkwright::testing
