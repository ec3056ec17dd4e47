// Load sharing: balance, cones, limits, the best answer and why there is none.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/manipulator/sharing.hpp"
#include "manipulator/grasps.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using manipulator::LoadSharing;
using manipulator::share_load;
using manipulator::SharingOptions;
using manipulator::SharingRule;

constexpr double pi = std::numbers::pi;

struct Fingers {
  System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/three_fingers_and_ball.yaml"));
  ClosedWorkspace work{system};
  State state = initial_state(system);

  Fingers() { EXPECT_TRUE(assemble(work, {.hold = {"ball"}}, state.q).assembled); }
  [[nodiscard]] VectorXd efforts(const LoadSharing& shared) const {
    VectorXd tau = VectorXd::Zero(system.nv());
    for (const auto& motor : shared.motors) tau[system.joint(motor.name).v] = motor.effort;
    return tau;
  }
};

double torque(const LoadSharing& shared) {
  double sum = 0;
  for (const auto& motor : shared.motors) sum += motor.effort * motor.effort;
  return sum;
}
double force(const LoadSharing& shared) {
  double sum = 0;
  for (const auto& contact : shared.contacts)
    for (const double f : contact.forces) sum += f * f;
  return sum;
}

/// The dynamics of the closed system know nothing of sharing: with these efforts the object accelerates as
/// asked, and the contacts carry what was said.
TEST(load_sharing, produces_the_motion_that_was_asked_for) {
  Fingers hand;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const SharingRule rule : {SharingRule::least_squares, SharingRule::least_torque})
    for (int trial = 0; trial < 5; ++trial) {
      hand.state.v.setZero();
      if (trial > 1) {
        for (Index i = 0; i < hand.state.v.size(); ++i) hand.state.v[i] = 0.3 * number(random);
        project_velocity(hand.work, hand.state.q, {}, hand.state.v);
      }
      SharingOptions options{.rule = rule};
      options.object = "ball";
      for (int i = 0; i < 6; ++i) options.acceleration.push_back(trial == 0 ? 0 : number(random));
      const ExternalForce push{
          hand.system.frame("ball"), {{0.001, 0, 0}, {0.1, -0.2, 0.3}}, Axes::world};
      const LoadSharing shared = share_load(hand.work, hand.state, options, {&push, 1});
      ASSERT_TRUE(shared.feasible) << shared.reason;
      EXPECT_LT(shared.residual, 1e-12);
      VectorXd a(hand.system.nv());
      compute_forward_dynamics(hand.work, hand.state, hand.efforts(shared), {&push, 1}, a);
      const int ball = hand.system.joint("ball").v;
      for (int i = 0; i < 6; ++i)
        EXPECT_NEAR(a[ball + i], options.acceleration[static_cast<std::size_t>(i)], 1e-9);
      std::vector<Force> carried(hand.system.closures().size());
      closure_forces(hand.work, carried);
      for (std::size_t i = 0; i < carried.size(); ++i) {
        EXPECT_NEAR(-carried[i].force.x, shared.contacts[i].normal, 1e-9);
        EXPECT_NEAR(std::hypot(carried[i].force.y, carried[i].force.z),
                    shared.contacts[i].tangential, 1e-9);
      }
    }
}

