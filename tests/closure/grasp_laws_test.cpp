// Arms that hold objects: any number of each, on any base, through any contacts.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/gaps.hpp"
#include "linkwright/closure/grasp_contacts.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/system_file.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;
using Contact = Grasp::Contact;

constexpr const char* all_bases[]{
    "fixed", "free", "planar",
    "{flexible: {stiffness: [900, 900, 900, 4000, 4000, 4000], damping: [9, 9, 9, 40, 40, 40]}}"};

/// Stands for an arm of two joints, on a fixed base.
constexpr const char* two_joints = "";

/// Arms around a box, not yet holding it.
Model arms_and_box(const std::vector<std::string>& files, const std::string& base) {
  std::string models, bodies, joints;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string name = "arm" + std::to_string(i);
    const std::string pose =
        ", pose: {xyz: [" + std::to_string(0.3 * static_cast<double>(i)) + ", 0.1, 0.05]}";
    if (files[i] != two_joints) {
      models += "  - {file: " LINKWRIGHT_SOURCE_DIR "/" + files[i] + ", name: " + name +
                ", base: " + base + pose + "}\n";
      continue;
    }
    const std::string inertia =
        ", mass: 2, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02, 0, 0, 0]}\n";
    bodies += "  - {name: " + name + "_upper" + inertia + "  - {name: " + name + "_lower" + inertia;
    joints += "  - {name: " + name + "_a, type: revolute, parent: world, child: " + name +
              "_upper, axis: [0, 1, 0]" + pose + "}\n  - {name: " + name +
              "_b, type: revolute, parent: " + name + "_upper, child: " + name +
              "_lower, axis: [0, 0, 1], pose: {xyz: [0.4, 0, 0]}}\n";
  }
  std::string text = "linkwright: 1\nmodels:\n" + models;
  if (!bodies.empty()) text += "bodies:\n" + bodies + "joints:\n" + joints;
  text +=
      "objects:\n"
      "  - {name: box, mass: 3, com: [0.02, 0, 0.01], inertia: [0.03, 0.04, 0.05, 0.002, 0, "
      "0.001]}\n"
      "  - {name: ball, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}\n";
  return parse_system_file(text, "arms.yaml");
}

struct Hold {
  const char *arm, *object;
  Contact contact;
};

/// The model with these grasps, closed at `q`: the contact frames are where the arms' frames are.
void hold(Model& model, const VectorXd& q, const std::vector<Hold>& holds, RandomModel& random) {
  const System open = compile(model);
  Workspace work(open, Closures::leave_out);
  State state(open);
  state.q = q;
  compute_forward_kinematics(work, state, VectorXd::Zero(open.nv()));
  for (const Hold& h : holds) {
    Grasp grasp{
        .name = "grasp" + std::to_string(model.grasps.size()), .arm = h.arm, .object = h.object};
    grasp.contact = h.contact;
    grasp.at =
        inverse(frame_pose(work, open.frame(h.object))) * frame_pose(work, open.frame(h.arm));
    grasp.normal = random.direction(), grasp.axis = random.direction();
    model.grasps.push_back(grasp);
  }
}

VectorXd random_position(const Model& model, std::uint64_t seed) {
  const System system = compile(model);
  VectorXd q(system.nq());
  compute_random(system, seed, q);
  return q;
}

State moving(ClosedWorkspace& work, const VectorXd& q, RandomModel& random) {
  State state(work.system());
  state.q = q;
  state.v = random.numbers(work.system().nv());
  EXPECT_LT(project_velocity(work, q, {}, state.v), 1e-9);
  return state;
}

/// Accelerations of the joints and, behind them, of the box.
VectorXd motion(ClosedWorkspace& work, const State& state, const VectorXd& tau,
                ClosedMethod method) {
  VectorXd a(work.system().nv());
  compute_forward_dynamics(work, state, tau, {}, a, method);
  return a;
}

