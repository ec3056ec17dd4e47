// Converters to the coordinates of Pinocchio, MuJoCo, Drake and RBDL: laws on random mechanisms,
// and figures that the first three computed themselves.
#include "linkwright/dynamics/conventions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/number.hpp"
#include "support/csv.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright {
namespace {

using testing::contains;
using testing::error_of;
using testing::RandomModel;

const std::vector<Convention> all_conventions{Convention::pinocchio, Convention::mujoco,
                                              Convention::drake, Convention::rbdl};

std::string name_of(Convention convention) { return std::string(to_string(convention)); }

/// Every joint type that all peers can have, on a free base that does not stand at the origin.
Model any_model(unsigned seed) {
  RandomModel random(seed);
  const Base base = seed % 3 == 0 ? Base::planar : Base::free;
  return random.tree(8, base,
                     {JointType::revolute, JointType::continuous, JointType::prismatic,
                      JointType::helical, JointType::cylindrical, JointType::universal,
                      JointType::planar, JointType::spherical, JointType::fixed});
}

std::vector<std::string> shuffled_joints(const System& system, unsigned seed) {
  std::vector<std::string> names;
  for (const JointPlace& joint : system.joints()) names.push_back(joint.name);
  std::shuffle(names.begin(), names.end(), std::mt19937(seed));
  return names;
}

/// All four conversions of one motion, with storage of its own.
struct Peer {
  explicit Peer(const ConventionLayout& layout)
      : q(layout.nq()), v(layout.nv()), a(layout.nv()), tau(layout.nv()) {}
  Eigen::VectorXd q, v, a, tau;
};

Peer to_peer(const ConventionLayout& layout, const State& state, const Eigen::VectorXd& a,
             const Eigen::VectorXd& tau) {
  Peer peer(layout);
  to_convention_position(layout, state.q, peer.q);
  to_convention_velocity(layout, state.q, state.v, peer.v);
  to_convention_acceleration(layout, state.q, state.v, a, peer.a);
  to_convention_effort(layout, state.q, tau, peer.tau);
  return peer;
}

/// The largest angle or distance between two positions.
double apart(const System& system, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) {
  Eigen::VectorXd d(system.nv());
  compute_difference(system, q0, q1, d);
  for (const JointPlace& joint : system.joints()) {
    const bool turns = joint.type == JointType::continuous || joint.type == JointType::planar;
    const int i = joint.v + joint.nv - 1;
    if (turns) d[i] = std::remainder(d[i], 2 * std::numbers::pi);
  }
  return d.cwiseAbs().maxCoeff();
}

TEST(conventions, there_and_back_is_the_identity) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const System system = compile(any_model(seed));
    RandomModel random(seed + 100);
    const State state = random.state(system);
    const Eigen::VectorXd a = random.numbers(system.nv()), tau = random.numbers(system.nv());
    for (const Convention convention : all_conventions) {
      SCOPED_TRACE(name_of(convention) + ", seed " + std::to_string(seed));
      const auto order = shuffled_joints(system, seed);
      const ConventionLayout layout(system, convention, order);
      const Peer peer = to_peer(layout, state, a, tau);
      Eigen::VectorXd q(system.nq()), back(system.nv());
      from_convention_position(layout, peer.q, q);
      EXPECT_LT(apart(system, state.q, q), 1e-14);
      from_convention_velocity(layout, q, peer.v, back);
      EXPECT_LT((back - state.v).norm(), 1e-14);
      from_convention_acceleration(layout, q, state.v, peer.a, back);
      EXPECT_LT((back - a).norm(), 1e-13);
      from_convention_effort(layout, q, peer.tau, back);
      EXPECT_LT((back - tau).norm(), 1e-14);
    }
  }
}

