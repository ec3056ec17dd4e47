// The power balance: energy grows by what efforts and forces put in, less what dampers and friction take.
#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "support/declared_forces.hpp"
#include "support/power.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// d/dt of kinetic and potential energy along (v, a), by differences of sixth order on the group, and the size
/// of what was subtracted for it.
struct Slope {
  double value = 0, size = 0;
};
Slope energy_rate(const System& system, const State& state, const VectorXd& a) {
  Workspace work(system);
  Slope slope;
  const auto energy = [&](double h) {
    State moved = state;
    compute_integral(system, state.q, state.v, h, moved.q);
    moved.v = state.v + h * a;
    const Energy found = compute_energy(work, moved);
    slope.size = std::max(slope.size, std::abs(found.kinetic) + std::abs(found.potential));
    return found.kinetic + found.potential;
  };
  // Accelerations may be large: no step changes a velocity by more than a hundredth.
  const double h = 0.01 / (1 + a.lpNorm<Eigen::Infinity>() + state.v.lpNorm<Eigen::Infinity>());
  const auto rise = [&](double step) { return (energy(step) - energy(-step)) / (2 * step); };
  const double one = rise(h), two = rise(2 * h), three = rise(3 * h);
  slope.value = 1.5 * one - 0.6 * two + 0.1 * three;
  slope.size /= h;
  return slope;
}

TEST(PowerBalance, holds_under_efforts_pushes_and_all_that_a_model_declares) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    const System system = compile(with_all_forces(random, static_cast<Base>(seed % 3)));
    const State state = random.state(system);
    const VectorXd tau = random.numbers(system.nv(), 5);
    const FrameId tip = system.frame("tip");
    const ExternalForce push{tip, {random.vector(3), random.vector(3)}, Axes::own};
    Workspace work(system);
    VectorXd a(system.nv());
    compute_forward_dynamics(work, state, tau, {&push, 1}, a);
    const Slope rate = energy_rate(system, state, a);

    compute_forward_kinematics(work, state, a);
    const double pushed = dot(push.force, frame_velocity(work, tip, Axes::own));
    const double terms[]{tau.dot(state.v), pushed, dissipation(system, state),
                         power_of_loads(system, state)};
    double sum = 0, size = 0;
    for (const double term : terms) sum += term, size += std::abs(term);
    // The sixth power of a hundredth, and the rounding of energies over the step.
    const double bound = 1e-9 * size + 32 * std::numeric_limits<double>::epsilon() * rate.size;
    EXPECT_NEAR(rate.value, sum, bound);
    EXPECT_LT(bound, 1e-6 * size) << "this case would show nothing";
    EXPECT_LT(terms[2], -0.01 * size) << "dampers and friction must be felt";
  }
}

}  // namespace
}  // namespace linkwright::testing