TEST(GraspLaws, one_rigid_grasp_is_a_box_welded_to_the_hand) {
  RandomModel random(81);
  for (const char* base : all_bases) {
    Model model = arms_and_box({"models/arm7.urdf", "models/arm6.urdf"}, base);
    std::erase(model.objects, "ball");
    std::erase_if(model.bodies, [](const Body& b) { return b.name == "ball"; });
    std::erase_if(model.joints, [](const Joint& j) { return j.child == "ball"; });
    const VectorXd q = random_position(model, 5);
    Model held = model;
    hold(held, q, {{"arm0/tool", "box", Contact::rigid}}, random);
    const System system = compile(held);
    ClosedWorkspace work(system);
    const State state = moving(work, q, random);
    VectorXd tau = random.numbers(system.nv(), 10);
    const JointPlace& flies = system.joint("box");
    tau.segment(flies.v, 6).setZero();
    for (const int i : system.passive_freedoms()) tau[i] = 0;
    const VectorXd a = motion(work, state, tau, ClosedMethod::automatic);

    Model welded = model;
    Joint& joint = *std::find_if(welded.joints.begin(), welded.joints.end(),
                                 [](const Joint& j) { return j.child == "box"; });
    joint = {.name = joint.name,
             .type = JointType::fixed,
             .parent = "arm0/tool",
             .child = "box",
             .pose = inverse(held.grasps[0].at)};
    welded.objects.clear();
    const System tree = compile(welded);
    Workspace plain(tree);
    State same(tree);
    ASSERT_EQ(tree.nv(), system.nv() - 6);
    VectorXd expected(tree.nv()), efforts(tree.nv());
    for (const JointPlace& there : tree.joints()) {
      if (there.nv == 0) continue;
      const JointPlace& here = system.joint(there.name);
      same.q.segment(there.q, there.nq) = state.q.segment(here.q, here.nq);
      same.v.segment(there.v, there.nv) = state.v.segment(here.v, here.nv);
      efforts.segment(there.v, there.nv) = tau.segment(here.v, here.nv);
    }
    compute_forward_dynamics(plain, same, efforts, {}, expected);
    for (const JointPlace& there : tree.joints()) {
      if (there.nv == 0) continue;
      const VectorXd off =
          a.segment(system.joint(there.name).v, there.nv) - expected.segment(there.v, there.nv);
      EXPECT_LT(off.cwiseAbs().maxCoeff(), 1e-11 * (1 + expected.cwiseAbs().maxCoeff()))
          << base << " " << there.name;
    }
    compute_forward_kinematics(work.tree(), state, a);
    compute_forward_kinematics(plain, same, expected);
    const Motion x = frame_acceleration(work.tree(), system.frame("box"), Axes::world),
                 y = frame_acceleration(plain, tree.frame("box"), Axes::world);
    EXPECT_LT(norm(x.linear - y.linear) + norm(x.angular - y.angular), 1e-10 * (1 + norm(y.linear)))
        << base;
  }
}

struct Case {
  const char* name;
  std::vector<std::string> arms;
  std::vector<Hold> holds;
  bool also_by_the_world;
  bool redundant;
};

std::vector<Case> all_cases() {
  using enum Grasp::Contact;
  const std::string seven = "models/arm7.urdf", six = "models/arm6.urdf", two = two_joints;
  return {
      {"two_rigid",
       {seven, seven},
       {{"arm0/tool", "box", rigid}, {"arm1/tool", "box", rigid}},
       false,
       false},
      {"mixed",
       {seven, six},
       {{"arm0/tool", "box", soft_finger}, {"arm1/tool", "box", line}},
       false,
       false},
      {"three_arms",
       {seven, six, seven},
       {{"arm0/tool", "box", point},
        {"arm1/tool", "box", soft_finger},
        {"arm2/tool", "box", rigid}},
       false,
       false},
      {"short_arms",
       {two, two, seven},
       {{"arm0_lower", "box", rigid}, {"arm1_lower", "box", rigid}, {"arm2/tool", "box", rigid}},
       false,
       true},
      {"also_by_the_world",
       {seven, seven},
       {{"arm0/tool", "box", soft_finger}, {"arm1/tool", "box", point}},
       true,
       false},
      {"twice_by_one_hand",
       {seven},
       {{"arm0/tool", "box", rigid}, {"arm0/tool", "box", soft_finger}},
       false,
       true},
      {"two_objects",
       {seven, six},
       {{"arm0/tool", "box", soft_finger}, {"arm1/tool", "ball", rigid}, {"box", "ball", point}},
       false,
       false},
  };
}