TEST(conventions, power_and_kinetic_energy_are_the_same_numbers) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const System system = compile(any_model(seed));
    Workspace work(system);
    RandomModel random(seed + 200);
    const State state = random.state(system);
    const Eigen::VectorXd a = random.numbers(system.nv()), tau = random.numbers(system.nv());
    Eigen::MatrixXd mass_matrix(system.nv(), system.nv());
    compute_mass_matrix(work, state.q, mass_matrix);
    const double energy = 0.5 * state.v.dot(mass_matrix * state.v);
    for (const Convention convention : all_conventions) {
      SCOPED_TRACE(name_of(convention));
      const ConventionLayout layout(system, convention, shuffled_joints(system, seed));
      const Peer peer = to_peer(layout, state, a, tau);
      EXPECT_NEAR(peer.tau.dot(peer.v), tau.dot(state.v), 1e-13);
      // The peer's mass matrix is T M Tᵀ, T the (orthogonal) map of velocities, column by column.
      Eigen::MatrixXd T(layout.nv(), system.nv());
      Eigen::VectorXd column(layout.nv());
      for (int i = 0; i < system.nv(); ++i) {
        to_convention_velocity(layout, state.q, Eigen::VectorXd::Unit(system.nv(), i), column);
        T.col(i) = column;
      }
      const Eigen::MatrixXd theirs = T * mass_matrix * T.transpose();
      EXPECT_NEAR(0.5 * peer.v.dot(theirs * peer.v), energy, 1e-12 * energy);
    }
  }
}

TEST(conventions, accelerations_are_the_derivative_of_velocities) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const System system = compile(any_model(seed));
    RandomModel random(seed + 300);
    const State state = random.state(system);
    const Eigen::VectorXd a = random.numbers(system.nv());
    for (const Convention convention : all_conventions) {
      SCOPED_TRACE(name_of(convention) + ", seed " + std::to_string(seed));
      const ConventionLayout layout(system, convention);
      Eigen::VectorXd exact(layout.nv()), ahead(layout.nv()), behind(layout.nv()), q(system.nq());
      to_convention_acceleration(layout, state.q, state.v, a, exact);
      // q(±h) = q ⊕ (v ± ½ a h)(±h) is the motion to second order, which central differences need.
      const double h = 1e-5;
      compute_integral(system, state.q, state.v + 0.5 * h * a, h, q);
      to_convention_velocity(layout, q, state.v + h * a, ahead);
      compute_integral(system, state.q, state.v - 0.5 * h * a, -h, q);
      to_convention_velocity(layout, q, state.v - h * a, behind);
      EXPECT_LT(((ahead - behind) / (2 * h) - exact).cwiseAbs().maxCoeff(), 1e-9);
    }
  }
}

TEST(conventions, positions_move_as_velocities_say) {
  // Where a peer's q̇ is its v by definition, the difference quotient must show it.
  const System system = compile(any_model(1));
  RandomModel random(5);
  const State state = random.state(system);
  const JointPlace& base = system.joint("base");
  ASSERT_EQ(base.type, JointType::free);
  struct Case {
    Convention convention;
    int p, v;  // where the base's position and linear velocity stand
  };
  for (const Case& c : {Case{Convention::mujoco, 0, 0}, Case{Convention::drake, 4, 3},
                        Case{Convention::rbdl, 0, 0}}) {
    SCOPED_TRACE(name_of(c.convention));
    const ConventionLayout layout(system, c.convention);
    Eigen::VectorXd q(system.nq()), ahead(layout.nq()), behind(layout.nq()), v(layout.nv());
    const double h = 1e-5;
    compute_integral(system, state.q, state.v, h, q);
    to_convention_position(layout, q, ahead);
    compute_integral(system, state.q, state.v, -h, q);
    to_convention_position(layout, q, behind);
    to_convention_velocity(layout, state.q, state.v, v);
    const Eigen::VectorXd rate = (ahead - behind) / (2 * h);
    EXPECT_LT((rate.segment<3>(c.p) - v.segment<3>(c.v)).norm(), 1e-9);
  }
}

TEST(conventions, free_joint_written_out) {
  Model model;
  model.bodies.push_back({.name = "box", .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}});
  model.joints.push_back(
      {.name = "base", .type = JointType::free, .parent = "world", .child = "box"});
  const System system = compile(model);
  const double s =
      std::sqrt(0.5);  // a quarter turn about z: the box's x axis is the world's y axis
  State state(system);
  state.q << s, 0, 0, s, 1, 2, 3;
  state.v << 10, 20, 30, 40, 50, 60;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(6);
  const std::map<Convention, std::pair<std::vector<double>, std::vector<double>>> expected{
      {Convention::pinocchio, {{1, 2, 3, 0, 0, s, s}, {40, 50, 60, 10, 20, 30}}},
      {Convention::mujoco, {{1, 2, 3, s, 0, 0, s}, {-50, 40, 60, 10, 20, 30}}},
      {Convention::drake, {{s, 0, 0, s, 1, 2, 3}, {-20, 10, 30, -50, 40, 60}}},
      {Convention::rbdl, {{1, 2, 3, 0, 0, s, s}, {-50, 40, 60, 10, 20, 30}}}};
  for (const auto& [convention, numbers] : expected) {
    SCOPED_TRACE(name_of(convention));
    const ConventionLayout layout(system, convention);
    const Peer peer = to_peer(layout, state, zero, zero);
    const auto& [q, v] = numbers;
    EXPECT_LT((peer.q - Eigen::Map<const Eigen::VectorXd>(q.data(), 7)).norm(), 1e-14);
    EXPECT_LT((peer.v - Eigen::Map<const Eigen::VectorXd>(v.data(), 6)).norm(), 1e-13);
  }
}

