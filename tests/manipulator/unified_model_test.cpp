/// The unified model's quantities: what they must obey, on random arms and on every kind of base.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <span>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/manipulator/unified_model.hpp"
#include "manipulator/cells.hpp"
#include "manipulator/stacked_form.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
using manipulator::Manipulator, manipulator::ManipulatorOptions, manipulator::UnifiedModel;

ManipulatorOptions empty_hands(std::size_t arms) {
  ManipulatorOptions options;
  for (std::size_t i = 0; i < arms; ++i) options.tips.push_back(CellMaker::hand(i));
  return options;
}
VectorXd part(const VectorXd& x, std::span<const int> entries) {
  return x(std::vector<int>(entries.begin(), entries.end()));
}
double largest(const MatrixXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }
double relative(const MatrixXd& found, const MatrixXd& expected) {
  return largest(found - expected) / std::max(1.0, largest(expected));
}

class Unified : public ::testing::TestWithParam<BaseKind> {
 protected:
  explicit Unified(CellOptions options = {})
      : cell([&] {
          options.base = GetParam();
          options.holds = false;
          return CellMaker(7).make(options);
        }()) {}
  Cell cell;
  Manipulator robot{cell.system, empty_hands(2)};
  UnifiedModel model{robot};
};

TEST_P(Unified, partitioned_form_and_first_principles_are_the_same) {
  if (GetParam() == BaseKind::wheeled) GTEST_SKIP() << "the first principles know no wheels";
  model.update(cell.state, cell.tau);
  const StackedForm form(robot, cell.state, cell.tau);
  EXPECT_LT(relative(form.M, model.M()), 1e-12);
  EXPECT_LT(relative(form.J, model.J()), 1e-12);
  EXPECT_LT(relative(form.C, model.C()), 1e-12);
  EXPECT_LT(relative(form.T_hat, model.T_hat()), 1e-12);
  EXPECT_LT(relative(model.J_q() - model.J_b() * model.J_D(), model.J()), 1e-13) << "(41)";
  EXPECT_EQ(MatrixXd(model.coupling()), MatrixXd(model.J_D().transpose()));
}

TEST_P(Unified, open_hands_move_as_the_trunk_says) {
  model.update(cell.state, cell.tau);
  VectorXd found(cell.system.nv()), expected(cell.system.nv());
  model.compute_forward_dynamics(found);
  ClosedWorkspace work(cell.system);
  compute_forward_dynamics(work, cell.state, cell.tau, {}, expected);
  EXPECT_LT(difference(found, expected), cell.tolerance());
  // (28), (A8) and (A10) at these accelerations.
  const VectorXd none = VectorXd::Zero(12), a = part(expected, model.active());
  VectorXd tau(a.size()), passive(model.M_p().rows()), tips(12);
  model.compute_inverse_dynamics(a, none, tau);
  EXPECT_LT(difference(tau, part(cell.tau, model.active())), cell.tolerance());
  model.compute_passive_acceleration(a, none, passive);
  EXPECT_LT(difference(passive, part(expected, model.passive())), cell.tolerance());
  model.compute_tip_acceleration(a, none, tips);
  compute_forward_kinematics(work.tree(), cell.state, expected);
  for (std::size_t i = 0; i < 2; ++i) {
    const Motion m = frame_acceleration(work.tree(), robot.arms()[i].frame, Axes::own);
    VectorXd six(6);
    six << m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z;
    EXPECT_LT(difference(tips.segment(6 * static_cast<Index>(i), 6), six), cell.tolerance());
  }
}

