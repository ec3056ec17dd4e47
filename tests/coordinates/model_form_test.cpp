/// Freeman's form of the model: [I*] and [P*] from the bodies' influence coefficients, the Coriolis matrix in
/// [P*], and transferred models that move as the joints do.

#include <gtest/gtest.h>

#include "closure/random_mechanism.hpp"
#include "coordinates/moving.hpp"
#include "linkwright/coordinates/transfer.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

MatrixXd coriolis_of(const DynamicModel& model, const VectorXd& rates) {
  MatrixXd C(rates.size(), rates.size());
  compute_coriolis_matrix(model, rates, C);
  return C;
}

/// (2-139), (2-141) and, for inertias that turn, (2-148): loads of every body by its own G and H.
TEST(ModelForm, is_the_sum_over_the_bodies_of_what_their_coefficients_make) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    RandomModel random(seed);
    Model model = random.tree(8, static_cast<Base>(seed % 3), all_joint_types());
    for (Joint& joint : model.joints) joint.rotor_inertia.clear();
    const System system = compile(model);
    Workspace work(system);
    const State state = random.state(system);
    const Index n = system.nv();
    MatrixXd inertia = MatrixXd::Zero(n, n);
    VectorXd quadratic_load = VectorXd::Zero(n), gravity_load = VectorXd::Zero(n), part(n);
    for (const Body& body : model.bodies) {
      const FrameId frame = system.frame(body.name);
      const Influence c = compute_point_influence(work, state.q, frame, body.com, Axes::world);
      const Influence w = compute_orientation_influence(work, state.q, frame, Axes::world);
      compute_forward_kinematics(work, state, VectorXd::Zero(n));
      const Eigen::Matrix3d R = to_eigen(frame_pose(work, frame).rotation);
      const Eigen::Matrix3d II = R * to_eigen(spatial::to_full(body.inertia)) * R.transpose();
      inertia += body.mass * c.G.view().transpose() * c.G.view() +
                 w.G.view().transpose() * II * w.G.view();
      compute_effective_load(c, body.mass * quadratic_form(c.H, state.v), part);
      quadratic_load += part;
      const Eigen::Vector3d omega = w.G.view() * state.v;
      compute_effective_load(w, II * quadratic_form(w.H, state.v) + omega.cross(II * omega), part);
      quadratic_load += part;
      compute_effective_load(c, body.mass * to_eigen(model.gravity), part);
      gravity_load += part;
    }
    const DynamicModel found = compute_joint_model(work, state, {});
    const double bound = 1e-12 * (1 + inertia.norm()) * (1 + state.v.squaredNorm());
    EXPECT_LT((found.inertia.view() - inertia).norm(), bound) << seed;
    EXPECT_LT((quadratic_form(found.power, state.v) - quadratic_load).norm(), bound) << seed;
    EXPECT_LT((found.load.view() - gravity_load).norm(), 10 * bound) << seed;
  }
}

/// d[I*]/dt − 2 C is skew: along v, by central differences.
TEST(ModelForm, power_array_is_the_coriolis_matrix_in_every_set_of_coordinates) {
  constexpr double h = 1e-5;
  for (unsigned seed = 0; seed < 10; ++seed) {
    RandomModel random(seed);
    const System system = compile(random.tree(6, static_cast<Base>(seed % 3), all_joint_types()));
    Workspace work(system);
    const State state = random.state(system);
    const Index n = system.nv();
    const DynamicModel joints = compute_joint_model(work, state, {});
    MatrixXd expected(n, n);
    compute_coriolis_matrix(work, state, expected);
    const MatrixXd C = coriolis_of(joints, state.v);
    const double size = 1 + joints.inertia.view().norm();
    EXPECT_LT((C - expected).norm(), 1e-13 * size * (1 + state.v.norm())) << seed;
    MatrixXd rate = MatrixXd::Zero(n, n), M(n, n);
    for (const double t : {-h, h}) {
      VectorXd q(system.nq());
      compute_integral(system, state.q, state.v, t, q);
      compute_mass_matrix(work, q, M);
      rate += M / (2 * t);
    }
    EXPECT_LT((rate - C - C.transpose()).norm(), 1e-8 * size * (1 + std::pow(state.v.norm(), 3)))
        << seed;
  }
}

TEST(ModelForm, power_array_is_symmetric_where_the_coordinates_are) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm6.urdf"));
  Workspace work(system);
  State state(system);
  state.q << 0.3, -0.5, 0.9, 0.4, 0.8, -0.2;
  const DynamicModel joints = compute_joint_model(work, state, {});
  for (Index i = 0; i < 6; ++i)
    EXPECT_LT((joints.power.plane(i) - joints.power.plane(i).transpose()).norm(),
              1e-14 * (1 + joints.power.plane(i).norm()));
  // The hand's are quasi-velocities: ω is the rate of nothing.
  const DynamicModel hand =
      Transfer(compute_frame_influence(work, state.q, system.frame("tool"), Axes::world))
          .apply(joints);
  double missed = 0;
  for (Index i = 0; i < 6; ++i)
    missed += (hand.power.plane(i) - hand.power.plane(i).transpose()).norm();
  EXPECT_GT(missed, 1e-2);
}

