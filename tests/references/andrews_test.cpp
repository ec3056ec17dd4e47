/// Andrews' squeezing mechanism: seven planar bodies, three loops, one freedom. Accelerations and
/// multipliers of the start, and the state after 0.03 s, published with the test set for initial value
/// problems.

#include <gtest/gtest.h>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/simulate/simulation.hpp"

namespace linkwright::testing {
namespace {

/// A body that turns about z; its frame sits in its joint.
struct Part {
  const char *name, *joint, *parent;
  Vector3 at;   ///< of the joint, in the parent
  double mass;  ///< and about z through the centre
  double inertia;
  Vector3 com;
};

Model squeezer() {
  constexpr double rr = 7e-3, ra = 92e-5, d = 28e-3, da = 115e-4, ss = 35e-3, sa = 1874e-5,
                   sb = 1043e-5, sc = 18e-3, sd = 2e-2, e = 2e-2, ea = 1421e-5, ta = 2308e-5,
                   tb = 916e-5, zt = 4e-2, zf = 2e-2, fa = 1421e-5, u = 4e-2, ua = 1228e-5,
                   ub = 449e-5;
  const Vector3 A{-0.06934, -0.00227, 0}, B{-0.03635, 0.03273, 0}, C{0.014, 0.072, 0};
  const Part parts[] = {{"K1", "beta", "world", {0, 0, 0}, 0.04325, 2.194e-6, {ra, 0, 0}},
                        {"K2", "Theta", "K1", {rr, 0, 0}, 0.00365, 4.410e-7, {-da, 0, 0}},
                        {"K3", "gamma", "world", B, 0.02373, 5.255e-6, {sb, -sa, 0}},
                        {"K5", "delta", "world", A, 0.07050, 1.169e-5, {tb, -ta, 0}},
                        {"K4", "Phi", "K5", {zt, 0, 0}, 0.00706, 5.667e-7, {0, ea - e, 0}},
                        {"K7", "epsilon", "world", A, 0.05498, 1.912e-5, {ub, -ua, 0}},
                        {"K6", "Omega", "K7", {0, -u, 0}, 0.00706, 5.667e-7, {zf - fa, 0, 0}}};
  Model model;
  model.gravity = {0, 0, 0};
  for (const Part& part : parts) {
    const double J = part.inertia;
    model.bodies.push_back(
        {.name = part.name, .mass = part.mass, .com = part.com, .inertia = {J, J, J, 0, 0, 0}});
    Joint joint{.name = part.joint,
                .type = JointType::continuous,
                .parent = part.parent,
                .child = part.name};
    joint.pose.translation = part.at;
    joint.axis = {0, 0, 1};
    model.joints.push_back(joint);
  }
  // The common point of K2, K3, K4 and K6: in the plane, a point on a line along z is a pin.
  const auto pin = [&](const char* name, const char* body, Vector3 at) {
    Closure closure{
        .name = name, .kind = Closure::Kind::point_on_line, .body_a = body, .body_b = "K2"};
    closure.at_a.translation = at;
    closure.at_b.translation = {-d, 0, 0};
    closure.axis = {0, 0, 1};
    model.closures.push_back(closure);
  };
  pin("to K3", "K3", {0, -ss, 0});
  pin("to K4", "K4", {0, -e, 0});
  pin("to K6", "K6", {zf, 0, 0});
  model.line_springs.push_back({.name = "spring",
                                .body_a = "world",
                                .body_b = "K3",
                                .at_a = C,
                                .at_b = {sd, -sc, 0},
                                .stiffness = 4530,
                                .rest_length = 0.07785});
  model.joint_loads.push_back({.joint = "beta", .effort = 0.033});
  return model;
}

struct Entry {
  const char* joint;
  double q, acceleration;
};
const Entry published[] = {
    {"beta", -0.0617138900142764496358948458001, 14222.4439199541138705911625887},
    {"Theta", 0, -10666.8329399655854029433719415},
    {"gamma", 0.455279819163070380255912382449, 0},
    {"Phi", 0.222668390165885884674473185609, 0},
    {"delta", 0.487364979543842550225598953530, 0},
    {"Omega", -0.222668390165885884674473185609, 0},
    {"epsilon", 1.23054744454982119249735015568, 0}};

TEST(Andrews, starts_as_published) {
  const System system = compile(squeezer());
  ClosedWorkspace work(system);
  State state(system);
  for (const Entry& entry : published) state.q[system.joint(entry.joint).q] = entry.q;
  EXPECT_LT(compute_worst_closure(work, state.q).gap(), 1e-15);
  EXPECT_EQ(compute_mobility(work, state.q).mobility, 1);
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(system.nv());
  for (const ClosedMethod method :
       {ClosedMethod::recursion, ClosedMethod::independent, ClosedMethod::dense}) {
    Eigen::VectorXd a(system.nv());
    compute_forward_dynamics(work, state, tau, {}, a, method);
    for (const Entry& entry : published)
      EXPECT_NEAR(a[system.joint(entry.joint).v], entry.acceleration, 1e-10 * 14222) << entry.joint;
    std::vector<Force> forces(3);
    closure_forces(work, forces);
    // What K3 applies to K2, turned into the world, is −λ1, −λ2; K4 and K6 apply nothing.
    const double turn = published[0].q + published[1].q;
    const double x = std::cos(turn) * forces[0].force.x - std::sin(turn) * forces[0].force.y;
    const double y = std::sin(turn) * forces[0].force.x + std::cos(turn) * forces[0].force.y;
    EXPECT_NEAR(x, -98.5668703962410896057654982170, 1e-10 * 98);
    EXPECT_NEAR(y, 6.12268834425566265503114393122, 1e-10 * 98);
    for (std::size_t i = 1; i < 3; ++i) EXPECT_LT(norm(forces[i].force), 1e-10 * 98);
  }
}

struct Final {
  const char* joint;
  double q, v, a;
};
const Final after_30_ms[] = {{"beta", 15.81077119629904, 1139.920302151208, -24631.76316945196},
                             {"Theta", -15.75637105984298, -1424.379294994111, 51850.37701610329},
                             {"gamma", 0.04082224013073101, 11.03291221937134, 324102.5686413781},
                             {"Phi", -0.5347301163226948, 19.29337464421385, 566749.3645176213},
                             {"delta", 0.5244099658805303, 0.5735699284790808, 16743.62929479361},
                             {"Omega", 0.5347301163226948, -19.29337464421385, -566749.3645176222},
                             {"epsilon", 1.048080741042263, 0.3231791658026955, 9826.520791458423}};

/// Angles are published to 2e-9, which the crank turns by in 1.8e-12 s: velocities to 5e-8 and what they
/// change by in that time, accelerations to 2e-6.
TEST(Andrews, ends_as_published) {
  const System system = compile(squeezer());
  State start(system);
  for (const Entry& entry : published) start.q[system.joint(entry.joint).q] = entry.q;
  const SimulationOptions variable{
      .method = Method::adams, .relative_tolerance = 1e-11, .absolute_tolerance = 1e-11};
  const double unsure = 2e-9 / after_30_ms[0].v;
  for (const SimulationOptions& options : {variable, SimulationOptions{.step = 5e-6}}) {
    Simulation simulation(system, start, options);
    simulation.advance_to(0.03);
    const Snapshot end = simulation.snapshot();
    for (const Final& entry : after_30_ms) {
      const JointPlace& joint = system.joint(entry.joint);
      EXPECT_NEAR(end.now.state.q[joint.q], entry.q, 2e-9) << entry.joint;
      EXPECT_NEAR(end.now.state.v[joint.v], entry.v,
                  5e-8 * std::abs(entry.v) + unsure * std::abs(entry.a))
          << entry.joint;
      EXPECT_NEAR(end.a[joint.v], entry.a, 2e-6 * std::abs(entry.a)) << entry.joint;
    }
    EXPECT_LE(end.errors.position, 1e-12);
  }
}

}  // namespace
}  // namespace linkwright::testing