TEST(conventions, rbdl_keeps_the_last_numbers_of_quaternions_at_the_end) {
  RandomModel random(3);
  Model model;
  const std::vector<JointType> types{JointType::prismatic, JointType::spherical,
                                     JointType::prismatic, JointType::spherical};
  for (int k = 0; k < 4; ++k) {
    const std::string child = "b" + std::to_string(k);
    model.bodies.push_back(random.body(child));
    model.joints.push_back(random.joint("j" + std::to_string(k), types[static_cast<std::size_t>(k)],
                                        k == 0 ? "world" : "b" + std::to_string(k - 1), child));
  }
  const System system = compile(model);
  const ConventionLayout layout(system, Convention::rbdl);
  Eigen::VectorXd q(10), peer(layout.nq());
  ASSERT_EQ(system.nq(), 10);
  q << 7, 0.1, 0.5, 0.7, 0.5, 8, 0.5, 0.5, 0.5, 0.5;  // w x y z in second and fourth place
  to_convention_position(layout, q, peer);
  Eigen::VectorXd expected(10);
  expected << 7, 0.5, 0.7, 0.5, 8, 0.5, 0.5, 0.5, 0.1, 0.5;
  EXPECT_EQ(peer, expected);
}

TEST(conventions, drakes_ball_survives_a_pitch_of_ninety_degrees) {
  RandomModel random(4);
  Model model;
  model.bodies.push_back(random.body("bob"));
  model.joints.push_back(random.joint("ball", JointType::spherical, "world", "bob"));
  const System system = compile(model);
  const ConventionLayout layout(system, Convention::drake);
  for (const double offset : {0.0, 1e-17, 1e-15, 1e-12, 1e-9, 1e-4}) {
    const Quaternion r =
        spatial::to_quaternion(spatial::from_rpy({0.4, std::numbers::pi / 2 - offset, -1.1}));
    Eigen::VectorXd q(4), peer(3), back(4);
    q << r.w, r.x, r.y, r.z;
    to_convention_position(layout, q, peer);
    from_convention_position(layout, peer, back);
    EXPECT_LT(apart(system, q, back), 1e-14) << "offset " << offset;
  }
}

/// The mechanism of tests/data/peer_figures.csv; the joints stand here in another order than there.
Model figures_model(const std::string& base) {
  Model model;
  model.bodies = {{.name = "base",
                   .mass = 3.0,
                   .com = {0.02, -0.03, 0.05},
                   .inertia = {0.05, 0.06, 0.07, 0.004, -0.003, 0.002}},
                  {.name = "arm",
                   .mass = 1.2,
                   .com = {0.1, 0.02, -0.05},
                   .inertia = {0.011, 0.012, 0.013, 0.001, 0.002, -0.001}},
                  {.name = "bob",
                   .mass = 0.9,
                   .com = {0.0, 0.05, -0.2},
                   .inertia = {0.02, 0.021, 0.007, 0.001, -0.002, 0.001}},
                  {.name = "wheel",
                   .mass = 0.7,
                   .com = {0.03, 0.01, 0.02},
                   .inertia = {0.004, 0.005, 0.006, 0.0003, -0.0002, 0.0001}},
                  {.name = "rod",
                   .mass = 0.5,
                   .com = {0.04, 0.1, -0.03},
                   .inertia = {0.006, 0.002, 0.007, 0.0005, 0.0004, -0.0003}}};
  const auto at = [](const Vector3& xyz, const Vector3& rpy) {
    return Pose{spatial::from_rpy(rpy), xyz};
  };
  model.joints = {{.name = "turn",
                   .type = JointType::revolute,
                   .parent = "base",
                   .child = "arm",
                   .pose = at({0.2, 0.1, 0.05}, {0.3, -0.2, 0.5}),
                   .axis = {0.6, 0, 0.8}},
                  {.name = "ball",
                   .type = JointType::spherical,
                   .parent = "base",
                   .child = "bob",
                   .pose = at({-0.2, 0.15, -0.1}, {0.1, 0.2, -0.3})},
                  {.name = "base",
                   .type = base == "free" ? JointType::free : JointType::planar,
                   .parent = "world",
                   .child = "base",
                   .axis = {0, 0, 1}},
                  {.name = "slide",
                   .type = JointType::prismatic,
                   .parent = "bob",
                   .child = "rod",
                   .pose = at({0.05, -0.1, -0.3}, {0.7, -0.1, 0.4}),
                   .axis = {0, 1, 0}},
                  {.name = "roll",
                   .type = JointType::continuous,
                   .parent = "arm",
                   .child = "wheel",
                   .pose = at({0.3, -0.05, 0.1}, {-0.4, 0.6, 0.2}),
                   .axis = {0, 0, 1}}};
  return model;
}

