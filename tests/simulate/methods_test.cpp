// Laws of the integrators: order of convergence, agreement, conservation.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "simulate/mechanisms.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

SimulationOptions fixed(Method method, double step) {
  return {.method = method, .step = step, .limits = LimitAction::ignore};
}
SimulationOptions variable(Method method, double tolerance) {
  return {.method = method,
          .relative_tolerance = tolerance,
          .absolute_tolerance = tolerance,
          .limits = LimitAction::ignore};
}

SimulationOptions stopping(Method method, double tolerance) {
  SimulationOptions options = variable(method, tolerance);
  options.on_miss = OnMiss::stop;
  return options;
}

/// Trees with every joint type, on every base; slow enough that steps of some ms are in the regime
/// where the leading term of the error rules.
struct Case {
  System system;
  State start;
};
Case random_case(unsigned seed) {
  RandomModel random(seed);
  const Base base = seed % 3 == 0 ? Base::fixed : seed % 3 == 1 ? Base::free : Base::planar;
  Model model = random.tree(5, base, all_joint_types());
  for (Joint& joint : model.joints)
    if (joint.type != JointType::fixed) joint.damping = {0.3};
  leave_out_rotors_of_poses(model);
  Case result{compile(model), {}};
  result.start = random.state(result.system);
  result.start.v *= 0.3;
  return result;
}

class Order : public ::testing::TestWithParam<std::pair<Method, double>> {};

TEST_P(Order, halving_the_step_divides_the_error_by_two_to_the_order) {
  const auto [method, order] = GetParam();
  double worst = 100, sum = 0;
  int cases = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Case c = random_case(seed);
    const double h = method == Method::rk4 ? 0.01 : 0.002;
    const State exact = after(c.system, c.start, 0.2, fixed(Method::rk4, 0.0005));
    const double coarse =
        distance(c.system, after(c.system, c.start, 0.2, fixed(method, h)), exact);
    const double fine =
        distance(c.system, after(c.system, c.start, 0.2, fixed(method, h / 2)), exact);
    if (fine < 1e-12) continue;  // rounding rules
    const double seen = std::log2(coarse / fine);
    worst = std::min(worst, seen);
    sum += seen;
    ++cases;
  }
  ASSERT_GE(cases, 6);
  EXPECT_NEAR(sum / cases, order, 0.25);
  EXPECT_GT(worst, order - 0.6);
}