TEST(load_sharing, keeps_cones_and_limits_and_each_rule_is_best_by_its_own_measure) {
  Fingers hand;
  const LoadSharing by_force = share_load(hand.work, hand.state, {});
  const LoadSharing by_torque =
      share_load(hand.work, hand.state, {.rule = SharingRule::least_torque});
  ASSERT_TRUE(by_force.feasible && by_torque.feasible);
  // Three alike: a third of the weight each, by friction.
  for (const auto& contact : by_force.contacts) {
    EXPECT_NEAR(contact.tangential, 0.2 * 9.81 / 3, 1e-10);
    EXPECT_NEAR(contact.normal, 0.2 * 9.81 / 3 / 0.8, 1e-10);
    EXPECT_GE(contact.margin, -1e-9);
  }
  EXPECT_LE(force(by_force), force(by_torque) + 1e-12);
  EXPECT_LE(torque(by_torque), torque(by_force) + 1e-12);
  EXPECT_LT(by_force.optimality, 1e-10);
  EXPECT_LT(by_torque.optimality, 1e-10);
  // Without cones the squeeze is not needed.
  const LoadSharing glued =
      share_load(hand.work, hand.state, {.cones = SharingOptions::Bounds::ignore});
  EXPECT_LT(force(glued), force(by_force));
  for (const auto& contact : glued.contacts) EXPECT_NEAR(contact.normal, 0, 1e-10);
  // Limits just below what is used bind, and what is short of them is said by name.
  double most = 0;
  for (const auto& motor : by_force.motors) most = std::max(most, std::abs(motor.effort));
  Model model = hand.system.model();
  for (Joint& joint : model.joints)
    for (Limits& limits : joint.limits) limits.effort = 0.5 * most;
  const System weak = compile(model);
  ClosedWorkspace work(weak);
  const LoadSharing too_weak = share_load(work, hand.state, {});
  EXPECT_FALSE(too_weak.feasible);
  EXPECT_GT(too_weak.shortage, 0);
  EXPECT_TRUE(contains(too_weak.reason, "_bend' would need")) << too_weak.reason;
  EXPECT_TRUE(share_load(work, hand.state, {.efforts = SharingOptions::Bounds::ignore}).feasible);
}

TEST(load_sharing, a_reserve_keeps_friction_back) {
  Fingers hand;
  for (const double reserve : {0.1, 0.5, 0.9}) {
    const LoadSharing shared = share_load(
        hand.work, hand.state, {.efforts = SharingOptions::Bounds::ignore, .reserve = reserve});
    ASSERT_TRUE(shared.feasible) << shared.reason;
    for (const auto& contact : shared.contacts)
      EXPECT_NEAR(contact.margin, reserve * 0.8 * contact.normal, 1e-9);
  }
}

/// Projection on a friction cone, written down from geometry.
Eigen::Vector3d onto_cone(const Eigen::Vector3d& c, double mu) {
  const double along = c.head(2).norm();
  if (along <= mu * c[2]) return c;
  if (mu * along <= -c[2]) return Eigen::Vector3d::Zero();
  const double normal = (mu * along + c[2]) / (1 + mu * mu);
  Eigen::Vector3d out;
  out << c.head(2) * (mu * normal / along), normal;
  return out;
}

/// The dual of least |c|², G c = w, c in cones, is most uᵀw − ½ |onto cones (Gᵀu)|²; every u bounds the cost
/// from below, and ascent finds the best without the solver.
struct Dual {
  double bound = 0, missed = 0;
};
Dual ascend(const MatrixXd& G, const VectorXd& w, const std::vector<double>& friction) {
  VectorXd u = VectorXd::Zero(G.rows()), before = u, c(G.cols());
  const double step = 1 / (G * G.transpose()).norm();
  Dual best{-1e300, 0};
  for (int k = 1; k <= 60000; ++k) {
    const VectorXd ahead = u + (k - 1.0) / (k + 2.0) * (u - before);
    const VectorXd wanted = G.transpose() * ahead;
    for (std::size_t i = 0; i < friction.size(); ++i)
      c.segment<3>(3 * static_cast<Index>(i)) =
          onto_cone(wanted.segment<3>(3 * static_cast<Index>(i)), friction[i]);
    const VectorXd left = w - G * c;
    best.bound = std::max(best.bound, ahead.dot(w) - 0.5 * c.squaredNorm());
    best.missed = left.norm();
    if (best.missed < 1e-11 * w.norm()) break;
    before = u, u = ahead + step * left;
  }
  return best;
}