/// Whatever is redundant, accelerations are unique: three ways, and the grasps in another order.
TEST(GraspLaws, accelerations_do_not_depend_on_the_method_or_on_the_order_of_grasps) {
  RandomModel random(82);
  for (const Case& c : all_cases())
    for (const char* base : all_bases) {
      SCOPED_TRACE(std::string(c.name) + " on a base " + base);
      Model model = arms_and_box(c.arms, base);
      const VectorXd q = random_position(model, 7);
      hold(model, q, c.holds, random);
      if (c.also_by_the_world) {
        const System open = compile(model);
        Workspace work(open, Closures::leave_out);
        State state(open);
        state.q = q;
        compute_forward_kinematics(work, state, VectorXd::Zero(open.nv()));
        Closure tied{.name = "tied", .body_a = "world", .body_b = "box"};
        tied.joint = JointType::universal;
        tied.axis = {1, 0, 0}, tied.axis2 = {0, 1, 0};
        tied.at_b.translation = {0.05, 0.02, 0};
        tied.at_a = frame_pose(work, open.frame("box")) * tied.at_b;
        model.closures.push_back(tied);
      }
      const System system = compile(model);
      ClosedWorkspace work(system);
      ASSERT_LT(compute_worst_closure(work, q).gap(), 1e-12);
      const Mobility found = compute_mobility(work, q);
      if (std::string(base) == "fixed") {
        EXPECT_EQ(found.rank < found.rows, c.redundant);
      }
      const State state = moving(work, q, random);
      VectorXd tau = random.numbers(system.nv(), 5);
      for (const int i : system.passive_freedoms()) tau[i] = 0;
      const VectorXd b = motion(work, state, tau, ClosedMethod::dense),
                     d = motion(work, state, tau, ClosedMethod::independent),
                     a = motion(work, state, tau, ClosedMethod::automatic);
      const double size = 1 + b.norm() + state.v.squaredNorm();
      EXPECT_LT((a - b).norm(), 1e-9 * size);
      EXPECT_LT((d - b).norm(), 1e-9 * size);
      std::vector<Force> forces(system.closures().size());
      closure_forces(work, forces);

      std::reverse(model.grasps.begin(), model.grasps.end());
      const System other = compile(model);
      ClosedWorkspace reversed(other);
      VectorXd again(other.nv());
      compute_forward_dynamics(reversed, state, tau, {}, again);
      EXPECT_LT((again - b).norm(), 1e-9 * size);
      std::vector<Force> same(forces.size());
      closure_forces(reversed, same);
      // Least-norm forces do not depend on the order either.
      const std::size_t grasps = model.grasps.size(), first = forces.size() - grasps;
      for (std::size_t i = 0; i < grasps; ++i) {
        const Force off = forces[first + i] - same[first + grasps - 1 - i];
        EXPECT_LT(norm(off.force) + norm(off.moment), 1e-6 * size) << i;
      }
    }
}

/// The forces are what the equations of motion lack: M v̇ + bias = tau + Jᵀ λ, seen through virtual work on the object.
TEST(GraspLaws, the_forces_of_the_grasps_move_the_object) {
  RandomModel random(83);
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.name);
    if (c.also_by_the_world || std::string(c.name) == "two_objects") continue;
    Model model = arms_and_box(c.arms, "fixed");
    const VectorXd q = random_position(model, 7);
    hold(model, q, c.holds, random);
    const System system = compile(model);
    ClosedWorkspace work(system);
    const State state = moving(work, q, random);
    VectorXd tau = random.numbers(system.nv(), 5), a(system.nv());
    const JointPlace& flies = system.joint("box");
    tau.segment(flies.v, 6).setZero();
    for (const int i : system.passive_freedoms()) tau[i] = 0;
    compute_forward_dynamics(work, state, tau, {}, a);
    std::vector<Force> forces(system.closures().size());
    closure_forces(work, forces);
    Force sum{};
    const std::size_t first = forces.size() - model.grasps.size();
    for (std::size_t i = 0; i < model.grasps.size(); ++i)
      sum += to_parent(model.grasps[i].at, forces[first + i]);
    VectorXd needed(system.nv());
    compute_inverse_dynamics(work.tree(), state, a, {}, needed);
    const VectorXd box = needed.segment(flies.v, 6);
    const double found[]{sum.moment.x, sum.moment.y, sum.moment.z,
                         sum.force.x,  sum.force.y,  sum.force.z};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(found[i], box[i], 1e-8) << i;
  }
}

TEST(GraspLaws, an_arm_that_does_not_reach_is_told_with_its_gap) {
  Model model = parse_system_file(R"(linkwright: 1
bodies: [{name: hand, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}]
joints: [{name: swing, type: revolute, parent: world, child: hand, axis: [0, 0, 1]}]
objects: [{name: box, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}]
closures: [{name: bench, between: [world, box], joint: fixed, at_a: {xyz: [0.5, 0, 0.2]}}]
grasps: [{name: pinch, arm: hand, object: box, contact: point}]
)",
                                  "far.yaml");
  const System system = compile(model);
  ClosedWorkspace work(system);
  VectorXd q = State(system).q;
  const Assembly result = assemble(work, {}, q);
  EXPECT_FALSE(result.assembled);
  const std::string told = describe_gaps(work, q);
  EXPECT_TRUE(contains(told, "grasp 'pinch' is open by 0.") &&
              contains(told, "closure 'bench' is open by"))
      << told;
  State state(system);
  state.q[system.joint("box").q + 4] = 0.5, state.q[system.joint("box").q + 6] = 0.2;
  try {
    require_closed(work, state);
    FAIL();
  } catch (const Error& e) {
    EXPECT_TRUE(contains(
        e.what(),
        "grasp 'pinch' is open by 0.539 m and 0 rad: arm 'hand' does not reach object 'box'"))
        << e.what();
  }
}

}  // namespace
}  // namespace linkwright::testing
