// The variational method: energy bounded in the long run, rotors included; the same far from the
// origin as near it; nothing of the user's is bypassed.
#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "simulate/mechanisms.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

SimulationOptions symplectic(double step) {
  return {.method = Method::symplectic, .step = step, .limits = LimitAction::ignore};
}

/// Largest departure of the energy in the first and in the last third of a run of so many steps,
/// and the mean departure of the energy in each: a swing has no trend, a drift has.
struct EnergyError {
  double early = 0, late = 0;
  double early_mean = 0, late_mean = 0;
};
EnergyError energy_error(const System& system, const State& start, double step, int steps) {
  Workspace work(system);
  const Energy first = compute_energy(work, start);
  Simulation simulation(system, start, symplectic(step));
  EnergyError error;
  const int third = steps / 3;
  for (int k = 0; k < 3 * third; ++k) {
    simulation.step();
    if (k >= third && k < 2 * third) continue;
    const Energy now = compute_energy(work, simulation.state());
    const double off = now.kinetic + now.potential - first.kinetic - first.potential;
    double& worst = k < third ? error.early : error.late;
    double& mean = k < third ? error.early_mean : error.late_mean;
    worst = std::max(worst, std::abs(off));
    mean += off / third;
  }
  return error;
}

/// A top on a spherical joint, or a body on a free joint, with different rotors on every freedom.
Model geared(JointType type, std::vector<double> rotors) {
  Model model;
  model.gravity = {0, 0, type == JointType::spherical ? -9.81 : 0};
  model.bodies.push_back(
      {.name = "top", .mass = 1, .com = {0.1, 0, 0.4}, .inertia = {0.1, 0.15, 0.05, 0, 0, 0.01}});
  model.joints.push_back({.name = "ball",
                          .type = type,
                          .parent = "world",
                          .child = "top",
                          .rotor_inertia = std::move(rotors)});
  return model;
}

TEST(Symplectic, energy_stays_bounded_with_rotors_that_turn_alike_about_all_axes) {
  const std::vector<Model> models{geared(JointType::spherical, {0.5}),
                                  geared(JointType::free, {0.5, 0.5, 0.5, 0, 0, 0})};
  for (std::size_t i = 0; i < models.size(); ++i) {
    const System system = compile(models[i]);
    State start(system);
    start.v.head(3) << 2, -1.5, 3;
    if (system.nv() == 6) start.v.tail(3) << 0.5, 1, -0.3;
    const EnergyError error = energy_error(system, start, 0.02, 24000);
    EXPECT_GT(error.early, 1e-9) << i << ": it must be possible to see a drift";
    EXPECT_LT(error.late, 1.2 * error.early) << i;
    EXPECT_LT(std::abs(error.late_mean - error.early_mean), 0.05 * error.early) << i;
  }
}

TEST(Symplectic, rotors_without_a_lagrangian_are_refused_by_name) {
  Model turning = geared(JointType::custom, {0.1, 0.2, 0.3});
  turning.joints[0].modes = {{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0}};
  for (const Model& model : {geared(JointType::spherical, {0.5, 0.2, 0.9}),
                             geared(JointType::free, {0.5, 0.5, 0.5, 0.1, 0.1, 0.1}), turning}) {
    const System system = compile(model);
    const std::string message =
        error_of([&] { Simulation(system, State(system), symplectic(1e-3)); });
    EXPECT_TRUE(contains(message, "the method 'symplectic' cannot bound the energy")) << message;
    EXPECT_TRUE(contains(message, "joint 'ball'")) << message;
    EXPECT_EQ(error_of([&] { Simulation(system, State(system), {.method = Method::rk4}); }), "");
  }
}

TEST(Symplectic, energy_of_a_tree_does_not_drift_in_the_long_run) {
  // A spherical pendulum with links of every kind behind it: the error swings, but does not grow.
  RandomModel random(11);
  Model model = random.tree(3, Base::fixed, {JointType::spherical, JointType::revolute});
  model.gravity = {0, 0, -9.81};
  for (Joint& joint : model.joints) joint.rotor_inertia = {0.2};
  const System system = compile(model);
  const EnergyError error = energy_error(system, random.state(system), 0.01, 30000);
  EXPECT_LT(error.late, 1.5 * error.early);
  EXPECT_LT(std::abs(error.late_mean - error.early_mean), 0.5 * error.early);
}