TEST(load_sharing, equals_what_its_dual_proves_to_be_least) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-1, 1);
  int shared_count = 0, refused = 0;
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<Finger> fingers;
    std::vector<double> friction;
    const int count = 3 + trial % 3;
    for (int i = 0; i < count; ++i) {
      // Every fourth has its fingers on one side.
      const double angle = (trial % 4 == 3 ? 1 : 2) * pi * (i + 0.4 * number(random)) / count;
      Finger finger = on_circle(angle, 0.3 + 0.25 * (1 + number(random)));
      finger.at.z = 0.3 * number(random), finger.normal.z = 0.3 * number(random);
      friction.push_back(*finger.friction);
      fingers.push_back(finger);
    }
    Model model = held(JointType::free, fingers);
    model.gravity = {6 * number(random), 6 * number(random), 6 * number(random)};
    const System system = compile(model);
    ClosedWorkspace work(system);
    const State state(system);
    const LoadSharing shared = share_load(work, state, {});
    const auto map = manipulator::compute_grasp_map(work, state.q, "thing");
    VectorXd w(6);
    compute_inverse_dynamics(work.tree(), state, VectorXd::Zero(6), {}, w);
    const Dual dual = ascend(map.G.view(), w, friction);
    if (!shared.feasible) {
      ++refused;
      EXPECT_GT(shared.shortage, 0);
      EXPECT_FALSE(shared.blocking.empty());
      EXPECT_GT(dual.missed, 1e-6) << "the dual finds forces that share it";
      continue;
    }
    ++shared_count;
    VectorXd c(3 * count);
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k)
        c[3 * i + k] =
            shared.contacts[static_cast<std::size_t>(i)].forces[static_cast<std::size_t>(k)];
    EXPECT_LT((map.G.view() * c - w).norm(), 1e-12 * w.norm());
    for (int i = 0; i < count; ++i)
      EXPECT_GE(shared.contacts[static_cast<std::size_t>(i)].margin, -1e-9);
    const double cost = 0.5 * c.squaredNorm();
    EXPECT_NEAR(force(shared), 2 * cost, 1e-12 * cost);
    EXPECT_GE(cost, dual.bound * (1 - 1e-10));  // weak duality
    if (dual.missed < 1e-9 * w.norm()) {
      EXPECT_NEAR(cost, dual.bound, 1e-8 * cost) << trial;
    }
    EXPECT_LT(shared.optimality, 1e-8);
  }
  EXPECT_GE(shared_count, 8);
  EXPECT_GE(refused, 3);
}

/// Two welded hands: least weighted squares have a closed form.
TEST(load_sharing, weights_shift_the_load) {
  Model model =
      held(JointType::free, {{{1, 0, 0}, {-1, 0, 0}, Grasp::Contact::rigid, std::nullopt, {}},
                             {{-1, 0, 0}, {1, 0, 0}, Grasp::Contact::rigid, std::nullopt, {}}});
  model.gravity = {0, 0, -10};
  const System system = compile(model);
  ClosedWorkspace work(system);
  const State state(system);
  const LoadSharing even = share_load(work, state, {});
  const LoadSharing uneven =
      share_load(work, state, {.rule = SharingRule::weighted, .weights = {4, 1}});
  EXPECT_NEAR(even.contacts[0].forces[5], 10, 1e-10);
  EXPECT_LT(uneven.contacts[0].forces[5], even.contacts[0].forces[5]);
  const auto map = manipulator::compute_grasp_map(work, state.q, "thing");
  VectorXd w(6), inverse_weights(12);
  compute_inverse_dynamics(work.tree(), state, VectorXd::Zero(6), {}, w);
  inverse_weights << VectorXd::Constant(6, 0.25), VectorXd::Ones(6);
  // The mechanism's length, by which moments are measured, is 1 here.
  const MatrixXd G = map.G.view(), Wi = inverse_weights.asDiagonal();
  const VectorXd c = Wi * G.transpose() * (G * Wi * G.transpose()).ldlt().solve(w);
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(uneven.contacts[static_cast<std::size_t>(i)].forces[static_cast<std::size_t>(k)],
                  c[6 * i + k], 1e-10);
}