TEST_P(Unified, generalized_inertia_and_jacobian_are_what_the_arms_feel) {
  // A unit of effort more on one motor: q̈_a changes by a column of M⁻¹, the tips by J of it.
  model.update(cell.state, cell.tau);
  const MatrixXd inverse = MatrixXd(model.M()).inverse(), J = model.J();
  ClosedWorkspace work(cell.system);
  const Index n = cell.system.nv();
  VectorXd before(n), after(n), tips_before(12), tips_after(12);
  compute_forward_dynamics(work, cell.state, cell.tau, {}, before);
  const auto tips = [&](const VectorXd& a) {
    compute_forward_kinematics(work.tree(), cell.state, a);
    VectorXd out(12);
    for (std::size_t i = 0; i < 2; ++i) {
      const Motion m = frame_acceleration(work.tree(), robot.arms()[i].frame, Axes::own);
      out.segment(6 * static_cast<Index>(i), 6) << m.angular.x, m.angular.y, m.angular.z,
          m.linear.x, m.linear.y, m.linear.z;
    }
    return out;
  };
  tips_before = tips(before);
  for (Index i = 0; i < inverse.cols(); ++i) {
    VectorXd tau = cell.tau;
    tau[model.active()[static_cast<std::size_t>(i)]] += 1;
    compute_forward_dynamics(work, cell.state, tau, {}, after);
    const double size = 1 + after.cwiseAbs().maxCoeff();
    EXPECT_LT(largest(part(after - before, model.active()) - inverse.col(i)), 1e-11 * size);
    EXPECT_LT(largest(tips(after) - tips_before - J * inverse.col(i)), 1e-11 * size);
  }
}

TEST_P(Unified, weighted_inverse_moves_the_tips_with_least_energy) {
  model.update(cell.state, cell.tau);
  const MatrixXd J = model.J(), M = model.M();
  MatrixXd inverse(J.cols(), 12);
  model.compute_weighted_inverse(inverse);
  EXPECT_LT(largest(J * inverse - MatrixXd::Identity(12, 12)), 1e-9);
  const MatrixXd N = J.fullPivLu().kernel();
  ASSERT_EQ(N.cols(), J.cols() - 12);
  EXPECT_LT(largest(N.transpose() * M * inverse) / largest(inverse), 1e-9);
}

TEST_P(Unified, wheels_leave_what_they_bind_out_of_the_partition) {
  model.update(cell.state, cell.tau);
  const bool wheels = GetParam() == BaseKind::wheeled;
  EXPECT_EQ(robot.own_closures().size(), wheels ? 3U : 0U);
  EXPECT_EQ(model.active().size(), robot.active().size());
  // Eight independent rows of nine; the caster's spin is left.
  EXPECT_EQ(model.passive().size(), robot.passive().size() - (wheels ? 8U : 0U));
}

INSTANTIATE_TEST_SUITE_P(Bases, Unified,
                         ::testing::Values(BaseKind::fixed, BaseKind::free, BaseKind::flexible,
                                           BaseKind::planar, BaseKind::wheeled),
                         [](const auto& of) { return std::string(to_string(of.param)); });

/// Arms on a base of that mass at rest, and on one that is fixed where it is.
struct Heavy {
  explicit Heavy(double mass) {
    CellMaker random(3);
    Cell cell =
        random.make({.base = BaseKind::free, .base_mass = mass, .gravity = false, .holds = false});
    Model fixed = cell.system.model();
    free = compile(fixed);
    for (Joint& joint : fixed.joints)
      if (joint.name == "base") joint.type = JointType::fixed;
    held = compile(fixed);
    state = State(*free), state_held = State(*held);
    for (const JointPlace& joint : held->joints())
      for (int i = 0; i < joint.nv; ++i) {
        const JointPlace& same = free->joint(joint.name);
        state.q[same.q + i] = state_held.q[joint.q + i] = std::sin(3.0 * joint.q + 1);
        state.v[same.v + i] = state_held.v[joint.v + i] = std::cos(2.0 * joint.v);
      }
  }
  std::optional<System> free, held;
  State state, state_held;
};

