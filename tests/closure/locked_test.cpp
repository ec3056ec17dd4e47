/// Locked freedoms do not accelerate, and what is read as the force that holds them is that force: as an effort in the
/// system as it was, it leads to the same accelerations.

#include <cmath>

#include <gtest/gtest.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/system/lockable_system.hpp"
#include "support/condition.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

System system_of(const char* file, Base base = Base::fixed) {
  return compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + file, {.base = base}));
}

/// Takes each locked freedom's force for an effort.
template <class Work>
void expect_held(const System& system, LockableSystem& lockable, Work& free, Work& locked,
                 const State& state, const std::vector<int>& entries, double condition) {
  lockable.lock(entries);
  const auto n = static_cast<Eigen::Index>(system.nv());
  VectorXd tau = VectorXd::Zero(n), a(n), with_forces(n);
  for (Eigen::Index i = 0; i < n; ++i) tau[i] = std::cos(1.0 + 3.0 * static_cast<double>(i));
  compute_forward_dynamics(locked, state, tau, {}, a);
  double largest = 1;
  for (const int entry : entries) {
    const double force = LockableSystem::force(a[entry]);
    EXPECT_LT(std::abs(a[entry]), 1e-15) << entry;
    tau[entry] += force;
    largest = std::max(largest, std::abs(force));
  }
  compute_forward_dynamics(free, state, tau, {}, with_forces);
  EXPECT_LT((a - with_forces).norm(), 64 * epsilon * condition * (largest + a.norm()))
      << entries.size() << " locked";
}

void expect_legs_held(const char* file, const std::vector<const char*>& joints) {
  SCOPED_TRACE(file);
  System system = leave_out_friction(system_of(file));  // takes efforts everywhere
  State state = initial_state(system);
  ClosedWorkspace work(system);
  ASSERT_TRUE(assemble(work, {}, state.q).assembled);
  for (Eigen::Index i = 0; i < state.v.size(); ++i)
    state.v[i] = std::sin(1.0 + 2.0 * static_cast<double>(i));
  project_velocity(work, state.q, {}, state.v);
  std::vector<int> entries;
  for (const char* joint : joints) entries.push_back(system.joint(joint).v);
  LockableSystem lockable(system, entries);
  ClosedWorkspace locked(lockable.system());
  const double condition = condition_of_closed(work, state.q);
  for (std::size_t mask = 0; mask < (std::size_t{1} << entries.size()); mask += 3) {
    std::vector<int> held;
    for (std::size_t i = 0; i < entries.size(); ++i)
      if ((mask >> i & 1) != 0) held.push_back(entries[i]);
    expect_held(system, lockable, work, locked, state, held, condition);
  }
}

TEST(Locked, freedoms_of_a_closed_mechanism_are_held_by_their_forces) {
  expect_legs_held("stewart.yaml", {"leg1", "leg2", "leg3", "leg4", "leg5", "leg6"});
  expect_legs_held("four_bar.yaml", {"crank_pivot"});
}

TEST(Locked, freedoms_of_a_tree_are_held_by_their_forces) {
  System system = leave_out_friction(system_of("humanoid.urdf", Base::free));
  RandomModel random(5);
  State state(system);
  compute_integral(system, state.q, random.numbers(system.nv()), 1, state.q);
  state.v = random.numbers(system.nv());
  std::vector<int> entries;  // of the floating base, too
  for (int v = 1; v < system.nv(); v += 3) entries.push_back(v);
  LockableSystem lockable(system, entries);
  Workspace free(system), locked(lockable.system());
  Eigen::MatrixXd M(system.nv(), system.nv());
  compute_mass_matrix(free, state.q, M);
  const double condition = condition_of(M);
  expect_held(system, lockable, free, locked, state, entries, condition);
  entries.resize(entries.size() / 2);
  expect_held(system, lockable, free, locked, state, entries, condition);
  expect_held(system, lockable, free, locked, state, {}, condition);
}

}  // namespace
}  // namespace linkwright::testing