TEST(load_sharing, refuses_what_has_no_meaning_by_name) {
  Fingers hand;
  const auto said = [&](const SharingOptions& options) {
    return error_of([&] { share_load(hand.work, hand.state, options); });
  };
  EXPECT_TRUE(contains(said({.reserve = 1}), "reserve is 1"));
  EXPECT_TRUE(contains(said({.reserve = std::nan("")}), "reserve"));
  EXPECT_TRUE(contains(said({.weights = {1, 2, 3}}), "weighted rule"));
  EXPECT_TRUE(
      contains(said({.rule = SharingRule::weighted, .weights = {1, 2}}), "2 weights for 3 grasps"));
  EXPECT_TRUE(contains(said({.rule = SharingRule::weighted, .weights = {1, -2, 3}}), "'index'"));
  EXPECT_TRUE(
      contains(said({.object = "bal", .acceleration = {0, 0, 0, 0, 0, 0}}), "did you mean 'ball'"));
  EXPECT_TRUE(contains(said({.object = "ball", .acceleration = {0, 0}}), "expected 6"));
  EXPECT_TRUE(contains(said({.object = "ball"}), "no acceleration is given"));
  EXPECT_TRUE(contains(said({.object = "nobody"}), "'nobody'"));
  EXPECT_TRUE(contains(said({.object = "ball", .acceleration = {0, 0, std::nan(""), 0, 0, 0}}),
                       "expected finite numbers"));
  const System open = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm6.urdf"));
  ClosedWorkspace work(open);
  EXPECT_TRUE(contains(error_of([&] { share_load(work, State(open), {}); }), "there is no grasp"));
}

/// The contacts stay where they are; the object's frame, the unit of length or that of force change.
TEST(load_sharing, does_not_depend_on_frames_and_units) {
  const std::vector<Finger> fingers{on_circle(0.2), on_circle(2.3), on_circle(4.0)};
  const auto share = [](Model model, double newton) {
    model.gravity = {newton * 1, newton * 2, newton * -9};
    const System system = compile(model);
    ClosedWorkspace work(system);
    return share_load(work, State(system), {});
  };
  const LoadSharing plain = share(held(JointType::free, fingers), 1);
  ASSERT_TRUE(plain.feasible) << plain.reason;
  Model elsewhere = held(JointType::free, fingers);
  const Pose moved{to_matrix(normalized(Quaternion{0.3, -0.5, 0.7, 0.2})), {0.4, -1.2, 2.0}};
  elsewhere.joints[0].pose = moved;
  elsewhere.bodies[0].com = inverse(moved) * Vector3{0, 0, 0};
  for (Grasp& grasp : elsewhere.grasps) grasp.at = inverse(moved) * grasp.at;
  std::vector<Finger> large = fingers;
  for (Finger& finger : large) finger.at = 1000 * finger.at;
  for (const auto& [other, newton] : {std::pair{share(elsewhere, 1), 1.0},
                                      {share(held(JointType::free, large), 1), 1.0},
                                      {share(held(JointType::free, fingers), 1e6), 1e6}})
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(other.contacts[i].forces[k] / newton, plain.contacts[i].forces[k], 1e-8);
}

/// One finger grips like glue, the other is as good as smooth: the first carries all.
TEST(load_sharing, bears_extreme_frictions) {
  Model model = held(JointType::free, {{{0, 0, 0}, {0, 0, 1}, Grasp::Contact::point, 1e9, {}},
                                       {{0, 0, 0}, {1, 0, 0}, Grasp::Contact::point, 1e-9, {}}});
  model.gravity = {0, 0, -10};
  const System system = compile(model);
  ClosedWorkspace work(system);
  const LoadSharing shared = share_load(work, State(system), {});
  ASSERT_TRUE(shared.feasible) << shared.reason;
  EXPECT_NEAR(shared.contacts[0].normal, 20, 1e-6);
  EXPECT_LT(shared.residual, 1e-12);
  for (const auto& contact : shared.contacts) EXPECT_GE(contact.margin, -1e-9);
}