using Figures = std::map<std::string, Eigen::VectorXd>;

/// The figures of one peer and base, by name: q, v, a, tau, energy.
Figures read_figures(const std::string& peer, const std::string& base) {
  Figures figures;
  for (const auto& row :
       testing::read_csv(std::string(LINKWRIGHT_SOURCE_DIR) + "/tests/data/peer_figures.csv")) {
    if (row[0] != peer || row[1] != base) continue;
    Eigen::VectorXd& x = figures[row[2]];
    x.resize(static_cast<Eigen::Index>(row.size()) - 3);
    for (Eigen::Index i = 0; i < x.size(); ++i)
      x[i] = parse_number(row[static_cast<std::size_t>(i) + 3]).value();
  }
  return figures;
}

struct PeerCase {
  Convention convention;
  std::string base;
};
/// The name of a case, in messages and in the list of tests.
void PrintTo(const PeerCase& test, std::ostream* out) {
  *out << to_string(test.convention) << "_" << test.base;
}

class PeerFigures : public ::testing::TestWithParam<PeerCase> {};

TEST_P(PeerFigures, dynamics_agree_after_conversion) {
  const auto& [convention, base] = GetParam();
  Figures figures = read_figures(name_of(convention), base);
  ASSERT_EQ(figures.size(), 5U);
  const System system = compile(figures_model(base));
  const std::vector<std::string> order{"base", "turn", "roll", "ball", "slide"};
  const ConventionLayout layout(system, convention, order);
  Workspace work(system);
  State state(system);
  Eigen::VectorXd a(system.nv()), tau(system.nv()), theirs(layout.nv());
  from_convention_position(layout, figures["q"], state.q);
  from_convention_velocity(layout, state.q, figures["v"], state.v);
  from_convention_acceleration(layout, state.q, state.v, figures["a"], a);
  compute_inverse_dynamics(work, state, a, {}, tau);
  to_convention_effort(layout, state.q, tau, theirs);
  EXPECT_LT((theirs - figures["tau"]).norm(), 1e-13 * figures["tau"].norm());

  from_convention_effort(layout, state.q, figures["tau"], tau);
  compute_forward_dynamics(work, state, tau, {}, a);
  to_convention_acceleration(layout, state.q, state.v, a, theirs);
  EXPECT_LT((theirs - figures["a"]).norm(), 1e-11);

  const double kinetic = compute_energy(work, state).kinetic;
  EXPECT_NEAR(kinetic, figures["energy"][0], 1e-13 * kinetic);
}

INSTANTIATE_TEST_SUITE_P(conventions, PeerFigures,
                         ::testing::Values(PeerCase{Convention::pinocchio, "free"},
                                           PeerCase{Convention::pinocchio, "planar"},
                                           PeerCase{Convention::mujoco, "free"},
                                           PeerCase{Convention::mujoco, "planar"},
                                           PeerCase{Convention::drake, "free"},
                                           PeerCase{Convention::drake, "planar"}),
                         ::testing::PrintToStringParamName());

