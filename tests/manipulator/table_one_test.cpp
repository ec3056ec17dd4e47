/// Table I of the unified model against the closure room: every base, several arms, every contact.

#include <gtest/gtest.h>

#include <span>

#include "linkwright/manipulator/unified_model.hpp"
#include "manipulator/cells.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;
using manipulator::Manipulator, manipulator::UnifiedModel;

void expect_same_forces(UnifiedModel& model, ClosedWorkspace& work, const Manipulator& robot,
                        double tolerance) {
  std::vector<Force> forces(robot.system().closures().size());
  closure_forces(work, forces);
  double size = 1;
  for (const Force& f : forces) size += norm(f.moment) + norm(f.force);
  for (std::size_t i = 0; i < robot.arms().size(); ++i) {
    const Force& expected = forces[static_cast<std::size_t>(robot.arms()[i].grasp)];
    const Force found = model.end_force(static_cast<int>(i));
    EXPECT_LT(norm(found.moment - expected.moment) + norm(found.force - expected.force),
              tolerance * size)
        << robot.arms()[i].tip;
  }
}

struct Case {
  BaseKind base;
  int arms;
  bool flies;  ///< thrusters push the base
};

class TableOne : public ::testing::TestWithParam<Case> {};

TEST_P(TableOne, equals_the_closure_room) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    CellMaker random(seed + 100 * static_cast<unsigned>(GetParam().arms));
    CellOptions options{.base = GetParam().base};
    options.joints.assign(static_cast<std::size_t>(GetParam().arms), 7);
    Cell cell = random.make(options);
    manipulator::ManipulatorOptions stands;
    if (GetParam().base == BaseKind::jointed) stands.base = "base";
    const Manipulator robot(cell.system, stands);
    ASSERT_EQ(robot.base().kind, GetParam().base);
    if (!GetParam().flies)
      for (const int i : robot.base().freedoms) cell.tau[i] = 0;
    ClosedWorkspace work(cell.system);
    VectorXd expected(cell.system.nv()), found(cell.system.nv());
    compute_forward_dynamics(work, cell.state, cell.tau, {}, expected, ClosedMethod::independent);
    UnifiedModel model(robot);
    model.update(cell.state, cell.tau);
    const auto report = model.compute_forward_dynamics(found);
    EXPECT_LT(difference(found, expected), cell.tolerance()) << "seed " << seed;
    EXPECT_EQ(report.rows, 6 * GetParam().arms);
    EXPECT_EQ(report.rank, report.rows);
    EXPECT_TRUE(report.H_is_regular) << "Table I must have run";
    expect_same_forces(model, work, robot, cell.tolerance());
    compute_forward_dynamics(work, cell.state, cell.tau, {}, expected, ClosedMethod::recursion);
    EXPECT_LT(difference(found, expected), cell.tolerance()) << "seed " << seed;
  }
}

/// The end forces at the tips give back what Table I found: q̈_p by (A8), V̇ᵉ by (A10), the efforts by (28).
TEST_P(TableOne, its_end_forces_give_back_motions_and_efforts) {
  using Contact = Grasp::Contact;
  CellMaker random(77);
  CellOptions options{
      .base = GetParam().base,
      .contacts = {Contact::rigid, Contact::line, Contact::point, Contact::soft_finger}};
  options.joints.assign(4, 7);
  Cell cell = random.make(options);
  manipulator::ManipulatorOptions stands;
  if (GetParam().base == BaseKind::jointed) stands.base = "base";
  const Manipulator robot(cell.system, stands);
  UnifiedModel model(robot);
  model.update(cell.state, cell.tau);
  VectorXd a(cell.system.nv()), f_e(24), tips(24), passive(model.M_p().rows()),
      tau(model.M().rows());
  model.compute_forward_dynamics(a);
  model.compute_end_forces(f_e);
  ASSERT_GT(f_e.norm(), 1);
  const auto pick = [](const VectorXd& x, std::span<const int> entries) {
    return VectorXd(x(std::vector<int>(entries.begin(), entries.end())));
  };
  const VectorXd active = pick(a, model.active());
  model.compute_passive_acceleration(active, f_e, passive);
  EXPECT_LT(difference(passive, pick(a, model.passive())), cell.tolerance());
  model.compute_inverse_dynamics(active, f_e, tau);
  EXPECT_LT((tau - pick(cell.tau, model.active())).norm(), cell.tolerance() * (1 + f_e.norm()));
  model.compute_tip_acceleration(active, f_e, tips);
  ClosedWorkspace work(cell.system);
  compute_forward_kinematics(work.tree(), cell.state, a);
  for (std::size_t i = 0; i < 4; ++i) {
    const Motion m = frame_acceleration(work.tree(), robot.arms()[i].frame, Axes::own);
    VectorXd six(6);
    six << m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z;
    EXPECT_LT(difference(tips.segment(6 * static_cast<Eigen::Index>(i), 6), six), cell.tolerance());
  }
  if (robot.base().freedoms.empty()) return;
  const Motion there = frame_acceleration(work.tree(), robot.base().frame, Axes::own),
               said = model.base_acceleration();
  EXPECT_EQ(norm(there.linear - said.linear) + norm(there.angular - said.angular), 0);
}

INSTANTIATE_TEST_SUITE_P(Bases, TableOne, ::testing::ValuesIn([] {
                           std::vector<Case> all;
                           for (const int arms : {2, 3, 8}) {
                             for (const BaseKind base :
                                  {BaseKind::fixed, BaseKind::free, BaseKind::flexible,
                                   BaseKind::planar, BaseKind::wheeled, BaseKind::jointed})
                               all.push_back({base, arms, false});
                             all.push_back({BaseKind::free, arms, true});
                           }
                           return all;
                         }()),
                         [](const auto& of) {
                           std::string name(of.param.flies ? "free_flying"
                                                           : manipulator::to_string(of.param.base));
                           std::ranges::replace(name, '-', '_');
                           return name + "_" + std::to_string(of.param.arms);
                         });

}  // namespace
}  // namespace linkwright::testing