INSTANTIATE_TEST_SUITE_P(Methods, Order,
                         ::testing::Values(std::pair{Method::rk4, 4.0},
                                           std::pair{Method::semi_implicit, 1.0},
                                           std::pair{Method::symplectic, 2.0}),
                         [](const auto& tested) {
                           std::string name(to_string(tested.param.first));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// The motion, as exactly as Richardson's extrapolation of the classical method knows it.
State exact_after(const Case& c, double t) {
  const double h = 0.002;
  const State coarse = after(c.system, c.start, t, fixed(Method::rk4, h));
  State fine = after(c.system, c.start, t, fixed(Method::rk4, h / 2));
  Eigen::VectorXd d(c.system.nv());
  compute_difference(c.system, coarse.q, fine.q, d);
  compute_integral(c.system, fine.q, d, 1.0 / 15, fine.q);
  fine.v += (fine.v - coarse.v) / 15;
  return fine;
}

TEST(Methods, all_lead_to_the_same_motion) {
  for (unsigned seed = 7; seed <= 12; ++seed) {
    const Case c = random_case(seed);
    const State exact = exact_after(c, 0.3);
    const auto error = [&](const SimulationOptions& options) {
      return distance(c.system, after(c.system, c.start, 0.3, options), exact);
    };
    // Two runs of order p, the error of the first told by the second: e(h) = 2^p/(2^p − 1) times
    // their difference, up to the next order of h.
    for (const auto& [method, h, order] :
         {std::tuple{Method::rk4, 0.004, 4}, std::tuple{Method::symplectic, 0.001, 2},
          std::tuple{Method::semi_implicit, 0.0005, 1}}) {
      const State coarse = after(c.system, c.start, 0.3, fixed(method, h)),
                  fine = after(c.system, c.start, 0.3, fixed(method, h / 2));
      const double factor = std::pow(2, order);
      const double told = distance(c.system, coarse, fine) * factor / (factor - 1);
      EXPECT_LT(distance(c.system, coarse, exact), 1.3 * told + 1e-11)
          << to_string(method) << ' ' << seed;
      EXPECT_LT(distance(c.system, fine, exact), 1.5 * told / factor + 1e-11)
          << to_string(method) << ' ' << seed;
    }
    // To their tolerance, which these methods hold against the largest value on the way.
    const double size = 1 + std::max(exact.q.cwiseAbs().maxCoeff(), exact.v.cwiseAbs().maxCoeff());
    for (const Method method : {Method::adams, Method::bdf, Method::ida})
      for (const double tolerance : {1e-6, 1e-8})
        EXPECT_LT(error(variable(method, tolerance)), 10 * tolerance * size)
            << to_string(method) << ' ' << seed;
  }
}

TEST(Methods, a_force_free_body_turns_as_a_free_body_does) {
  // Without forces the angular momentum of a body stays; seen from the world it is constant.
  RandomModel random(3);
  Model model;
  model.gravity = {};
  model.bodies.push_back(random.body("stone"));
  model.joints.push_back(
      {.name = "fly", .type = JointType::free, .parent = "world", .child = "stone"});
  const System system = compile(model);
  State start = random.state(system);
  Workspace work(system);
  const Momentum before = compute_momentum(work, start);
  for (const Method method : {Method::rk4, Method::symplectic}) {
    const State end = after(system, start, 10, fixed(method, 0.001));
    const Momentum now = compute_momentum(work, end);
    EXPECT_LT(norm(now.angular - before.angular), 1e-11 * norm(before.angular))
        << to_string(method);
    EXPECT_LT(norm(now.linear - before.linear), 1e-11 * norm(before.linear)) << to_string(method);
  }
}

/// The sum of the sizes of the bodies' momenta: what the total is small against.
double momentum_scale(const System& system, const State& state) {
  Workspace work(system);
  return compute_centre_of_mass(work, state).mass * state.v.norm();
}

TEST(Conservation, momentum_of_a_floating_robot_stays_over_ten_thousand_steps) {
  RandomModel random(7);
  const System system = compile(floating_robot(random));
  State start(system);
  // The arms move; the base moves so that the total momentum is zero.
  for (int i = 6; i < system.nv(); ++i) start.v[i] = random.between(-0.5, 0.5);
  Workspace work(system);
  Eigen::MatrixXd mass(system.nv(), system.nv());
  compute_mass_matrix(work, start.q, mass);
  const int n = system.nv() - 6;
  start.v.head(6) =
      -mass.topLeftCorner(6, 6).ldlt().solve(mass.topRightCorner(6, n) * start.v.tail(n));
  const double scale = momentum_scale(system, start);
  for (const auto& [method, step] :
       {std::pair{Method::rk4, 0.001}, std::pair{Method::symplectic, 0.001}}) {
    Simulation simulation(system, start, fixed(method, step));
    simulation.add_controller(
        {.name = "wave", .compute = [n](const State& s, const Reference&, Eigen::VectorXd& tau) {
           for (int i = 0; i < n; ++i) tau[6 + i] = 0.2 * std::sin(s.t + i);
         }});
    double worst = 0;
    for (int k = 0; k < 10000; ++k) {
      simulation.step();
      const Momentum now = compute_momentum(work, simulation.state());
      worst = std::max({worst, norm(now.linear), norm(now.angular)});
    }
    EXPECT_EQ(simulation.statistics().steps, 10000);
    EXPECT_LT(worst, 1e-12 * scale) << to_string(method);
    const double norm_error = std::abs(simulation.state().q.head(4).norm() - 1);
    EXPECT_LT(norm_error, 4e-16) << to_string(method);
    EXPECT_GT((simulation.state().q.head(4) - start.q.head(4)).norm(), 0.01) << "the base turns";
  }
}

TEST(Conservation, energy_of_a_conservative_arm_stays_over_a_hundred_seconds) {
  const Model model = [] {
    Model arm = point_pendulum();
    arm.bodies.push_back(
        {.name = "fore", .mass = 1, .com = {0.5, 0, 0}, .inertia = {0, 0.1, 0.1, 0, 0, 0}});
    arm.joints.push_back({.name = "elbow",
                          .type = JointType::revolute,
                          .parent = "rod",
                          .child = "fore",
                          .pose = {.translation = {1, 0, 0}},
                          .axis = {0, -1, 0}});
    return arm;
  }();
  const System system = compile(model);
  State start(system);
  start.q << -1.2, 0.5;  // swings about the lowest position
  Workspace work(system);
  const Energy first = compute_energy(work, start);
  Simulation simulation(system, start, variable(Method::adams, 1e-12));
  double worst = 0, largest = 0;
  simulation.run(100, 0.1, [&](const Snapshot& at) {
    const Energy now = compute_energy(work, at.now.state);
    worst =
        std::max(worst, std::abs(now.kinetic + now.potential - first.kinetic - first.potential));
    largest = std::max(largest, now.kinetic);
    return true;
  });
  EXPECT_LT(worst, 1e-9 * largest);
}

TEST(Tolerance, the_error_at_the_end_stays_within_a_hundred_tolerances_or_is_confessed) {
  // The double pendulum is chaotic: at loose tolerances ten seconds cannot be foretold.
  RandomModel random(2);
  Model model = random.tree(2, Base::fixed, {JointType::revolute});
  model.gravity = {0, 0, -9.81};
  const System system = compile(model);
  const State start = random.state(system);
  const State exact = after(system, start, 5, variable(Method::adams, 1e-12));
  int met = 0;
  for (const Method method : {Method::adams, Method::bdf, Method::ida})
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      try {
        const State end = after(system, start, 5, stopping(method, tolerance));
        const double size =
            1 + std::max(exact.q.cwiseAbs().maxCoeff(), exact.v.cwiseAbs().maxCoeff());
        EXPECT_LT(distance(system, end, exact), 100 * tolerance * size)
            << to_string(method) << ' ' << tolerance;
        ++met;
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("tolerance is not met"), std::string::npos)
            << error.what();
      }
    }
  EXPECT_GE(met, 6);
}

