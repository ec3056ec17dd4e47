/// What a mechanism does depends neither on which joint closes its loop, nor on the order of the file, nor on
/// the independent coordinates.

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include <Eigen/Dense>

#include "closure/two_arms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "support/condition.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// True accelerations of all bodies of the model, one after the other.
VectorXd body_accelerations(ClosedWorkspace& work, const Model& model, const State& state,
                            const VectorXd& a) {
  compute_forward_kinematics(work.tree(), state, a);
  VectorXd out(6 * static_cast<Index>(model.bodies.size()));
  Index next = 0;
  for (const Body& body : model.bodies) {
    out.segment<6>(next) =
        to_eigen(frame_acceleration(work.tree(), work.system().frame(body.name), Axes::world));
    next += 6;
  }
  return out;
}

TEST(Invariance, of_the_joint_that_is_cut) {
  const std::vector<JointType> types{JointType::revolute,  JointType::universal,
                                     JointType::spherical, JointType::cylindrical,
                                     JointType::prismatic, JointType::helical};
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const TwoArms made = two_arms(random, types);
    Model right = made.model, left = made.model;
    right.cut = {"right_end"}, left.cut = {"left_end"};
    const System first = compile(right), second = compile(left);
    ASSERT_EQ(first.closures().at(0).name, "right_end");
    ASSERT_EQ(second.closures().at(0).name, "left_end");
    ClosedWorkspace one(first), other(second);
    State state(first);
    state.q = made.q;
    ASSERT_TRUE(assemble(one, {.restarts = 0}, state.q).assembled);
    state.v = random.numbers(first.nv());
    project_velocity(one, state.q, {}, state.v);
    const State same = carry_over(first, state, other);
    VectorXd a(first.nv()), b(second.nv());
    compute_forward_dynamics(one, state, VectorXd::Zero(first.nv()), {}, a);
    compute_forward_dynamics(other, same, VectorXd::Zero(second.nv()), {}, b);
    const VectorXd expected = body_accelerations(one, made.model, state, a),
                   got = body_accelerations(other, made.model, same, b);
    const double bound = 64 * epsilon *
                         (condition_of_closed(one, state.q) + condition_of_closed(other, same.q)) *
                         (1 + expected.norm());
    EXPECT_LE((got - expected).norm(), bound);
    EXPECT_LE(bound, 1e-3 * (1 + expected.norm())) << "means nothing";
  }
}

/// Bodies, joints and closures in any order.
TEST(Invariance, of_the_order_in_the_file) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const ClosedMechanism made = random.closed(random.integer(3, 9), random.integer(1, 6),
                                               static_cast<Base>(seed % 3), all_joint_types());
    Model shuffled = made.model;
    std::mt19937 order(seed);
    std::shuffle(shuffled.bodies.begin(), shuffled.bodies.end(), order);
    std::shuffle(shuffled.joints.begin(), shuffled.joints.end(), order);
    std::shuffle(shuffled.closures.begin(), shuffled.closures.end(), order);
    const System first = compile(made.model), second = compile(shuffled);
    ClosedWorkspace one(first), other(second);
    if (one.rows() == 0) continue;  // a free joint closes nothing
    State state(first), same(second);
    state.q = made.q;
    state.v = random.numbers(first.nv());
    project_velocity(one, state.q, {}, state.v);
    VectorXd tau = random.numbers(first.nv()), tau_there(second.nv()), a(first.nv()),
             b(second.nv());
    for (const JointPlace& here : first.joints()) {
      const JointPlace& there = second.joint(here.name);
      same.q.segment(there.q, there.nq) = state.q.segment(here.q, here.nq);
      same.v.segment(there.v, there.nv) = state.v.segment(here.v, here.nv);
      tau_there.segment(there.v, there.nv) = tau.segment(here.v, here.nv);
    }
    const double bound = 64 * epsilon * condition_of_closed(one, state.q);
    for (const ClosedMethod method :
         {ClosedMethod::recursion, ClosedMethod::independent, ClosedMethod::dense}) {
      compute_forward_dynamics(one, state, tau, {}, a, method);
      compute_forward_dynamics(other, same, tau_there, {}, b, method);
      for (const JointPlace& here : first.joints()) {
        const JointPlace& there = second.joint(here.name);
        EXPECT_LE((b.segment(there.v, there.nv) - a.segment(here.v, here.nv)).norm(),
                  bound * (1 + a.norm()))
            << here.name << " by way " << static_cast<int>(method);
      }
    }
  }
}

/// Where nothing tells the joints of a loop apart but their names, the same one is cut in every order.
TEST(Invariance, of_the_cut_in_any_order_of_the_file) {
  RandomMechanism random(3);
  Model model = two_arms(random, {JointType::spherical}).model;
  const std::string cut = compile(model).closures().at(0).name;
  std::mt19937 order(1);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(model.joints.begin(), model.joints.end(), order);
    EXPECT_EQ(compile(model).closures().at(0).name, cut);
  }
}

/// Any set of independent coordinates that determines the others gives the same accelerations.
TEST(Invariance, of_the_independent_coordinates) {
  int seen = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const ClosedMechanism made = random.closed(random.integer(3, 7), random.integer(1, 3),
                                               static_cast<Base>(seed % 3), all_joint_types());
    const System system = compile(made.model);
    ClosedWorkspace work(system);
    if (work.rows() == 0) continue;
    State state(system);
    state.q = made.q;
    state.v = random.numbers(system.nv());
    project_velocity(work, state.q, {}, state.v);
    const Index n = system.nv();
    VectorXd expected(n), joint_forces(n);
    const VectorXd tau = random.numbers(static_cast<int>(n));
    compute_forward_dynamics(work, state, tau, {}, expected);
    compute_joint_forces(work.tree(), state, joint_forces);
    const auto count = choose_independent(work, state.q).entries.size();
    if (count == 0) continue;
    std::vector<int> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    std::mt19937 order(seed);
    for (int tries = 0; tries < 20; ++tries) {
      std::shuffle(all.begin(), all.end(), order);
      std::vector<int> entries(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
      std::sort(entries.begin(), entries.end());
      std::vector<std::string> names;
      for (const int entry : entries)
        names.push_back(system.velocity_names()[static_cast<std::size_t>(entry)]);
      double conditioning = 0;
      try {
        conditioning = require_independent(work, state.q, names).conditioning;
      } catch (const Error&) {
        continue;  // they depend on each other
      }
      if (conditioning < 1e-3) continue;
      ++seen;
      const auto m = static_cast<Index>(count);
      MatrixXd G(n, m), M(m, m);
      VectorXd g(n), bias(m);
      compute_coordinate_map(work, state, entries, G, g);
      compute_mass_matrix(work, state, entries, M);
      compute_bias(work, state, entries, bias);
      const VectorXd own = M.ldlt().solve(G.transpose() * (tau + joint_forces) - bias);
      const double bound = 64 * epsilon * condition_of_closed(work, state.q) /
                           (conditioning * conditioning) * (1 + expected.norm());
      EXPECT_LE((G * own + g - expected).norm(), bound);
    }
  }
  EXPECT_GT(seen, 500);
}

}  // namespace
}  // namespace linkwright::testing
