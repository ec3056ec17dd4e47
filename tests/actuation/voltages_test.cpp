// Torques, currents and voltages along a motion, open and closed, with exact rates.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "actuation/arms.hpp"
#include "linkwright/actuation/voltages.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using actuation::MotorDemand, actuation::NominalVoltages;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A smooth motion of an open arm, with all its rates.
struct Motion {
  State state;
  VectorXd a, jerk;
};
Motion open_motion(const System& system, double t) {
  Motion m{State(system), VectorXd(system.nv()), VectorXd(system.nv())};
  m.state.t = t;
  for (int i = 0; i < system.nv(); ++i) {
    const double w = 1 + 0.3 * i, s = std::sin(w * t + i), c = std::cos(w * t + i);
    m.state.q[i] = s, m.state.v[i] = w * c, m.a[i] = -w * w * s, m.jerk[i] = -w * w * w * c;
  }
  return m;
}

/// Fourth-order difference of the torques along a motion.
template <class Torques>
VectorXd rate_of(const Torques& torques, double t) {
  const double h = 1e-3;
  return (8 * (torques(t + h) - torques(t - h)) - (torques(t + 2 * h) - torques(t - 2 * h))) /
         (12 * h);
}

TEST(Voltages, of_an_arm_with_coupled_gears_have_the_torques_rates) {
  const System system = compile(coupled_arm());
  NominalVoltages nominal(system);
  ASSERT_TRUE(nominal.needs_jerk());
  MotorDemand demand(nominal.drives());
  const auto torques = [&](double t) -> VectorXd {
    const Motion m = open_motion(system, t);
    nominal.compute(m.state, m.a, m.jerk, demand);
    return demand.torque;
  };
  const double t = 0.4;
  const VectorXd difference = rate_of(torques, t);
  const VectorXd T = torques(t);
  EXPECT_LT((demand.torque_rate - difference).norm(), 1e-9 * (1 + difference.norm()));
  const auto motor = small_motor();
  for (int i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(demand.current[i], T[i] / motor.k);
    EXPECT_NEAR(demand.voltage[i],
                motor.Ra * T[i] / motor.k + motor.La * demand.torque_rate[i] / motor.k +
                    motor.k * demand.speed[i],
                1e-12);
  }
  // They are those of inverse dynamics.
  ClosedWorkspace work(system);
  const Motion m = open_motion(system, t);
  VectorXd tau(system.effort_count());
  compute_inverse_dynamics(work, m.state, m.a, {}, all_motors(system), tau);
  EXPECT_NEAR(tau[0], 60 * T[0], 1e-10);
  EXPECT_LT((tau.tail(3) - T.tail(3)).norm(), 1e-10);
}

/// A five-bar whose shoulders follow given motions; the rest follows from the loop.
class FiveBar {
 public:
  explicit FiveBar(const System& system) : system_(system), work_(system), last_(system) {
    compute_initial(system, last_.q, last_.v);
  }
  Motion at(double t) {
    Motion m{last_, VectorXd::Zero(system_.nv()), VectorXd::Zero(system_.nv())};
    m.state.t = t;
    const std::vector<std::string> names{"left_shoulder", "right_shoulder"};
    const std::vector<int> entries = require_independent(work_, m.state.q, names).entries;
    VectorXd v(2), a(2), j(2);
    for (int i = 0; i < 2; ++i) {
      const double w = 2 + i, s = std::sin(w * t), c = std::cos(w * t), size = i == 0 ? 0.3 : -0.2;
      m.state.q[system_.joint(names[static_cast<std::size_t>(i)]).q] = size * s;
      v[i] = size * w * c, a[i] = -size * w * w * s, j[i] = -size * w * w * w * c;
    }
    EXPECT_TRUE(assemble(work_, {.hold = names}, m.state.q).assembled);
    MatrixXd G(system_.nv(), 2);
    VectorXd g(system_.nv());
    m.state.v.setZero();
    compute_coordinate_map(work_, m.state, entries, G, g);
    m.state.v = G * v;
    compute_coordinate_map(work_, m.state, entries, G, g);
    m.a = G * a + g;
    for (int i = 0; i < 2; ++i) m.jerk[entries[static_cast<std::size_t>(i)]] = j[i];
    actuation::complete_jerk(work_, m.state, m.a, entries, m.jerk);
    last_.q = m.state.q;
    return m;
  }

 private:
  const System& system_;
  ClosedWorkspace work_;
  State last_;
};

