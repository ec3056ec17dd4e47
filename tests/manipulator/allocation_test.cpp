// Counts heap allocations: none may happen once a model, or a way to solve it, has run.
#include <gtest/gtest.h>

#include "linkwright/manipulator/closed_chain.hpp"
#include "linkwright/manipulator/unified_model.hpp"
#include "manipulator/cells.hpp"
#include "support/count_allocations.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using manipulator::ClosedAlgorithm, manipulator::ClosedChain, manipulator::Manipulator,
    manipulator::OmegaSolve, manipulator::UnifiedModel;

class ManipulatorAllocation : public ::testing::TestWithParam<int> {
 protected:
  static CellOptions options() {
    CellOptions made{.base = BaseKind::free};
    made.joints.assign(static_cast<std::size_t>(GetParam()), 7);
    return made;
  }
  /// What the second run allocates.
  template <class F>
  static long allocated_by(F action) {
    action();
    const long before = allocations;
    action();
    return allocations - before;
  }
  Cell cell = CellMaker(1).make(options());
  Manipulator robot{cell.system};
  VectorXd a{cell.system.nv()};
};

TEST_P(ManipulatorAllocation, the_counter_counts) {
  EXPECT_GE(allocated_by([&] { a = VectorXd::Zero(a.size()).eval(); }), 1);
}

TEST_P(ManipulatorAllocation, the_unified_model_makes_none) {
  UnifiedModel model(robot);
  const auto n = static_cast<Eigen::Index>(robot.active().size()),
             t = 6 * static_cast<Eigen::Index>(robot.arms().size());
  MatrixXd projector(n, n), inverse(n, t);
  VectorXd active(n), tips(t), rates(6);
  const VectorXd ones = VectorXd::Ones(n), none = VectorXd::Zero(t);
  EXPECT_EQ(allocated_by([&] {
              model.update(cell.state, cell.tau);
              model.compute_forward_dynamics(a);
              model.compute_reaction_null_space(projector);
              model.compute_still_acceleration(ones, active);
              model.compute_tip_acceleration(ones, none, tips);
              model.compute_inverse_dynamics(ones, none, active);
              model.compute_weighted_inverse(inverse);
              model.compute_base_velocity({}, cell.state.v, rates);
            }),
            0);
}

TEST_P(ManipulatorAllocation, closed_chains_make_none) {
  ClosedChain chain(robot);
  for (const ClosedAlgorithm algorithm : {ClosedAlgorithm::RCCFD1, ClosedAlgorithm::RCCFD2,
                                          ClosedAlgorithm::RCCFD3, ClosedAlgorithm::non_rigid})
    for (const OmegaSolve solve : {OmegaSolve::structured, OmegaSolve::dense})
      EXPECT_EQ(allocated_by([&] {
                  chain.compute_forward_dynamics(algorithm, solve, cell.state, cell.tau, {}, a);
                }),
                0)
          << name(algorithm);
}

/// Where H has no inverse, rows are redundant, wheels bind the base.
TEST(ManipulatorAllocationElsewhere, is_none_either) {
  for (const CellOptions& options :
       {CellOptions{.joints = {2, 3, 3}}, CellOptions{.base = BaseKind::free, .joints = {5, 6, 7}},
        CellOptions{.base = BaseKind::wheeled}}) {
    const Cell cell = CellMaker(1).make(options);
    const Manipulator robot(cell.system);
    VectorXd a(cell.system.nv());
    UnifiedModel model(robot);
    const auto run = [&](auto action) {
      action();
      const long before = allocations;
      action();
      return allocations - before;
    };
    EXPECT_EQ(run([&] {
                model.update(cell.state, cell.tau);
                model.compute_forward_dynamics(a);
              }),
              0);
    if (options.base == BaseKind::wheeled) continue;
    ClosedChain chain(robot);
    EXPECT_EQ(run([&] {
                chain.compute_forward_dynamics(ClosedAlgorithm::RCCFD2, OmegaSolve::structured,
                                               cell.state, cell.tau, {}, a);
              }),
              0);
  }
}

INSTANTIATE_TEST_SUITE_P(Arms, ManipulatorAllocation, ::testing::Values(2, 8));

}  // namespace
}  // namespace linkwright::testing
