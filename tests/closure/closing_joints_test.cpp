/// Joints that close loops stay alive: a mechanism does the same wherever its loop is cut.

#include "linkwright/closure/closing_joints.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "closure/mechanisms.hpp"
#include "closure/random_mechanism.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "support/condition.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One loop through two arms and a plate; the plate hangs on the arms by joints J and K of one type,
/// and every kind of force acts on both. Cut at either.
class TwoCuts : public ::testing::TestWithParam<JointType> {
 protected:
  TwoCuts() : random_(static_cast<unsigned>(GetParam()) + 7) {
    model_.gravity = {1, 2, -9};
    for (const char* name : {"A1", "A2", "B1", "B2", "C"})
      model_.bodies.push_back(random_.body(name));
    add("a1", JointType::universal, "world", "A1");
    add("a2", JointType::universal, "A1", "A2");
    add("J", GetParam(), "A2", "C");
    add("b1", JointType::universal, "world", "B1");
    add("b2", JointType::universal, "B1", "B2");
    enliven(model_.joints[2]);
    close();
    enliven(model_.joints.back());
  }

  void add(const char* name, JointType type, const char* parent, const char* child) {
    model_.joints.push_back(random_.joint(name, type, parent, child));
  }

  /// Joint K where the plate happens to be at a random position of the tree.
  void close() {
    const System tree = compile(model_);
    State start(tree);
    start.q = random_.state(tree).q;
    if (GetParam() == JointType::custom)
      start.q.segment(tree.joint("J").q, tree.joint("J").nq) = neutral(tree, tree.joint("J"));
    Workspace work(tree);
    compute_forward_kinematics(work, start, VectorXd::Zero(tree.nv()));
    Joint K = random_.joint("K", GetParam(), "B2", "C");
    Closure pair{.name = "K", .joint = K.type, .axis = K.axis, .axis2 = K.axis2, .pitch = K.pitch};
    K.at_child = inverse(frame_pose(work, tree.frame("C"))) * frame_pose(work, tree.frame("B2")) *
                 K.pose * random_.displacement(pair);
    model_.joints.push_back(K);
    start_ = start.q;
  }
  static VectorXd neutral(const System& system, const JointPlace& joint) {
    VectorXd q(system.nq());
    compute_neutral(system, q);
    return q.segment(joint.q, joint.nq);
  }

  void enliven(Joint& joint) {
    const int d = velocity_count(joint);
    const bool takes_springs = joint.type != JointType::custom || modes_commute(joint);
    const bool pose = joint.type == JointType::spherical || joint.type == JointType::free;
    for (int i = 0; i < d; ++i) {
      joint.damping.push_back(random_.between(0.1, 1));
      joint.friction.push_back({random_.between(0.1, 1), random_.between(0.1, 1)});
      joint.rotor_inertia.push_back(random_.between(0.05, 0.5));
      model_.joint_loads.push_back({joint.name, i, random_.between(-1, 1), {}});
      if (takes_springs)
        model_.joint_springs.push_back({joint.name,
                                        i,
                                        random_.between(1, 5),
                                        random_.between(0, 1),
                                        pose ? 0 : random_.between(-1, 1),
                                        {}});
    }
  }

  /// Where it was made, with a velocity that keeps it closed; of the tree with J.
  State moving(ClosedWorkspace& work) {
    State state(work.system());
    state.q = start_;
    state.v = random_.numbers(work.system().nv());
    project_velocity(work, state.q, {}, state.v);
    return state;
  }

  [[nodiscard]] System cut(const std::string& joint) const {
    Model model = model_;
    model.cut = {joint};
    return compile(model);
  }

  RandomMechanism random_;
  Model model_;
  VectorXd start_;  // of the tree with J
};

/// Coordinates of a closing joint as a joint of the tree has them.
VectorXd to_position(const JointPlace& joint, const VectorXd& closing) {
  if (joint.nq == joint.nv) return closing;
  VectorXd q = VectorXd::Zero(joint.nq);
  q[0] = 1;
  if (joint.type == JointType::custom) return q;
  const Quaternion turn = spatial::exp_rotation(Vector3{closing[0], closing[1], closing[2]});
  q.head<4>() << turn.w, turn.x, turn.y, turn.z;
  if (joint.nq == 7) q.tail<3>() = closing.tail<3>();
  return q;
}