TEST(Voltages, of_a_closed_mechanism_have_the_torques_rates) {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/five_bar_motors.yaml");
  for (Joint& joint : model.joints) joint.damping = {0.01};
  // Something at the joint that closes the loop, too.
  for (Closure& closure : model.closures) {
    closure.damping = {0.02}, closure.rotor_inertia = {0.003};
    model.joint_springs.push_back({closure.name, 0, 0.3, 0.01, 0.1, {}});
  }
  const System system = compile(model);
  FiveBar motion(system);
  NominalVoltages nominal(system);
  MotorDemand demand(nominal.drives());
  const auto torques = [&](double t) -> VectorXd {
    const Motion m = motion.at(t);
    nominal.compute(m.state, m.a, m.jerk, demand);
    return demand.torque;
  };
  // The completed jerk is the rate of the accelerations.
  const auto accelerations = [&](double t) -> VectorXd { return motion.at(t).a; };
  const double t = 0.3;
  EXPECT_LT((rate_of(accelerations, t) - motion.at(t).jerk).norm(),
            1e-8 * motion.at(t).jerk.norm());
  const VectorXd difference = rate_of(torques, t);
  const VectorXd T = torques(t);
  EXPECT_LT((demand.torque_rate - difference).norm(), 1e-8 * (1e-2 + difference.norm()));
  EXPECT_GT(difference.norm(), 1e-3);
  ClosedWorkspace work(system);
  const Motion m = motion.at(t);
  VectorXd tau(system.effort_count());
  compute_inverse_dynamics(work, m.state, m.a, {}, all_motors(system), tau);
  EXPECT_NEAR(tau[system.joint("left_shoulder").v], 20 * T[0], 1e-10);
}

/// T_q = map T: power is power, whatever coordinates it is told in.
TEST(ActuationMap, carries_torques_to_independent_coordinates) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/five_bar_motors.yaml"));
  FiveBar motion(system);
  const Motion m = motion.at(0.3);
  ClosedWorkspace work(system);
  actuation::Drives drives(system);
  const std::vector<int> elbows =
      require_independent(work, m.state.q, {"left_elbow", "right_elbow"}).entries;
  MatrixXd map(2, 2), M(2, 2);
  actuation::compute_actuation_map(work, drives, m.state, elbows, map);
  VectorXd angles(2), speeds(2), v(2);
  drives.compute_shafts(work, m.state, angles, speeds);
  for (int i = 0; i < 2; ++i) v[i] = m.state.v[elbows[static_cast<std::size_t>(i)]];
  EXPECT_LT((map.transpose() * v - speeds).norm(), 1e-10 * speeds.norm());
  // Forward dynamics by torques is that by the efforts that the map makes of them.
  const Eigen::Vector2d T(0.05, -0.02);
  VectorXd tau = VectorXd::Zero(system.nv()), a(system.nv()), bias(2), forces(system.nv());
  for (const actuation::Drive& d : drives.list())
    tau[d.effort] = d.gear * T[&d - drives.list().data()];
  compute_forward_dynamics(work, m.state, tau, {}, a);
  compute_mass_matrix(work, m.state, elbows, M);
  compute_bias(work, m.state, elbows, bias);
  compute_joint_forces(work.tree(), m.state, forces);
  MatrixXd G(system.nv(), 2);
  VectorXd g(system.nv());
  compute_coordinate_map(work, m.state, elbows, G, g);
  const VectorXd own = M.ldlt().solve(map * T + G.transpose() * forces - bias);
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(own[i], a[elbows[static_cast<std::size_t>(i)]], 1e-8 * (1 + own.norm()));
}

TEST(Voltages, refuse_what_they_cannot_know) {
  Model model = coupled_arm();
  const System arm = compile(model);
  NominalVoltages nominal(arm);
  MotorDemand demand(nominal.drives());
  const Motion m = open_motion(arm, 0.1);
  EXPECT_TRUE(contains(error_of([&] { nominal.compute(m.state, m.a, demand); }),
                       "motor 'base' has an inductance of 0.004 H"));
  model.actuators.pop_back();
  const System weak = compile(model);
  NominalVoltages less(weak);
  MotorDemand fewer(less.drives());
  EXPECT_TRUE(contains(error_of([&] { less.compute(m.state, m.a, m.jerk, fewer); }),
                       "the motors cannot give this motion"));
  model.actuators[0].elastic = Actuator::Elastic{10, 0};
  const System soft = compile(model);
  EXPECT_TRUE(contains(error_of([&] { NominalVoltages none(soft); }), "behind an elastic gear"));
  const System bare = compile(arm_of(2));
  EXPECT_TRUE(contains(error_of([&] { NominalVoltages none(bare); }), "no motors"));
}

}  // namespace
}  // namespace linkwright::testing
