// The beam that spins up: J. C. Simo and L. Vu-Quoc, On the dynamics of flexible beams under large overall
// motions, J. Appl. Mech. 53 (1986). Its tip lags behind the hub, and rests stretched by 5.14e-4 m.
#include <gtest/gtest.h>

#include <cmath>

#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/simulate/closed_equations.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "support/beams.hpp"

namespace linkwright::testing {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double L = 10, EA = 2.8e7, EI = 1.4e4, mu = 1.2;

System beam(int elements, double damping_ratio = 0) {
  FlexibleLink link{
      .body = "boom", .along = {L, 0, 0}, .EI = {EI}, .EA = EA, .mass_per_length = mu};
  link.bending = FlexibleLink::Bending::z;
  link.elements = elements, link.damping_ratio = damping_ratio;
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

template <class Watch>
void spin_up(const System& system, const std::function<GivenValue(double)>& hub, double end,
             double every, const std::vector<double>& breaks, Watch watch) {
  Simulation simulation(
      std::make_unique<ClosedEquations>(system, ClosedOptions{.motions = {{"root", hub, breaks}}}),
      FullState{initial_state(system), {}},
      {.method = Method::bdf,
       .relative_tolerance = 1e-6,
       .absolute_tolerance = 1e-8,
       .watch_error = false});
  for (int i = 1; i * every <= end + 1e-9; ++i) {
    simulation.advance_to(i * every);
    watch(simulation.state());
  }
}

constexpr double T = 15, speed = 6;
GivenValue to_six_radians_per_second(double t) {
  if (t >= T) return {speed * (t - T / 2), speed, 0};
  const double w = 2 * pi / T;
  return {speed / T * (t * t / 2 + (std::cos(w * t) - 1) / (w * w)),
          speed / T * (t - std::sin(w * t) / w), speed / T * (1 - std::cos(w * t))};
}

TEST(SpinUpBeam, lags_and_comes_to_rest_stretched) {
  const System system = beam(10);
  double largest_lag = 0, when = 0, mean_stretch = 0;
  int counted = 0;
  spin_up(system, to_six_radians_per_second, 20, 0.05, {T}, [&](const State& now) {
    const Tip tip = tip_of(system, now);
    if (tip.lag > largest_lag) largest_lag = tip.lag, when = now.t;
    if (now.t > T + 1) mean_stretch += tip.stretch, ++counted;
    if (now.t > 1 && now.t < 12) EXPECT_GT(tip.lag, 0) << now.t;
    if (now.t > T + 1) EXPECT_LT(std::abs(tip.lag), 0.01) << now.t;
  });
  EXPECT_NEAR(largest_lag, 0.56, 0.04) << "read off their figure";
  EXPECT_NEAR(when, 6.5, 0.7);
  // What is left of the vibration in bending shortens the beam a little.
  EXPECT_NEAR(mean_stretch / counted, mu * speed * speed * L * L * L / (3 * EA), 2e-5);
}

/// N(x) = µΩ²(L² − x²)/2 stretches by µΩ²L³/3EA; the pieces carry half of it on elastic joints at places where
/// parabolas are summed exactly.
TEST(SpinUpBeam, stretches_as_the_formula_says) {
  const System system = beam(4, 0.7);
  const double slow = 3;
  double stretch = 0;
  const auto ramp = [&](double t) {  // from rest, without a jump of acceleration
    const double s = std::min(t / 8, 1.0), w = slow * s * s * (3 - 2 * s);
    const double a = t < 8 ? slow * 6 * s * (1 - s) / 8 : 0;
    const double angle = 8 * slow * (s * s * s - s * s * s * s / 2) + slow * std::max(0.0, t - 8);
    return GivenValue{angle, w, a};
  };
  spin_up(system, ramp, 30, 30, {8},
          [&](const State& now) { stretch = tip_of(system, now).stretch; });
  EXPECT_NEAR(stretch / (mu * slow * slow * L * L * L / (3 * EA)), 1, 1e-4);
}

/// A small steady acceleration α bends the beam as the load µαx does: the tip lags by 11 µαL⁵/120EI.
TEST(SpinUpBeam, lags_as_the_formula_says) {
  const double alpha = 1e-4, exact = 11 * mu * alpha * std::pow(L, 5) / (120 * EI);
  const auto error = [&](int elements) {
    const System system = beam(elements, 0.7);
    double lag = 0;
    const auto ramp = [&](double t) { return GivenValue{alpha * t * t / 2, alpha * t, alpha}; };
    spin_up(system, ramp, 20, 20, {}, [&](const State& now) { lag = tip_of(system, now).lag; });
    return lag / exact - 1;
  };
  EXPECT_NEAR(error(4), 2.0e-3, 3e-4)
      << "the rule of the joints' places, for a polynomial of degree four";
  EXPECT_LT(std::abs(error(10)), 5e-4);
}

}  // namespace
}  // namespace linkwright::testing