/// The same motion of the mechanism that is cut elsewhere.
State same_state(ClosedWorkspace& from, const State& state, const System& to) {
  const System& system = from.system();
  const auto count = static_cast<Index>(system.closing_names().size());
  VectorXd coordinates(count), rates(count);
  compute_closing_coordinates(from, state.q, coordinates);
  compute_closing_rates(from, state, rates);
  State out(to);
  for (const JointPlace& joint : to.joints()) {
    if (joint.nv == 0) continue;
    if (joint.name == system.closures()[0].name) {
      out.q.segment(joint.q, joint.nq) = to_position(joint, coordinates);
      out.v.segment(joint.v, joint.nv) = rates;
      continue;
    }
    const JointPlace& same = system.joint(joint.name);
    out.q.segment(joint.q, joint.nq) = state.q.segment(same.q, same.nq);
    out.v.segment(joint.v, joint.nv) = state.v.segment(same.v, same.nv);
  }
  return out;
}

/// By name, wherever the joint is.
VectorXd efforts_for(const System& system, const std::map<std::string, double>& efforts) {
  VectorXd tau(system.effort_count());
  const std::vector<std::string> names = system.effort_names();
  for (std::size_t i = 0; i < names.size(); ++i) tau[static_cast<Index>(i)] = efforts.at(names[i]);
  return tau;
}

/// Accelerations of all joints by name, those of the closing one among them.
std::map<std::string, double> accelerations(ClosedWorkspace& work, const State& state,
                                            const VectorXd& tau, ClosedMethod method) {
  const System& system = work.system();
  VectorXd a(system.nv());
  compute_forward_dynamics(work, state, tau, {}, a, method);
  const auto count = static_cast<Index>(system.closing_names().size());
  MatrixXd L(count, system.nv());
  VectorXd bias(count);
  compute_closing_jacobian(work, state.q, L);
  compute_closing_bias(work, state, bias);
  const VectorXd closing = L * a + bias;
  std::map<std::string, double> found;
  for (Index i = 0; i < a.size(); ++i)
    found[system.velocity_names()[static_cast<std::size_t>(i)]] = a[i];
  for (Index i = 0; i < count; ++i)
    found[system.closing_names()[static_cast<std::size_t>(i)]] = closing[i];
  return found;
}

TEST_P(TwoCuts, move_alike) {
  const System at_K = cut("K"), at_J = cut("J");
  ASSERT_EQ(at_K.closing_motors().size(), at_K.closing_names().size());
  ClosedWorkspace work_K(at_K), work_J(at_J);
  State state(at_K);
  state.q = start_;
  ASSERT_LT(compute_worst_closure(work_K, state.q).gap(), 1e-12);
  state.v = random_.numbers(at_K.nv());
  project_velocity(work_K, state.q, {}, state.v);
  const State same = same_state(work_K, state, at_J);
  ASSERT_LT(compute_worst_closure(work_J, same.q).gap(), 1e-12);

  std::map<std::string, double> efforts;
  for (const std::string& name : at_K.effort_names()) efforts[name] = random_.between(-3, 3);
  const double bound =
      64 * epsilon * (condition_of_closed(work_K, state.q) + condition_of_closed(work_J, same.q));
  const auto expected =
      accelerations(work_K, state, efforts_for(at_K, efforts), ClosedMethod::dense);
  double size = 1;
  for (const auto& [name, value] : expected) size = std::max(size, std::abs(value));
  for (const ClosedMethod method :
       {ClosedMethod::recursion, ClosedMethod::independent, ClosedMethod::dense}) {
    const auto first = accelerations(work_K, state, efforts_for(at_K, efforts), method);
    const auto second = accelerations(work_J, same, efforts_for(at_J, efforts), method);
    for (const auto& [name, value] : expected) {
      EXPECT_NEAR(first.at(name), value, bound * size) << name << static_cast<int>(method);
      EXPECT_NEAR(second.at(name), value, bound * size) << name << static_cast<int>(method);
    }
  }
  const Energy one = compute_energy(work_K, state), other = compute_energy(work_J, same);
  EXPECT_NEAR(one.kinetic, other.kinetic, 1e-12 * (1 + one.kinetic));
  EXPECT_NEAR(one.potential, other.potential, 1e-12 * (1 + std::abs(one.potential)));
}

/// Forces through all joints by name. A joint that does not sit in its child's frame has a weld "K:end"
/// behind it, and there its force stands in the child's own frame.
std::map<std::string, Force> reactions(ClosedWorkspace& work, const State& state,
                                       const VectorXd& tau) {
  const System& system = work.system();
  const std::size_t joints = system.joints().size();
  std::vector<Force> forces(joints + system.closures().size());
  compute_reactions(work, state, tau, {}, forces);
  std::map<std::string, Force> found;
  for (std::size_t j = 0; j < joints; ++j) found[system.joints()[j].name] = forces[j];
  for (std::size_t c = 0; c < system.closures().size(); ++c)
    found[system.closures()[c].name] = forces[joints + c];
  if (found.contains("K:end")) found["K"] = found["K:end"];
  found.erase("K:end");
  return found;
}