/// The cost is the sum that the rule names, whatever the length of the mechanism: here slides and hinges.
TEST(load_sharing, cost_is_the_sum_it_makes_least) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/pinched_box.yaml"));
  ClosedWorkspace work(system);
  const State state = initial_state(system);
  const LoadSharing by_torque = share_load(work, state, {.rule = SharingRule::least_torque});
  ASSERT_TRUE(by_torque.feasible);
  EXPECT_NEAR(by_torque.cost, torque(by_torque), 1e-12 * by_torque.cost);
  EXPECT_LE(torque(by_torque), torque(share_load(work, state, {})) * (1 + 1e-9));
  // No moments: only forces count, in newtons.
  Fingers hand;
  const LoadSharing by_force = share_load(hand.work, hand.state, {});
  EXPECT_NEAR(by_force.cost, force(by_force), 1e-12 * by_force.cost);
  const LoadSharing weighted =
      share_load(hand.work, hand.state, {.rule = SharingRule::weighted, .weights = {4, 1, 1}});
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (const double f : weighted.contacts[i].forces) sum += (i == 0 ? 4 : 1) * f * f;
  EXPECT_NEAR(weighted.cost, sum, 1e-12 * sum);
}

/// What no motor feels is least only after the rule: the gradient of the rule alone vanishes.
TEST(load_sharing, what_the_rule_does_not_see_does_not_shift_it) {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/pinched_box.yaml");
  model.grasps[0].torsion = 0.03, model.grasps[1].torsion = 0.01;
  const System system = compile(model);
  ClosedWorkspace work(system);
  const State state = initial_state(system);
  const ExternalForce turn{system.frame("box"), {{2, 0, 0}, {0, 0, 0}}, Axes::world};
  const LoadSharing shared =
      share_load(work, state, {.rule = SharingRule::least_torque}, {&turn, 1});
  ASSERT_TRUE(shared.feasible) << shared.reason;
  EXPECT_LT(shared.optimality, 1e-10);
  // Both twist as much as they can: 0.04 m of torsion hold 2 N m with 50 N. Even twists would need 100 N.
  for (const auto& contact : shared.contacts) EXPECT_NEAR(contact.normal, 50, 1e-8);
}

/// Margins are those of closure/grasp_contacts.hpp: without friction nothing holds along the surface.
TEST(load_sharing, margins_have_one_formula) {
  Model model = held(JointType::free, {on_circle(0, 0.0), on_circle(pi, 0.0)});
  model.gravity = {0, 0, -1};
  const System system = compile(model);
  ClosedWorkspace work(system);
  const LoadSharing glued =
      share_load(work, State(system), {.cones = SharingOptions::Bounds::ignore});
  for (const auto& contact : glued.contacts) {
    ASSERT_GT(contact.tangential, 0.1);
    EXPECT_NEAR(contact.margin, std::min(0.0, contact.normal) - contact.tangential, 1e-12);
  }
}