TEST(Tolerance, a_motion_too_sensitive_to_foretell_is_refused) {
  RandomModel random(2);
  Model model = random.tree(4, Base::fixed, {JointType::revolute});
  model.gravity = {0, 0, -9.81};
  const System system = compile(model);
  State start = random.state(system);
  start.v *= 5;
  Simulation simulation(system, start, stopping(Method::adams, 1e-6));
  try {
    simulation.advance_to(200);
    FAIL() << "a chaotic motion over 200 s at 1e-6 was called a success";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::failed_computation);
    EXPECT_NE(std::string(error.what()).find("tolerance is not met"), std::string::npos);
  }
}

TEST(Tolerance, the_rows_on_the_way_are_held_to_it_as_well) {
  // Damping forgives at the end what went wrong on the way; the rows were recorded all the same.
  RandomModel random(2);
  Model model = random.tree(2, Base::fixed, {JointType::revolute});
  model.gravity = {0, 0, -9.81};
  for (Joint& joint : model.joints) joint.damping = {0.02};
  const System system = compile(model);
  State start = random.state(system);
  start.v *= 5;
  constexpr double every = 0.05;
  const auto rows = [&](double tolerance) {
    std::vector<State> all;
    Simulation simulation(system, start, stopping(Method::adams, tolerance));
    try {
      simulation.run(10, every, [&](const Snapshot& at) {
        all.push_back(at.now.state);
        return true;
      });
    } catch (const Error& error) {
      EXPECT_TRUE(contains(error.what(), "the tolerance is not met")) << error.what();
    }
    return all;
  };
  const std::vector<State> exact = rows(1e-12);
  double fastest = 0;  // on the way: errors are held against the largest value so far
  for (const State& row : exact) fastest = std::max(fastest, row.v.cwiseAbs().maxCoeff());
  ASSERT_GE(exact.size(), 80U) << "the reference itself must get far enough to compare with";
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const std::vector<State> got = rows(tolerance);
    const std::size_t common = std::min(got.size(), exact.size());
    ASSERT_GE(common, 40U) << tolerance << ": at least two seconds of rows";
    double worst = 0;
    for (std::size_t i = 0; i < common; ++i) {
      EXPECT_EQ(got[i].t, exact[i].t);
      const double error = distance(system, got[i], exact[i]);
      EXPECT_LT(error, 100 * tolerance * (1 + fastest)) << tolerance << " t = " << got[i].t;
      worst = std::max(worst, error);
    }
    EXPECT_GT(worst, 1e-4 * tolerance) << "rows that agree better than asked compare nothing";
  }
}