/// The hand's inertia along the arm's motion.
TEST(ModelForm, transferred_inertia_changes_with_the_transferred_coriolis_matrix) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm6.urdf"));
  Workspace work(system);
  State state(system);
  state.q << 0.3, -0.5, 0.9, 0.4, 0.8, -0.2;
  state.v << 1, -0.6, 0.7, 0.2, -1.1, 0.5;
  const auto at_hand = [&](const State& at, Axes axes) {
    return Transfer(compute_frame_influence(work, at.q, system.frame("tool"), axes))
        .apply(compute_joint_model(work, at, {}));
  };
  constexpr double h = 1e-5;
  for (const Axes axes : {Axes::world, Axes::own}) {
    const DynamicModel model = at_hand(state, axes);
    const VectorXd rates =
        compute_frame_influence(work, state.q, system.frame("tool"), axes).G.view() * state.v;
    const MatrixXd C = coriolis_of(model, rates);
    EXPECT_LT((C * rates - quadratic_form(model.power, rates)).norm(), 1e-10 * C.norm());
    MatrixXd rate = MatrixXd::Zero(6, 6);
    for (const double t : {-h, h}) {
      State there = state;
      there.q += t * state.v;
      rate += at_hand(there, axes).inertia.view() / (2 * t);
    }
    EXPECT_LT((rate - C - C.transpose()).norm(), 1e-6 * (1 + C.norm()));
  }
}

class CoriolisOfLoops : public ::testing::TestWithParam<std::string> {};
TEST_P(CoriolisOfLoops, keeps_the_inertia_of_independent_coordinates) {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/" + GetParam());
  RandomMechanism(3).enliven(model);  // rotors on closing joints too
  Moving other(model);
  const std::vector<int> entries = choose_independent(other.work, other.state.q).entries;
  const auto n = static_cast<Index>(entries.size());
  const VectorXd rates = entries_of(other.state.v, entries);
  MatrixXd C(n, n), M(n, n), rate = MatrixXd::Zero(n, n);
  compute_coriolis_matrix(other.work, other.state, entries, C);
  const Mechanism found = compute_double_transfer(
      other.work, other.state, {}, joint_influence(other.system, names_of(other.system, entries)));
  const double size = 1 + found.model.inertia.view().norm() * found.condition;
  EXPECT_LT((coriolis_of(found.model, rates) - C).norm(), 1e-11 * size * (1 + C.norm()));
  VectorXd bias(n), gravity(n);
  compute_bias(other.work, other.state, entries, bias);
  compute_gravity(other.work, other.state, entries, gravity);
  EXPECT_LT((C * rates + gravity - bias).norm(), 1e-11 * size * (1 + bias.norm()));
  constexpr double h = 1e-5;
  VectorXd G_rate(other.system.nv());
  MatrixXd G(other.system.nv(), n);
  compute_coordinate_map(other.work, other.state, entries, G, G_rate);
  for (const double t : {-h, h}) {
    State there = other.state;
    compute_integral(other.system, other.state.q, t * other.state.v + t * t / 2 * G_rate, 1,
                     there.q);
    compute_mass_matrix(other.work, there, entries, M);
    rate += M / (2 * t);
  }
  EXPECT_LT((rate - C - C.transpose()).norm(), 1e-6 * size * (1 + rates.norm()));
  // In full coordinates C v is what bias and gravity say.
  const Index nv = other.system.nv();
  MatrixXd full(nv, nv);
  VectorXd full_bias(nv), full_gravity(nv);
  compute_coriolis_matrix(other.work, other.state, full);
  compute_bias(other.work, other.state, full_bias);
  compute_gravity(other.work.tree(), other.state.q, full_gravity);
  EXPECT_LT((full * other.state.v + full_gravity - full_bias).norm(),
            1e-12 * (1 + full.norm() * other.state.v.norm() + full_bias.norm()));
}
INSTANTIATE_TEST_SUITE_P(Bundled, CoriolisOfLoops, ::testing::ValuesIn(bundled_loops()),
                         [](const auto& test) {
                           return test.param.substr(0, test.param.find('.'));
                         });

