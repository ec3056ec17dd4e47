#include <gtest/gtest.h>

#include "closure/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

TEST(First, FourBar) {
  const System system = compile(four_bar(0.3, 0.9, 0.7, 0.8));
  ClosedWorkspace work(system);
  Eigen::VectorXd q(3);
  q << 1, 0.1, 1;
  const Assembly done = assemble(work, {.hold = {"j1"}}, q);
  EXPECT_TRUE(done.assembled) << done.residual << " " << done.steps;
  std::cout << q.transpose() << " steps " << done.steps << " res " << done.residual << "\n";
  const auto all = find_assemblies(work, {.hold = {"j1"}}, q);
  EXPECT_EQ(all.size(), 6u);
  const Mobility found = compute_mobility(work, q);
  EXPECT_EQ(found.mobility, 1);
  EXPECT_EQ(found.rank, 2);
  for (auto& r : found.redundant) std::cout << r.closure << " " << r.rows << "\n";
  State state(system);
  state.q = q;
  state.v << 1, 2, 3;
  EXPECT_LT(project_velocity(work, q, {"j1"}, state.v), 1e-12);
  std::cout << "v " << state.v.transpose() << "\n";
  Eigen::VectorXd tau(3), a(3), b(3), c(3);
  tau << 1, 0, 0;
  compute_forward_dynamics(work, state, tau, {}, a, ClosedMethod::recursion);
  std::vector<Force> f(1), g(1), h(1);
  closure_forces(work, f);
  compute_forward_dynamics(work, state, tau, {}, b, ClosedMethod::independent);
  closure_forces(work, g);
  compute_forward_dynamics(work, state, tau, {}, c, ClosedMethod::dense);
  closure_forces(work, h);
  std::cout << a.transpose() << "\n" << b.transpose() << "\n" << c.transpose() << "\n";
  std::cout << to_eigen(f[0]).transpose() << "\n" << to_eigen(g[0]).transpose() << "\n" << to_eigen(h[0]).transpose() << "\n";
  EXPECT_LT((a - b).norm(), 1e-10 * b.norm());
  EXPECT_LT((a - c).norm(), 1e-10 * b.norm());
}

TEST(First, AnyClosuresOnRandomTrees) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomModel random(seed);
    Model model = random.tree(random.integer(3, 9), static_cast<Base>(random.integer(0, 2)), all_joint_types());
    const int loops = random.integer(1, 2);
    for (int i = 0; i < loops; ++i) {
      Closure c{.name = "c" + std::to_string(i)};
      c.kind = static_cast<Closure::Kind>(random.integer(0, 4));
      c.joint = all_joint_types()[static_cast<std::size_t>(random.integer(0, 10))];
      c.body_a = random.integer(0, 3) == 0 ? "world" : model.bodies[0].name;
      c.body_b = model.bodies[static_cast<std::size_t>(random.integer(1, static_cast<int>(model.bodies.size()) - 1))].name;
      c.at_a = random.pose(0.3), c.at_b = random.pose(0.3);
      c.axis = random.direction(), c.axis2 = random.direction();
      c.pitch = 0.3, c.distance = 0.2, c.disc = random.integer(0, 1) == 1;
      if (c.joint == JointType::custom) c.modes = random.modes(random.integer(1, 5));
      model.closures.push_back(c);
    }
    const System system = compile(model);
    bool same = false;
    for (const auto& c : system.closures()) same = same || c.node_a == c.node_b;
    if (same) continue;
    ClosedWorkspace work(system);
    const State state = random.state(system);
    const Eigen::VectorXd tau = random.numbers(system.nv());
    Eigen::VectorXd a(system.nv()), b(system.nv()), c(system.nv());
    compute_forward_dynamics(work, state, tau, {}, a, ClosedMethod::recursion);
    const ClosedReport ra = closed_report(work);
    compute_forward_dynamics(work, state, tau, {}, b, ClosedMethod::independent);
    const ClosedReport rb = closed_report(work);
    compute_forward_dynamics(work, state, tau, {}, c, ClosedMethod::dense);
    const ClosedReport rc = closed_report(work);
    EXPECT_EQ(ra.rank, rb.rank) << seed;
    EXPECT_EQ(ra.rank, rc.rank) << seed;
    if (rb.violation > 1e-6) { std::cout << "seed " << seed << " inconsistent " << rb.violation << "\n"; continue; }
    EXPECT_LT((a - b).norm(), 1e-9 * (1 + b.norm())) << seed << " rows " << work.rows() << " " << ra.rank << " nv " << system.nv() << " kind " << int(system.closures()[0].kind) << " na " << system.closures()[0].node_a << " nb " << system.closures()[0].node_b << " N " << system.node_count() << [&]{ std::string t; for (auto& j : system.joints()) t += " " + std::string(to_string(j.type)); return t; }();
    EXPECT_LT((c - b).norm(), 1e-9 * (1 + b.norm())) << seed;
  }
}

}  // namespace
}  // namespace linkwright::testing
