// What motors do to joints and how their states change; derivatives, names, refusals.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "actuation/arms.hpp"
#include "linkwright/actuation/drives.hpp"
#include "linkwright/closure/assembly.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using actuation::Drive, actuation::DriveDerivatives, actuation::Drives;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Every kind of motor: with and without inductance, rigid, elastic, coupled, separately excited, at its limits.
Model every_motor() {
  Model model = coupled_arm();
  model.actuators[0].elastic = Actuator::Elastic{.stiffness = 30, .damping = 0.02};
  model.actuators[1].motor->La = 0;
  model.actuators[2].elastic = Actuator::Elastic{.stiffness = 50, .damping = 0.01};
  model.actuators[2].motor->La = 0;
  model.actuators[3].motor->k = 0;
  model.actuators[3].motor->field_constant = 0.4;
  model.actuators[3].motor->field_current = 0.5;
  return model;
}

struct Point {
  VectorXd angles, speeds, x, u;
  explicit Point(const Drives& drives)
      : angles(drives.count()),
        speeds(drives.count()),
        x(static_cast<Eigen::Index>(drives.extra_states().size())),
        u(static_cast<Eigen::Index>(drives.inputs().size())) {
    int i = 0;
    for (VectorXd* part : {&angles, &speeds, &x, &u})
      for (double& value : *part) value = std::sin(1.7 * ++i);
    u *= 12;
  }
};

/// efforts and rates in one list.
VectorXd answer(const Drives& drives, const Point& p) {
  VectorXd tau = VectorXd::Zero(drives.system().effort_count()), rates(p.x.size());
  drives.compute_efforts(p.angles, p.speeds, p.x, p.u, tau);
  drives.compute_rates(p.angles, p.speeds, p.x, p.u, rates);
  VectorXd all(tau.size() + rates.size());
  all << tau, rates;
  return all;
}

/// The equations are linear between their limits: a difference over any step is exact to rounding.
void expect_derivatives(const Drives& drives, const Point& p) {
  DriveDerivatives d(drives);
  drives.compute_derivatives(p.angles, p.speeds, p.x, p.u, d);
  const VectorXd here = answer(drives, p);
  const auto check = [&](VectorXd Point::*part, const MatrixXd& tau, const MatrixXd& rate) {
    for (Eigen::Index i = 0; i < (p.*part).size(); ++i) {
      Point moved = p;
      const double h = 1e-3;
      (moved.*part)[i] += h;
      const VectorXd change = (answer(drives, moved) - here) / h;
      VectorXd expected(change.size());
      expected << tau.col(i), rate.col(i);
      EXPECT_LT((change - expected).norm(), 1e-8 * (1 + expected.norm())) << i;
    }
  };
  check(&Point::angles, d.tau_angle, d.rate_angle);
  check(&Point::speeds, d.tau_speed, d.rate_speed);
  check(&Point::x, d.tau_x, d.rate_x);
  check(&Point::u, d.tau_u, d.rate_u);
}

TEST(Drives, have_exact_derivatives) {
  const System system = compile(every_motor());
  const Drives all(system);
  expect_derivatives(all, Point(all));
  const Drives some(system, std::vector<std::string>{"pair"});
  EXPECT_EQ(some.inputs().size(), 3U) << "elastic ones take a torque";
  expect_derivatives(some, Point(some));
}

TEST(Drives, have_exact_derivatives_at_their_limits) {
  Model model = every_motor();
  for (Actuator& actuator : model.actuators) {
    actuator.motor->voltage_limit = 5;
    actuator.motor->current_limit = 0.3;
  }
  const System system = compile(model);
  const Drives drives(system);
  Point p(drives);
  for (const Drive& d : drives.list())
    if (d.current >= 0) p.x[d.current] = d.name == "base" ? 0.3 : 0.1;
  p.u.setConstant(9);  // beyond all limits
  expect_derivatives(drives, p);
  VectorXd rates(p.x.size());
  drives.compute_rates(p.angles, p.speeds, p.x, p.u, rates);
  EXPECT_EQ(rates[drives.find("base").current], 0) << "held at its limit";
}

TEST(Drives, name_their_states_and_inputs) {
  const System system = compile(every_motor());
  const Drives drives(system);
  std::vector<std::string> states, inputs;
  for (const Quantity& x : drives.extra_states()) states.push_back(x.name + " " + x.unit);
  for (const Quantity& u : drives.inputs()) inputs.push_back(u.name + " " + u.unit);
  EXPECT_EQ(states, (std::vector<std::string>{"motor:base:current A", "motor:base:angle rad",
                                              "motor:base:speed rad/s", "motor:three:angle rad",
                                              "motor:three:speed rad/s", "motor:last:current A"}));
  EXPECT_EQ(inputs, (std::vector<std::string>{"voltage:base V", "voltage:pair V", "voltage:three V",
                                              "voltage:last V"}));
  EXPECT_DOUBLE_EQ(drives.find("last").k, 0.2) << "the field's";
}