/// A state written as q of the joints and rates of some coordinates, integrated by the classical method of
/// order four.
template <class Rate>
void integrate(const System& system, VectorXd& q, VectorXd& u, double step, int steps,
               const Rate& rate) {
  const Index n = system.nv();
  VectorXd v[4], a[4];
  for (int i = 0; i < steps; ++i) {
    const double part[4]{0, 0.5, 0.5, 1};
    for (int k = 0; k < 4; ++k) {
      v[k].resize(n), a[k].resize(u.size());
      const VectorXd moved =
          k == 0 ? VectorXd(VectorXd::Zero(n)) : VectorXd(part[k] * step * v[k - 1]);
      const VectorXd rates = k == 0 ? u : VectorXd(u + part[k] * step * a[k - 1]);
      rate(VectorXd(q + moved), rates, v[k], a[k]);
    }
    q += step / 6 * (v[0] + 2 * v[1] + 2 * v[2] + v[3]);
    u += step / 6 * (a[0] + 2 * a[1] + 2 * a[2] + a[3]);
  }
}

/// Dry friction would break the method's order where a joint turns back.
TEST(TransferredModels, of_an_arm_integrate_to_the_motion_of_its_joints) {
  const System system =
      leave_out_friction(compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm6.urdf")));
  Workspace work(system);
  State start(system);
  start.q << 0.3, -0.5, 0.9, 0.4, 0.8, -0.2;
  start.v << 0.5, -0.3, 0.4, 0.2, -0.6, 0.5;
  VectorXd tau(6);
  compute_gravity(work, start.q, tau);  // held, and pushed
  tau.head(3) += Eigen::Vector3d(1, -1, 0.5);
  const FrameId tool = system.frame("tool");
  const auto by_joints = [&](const VectorXd& q, const VectorXd& u, VectorXd& v, VectorXd& a) {
    State at(system);
    at.q = q, at.v = v = u;
    compute_forward_dynamics(work, at, tau, {}, a);
  };
  VectorXd q = start.q, v = start.v;
  integrate(system, q, v, 1e-4, 1000, by_joints);
  // The tool in two axes; shafts behind coupled gears; three of the tool's numbers and three joints.
  const std::vector<std::string> names = system.velocity_names();
  const auto shafts = [&](const VectorXd&) {
    std::vector<Shaft> all;
    for (const std::string& name : names) all.push_back({"m_" + name, {{name, 50}}});
    all[4].ratios.push_back({names[5], -20});
    all[5].ratios.push_back({names[3], 7});
    return shaft_influence(system, all);
  };
  const auto hand = [&](Axes axes) {
    return [&, axes](const VectorXd& at) { return compute_frame_influence(work, at, tool, axes); };
  };
  const auto mixed = [&](const VectorXd& at) {
    return stack(select(compute_frame_influence(work, at, tool, Axes::world),
                        {"tool:vx", "tool:vy", "tool:vz"}),
                 joint_influence(system, {names[3], names[4], names[5]}));
  };
  const std::vector<std::function<Influence(const VectorXd&)>> sets{hand(Axes::world),
                                                                    hand(Axes::own), shafts, mixed};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto by_set = [&](const VectorXd& at_q, const VectorXd& u, VectorXd& at_v, VectorXd& a) {
      const Transfer to(sets[i](at_q));
      State at(system);
      at.q = at_q, at.v = at_v = to.initial().G.view() * u;
      const DynamicModel model = to.apply(compute_joint_model(work, at, {}));
      VectorXd T(6);
      compute_effective_load(to.initial(), tau, T);
      compute_accelerations(model, u, T, a);
    };
    // Only the method's own error is left: a sixteenth with half the step.
    double error[2];
    for (const int half : {0, 1}) {
      VectorXd found = start.q, u = sets[i](start.q).G.view() * start.v;
      integrate(system, found, u, half == 0 ? 1e-3 : 5e-4, half == 0 ? 100 : 200, by_set);
      error[half] = (found - q).norm();
      EXPECT_LT((Transfer(sets[i](found)).initial().G.view() * u - v).norm(), 1e-7) << i;
    }
    EXPECT_LT(error[1], 1e-9) << i;
    EXPECT_LT(error[1], error[0] / 12 + 1e-12) << i;
  }
}