TEST_P(TwoCuts, carry_the_same_forces) {
  const System at_K = cut("K"), at_J = cut("J");
  ClosedWorkspace work_K(at_K), work_J(at_J);
  const State state = moving(work_K);
  const State same = same_state(work_K, state, at_J);
  std::map<std::string, double> efforts;
  for (const std::string& name : at_K.effort_names()) efforts[name] = random_.between(-3, 3);
  const auto first = reactions(work_K, state, efforts_for(at_K, efforts)),
             second = reactions(work_J, same, efforts_for(at_J, efforts));
  ASSERT_EQ(first.size(), 6U);
  double size = 1;
  for (const auto& [name, force] : first)
    size = std::max({size, norm(force.moment), norm(force.force)});
  const double bound = 256 * epsilon * size *
                       (condition_of_closed(work_K, state.q) + condition_of_closed(work_J, same.q));
  for (const auto& [name, force] : first) {
    EXPECT_LT(norm(force.moment - second.at(name).moment), bound) << name;
    EXPECT_LT(norm(force.force - second.at(name).force), bound) << name;
  }
}

/// What J carries as a closing joint is what it carries as a joint of the tree, seen from the motor: the
/// power of all closure forces together is that of the efforts on the closing joint.
TEST_P(TwoCuts, closing_joints_do_the_work_of_what_acts_on_them) {
  const System system = cut("K");
  ClosedWorkspace work(system);
  const State state = moving(work);
  const VectorXd tau = random_.numbers(system.effort_count(), 3);
  VectorXd a(system.nv()), needed(system.nv());
  const auto count = static_cast<Index>(system.closing_names().size());
  VectorXd efforts(count), rates(count), bias(count);
  MatrixXd L(count, system.nv());
  compute_closing_forces(work, state, efforts);
  compute_closing_rates(work, state, rates);
  compute_closing_jacobian(work, state.q, L);
  compute_closing_bias(work, state, bias);
  compute_forward_dynamics(work, state, tau, {}, a);
  compute_inverse_dynamics(work.tree(), state, a, {}, needed);
  const VectorXd closing = L * a + bias;
  for (Index i = 0; i < count; ++i)
    efforts[i] += tau[system.nv() + i] - system.closures()[0].freedom[i].rotor * closing[i];
  const double passed = state.v.dot(needed - tau.head(system.nv()));
  EXPECT_NEAR(
      passed, efforts.dot(rates),
      64 * epsilon * condition_of_closed(work, state.q) * (1 + needed.norm() * state.v.norm()));
  EXPECT_GT(std::abs(passed), 1e-3) << "nothing passes: the test says nothing";
}