TEST(HeavyBase, tends_to_the_fixed_base_as_one_over_its_mass) {
  std::vector<double> masses, of_J, of_M, of_a, of_base;
  for (const double mass : {1e6, 1e7, 1e8, 1e9}) {
    const Heavy pair(mass);
    const Manipulator free(*pair.free, empty_hands(2)), held(*pair.held, empty_hands(2));
    UnifiedModel floating(free), fixed(held);
    VectorXd tau = VectorXd::Zero(pair.free->nv()), tau_held(pair.held->nv());
    for (int i = 0; i < tau_held.size(); ++i) tau_held[i] = 1 + 0.3 * i;
    tau.tail(tau_held.size()) = tau_held;
    floating.update(pair.state, tau), fixed.update(pair.state_held, tau_held);
    VectorXd a(tau.size()), a_held(tau_held.size());
    floating.compute_forward_dynamics(a), fixed.compute_forward_dynamics(a_held);
    ASSERT_EQ(free.active().size(), held.active().size());
    masses.push_back(std::log(mass));
    of_J.push_back(std::log((floating.J() - fixed.J()).norm()));
    of_M.push_back(std::log((floating.M() - fixed.M()).norm()));
    of_a.push_back(std::log((part(a, free.active()) - a_held).norm()));
    of_base.push_back(std::log(part(a, free.passive()).norm()));
  }
  const auto slope = [&](const std::vector<double>& y) {
    double x_mean = 0, y_mean = 0, xy = 0, xx = 0;
    for (std::size_t i = 0; i < y.size(); ++i) x_mean += masses[i] / 4, y_mean += y[i] / 4;
    for (std::size_t i = 0; i < y.size(); ++i)
      xy += (masses[i] - x_mean) * (y[i] - y_mean), xx += std::pow(masses[i] - x_mean, 2);
    return xy / xx;
  };
  EXPECT_NEAR(slope(of_J), -1, 0.01);
  EXPECT_NEAR(slope(of_M), -1, 0.01);
  EXPECT_NEAR(slope(of_a), -1, 0.01);
  EXPECT_NEAR(slope(of_base), -1, 0.01);
}

TEST(Passive, freedoms_may_be_mixed_inside_a_joint) {
  // Two of the joints turn with a motor and slide, or turn about their second axis, without.
  CellMaker random(11);
  Cell plain = random.make({.base = BaseKind::free, .joints = {7, 7}, .passive = {3}});
  Model model = plain.system.model();
  const auto change = [&](const std::string& name, JointType type, std::vector<bool> passive) {
    for (Joint& joint : model.joints)
      if (joint.name == name) joint.type = type, joint.passive = std::move(passive);
  };
  change(CellMaker::name(0, 2), JointType::cylindrical, {false, true});
  change(CellMaker::name(1, 4), JointType::universal, {true, false});
  Model open = model;
  open.grasps.clear();
  const System system_open = compile(open);
  State state(system_open);
  for (const JointPlace& joint : system_open.joints()) {
    if (joint.quaternion >= 0) continue;
    for (int i = 0; i < joint.nq; ++i) state.q[joint.q + i] = 0.3 * std::sin(joint.q + 2.0 * i);
  }
  Workspace place(system_open);
  compute_forward_kinematics(place, state, VectorXd::Zero(system_open.nv()));
  for (Grasp& grasp : model.grasps)
    grasp.at = inverse(frame_pose(place, system_open.frame("box"))) *
               frame_pose(place, system_open.frame(grasp.arm));
  const System system = compile(model);
  const Manipulator robot(system);
  const std::set<int> passive(robot.passive().begin(), robot.passive().end());
  const int slide = system.joint(CellMaker::name(0, 2)).v,
            cross = system.joint(CellMaker::name(1, 4)).v;
  EXPECT_FALSE(passive.contains(slide));
  EXPECT_TRUE(passive.contains(slide + 1));
  EXPECT_TRUE(passive.contains(cross));
  EXPECT_FALSE(passive.contains(cross + 1));
  EXPECT_TRUE(passive.contains(system.joint(CellMaker::name(0, 3)).v));
  EXPECT_EQ(passive.size(), 9U);

  ClosedWorkspace work(system);
  state.v = random.numbers(system.nv());
  project_velocity(work, state.q, {}, state.v);
  project_velocity(work, state.q, {}, state.v);
  VectorXd tau = random.numbers(system.nv()), expected(system.nv()), found(system.nv());
  for (const int i : system.passive_freedoms()) tau[i] = 0;
  compute_forward_dynamics(work, state, tau, {}, expected);
  UnifiedModel model_of(robot);
  model_of.update(state, tau);
  model_of.compute_forward_dynamics(found);
  EXPECT_LT(difference(found, expected), 1e-11);

  tau[slide + 1] = 5;
  try {
    model_of.update(state, tau);
    ADD_FAILURE() << "an effort where there is no motor was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(CellMaker::name(0, 2)), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace linkwright::testing