/// In space the base gives way: object and base accelerate against each other, as the closed dynamics say.
TEST(load_sharing, a_floating_base_moves_as_the_object_makes_it) {
  const System system = compile(parse_system_file(R"(linkwright: 1
gravity: [0, 0, 0]
bodies:
  - {name: base, mass: 50, inertia: [5, 5, 5, 0, 0, 0]}
  - {name: lf, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
  - {name: rf, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
joints:
  - {name: base, type: free, parent: world, child: base, passive: true}
  - {name: left, type: prismatic, parent: base, child: lf, pose: {xyz: [-0.1, 0, 0]}, axis: [1, 0, 0]}
  - {name: right, type: prismatic, parent: base, child: rf, pose: {xyz: [0.1, 0, 0]}, axis: [1, 0, 0]}
objects: [{name: box, mass: 2, inertia: [0.02, 0.03, 0.025, 0, 0, 0]}]
grasps:
  - {name: l, arm: lf, object: box, at: {xyz: [-0.1, 0, 0]}, normal: [1, 0, 0], contact: soft_finger, friction: 0.5, torsion: 0.01}
  - {name: r, arm: rf, object: box, at: {xyz: [0.1, 0, 0]}, normal: [-1, 0, 0], contact: soft_finger, friction: 0.5, torsion: 0.01}
)",
                                                  "space.yaml"));
  ClosedWorkspace work(system);
  const State state = initial_state(system);
  const LoadSharing shared =
      share_load(work, state, {.object = "box", .acceleration = {0, 0, 0, 1, 0, 0}});
  ASSERT_TRUE(shared.feasible) << shared.reason;
  VectorXd tau = VectorXd::Zero(system.nv()), a(system.nv());
  for (const auto& motor : shared.motors) tau[system.joint(motor.name).v] = motor.effort;
  compute_forward_dynamics(work, state, tau, {}, a);
  EXPECT_NEAR(a[system.joint("box").v + 3], 1, 1e-10);
  EXPECT_NEAR(50 * a[system.joint("base").v + 3], -(2 + 1 + 1), 1e-9);  // momentum stays
  // Nothing pushes all of it aside.
  EXPECT_FALSE(
      share_load(work, state, {.object = "box", .acceleration = {0, 0, 0, 0, 1, 0}}).feasible);
}

/// A contact that would have to pull, and one whose twist is beyond its torsion.
TEST(load_sharing, says_what_would_have_to_be_otherwise) {
  Model model = held(JointType::free, {on_circle(0), on_circle(2 * pi / 3), on_circle(4 * pi / 3)});
  for (Grasp& grasp : model.grasps) grasp.friction = 0;
  model.gravity = {0, 0, -9.81};
  const System smooth = compile(model);
  ClosedWorkspace work(smooth);
  const LoadSharing none = share_load(work, State(smooth), {});
  EXPECT_FALSE(none.feasible);
  EXPECT_TRUE(contains(none.reason, "no contact and no motor balances")) << none.reason;
  ASSERT_EQ(none.blocking.size(), 1U);
  EXPECT_TRUE(contains(none.reason, "'" + none.blocking[0] + "'")) << none.reason;
  std::vector<std::string> names = smooth.velocity_names();
  for (const Grasp& grasp : model.grasps) names.push_back(grasp.name);
  EXPECT_EQ(std::count(names.begin(), names.end(), none.blocking[0]), 1) << none.blocking[0];
  Model pinch = held(JointType::free, {on_circle(0), on_circle(pi)});
  for (Grasp& grasp : pinch.grasps)
    grasp.contact = Grasp::Contact::soft_finger, grasp.torsion = 0.01;
  const System soft = compile(pinch);
  ClosedWorkspace soft_work(soft);
  const ExternalForce turn{soft.frame("thing"), {{5, 0, 0}, {0, 0, 0}}, Axes::world};
  const LoadSharing held_by_squeeze = share_load(soft_work, State(soft), {}, {&turn, 1});
  ASSERT_TRUE(held_by_squeeze.feasible) << held_by_squeeze.reason;
  // Both fingers twist with half of it, each at its limit.
  for (const auto& contact : held_by_squeeze.contacts) {
    EXPECT_NEAR(std::abs(contact.twist), 2.5, 1e-8);
    EXPECT_NEAR(contact.normal, 250, 1e-6);
    EXPECT_GE(contact.margin, -1e-9 * 250);
  }
}

}  // namespace
}  // namespace linkwright::testing