TEST(conventions, mujocos_free_joint_is_measured_in_the_world) {
  Model model = figures_model("free");
  model.joints[2].pose = {spatial::from_rpy({0.3, 0.2, 0.1}), {1, 2, 3}};
  const System system = compile(model);
  Workspace work(system);
  RandomModel random(9);
  const State state = random.state(system);
  compute_forward_kinematics(work, state, Eigen::VectorXd::Zero(system.nv()));
  const Pose pose = frame_pose(work, system.frame("base"));
  const Motion motion = frame_velocity(work, system.frame("base"), Axes::world);
  const std::vector<std::string> order{"base", "turn", "roll", "ball", "slide"};
  const ConventionLayout layout(system, Convention::mujoco, order);
  Peer peer = to_peer(layout, state, state.v, state.v);
  EXPECT_LT((peer.q.head<3>() - to_eigen(pose.translation)).norm(), 1e-14);
  const Matrix3 R = to_matrix(Quaternion{peer.q[3], peer.q[4], peer.q[5], peer.q[6]});
  EXPECT_LT((to_eigen(R) - to_eigen(pose.rotation)).norm(), 1e-14);
  EXPECT_LT((peer.v.head<3>() - to_eigen(motion.linear)).norm(), 1e-14);

  model.joints[2].parent = "world";
  model.bodies.push_back({.name = "extra", .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}});
  model.joints.push_back(
      {.name = "loose", .type = JointType::free, .parent = "bob", .child = "extra"});
  const System nested = compile(model);
  const std::string message = error_of([&] { ConventionLayout bad(nested, Convention::mujoco); });
  EXPECT_TRUE(contains(message, "'loose'") && contains(message, "'bob'")) << message;
  EXPECT_EQ(error_of([&] { ConventionLayout fine(nested, Convention::drake); }), "");
}

TEST(conventions, mistakes_are_named_and_nothing_is_written) {
  const System system = compile(figures_model("free"));
  const auto order_error = [&](const std::vector<std::string>& order) {
    return error_of([&] { ConventionLayout layout(system, Convention::mujoco, order); });
  };
  EXPECT_TRUE(contains(order_error({"base", "tern", "roll", "ball", "slide"}), "'turn'"));
  EXPECT_TRUE(contains(order_error({"base", "turn", "turn", "ball", "slide"}), "'turn' twice"));
  EXPECT_TRUE(contains(order_error({"base", "turn", "ball", "slide"}), "'roll'"));

  const ConventionLayout layout(system, Convention::pinocchio);
  const State state(system);
  Eigen::VectorXd q(layout.nq()), v(layout.nv());
  q.setConstant(7), v.setConstant(7);
  const Eigen::VectorXd before_q = q, before_v = v;
  Eigen::VectorXd nan = state.v;
  nan[system.joint("slide").v] = std::nan("");
  EXPECT_TRUE(
      contains(error_of([&] { to_convention_velocity(layout, state.q, nan, v); }), "slide"));
  EXPECT_NE(error_of([&] { to_convention_position(layout, state.v, q); }), "");
  EXPECT_NE(error_of([&] { to_convention_position(layout, state.q, v); }), "");
  EXPECT_NE(error_of([&] { to_convention_acceleration(layout, state.q, nan, state.v, v); }), "");
  EXPECT_NE(error_of([&] { to_convention_effort(layout, state.q, state.q, v); }), "");
  EXPECT_EQ(q, before_q);
  EXPECT_EQ(v, before_v);
  EXPECT_TRUE(
      contains(error_of([&] { to_convention_velocity(layout, state.q, v, v); }), "storage"));

  Eigen::VectorXd peer(layout.nq()), ours = state.q;
  to_convention_position(layout, state.q, peer);
  const auto from_error = [&](int i, double value) {
    Eigen::VectorXd bad = peer;
    bad[i] = value;
    return error_of([&] { from_convention_position(layout, bad, ours); });
  };
  EXPECT_EQ(from_error(0, 0.5), "");
  EXPECT_TRUE(contains(from_error(1, std::nan("")), "'ball'"));
  EXPECT_TRUE(contains(from_error(4, 3), "quaternion of norm"));
  EXPECT_TRUE(contains(from_error(layout.nq() - 1, 2), "'roll'"));
  EXPECT_NE(error_of([&] { from_convention_position(layout, state.v, ours); }), "");
  EXPECT_NE(error_of([&] { from_convention_velocity(layout, state.q, peer, v); }), "");
  EXPECT_NE(error_of([&] { from_convention_effort(layout, state.q, nan, v); }), "");

  RandomModel random(1);
  Model model;
  model.bodies.push_back(random.body("body"));
  model.joints.push_back(random.joint("odd", JointType::custom, "world", "body"));
  model.joints[0].modes = random.modes(3);
  const System custom = compile(model);
  const std::string message = error_of([&] { ConventionLayout bad(custom, Convention::drake); });
  EXPECT_TRUE(contains(message, "'odd'") && contains(message, "Drake")) << message;
}

}  // namespace
}  // namespace linkwright
