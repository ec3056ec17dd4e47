// Counts heap allocations: none may happen in what is called per step, once a workspace has run.
#include <gtest/gtest.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/io/read_model.hpp"
#include "network/trees.hpp"
#include "support/count_allocations.hpp"
#include "support/declared_forces.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;
using network::NetworkWorkspace;

/// What the second run allocates.
template <class F>
long allocated_by(F action) {
  action();
  const long before = allocations;
  action();
  return allocations - before;
}

TEST(NetworkAllocation, the_counter_counts) {
  VectorXd a(3);
  EXPECT_GE(allocated_by([&] { a = VectorXd::Zero(3).eval(); }), 1);
}

TEST(NetworkAllocation, trees_make_none) {
  RandomModel random(1);
  MovingTree tree(with_all_forces(random, Base::free), random);
  NetworkWorkspace work(tree.system);
  VectorXd a(tree.system.nv()), tau(tree.system.nv());
  EXPECT_EQ(allocated_by([&] {
              compute_forward_dynamics(work, tree.state, tree.tau, tree.forces(), a);
              compute_inverse_dynamics(work, tree.state, tree.a, tree.forces(), tau);
            }),
            0);
}

TEST(NetworkAllocation, loops_make_none) {
  for (const char* file :
       {"four_bar.yaml", "stewart.yaml", "bricard.yaml", "two_arms_and_box.yaml"}) {
    const System system = compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + file));
    NetworkWorkspace work(system);
    const State state = initial_state(system);
    const VectorXd tau = VectorXd::Zero(system.nv());
    VectorXd a(system.nv());
    EXPECT_EQ(allocated_by([&] { compute_forward_dynamics(work, state, tau, {}, a); }), 0) << file;
  }
}

}  // namespace
}  // namespace linkwright::testing
