// Torques, currents and voltages along a motion, open and closed, with exact rates.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <functional>

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
  MatrixXd rates;  // a, jerk, snap, crackle
};
/// The derivatives of order 0 to 5 of size · sin(w t + phase).
std::array<double, 6> swing(double size, double w, double phase, double t) {
  const double s = size * std::sin(w * t + phase), c = size * std::cos(w * t + phase);
  const double w2 = w * w;
  return {s, w * c, -w2 * s, -w2 * w * c, w2 * w2 * s, w2 * w2 * w * c};
}
Motion open_motion(const System& system, double t) {
  Motion m{State(system), VectorXd(system.nv()), VectorXd(system.nv()), MatrixXd(system.nv(), 4)};
  m.state.t = t;
  for (int i = 0; i < system.nv(); ++i) {
    const auto d = swing(1, 1 + 0.3 * i, i, t);
    m.state.q[i] = d[0], m.state.v[i] = d[1];
    for (int k = 0; k < 4; ++k) m.rates(i, k) = d[static_cast<std::size_t>(k + 2)];
  }
  m.a = m.rates.col(0), m.jerk = m.rates.col(1);
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

/// A five-bar, or another mechanism, some joints of which follow given motions; the rest follows from the loop.
class FiveBar {
 public:
  explicit FiveBar(const System& system,
                   std::vector<std::string> independent = {"left_shoulder", "right_shoulder"})
      : system_(system), work_(system), last_(system), names_(std::move(independent)) {
    compute_initial(system, last_.q, last_.v);
  }
  Motion at(double t) {
    Motion m{last_, VectorXd::Zero(system_.nv()), VectorXd::Zero(system_.nv()),
             MatrixXd::Zero(system_.nv(), 4)};
    m.state.t = t;
    const std::vector<std::string>& names = names_;
    const int count = static_cast<int>(names.size());
    const std::vector<int> entries = require_independent(work_, m.state.q, names).entries;
    VectorXd v(count);
    for (int i = 0; i < count; ++i) {
      const auto d = swing(i == 0 ? 0.3 : -0.2, 2 + i, 0, t);
      m.state.q[system_.joint(names[static_cast<std::size_t>(i)]).q] = d[0];
      v[i] = d[1];
      for (int k = 0; k < 4; ++k)
        m.rates(entries[static_cast<std::size_t>(i)], k) = d[static_cast<std::size_t>(k + 2)];
    }
    EXPECT_TRUE(assemble(work_, {.hold = names}, m.state.q).assembled);
    MatrixXd G(system_.nv(), count);
    VectorXd g(system_.nv());
    m.state.v.setZero();
    compute_coordinate_map(work_, m.state, entries, G, g);
    m.state.v = G * v;
    actuation::complete_rates(work_, m.state, entries, m.rates);
    m.a = m.rates.col(0), m.jerk = m.rates.col(1);
    last_.q = m.state.q;
    return m;
  }

 private:
  const System& system_;
  ClosedWorkspace work_;
  State last_;
  std::vector<std::string> names_;
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
  const double t = 0.3;
  const MatrixXd rates = motion.at(t).rates;
  for (int k = 0; k < 3; ++k) {
    const auto column = [&](double at) -> VectorXd { return motion.at(at).rates.col(k); };
    EXPECT_LT((rate_of(column, t) - rates.col(k + 1)).norm(), 1e-8 * rates.col(k + 1).norm()) << k;
  }
  // By both ways that there are to the jerk.
  VectorXd jerk = rates.col(1);
  const Motion again = motion.at(t);
  ClosedWorkspace other(system);
  jerk[system.joint("left_elbow").v] = jerk[system.joint("right_elbow").v] = 0;
  actuation::complete_jerk(
      other, again.state, again.a,
      require_independent(other, again.state.q, {"left_shoulder", "right_shoulder"}).entries, jerk);
  EXPECT_LT((jerk - rates.col(1)).norm(), 1e-10 * jerk.norm());
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

/// What a motor's own shaft must do behind a gear that gives way: the rates are those of the values.
void expect_consistent_rates(const NominalVoltages& nominal,
                             const std::function<MotorDemand(double)>& at, double t) {
  const MotorDemand here = at(t);
  const VectorXd twist_rate = rate_of([&](double s) -> VectorXd { return at(s).twist; }, t);
  const VectorXd torque_rate = rate_of([&](double s) -> VectorXd { return at(s).torque; }, t);
  for (std::size_t i = 0; i < nominal.drives().list().size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const actuation::Drive& d = nominal.drives().list()[i];
    if (d.is_elastic) {
      EXPECT_NEAR(here.twist_rate[k], twist_rate[k], 1e-8 * (1e-2 + std::abs(twist_rate[k])));
      EXPECT_GT(std::abs(here.twist[k]), 1e-6) << "the gear gives way";
    }
    EXPECT_NEAR(here.torque_rate[k], torque_rate[k], 1e-8 * (1e-2 + std::abs(torque_rate[k])));
  }
}

/// Two gears give way, one of them of a shaft on three joints: torques need the snap, currents the crackle.
TEST(Voltages, behind_elastic_gears_have_rates_up_to_the_crackle) {
  Model model = coupled_arm();
  model.actuators[0].elastic = model.actuators[2].elastic = Actuator::Elastic{8, 0};
  const System system = compile(model);
  NominalVoltages nominal(system);
  ASSERT_EQ(nominal.derivatives_needed(), 4);
  expect_consistent_rates(
      nominal,
      [&](double t) {
        MotorDemand demand(nominal.drives());
        const Motion m = open_motion(system, t);
        nominal.compute_from(m.state, m.rates, demand);
        return demand;
      },
      0.4);
  // As stiff as a rod, it is the rigid gear but for the rotor's place, which the torque of both carries.
  model.actuators[0].elastic = model.actuators[2].elastic = Actuator::Elastic{1e7, 0};
  const System stiff = compile(model), rigid = compile(coupled_arm());
  NominalVoltages of_stiff(stiff), of_rigid(rigid);
  MotorDemand a(of_stiff.drives()), b(of_rigid.drives());
  const Motion m = open_motion(rigid, 0.4);
  of_stiff.compute_from(m.state, m.rates, a);
  of_rigid.compute_from(m.state, m.rates, b);
  EXPECT_LT((a.voltage - b.voltage).norm(), 1e-5 * b.voltage.norm());
}

TEST(Voltages, of_a_closed_mechanism_with_elastic_gears_and_motors_to_spare) {
  for (const bool elastic : {false, true}) {
    Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/five_bar_motors.yaml");
    for (Joint& joint : model.joints) joint.passive.clear(), joint.damping = {0.01};
    const std::string closing = compile(model).closures().front().name;
    // A third motor in the loop, and a fourth on the joint that closes it: four share two freedoms.
    model.actuators.push_back(
        {.name = "elbow", .joint = "left_elbow", .motor = small_motor(), .gear = 15});
    model.actuators.push_back(
        {.name = "pin", .joint = closing, .motor = small_motor(), .gear = 25});
    if (elastic)
      for (Actuator& actuator : model.actuators) actuator.elastic = Actuator::Elastic{6, 0};
    const System system = compile(model);
    FiveBar motion(system);
    NominalVoltages nominal(system);
    const auto at = [&](double t) {
      MotorDemand demand(nominal.drives());
      const Motion m = motion.at(t);
      nominal.compute_from(m.state, m.rates, demand);
      return demand;
    };
    expect_consistent_rates(nominal, at, 0.3);
    if (elastic) continue;
    // Least Σ T²: no other torques that do the same are smaller.
    const MotorDemand demand = at(0.3);
    const Motion m = motion.at(0.3);
    ClosedWorkspace work(system);
    const std::vector<int> entries =
        require_independent(work, m.state.q, {"left_shoulder", "right_shoulder"}).entries;
    MatrixXd map(2, 4);
    actuation::compute_actuation_map(work, nominal.drives(), m.state, entries, map);
    const VectorXd least =
        map.transpose() * (map * map.transpose()).ldlt().solve(map * demand.torque);
    EXPECT_LT((least - demand.torque).norm(), 1e-9 * demand.torque.norm());
  }
}

/// In a loop that is not plane the motor at the joint that closes it turns another way at every moment, and what it
/// takes of the load changes with that.
TEST(Voltages, of_a_spatial_loop_with_motors_to_spare) {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/bricard.yaml");
  for (Joint& joint : model.joints) joint.passive.clear();
  for (const char* joint : {"hinge1", "hinge3", "hinge6"})
    model.actuators.push_back({.name = joint + std::string("_motor"),
                               .joint = joint,
                               .motor = small_motor(),
                               .gear = 20});
  const System system = compile(model);
  FiveBar motion(system, {"hinge1"});
  NominalVoltages nominal(system);
  expect_consistent_rates(
      nominal,
      [&](double t) {
        MotorDemand demand(nominal.drives());
        const Motion m = motion.at(t);
        nominal.compute_from(m.state, m.rates, demand);
        return demand;
      },
      0.4);
}

/// A joint that starts must overcome its friction at once; one that stays where it is need not.
TEST(Voltages, at_rest_overcome_the_friction_of_the_motion_that_begins) {
  Model model = arm_of(1);
  model.joints[0].friction = {{.forward = 0.7, .backward = 0.4}};
  model.actuators = {{.name = "m", .joint = "j1", .motor = small_motor(), .gear = 10}};
  const System system = compile(model);
  NominalVoltages nominal(system);
  MotorDemand demand(nominal.drives());
  State rest(system);
  const auto torque = [&](double a, double jerk) {
    nominal.compute(rest, VectorXd::Constant(1, a), VectorXd::Constant(1, jerk), demand);
    return demand.torque[0];
  };
  const double holding = torque(0, 0);
  EXPECT_NEAR(torque(0, 2) - holding, 0.07, 1e-14);
  EXPECT_NEAR(torque(0, -2) - holding, -0.04, 1e-14);
  State later(system);
  const double h = 1e-9;
  later.v[0] = h * 0.5;
  nominal.compute(later, VectorXd::Constant(1, 0.5), VectorXd::Zero(1), demand);
  EXPECT_NEAR(torque(0.5, 0), demand.torque[0], 1e-8);
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
  model = coupled_arm();
  model.actuators[0].elastic = Actuator::Elastic{10, 0};
  const System soft = compile(model);
  NominalVoltages elastic(soft);
  EXPECT_TRUE(contains(error_of([&] { elastic.compute(m.state, m.a, m.jerk, demand); }),
                       "motor 'base' sits behind an elastic gear and has an inductance of 0.004 H: "
                       "its voltage depends on the snap"));
  EXPECT_TRUE(
      contains(error_of([&] { elastic.compute_from(m.state, m.rates.leftCols(3), demand); }),
               "depends on the crackle"));
  const System loop = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/five_bar_motors.yaml"));
  FiveBar motion(loop);
  NominalVoltages closed(loop);
  MotorDemand two(closed.drives());
  Motion off = motion.at(0.2);
  off.rates(loop.joint("left_elbow").v, 1) += 1;
  EXPECT_TRUE(contains(error_of([&] { closed.compute_from(off.state, off.rates, two); }),
                       "the jerk at t = 0.2 s does not keep closure"));
  const System bare = compile(arm_of(2));
  EXPECT_TRUE(contains(error_of([&] { NominalVoltages none(bare); }), "no motors"));
}

}  // namespace
}  // namespace linkwright::testing
