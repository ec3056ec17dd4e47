/// What is decided once about a mechanism's closures, to be quicker, changes no answer: rows that never
/// count, bodies on legs, bodies that many closures share.

#include <gtest/gtest.h>

#include "closure/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/batch.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/sweeps/leg_scratch.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/condition.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// Accelerations and closure forces by the recursion equal those of the dense equations.
void expect_dense_answer(ClosedWorkspace& work, const State& state, const VectorXd& tau) {
  const System& system = work.system();
  VectorXd a(system.nv()), dense(system.nv()), open(system.nv());
  std::vector<Force> forces(system.closures().size()), dense_forces(forces.size());
  compute_forward_dynamics(work, state, tau, {}, dense, ClosedMethod::dense);
  closure_forces(work, dense_forces);
  compute_forward_dynamics(work.tree(), state, tau, {}, open);
  compute_forward_dynamics(work, state, tau, {}, a, ClosedMethod::recursion);
  closure_forces(work, forces);
  const double condition = condition_of_closed(work, state.q);
  EXPECT_LT((a - dense).norm(), 64 * epsilon * condition * (1 + dense.norm() + open.norm()));
  double largest = 1;
  for (const Force& f : dense_forces) largest = std::max({largest, norm(f.force), norm(f.moment)});
  for (std::size_t i = 0; i < forces.size(); ++i) {
    EXPECT_LT(norm(forces[i].force - dense_forces[i].force), 1e-9 * largest) << i;
    EXPECT_LT(norm(forces[i].moment - dense_forces[i].moment), 1e-9 * largest) << i;
  }
}

State moving_state(ClosedWorkspace& work, const VectorXd& start, RandomModel& random,
                   double reach) {
  const System& system = work.system();
  State state(system);
  for (int tries = 0; tries < 20; ++tries) {
    compute_integral(system, start, random.numbers(system.nv(), reach), 1, state.q);
    if (assemble(work, {.limits = AssemblyOptions::Limits::ignore, .restarts = 0}, state.q)
            .assembled)
      break;
  }
  state.v = random.numbers(system.nv());
  project_velocity(work, state.q, {}, state.v);
  return state;
}

/// A trunk on legs of three hinges, its feet held where they are at `knees`; leg l has one hinge more where
/// `longer` says so.
Model walker(const std::vector<double>& knees, int longer = -1) {
  Model model;
  model.bodies = {
      {.name = "trunk", .mass = 8, .com = {0.1, 0, 0.05}, .inertia = {1, 2, 3, 0, 0, 0}}};
  model.joints = {{.name = "free", .type = JointType::free, .parent = "world", .child = "trunk"}};
  for (std::size_t l = 0; l < knees.size(); ++l) {
    const std::string name = "leg" + std::to_string(l);
    const double turn = 1.7 * static_cast<double>(l) + 0.3;
    model.bodies.push_back(rod(name + "_hip", 0.1, 0.6));
    model.bodies.push_back(rod(name + "_thigh", 0.4, 1.1));
    model.bodies.push_back(rod(name + "_shin", 0.5, 0.7));
    model.joints.push_back(hinge(name + "_yaw", "trunk", name + "_hip",
                                 {0.5 * std::cos(turn), 0.5 * std::sin(turn), 0}));
    model.joints.push_back(
        hinge(name + "_roll", name + "_hip", name + "_thigh", {0.1, 0, 0}, {0, 1, 0}));
    model.joints.push_back(
        hinge(name + "_knee", name + "_thigh", name + "_shin", {0.4, 0, 0}, {0, 1, 0}));
    std::string foot = name + "_shin";
    if (static_cast<int>(l) == longer) {
      model.bodies.push_back(rod(name + "_foot", 0.2, 0.3));
      model.joints.push_back(hinge(name + "_ankle", foot, name + "_foot", {0.5, 0, 0}, {0, 1, 0}));
      foot = name + "_foot";
    }
    Closure hold{.name = name, .body_a = foot, .body_b = "world"};
    hold.joint = JointType::spherical;
    hold.at_a.translation = {foot == name + "_shin" ? 0.5 : 0.2, 0, 0};
    model.closures.push_back(hold);
    model.initial.q.push_back({name + "_yaw", {turn}});
    model.initial.q.push_back({name + "_roll", {0.5}});
    model.initial.q.push_back({name + "_knee", {knees[l]}});
  }
  Model open = model;
  open.closures.clear();
  const System system = compile(open);
  Workspace work(system);
  compute_forward_kinematics(work, initial_state(system), VectorXd::Zero(system.nv()));
  for (Closure& hold : model.closures)
    hold.at_b.translation = frame_pose(work, system.frame(hold.body_a)) * hold.at_a.translation;
  return model;
}

