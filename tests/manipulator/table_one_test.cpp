/// Table I of the unified model against the closure room: every base, several arms, every contact.

#include <gtest/gtest.h>

#include "linkwright/manipulator/unified_model.hpp"
#include "manipulator/cells.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;
using manipulator::Manipulator, manipulator::UnifiedModel;

constexpr double tolerance = 1e-11;

void expect_same_forces(UnifiedModel& model, ClosedWorkspace& work, const Manipulator& robot) {
  std::vector<Force> forces(robot.system().closures().size());
  closure_forces(work, forces);
  for (std::size_t i = 0; i < robot.arms().size(); ++i) {
    const Force& expected = forces[static_cast<std::size_t>(robot.arms()[i].grasp)];
    const Force found = model.end_force(static_cast<int>(i));
    const double size = 1 + norm(expected.moment) + norm(expected.force);
    EXPECT_LT(norm(found.moment - expected.moment) + norm(found.force - expected.force),
              10 * tolerance * size)
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
    EXPECT_LT(difference(found, expected), tolerance) << "seed " << seed;
    // Two wheels on one axle both keep it from sliding along itself.
    const int redundant = GetParam().base == BaseKind::wheeled ? 1 : 0;
    EXPECT_EQ(report.rows - report.rank, redundant);
    EXPECT_EQ(report.H_is_regular, redundant == 0);
    expect_same_forces(model, work, robot);
    compute_forward_dynamics(work, cell.state, cell.tau, {}, expected, ClosedMethod::recursion);
    EXPECT_LT(difference(found, expected), tolerance) << "seed " << seed;
  }
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