TEST(Tolerance, changing_the_efforts_between_steps_is_no_error) {
  const System system = compile(slider());
  for (const Method method : {Method::adams, Method::bdf, Method::ida}) {
    Simulation simulation(system, State(system), variable(method, 1e-6));
    for (int i = 0; i < 50; ++i) {
      simulation.set_input(Eigen::VectorXd::Constant(1, i % 2 == 0 ? 30 : -10));
      EXPECT_NO_THROW(simulation.step(0.1 * (i + 1))) << to_string(method);
    }
    EXPECT_LT(simulation.statistics().error_in_tolerances, 100);
  }
}

TEST(Tolerance, nobody_is_asked_beyond_the_end) {
  const System system = compile(slider());
  for (const Method method : {Method::adams, Method::bdf, Method::ida}) {
    Simulation simulation(system, State(system), variable(method, 1e-6));
    double latest = 0;
    simulation.add_controller({.compute = [&](const State& s, const Reference&, Eigen::VectorXd&) {
      latest = std::max(latest, s.t);
    }});
    simulation.advance_to(1);
    EXPECT_LE(latest, 1) << to_string(method);
  }
}

/// The error control of adams and bdf knows nothing of groups: what it hands out stands on them.
TEST(Methods, custom_poses_stay_on_their_group) {
  using Modes6 = std::vector<std::array<double, 6>>;
  const Modes6 ball{{1, 0, 0, 0, 0.3, -0.2}, {0, 1, 0, -0.3, 0, 0.5}, {0, 0, 1, 0.2, -0.5, 0}};
  const Modes6 thread{{0, 0, 1, 0.3, -0.1, 0.2}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}};
  const Modes6 crane{
      {0, 1, 0, 0, 0, 0}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1}};
  for (const Modes6& modes : {ball, thread, crane}) {
    RandomModel random(7);
    Model model = random.tree(2, Base::fixed, {JointType::revolute});
    model.gravity = {0, 0, -1};
    Joint joint = random.joint("custom", JointType::custom, "body1", "end");
    joint.modes = modes;
    model.bodies.push_back(random.body("end"));
    model.joints.push_back(joint);
    const System system = compile(model);
    const BoundPose& bound = system.tree().bound_poses.at(0);
    const State start = random.state(system);
    for (const Method method : {Method::rk4, Method::adams, Method::bdf, Method::ida}) {
      // Loose, so that what is only integrated would leave the group.
      Simulation simulation(system, start,
                            {.method = method,
                             .step = 1e-2,
                             .relative_tolerance = 1e-2,
                             .absolute_tolerance = 1e-2,
                             .watch_error = false});
      double angle = 0, distance = 0;
      simulation.run(10, 0.037, [&](const Snapshot& at) {
        const double* x = at.now.state.q.data() + bound.q;
        const Quaternion turn{x[0], x[1], x[2], x[3]};
        const PoseMisfit off = misfit(bound.group, turn, {x[4], x[5], x[6]});
        const double size = at.now.state.q.segment<4>(bound.q).norm();
        angle = std::max({angle, off.angle, std::abs(size - 1)});
        distance = std::max(distance, off.distance);
        return true;
      });
      EXPECT_LT(angle, 1e-13) << to_string(method) << " " << describe(bound.group);
      EXPECT_LT(distance, 1e-11) << to_string(method) << " " << describe(bound.group);
    }
  }
}

TEST(Methods, where_nothing_moves_time_passes) {
  Model model;
  model.bodies.push_back({.name = "stone", .mass = 1});
  model.joints.push_back(
      {.name = "weld", .type = JointType::fixed, .parent = "world", .child = "stone"});
  const System system = compile(model);
  for (const Method method : {Method::rk4, Method::semi_implicit, Method::symplectic, Method::adams,
                              Method::bdf, Method::ida})
    EXPECT_EQ(after(system, State(system), 0.1, {.method = method}).t, 0.1) << to_string(method);
}

}  // namespace
}  // namespace linkwright::testing