TEST(TransferredModels, of_a_five_bar_integrate_to_the_motion_of_the_mechanism) {
  Moving five_bar("five_bar.yaml");
  const System& system = five_bar.system;
  const VectorXd tau = five_bar.tau;
  const auto by_trunk = [&](const VectorXd& q, const VectorXd& u, VectorXd& v, VectorXd& a) {
    State at(system);
    at.q = q, at.v = v = u;
    compute_forward_dynamics(five_bar.work, at, tau, {}, a);
  };
  VectorXd q = five_bar.state.q, v = five_bar.state.v;
  integrate(system, q, v, 1e-4, 500, by_trunk);
  const auto tip = [&](const VectorXd& at) {
    return select(compute_frame_influence(five_bar.work, at, system.frame("tip"), Axes::world),
                  {"tip:vx", "tip:vy"});
  };
  const auto by_tip = [&](const VectorXd& at_q, const VectorXd& u, VectorXd& at_v, VectorXd& a) {
    State at(system);
    at.q = at_q;
    const Mechanism still = compute_double_transfer(five_bar.work, at, {}, tip(at_q));
    at.v = at_v = still.joints.G.view() * u;
    const Mechanism moving = compute_double_transfer(five_bar.work, at, {}, tip(at_q));
    VectorXd T(2);
    compute_effective_load(moving.joints, tau, T);
    compute_accelerations(moving.model, u, T, a);
  };
  VectorXd found = five_bar.state.q, u = tip(five_bar.state.q).G.view() * five_bar.state.v;
  integrate(system, found, u, 1e-4, 500, by_tip);
  EXPECT_LT((found - q).norm(), 1e-9);
  EXPECT_LT((u - tip(found).G.view() * v).norm(), 1e-8);
}

class Refusals : public ::testing::Test {
 protected:
  Refusals()
      : system(compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm6.urdf"))),
        work(system),
        q(6),
        names(system.velocity_names()) {
    q << 0.3, -0.5, 0.9, 0.4, 0.8, -0.2;
  }
  [[nodiscard]] Influence hand() {
    return compute_frame_influence(work, q, system.frame("tool"), Axes::world);
  }
  static void expect_told(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  }
  System system;
  Workspace work;
  VectorXd q;
  std::vector<std::string> names;
};

TEST_F(Refusals, fewer_coordinates_than_freedoms_tell_what_stays_open) {
  const Influence few = joint_influence(system, {names[0], names[1], names[2], names[4], names[5]});
  expect_told(error_of([&] { Transfer to(few); }),
              {"5 coordinates", "6 freedoms", "'" + names[3] + "' alone"});
}

TEST_F(Refusals, more_coordinates_than_freedoms_tell_which_depend_on_each_other) {
  const Influence many = stack(joint_influence(system), joint_influence(system, {names[2]}));
  expect_told(error_of([&] { Transfer to(many); }),
              {"7 coordinates", "6 freedoms", "'" + names[2] + "'", "depend on each other"});
}

TEST_F(Refusals, dependent_coordinates_are_named) {
  const Influence twice =
      stack(select(hand(), {"tool:vx", "tool:vy", "tool:vz", "tool:wx", "tool:wy"}),
            select(hand(), {"tool:vy"}));
  const std::string text = error_of([&] { Transfer to(twice); });
  expect_told(
      text, {"'tool:vy' : 'tool:vy' = 1 : -1", "it binds 'tool:vy', 'tool:vy'", "singular value"});
  const Influence shafts = shaft_influence(system, {{"m1", {{names[0], 10}}},
                                                    {"m2", {{names[1], 10}}},
                                                    {"m3", {{names[2], 10}}},
                                                    {"m4", {{names[3], 10}}},
                                                    {"m5", {{names[4], 10}, {names[5], 5}}},
                                                    {"m6", {{names[4], 20}, {names[5], 10}}}});
  expect_told(error_of([&] { Transfer to(shafts); }),
              {"'m5' : 'm6' =", "'" + names[5] + "' : '" + names[4] + "' = 1 : -0.5"});
}

/// The wrist's first and last axis in line: the hand cannot turn about what is across them and the third.
TEST_F(Refusals, a_singular_jacobian_tells_its_smallest_value_and_the_lost_direction) {
  q[4] = 0;
  const std::string text = error_of([&] { Transfer to(hand()); });
  expect_told(text, {"smallest singular value", "Lost direction", "'tool' turns about (",
                     "world axes", "'" + names[3] + "' : '" + names[5] + "' = 1 : -1"});
}

TEST_F(Refusals, shafts_that_mean_nothing_are_refused_by_name) {
  expect_told(error_of([&] {
                (void)shaft_influence(system, {{"m1", {{names[0], 0}}}});
              }),
              {"'m1'"});
  expect_told(error_of([&] { (void)shaft_influence(system, {{"m1", {}}}); }), {"'m1'"});
  expect_told(error_of([&] {
                (void)shaft_influence(system, {{"m1", {{names[0], 1}, {names[0], 2}}}});
              }),
              {"'m1'", names[0], "twice"});
  expect_told(error_of([&] {
                (void)shaft_influence(system, {{"m1", {{names[0], std::nan("")}}}});
              }),
              {"'m1'", "finite"});
  expect_told(error_of([&] {
                (void)shaft_influence(system, {{"m1", {{"no_joint", 1}}}});
              }),
              {"no_joint"});
}

}  // namespace
}  // namespace linkwright::testing