TEST(Drives, act_through_their_gears) {
  const System system = compile(coupled_arm());
  const Drives drives(system);
  Point p(drives);
  VectorXd tau = VectorXd::Zero(system.effort_count());
  drives.compute_efforts(p.angles, p.speeds, p.x, p.u, tau);
  EXPECT_DOUBLE_EQ(tau[0], 60 * 0.2 * p.x[0]);
  EXPECT_DOUBLE_EQ(tau[4], 0.2 * p.x[1])
      << "the torque of a coupled shaft stands behind the joints'";
  ClosedWorkspace work(system);
  MatrixXd S(4, 4);
  drives.compute_shaft_map(work, p.angles.head(4), S);
  EXPECT_EQ(S(1, 1), 40);
  EXPECT_EQ(S(1, 2), -25);
  EXPECT_EQ(S(0, 0), 60);
}

/// A motor on the joint that closes a loop turns with it.
TEST(Drives, follow_closing_joints) {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/four_bar.yaml");
  System plain = compile(model);
  ASSERT_FALSE(plain.closing_names().empty());
  const std::string closing = plain.closures().front().name;
  model.actuators = {{.name = "m", .joint = closing, .motor = small_motor(), .gear = 30}};
  const System system = compile(model);
  Drives drives(system);
  ASSERT_TRUE(drives.follows_closing_joints());
  ClosedWorkspace work(system);
  State state(system);
  compute_initial(system, state.q, state.v);
  assemble(work, {}, state.q);
  state.v.setConstant(1);
  project_velocity(work, state.q, {}, state.v);
  VectorXd angles(1), speeds(1);
  MatrixXd S(1, system.nv());
  drives.compute_shafts(work, state, angles, speeds);
  drives.compute_shaft_map(work, state.q, S);
  EXPECT_NEAR((S * state.v)[0], speeds[0], 1e-12 * (1 + std::abs(speeds[0])));
  EXPECT_EQ(drives.list().front().effort, system.nv());
}

TEST(Drives, refuse_names_that_are_none) {
  Model model = coupled_arm();
  *model.actuators[0].motor = {.rotor_inertia = 1e-4};
  const System system = compile(model);
  const auto refused = [&](const std::string& name) {
    return error_of([&] { Drives(system, std::vector<std::string>{name}); });
  };
  EXPECT_TRUE(contains(refused("pear"), "there is no motor 'pear'; did you mean 'pair'?"))
      << refused("pear");
  EXPECT_TRUE(contains(refused("base"), "motor 'base' has no electrical side")) << refused("base");
}

struct Mistake {
  std::string name, expected;
  void (*make)(Model&);
};

class Mistakes : public ::testing::TestWithParam<Mistake> {};
TEST_P(Mistakes, are_told) {
  Model model = coupled_arm();
  GetParam().make(model);
  const std::string message = error_of([&] { compile(model); });
  EXPECT_TRUE(contains(message, GetParam().expected)) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Actuators, Mistakes,
    ::testing::Values(
        Mistake{"resistance", "actuator 'base': Ra (ohm) is 0; expected more than zero",
                [](Model& m) { m.actuators[0].motor->Ra = 0; }},
        Mistake{"gear", "actuator 'base': its gear is 0",
                [](Model& m) { m.actuators[0].gear = 0; }},
        Mistake{"ratio", "actuator 'pair': the ratio of joint 'j3' is 0",
                [](Model& m) { m.actuators[1].transmission[1].ratio = 0; }},
        Mistake{"unknown", "actuator 'pair': the joint 'j9' does not exist",
                [](Model& m) { m.actuators[1].transmission[1].joint = "j9"; }},
        Mistake{"both", "actuator 'pair' names joint 'j1' and a transmission",
                [](Model& m) { m.actuators[1].joint = "j1"; }},
        Mistake{"twice", "actuator 'pair' names freedom 0 of joint 'j2' twice",
                [](Model& m) { m.actuators[1].transmission[1].joint = "j2"; }},
        Mistake{"stiffness", "the stiffness of its elastic gear is -1",
                [](Model& m) {
                  m.actuators[0].elastic = Actuator::Elastic{-1, 0};
                }},
        Mistake{"rotor", "it has an elastic gear and no rotor_inertia",
                [](Model& m) {
                  m.actuators[0].elastic = Actuator::Elastic{10, 0};
                  m.actuators[0].motor->rotor_inertia = 0;
                }},
        Mistake{"limit", "its voltage_limit (V) is -24; expected more than zero",
                [](Model& m) { m.actuators[0].motor->voltage_limit = -24; }},
        Mistake{"current", "its current_limit (A) is 0; expected more than zero",
                [](Model& m) { m.actuators[0].motor->current_limit = 0; }},
        Mistake{"constant", "k is 0: no current would turn it",
                [](Model& m) { m.actuators[0].motor->k = 0; }},
        Mistake{"friction", "its motor has dry friction behind an elastic gear",
                [](Model& m) {
                  m.actuators[0].elastic = Actuator::Elastic{10, 0};
                  m.actuators[0].motor->friction = {0.1, 0.1};
                }},
        Mistake{"name", "actuator 'j1' drives several joints and has the name of a joint",
                [](Model& m) { m.actuators[1].name = "j1"; }},
        Mistake{"start",
                "state: current of motor 'pear': there is no such motor; did you mean 'pair'?",
                [](Model& m) {
                  m.initial.current.push_back({"pear", 1, {}});
                }},
        Mistake{"shaft", "state: shaft_angle of motor 'base': it has a rigid gear",
                [](Model& m) {
                  m.initial.shaft_angle.push_back({"base", 1, {}});
                }}),
    [](const auto& mistake) { return mistake.param.name; });

}  // namespace
}  // namespace linkwright::testing