TEST_P(TwoCuts, motors_on_closing_joints_give_back_the_motion) {
  const System system = cut("K");
  ClosedWorkspace work(system);
  const State state = moving(work);
  VectorXd a(system.nv()), again(system.nv()), tau(system.effort_count());
  compute_forward_dynamics(work, state, random_.numbers(system.effort_count(), 3), {}, a);
  const Actuation motors = all_motors(system);
  ASSERT_EQ(static_cast<int>(motors.entries.size()), system.effort_count());
  compute_inverse_dynamics(work, state, a, {}, motors, tau);
  compute_forward_dynamics(work, state, tau, {}, again);
  EXPECT_LT((again - a).norm(),
            256 * epsilon * condition_of_closed(work, state.q) * (1 + a.norm()));
  EXPECT_GT(tau.tail(system.effort_count() - system.nv()).norm(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(ClosingJoints, TwoCuts,
                         ::testing::Values(JointType::revolute, JointType::continuous,
                                           JointType::prismatic, JointType::helical,
                                           JointType::cylindrical, JointType::universal,
                                           JointType::planar, JointType::spherical, JointType::free,
                                           JointType::custom),
                         [](const auto& type) { return std::string(to_string(type.param)); });

TEST(ClosingJoints, three_ways_lead_to_the_same_accelerations_and_forces) {
  int alive = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomMechanism random(seed);
    ClosedMechanism made =
        random.closed(random.integer(3, 9), random.integer(1, 6),
                      static_cast<Base>(random.integer(0, 2)), all_joint_types());
    random.enliven(made.model);
    const System system = compile(made.model);
    ClosedWorkspace work(system);
    State state(system);
    state.q = made.q;
    state.v = random.numbers(system.nv());
    project_velocity(work, state.q, {}, state.v);
    const VectorXd tau = random.numbers(system.effort_count(), 3);
    VectorXd expected(system.nv()), a(system.nv());
    std::vector<Force> expected_forces(system.closures().size()), forces = expected_forces;
    compute_forward_dynamics(work, state, tau, {}, expected, ClosedMethod::dense);
    closure_forces(work, expected_forces);
    const bool redundant = closed_report(work).dropped > 0;
    alive += system.closing_motors().empty() ? 0 : 1;
    // The recursion subtracts what the closures take from the accelerations of the open tree.
    VectorXd open(system.nv());
    compute_forward_dynamics(work.tree(), state, tau.head(system.nv()), {}, open);
    const double bound =
        64 * epsilon * condition_of_closed(work, state.q) * (1 + expected.norm() + open.norm());
    for (const ClosedMethod method : {ClosedMethod::recursion, ClosedMethod::independent}) {
      compute_forward_dynamics(work, state, tau, {}, a, method);
      EXPECT_LT((a - expected).norm(), bound) << seed << ' ' << static_cast<int>(method);
      if (redundant) continue;  // of least norm, in scales of their own
      closure_forces(work, forces);
      MatrixXd M(system.nv(), system.nv());
      compute_mass_matrix(work, state.q, M);
      for (std::size_t c = 0; c < forces.size(); ++c)
        EXPECT_LT(norm(forces[c].force - expected_forces[c].force) +
                      norm(forces[c].moment - expected_forces[c].moment),
                  bound * (10 + M.norm()))
            << seed << ' ' << system.closures()[c].name << ' ' << static_cast<int>(method);
    }
  }
  EXPECT_GT(alive, 100);
}

TEST(ClosingJoints, a_hinge_of_a_planar_loop_counts_its_turns) {
  const System system = compile(four_bar(0.1, 0.4, 0.35, 0.3));
  ClosedWorkspace work(system);
  State state(system);
  state.q << 0, 0.5, 1;
  AssemblyOptions options{.hold = {"j1"}};
  ASSERT_TRUE(assemble(work, options, state.q).assembled);
  VectorXd before(1), now(1), rate(1);
  compute_closing_coordinates(work, state.q, before);
  double turned = 0;
  const double h = 2 * std::numbers::pi / 200;
  for (int i = 0; i < 600; ++i) {
    state.v << 1, 0, 0;
    project_velocity(work, state.q, {"j1"}, state.v);
    compute_closing_rates(work, state, rate);
    turned += 0.5 * h * rate[0];
    state.q += h * state.v;
    ASSERT_TRUE(assemble(work, options, state.q).assembled);
    state.v << 1, 0, 0;
    project_velocity(work, state.q, {"j1"}, state.v);
    compute_closing_rates(work, state, rate);
    turned += 0.5 * h * rate[0];
    compute_closing_coordinates(work, state.q, now);
    ASSERT_LT(std::abs(now[0] - before[0] - turned), 0.02) << i;
  }
  // The coupler comes back after each turn of the crank, and its angle against the rocker too.
  EXPECT_NEAR(now[0], before[0], 1e-9);
  Model other = four_bar(0.1, 0.4, 0.35, 0.3);
  other.joints[0].name = "j1";
  // Cut at the crank instead: its angle grows by three turns.
  Model cut_at_crank = other;
  cut_at_crank.closures.clear();
  cut_at_crank.joints = {
      hinge("j3", "world", "rocker", {0.3, 0, 0}), hinge("j4", "rocker", "coupler", {0.35, 0, 0}),
      hinge("j2", "coupler", "crank", {0, 0, 0}), hinge("j1", "world", "crank", {0, 0, 0})};
  cut_at_crank.joints[1].at_child.translation = {0.4, 0, 0};
  cut_at_crank.joints[2].at_child.translation = {0.1, 0, 0};
  cut_at_crank.cut = {"j1"};
  const System crank = compile(cut_at_crank);
  ClosedWorkspace crank_work(crank);
  VectorXd q(crank.nq());
  for (int turns = 0; turns < 3; ++turns) {
    q.setZero();
    q[crank.joint("j3").q] = state.q[2];
    q[crank.joint("j4").q] = state.q[0] + state.q[1] - state.q[2] - 2 * std::numbers::pi * 3;
    q[crank.joint("j2").q] = -state.q[1] + 2 * std::numbers::pi * turns;
    ASSERT_LT(compute_worst_closure(crank_work, q).gap(), 1e-11);
    compute_closing_coordinates(crank_work, q, now);
    EXPECT_NEAR(now[0], state.q[0] + 2 * std::numbers::pi * (turns - 3), 1e-11);
  }
}

TEST(ClosingJoints, a_heavy_rotor_holds_the_joint_still) {
  Model model = four_bar(0.2, 0.4, 0.35, 0.3);
  model.closures[0].rotor_inertia = {1e9};
  const System system = compile(model);
  ClosedWorkspace work(system);
  State state(system);
  state.q << 0.7, 0.5, 1;
  ASSERT_TRUE(assemble(work, {.hold = {"j1"}}, state.q).assembled);
  VectorXd a(3), tau = VectorXd::Zero(3);
  for (const ClosedMethod method :
       {ClosedMethod::recursion, ClosedMethod::independent, ClosedMethod::dense}) {
    compute_forward_dynamics(work, state, tau, {}, a, method);
    EXPECT_LT(a.norm(), 1e-6);
    EXPECT_GT(a.norm(), 1e-12);
  }
}

TEST(ClosingJoints, assembly_keeps_them_within_their_limits) {
  Model model = four_bar(0.2, 0.4, 0.35, 0.3);
  VectorXd q(3), angle(1);
  std::vector<double> angles;
  for (const double rocker : {1.0, -1.0}) {
    const System system = compile(model);
    ClosedWorkspace work(system);
    q << 0.7, -rocker, rocker;
    ASSERT_TRUE(assemble(work, {.hold = {"j1"}}, q).assembled);
    compute_closing_coordinates(work, q, angle);
    angles.push_back(angle[0]);
  }
  ASSERT_GT(std::abs(angles[0] - angles[1]), 0.1) << "the two ways to assemble it";
  for (const double wanted : angles) {
    Limits limits;
    limits.lower = wanted - 0.01, limits.upper = wanted + 0.01;
    model.closures[0].limits = {limits};
    const System system = compile(model);
    ClosedWorkspace work(system);
    for (const double rocker : {1.0, -1.0}) {
      q << 0.7, -rocker, rocker;
      EXPECT_TRUE(assemble(work, {.hold = {"j1"}}, q).assembled);
      compute_closing_coordinates(work, q, angle);
      EXPECT_NEAR(angle[0], wanted, 1e-9);
    }
  }
  Limits nowhere;
  nowhere.lower = angles[0] + 0.02, nowhere.upper = angles[0] + 0.03;
  model.closures[0].limits = {nowhere};
  const System system = compile(model);
  ClosedWorkspace work(system);
  const Assembly result = assemble(work, {.hold = {"j1"}}, q);
  EXPECT_FALSE(result.assembled);
  EXPECT_EQ(result.beyond_limits, "loop");
  EXPECT_NE(describe(system, result).find("closing joint 'loop' stands beyond its limits"),
            std::string::npos);
}

TEST(ClosingJoints, efforts_go_to_motors_only) {
  Model model = four_bar(0.2, 0.4, 0.35, 0.3);
  EXPECT_EQ(compile(model).effort_count(), 3) << "a closure has no motor unless it says so";
  model.actuators = {
      {.name = "m", .joint = "loop", .motor = Actuator::Motor{.rotor_inertia = 1e-3}, .gear = 10}};
  const System system = compile(model);
  EXPECT_EQ(system.effort_count(), 4);
  EXPECT_EQ(system.effort_names().back(), "loop");
  EXPECT_DOUBLE_EQ(system.closures()[0].freedom[0].rotor, 0.1);
  ClosedWorkspace work(system);
  State state(system);
  state.q << 0.7, 0.5, 1;
  ASSERT_TRUE(assemble(work, {.hold = {"j1"}}, state.q).assembled);
  VectorXd a(3);
  EXPECT_THROW(compute_forward_dynamics(work, state, VectorXd::Zero(5), {}, a), Error);
  VectorXd tau = VectorXd::Zero(4);
  compute_forward_dynamics(work, state, tau, {}, a);
  const VectorXd still = a;
  tau[3] = 1;
  compute_forward_dynamics(work, state, tau, {}, a);
  EXPECT_GT((a - still).norm(), 1e-3);
  model.closures[0].passive = {true};
  EXPECT_THROW(compile(model), Error);
}

}  // namespace
}  // namespace linkwright::testing