TEST(RowsThatNeverCount, of_a_weld_in_the_plane_three_are_carried) {
  Model model = four_bar(0.4, 0.9, 0.5, 0.8);
  // As oblique as can be: no row lies in the plane or across it.
  const Pose oblique{spatial::from_rpy({0.4, 0.7, -1.1}), {}};
  model.joints.push_back(hinge("j4", "coupler", "end", {0.9, 0, 0}));
  model.bodies.push_back(rod("end", 0.2, 0.4));
  Closure& loop = model.closures[0];
  loop.joint = JointType::fixed, loop.body_a = "end";
  loop.at_a = oblique, loop.at_b.rotation = oblique.rotation;
  const System system = compile(model);
  ClosedWorkspace work(system);
  EXPECT_EQ(work.loops().carried[0].count, 3);
  RandomModel random(1);
  VectorXd start = initial_state(system).q;
  ASSERT_TRUE(assemble(work, {}, start).assembled);
  const State state = moving_state(work, start, random, 0.1);
  expect_dense_answer(work, state, random.numbers(system.nv()));
  EXPECT_EQ(closed_report(work).dropped, 3);
}

TEST(RowsThatNeverCount, a_hinge_out_of_the_plane_makes_all_count) {
  const auto carried = [](const Model& model) {
    const System system = compile(model);
    return ClosedWorkspace(system).loops().carried[0].count;
  };
  Model model = four_bar(0.4, 0.9, 0.5, 0.8, JointType::spherical);
  EXPECT_EQ(carried(model), 2);
  model.joints[1].axis = {0, 1e-5, 1};
  EXPECT_EQ(carried(model), 3);
}

TEST(OnLegs, a_platform_moves_as_the_dense_equations_say) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/stewart.yaml"));
  ClosedWorkspace work(system);
  ASSERT_NE(work.loops().stand, nullptr);
  RandomModel random(2);
  VectorXd start = initial_state(system).q;
  ASSERT_TRUE(assemble(work, {}, start).assembled);
  for (int i = 0; i < 20; ++i) {
    const State state = moving_state(work, start, random, 0.1);
    VectorXd tau = VectorXd::Zero(system.nv());
    for (int leg = 1; leg <= 6; ++leg)
      tau[system.joint("leg" + std::to_string(leg)).v] = random.between(-50, 50);
    expect_dense_answer(work, state, tau);
  }
}

TEST(OnLegs, a_walker_moves_as_the_dense_equations_say) {
  for (const bool straight : {false, true})
    for (const int longer : {-1, 2}) {
      SCOPED_TRACE(straight);
      // A straight leg cannot give way along itself: the trunk must.
      const System system = compile(walker({0.9, straight ? 0.0 : 0.7, 1.1, 0.8}, longer));
      ClosedWorkspace work(system);
      EXPECT_EQ(work.loops().stand != nullptr, longer < 0);
      EXPECT_EQ(work.loops().pattern.hubs.size(), 1U);
      RandomModel random(3);
      State state = initial_state(system);
      for (int i = 0; i < 10; ++i) {
        state.v = random.numbers(system.nv());
        project_velocity(work, state.q, {}, state.v);
        expect_dense_answer(work, state, random.numbers(system.nv()));
        EXPECT_EQ(closed_report(work).dropped, 0);
      }
    }
}

TEST(OnLegs, a_batch_of_walkers_moves_as_each_of_them_straight_legs_among_them) {
  const System system = compile(walker({0.9, 0.0, 1.1, 0.8}));
  ClosedWorkspace work(system);
  RandomModel random(4);
  const VectorXd start = initial_state(system).q;
  const int count = 21;
  Eigen::MatrixXd q(count, system.nq()), v(count, system.nv()), tau(count, system.nv()),
      a(count, system.nv());
  std::vector<State> states;
  for (int i = 0; i < count; ++i) {
    states.push_back(moving_state(work, start, random, i == 5 ? 0 : 0.05));
    q.row(i) = states.back().q, v.row(i) = states.back().v;
    tau.row(i) = random.numbers(system.nv());
  }
  ClosedBatch batch(system, states[0].q);
  EXPECT_TRUE(batch.compute_forward_dynamics(q, v, tau, {}, a).bad_states.empty());
  for (int i = 0; i < count; ++i) {
    const VectorXd effort = tau.row(i);
    VectorXd one(system.nv()), open(system.nv());
    compute_forward_dynamics(work, states[static_cast<std::size_t>(i)], effort, {}, one);
    compute_forward_dynamics(work.tree(), states[static_cast<std::size_t>(i)], effort, {}, open);
    const double condition = condition_of_closed(work, states[static_cast<std::size_t>(i)].q);
    EXPECT_LT((a.row(i).transpose() - one).norm(),
              64 * epsilon * condition * (1 + one.norm() + open.norm()))
        << i;
  }
}

}  // namespace
}  // namespace linkwright::testing