TEST(Symplectic, is_of_order_two_with_rotors_everywhere) {
  for (const JointType type : {JointType::spherical, JointType::planar, JointType::universal}) {
    const System system = compile(geared(type, {0.4}));
    State start(system);
    for (int i = 0; i < system.nv(); ++i) start.v[i] = 1 + 0.3 * i;
    const State exact = after(system, start, 0.5, {.step = 0.0005});
    const double coarse = distance(system, after(system, start, 0.5, symplectic(0.01)), exact);
    const double fine = distance(system, after(system, start, 0.5, symplectic(0.005)), exact);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << to_string(type);
  }
}

TEST(Symplectic, moves_far_from_the_origin_as_it_does_near_it) {
  RandomModel random(7);
  const System system = compile(floating_robot(random));
  State near = random.state(system);
  near.q.segment(4, 3).setZero();
  State far = near;
  const Eigen::Vector3d place(1e8, -1e8, 1e8);
  far.q.segment(4, 3) = place;
  Simulation here(system, near, symplectic(1e-3)), there(system, far, symplectic(1e-3));
  Workspace work(system);
  const Momentum before = compute_momentum(work, near);
  here.advance_to(1);
  there.advance_to(1);
  const State &a = here.state(), &b = there.state();
  EXPECT_LT((a.v - b.v).norm(), 1e-12 * a.v.norm());
  // A thousand steps, each rounded to a double of that size.
  EXPECT_LT((a.q.segment(4, 3) - (b.q.segment(4, 3) - place)).norm(), 1000 * 1.5e-8);
  EXPECT_LT((a.q.tail(system.nq() - 7) - b.q.tail(system.nq() - 7)).norm(), 1e-12);
  const Momentum now = compute_momentum(work, b);
  EXPECT_LT(norm(now.linear - before.linear), 1e-11 * norm(before.linear));
}

TEST(Symplectic, a_mechanism_mounted_far_away_moves_as_one_mounted_here) {
  Model here = point_pendulum();
  here.bodies[0].inertia = {0.1, 0.1, 0.1, 0, 0, 0};
  Model there = here;
  there.joints[0].pose.translation = {1e8, 0, -1e8};
  const System a = compile(here), b = compile(there);
  const State x = after(a, State(a), 2, symplectic(1e-3)),
              y = after(b, State(b), 2, symplectic(1e-3));
  EXPECT_LT(distance(a, x, y), 1e-12);
}

/// The tree's accelerations with a drag that only these equations know.
class DraggedEquations final : public Equations {
 public:
  explicit DraggedEquations(const System& system) : tree_(system) {}
  [[nodiscard]] const System& system() const override { return tree_.system(); }
  void compute_rates(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                     VectorRef a, VectorRef extra_rates) override {
    tree_.compute_rates(now, input, forces, a, extra_rates);
    a -= now.state.v;
  }

 private:
  TreeEquations tree_;
};

/// Efforts that come from the state, and say so.
class SpringyEquations final : public Equations {
 public:
  explicit SpringyEquations(const System& system) : tree_(system), tau_(system.nv()) {}
  [[nodiscard]] const System& system() const override { return tree_.system(); }
  [[nodiscard]] std::vector<Quantity> inputs() const override { return {}; }
  void compute_efforts(const FullState& now, const Eigen::VectorXd&, VectorRef tau) override {
    tau = -50 * now.state.q;
  }
  void compute_rates(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                     VectorRef a, VectorRef extra_rates) override {
    compute_efforts(now, input, tau_);
    tree_.compute_rates(now, tau_, forces, a, extra_rates);
  }
  [[nodiscard]] bool follows_tree() const override { return true; }

 private:
  TreeEquations tree_;
  Eigen::VectorXd tau_;
};

TEST(Symplectic, refuses_equations_it_would_bypass_and_obeys_those_it_can) {
  const System system = compile(slider());
  const FullState start{State(system), {}};
  const std::string message = error_of(
      [&] { Simulation(std::make_unique<DraggedEquations>(system), start, symplectic(1e-3)); });
  EXPECT_TRUE(contains(message, "the method 'symplectic'")) << message;
  EXPECT_TRUE(contains(message, "equations of its own")) << message;

  // A mass of 1 kg on a spring of 50 N/m under its weight.
  Simulation springy(std::make_unique<SpringyEquations>(system), start, symplectic(1e-3));
  springy.advance_to(1);
  const double expected = -9.81 / 50 * (1 - std::cos(std::sqrt(50.0)));
  EXPECT_NEAR(springy.state().q[0], expected, 1e-5);
}

}  // namespace
}  // namespace linkwright::testing
