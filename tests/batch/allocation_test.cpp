// Counts heap allocations: a batch that has seen as many states and forces before makes none.
#include <limits>

#include <gtest/gtest.h>

#include "linkwright/batch/batch.hpp"
#include "support/count_allocations.hpp"
#include "support/random_forces.hpp"

namespace linkwright::testing {
namespace {

TEST(BatchAllocation, the_counter_counts) {
  const long before = allocations;
  Eigen::VectorXd* heap = new Eigen::VectorXd(100);
  EXPECT_GE(allocations - before, 2);
  delete heap;
}

template <class B>
void expect_no_allocation_after_the_first_calls(int threads) {
  using Matrix = typename BasicBatch<B>::Matrix;
  RandomModel random(17);
  Model model = random.tree(20, Base::free, all_joint_types());
  for (Joint& joint : model.joints)
    if (joint.type != JointType::fixed) joint.damping = {0.1};
  model.line_springs.push_back(
      {"spring", "body0", "body3", {0.1, 0, 0}, {0, 0.2, 0}, 10, 1, 0.3, {}});
  const System system = compile(model);
  const int count = 45, nv = system.nv();  // a ragged tail for doubles and for floats
  Matrix q(count, system.nq()), v(count, nv), x(count, nv), out(count, nv);
  for (int s = 0; s < count; ++s) {
    const State state = random.state(system);
    q.row(s) = state.q.cast<B>();
    v.row(s) = state.v.cast<B>();
    x.row(s) = random.numbers(nv).cast<B>();
  }
  Matrix moved_q = q, moved_v = v, square(count, nv * nv), pose(count, 12), jacobian(count, 6 * nv);
  Matrix spoiled = v;
  spoiled.setConstant(std::numeric_limits<B>::quiet_NaN());
  const FrameId tip = system.frame("tip");
  const RandomForces<B> forces(system, random, count);
  const BasicBatchForces<B> push = forces.all();
  BasicBatch<B> batch(system, {.threads = threads});
  const auto call_everything = [&] {
    batch.compute_inverse_dynamics(q, v, x, push, out);
    batch.compute_forward_dynamics(q, v, x, push, out);
    batch.compute_mass_matrix(q, square);
    batch.compute_forward_kinematics(q, tip, pose);
    batch.compute_jacobian(q, tip, Axes::world, jacobian);
    batch.compute_rollout(moved_q, moved_v, x, push, 1e-3, 2);
  };
  call_everything();
  const long before = allocations;
  call_everything();
  batch.compute_inverse_dynamics(q.topRows(9), v.topRows(9), x.topRows(9), {}, out.topRows(9));
  const auto bad = batch.compute_inverse_dynamics(q, spoiled, x, {}, out).bad_states.size();
  EXPECT_EQ(allocations - before, 0) << threads << " threads";
  EXPECT_EQ(bad, static_cast<std::size_t>(count));
}

TEST(BatchAllocation, nothing_allocates_after_the_first_calls) {
  for (const int threads : {1, 3}) {
    expect_no_allocation_after_the_first_calls<double>(threads);
    expect_no_allocation_after_the_first_calls<float>(threads);
  }
}

}  // namespace
}  // namespace linkwright::testing
