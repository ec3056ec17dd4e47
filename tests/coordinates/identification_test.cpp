// What bodies are made of, from motions and efforts: regressors, base parameters, estimates.

#include "linkwright/coordinates/identification.hpp"
#include "linkwright/coordinates/regressor_batch.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::coordinates;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double eps = std::numeric_limits<double>::epsilon();
const std::vector<JointParameter> everything{JointParameter::rotor_inertia, JointParameter::damping,
                                             JointParameter::friction};

/// Damping, friction, springs and loads at the joints, and other bodies.
Model enlivened(RandomModel& random, Model model) {
  for (Joint& joint : model.joints) {
    if (velocity_count(joint) == 0) continue;
    joint.damping = {random.between(0, 1)};
    joint.friction = {{random.between(0, 1), random.between(0, 1)}};
  }
  return model;
}
Model with_other_bodies(RandomModel& random, Model model) {
  for (Body& body : model.bodies) body = random.body(body.name);
  return model;
}

Model random_tree(RandomModel& random) {
  const auto base = static_cast<Base>(random.integer(0, 2));
  Model model = enlivened(random, random.tree(random.integer(2, 8), base, all_joint_types()));
  model.body_loads.push_back({.body = model.bodies.back().name, .force = {{1, 2, 3}, {4, 5, 6}}});
  return model;
}

class Regressors : public ::testing::TestWithParam<unsigned> {};

TEST_P(Regressors, give_the_efforts_of_any_other_bodies) {
  RandomModel random(GetParam());
  const Model model = random_tree(random);
  const System system = compile(model), other = compile(with_other_bodies(random, model));
  Workspace work(system), work_other(other);
  const Regressor regressor(system, everything), regressor_other(other, everything);
  ASSERT_EQ(regressor.names(), regressor_other.names());
  const State state = random.state(system);
  const VectorXd a = random.numbers(system.nv());
  MatrixXd Y(system.nv(), regressor.size());
  VectorXd rest(system.nv()), tau(system.nv());
  regressor.compute(work, state, a, Y, rest);
  compute_inverse_dynamics(work_other, state, a, {}, tau);
  const VectorXd predicted = Y * regressor_other.values() + rest;
  const double scale = Y.cwiseAbs().rowwise().sum().maxCoeff() *
                       (regressor.values().lpNorm<Eigen::Infinity>() +
                        regressor_other.values().lpNorm<Eigen::Infinity>());
  EXPECT_LE((predicted - tau).lpNorm<Eigen::Infinity>(), 64 * eps * (1 + scale));
}

TEST_P(Regressors, base_parameters_say_all_that_any_motion_shows) {
  RandomModel random(GetParam());
  const System system = compile(random_tree(random));
  Workspace work(system);
  const Regressor regressor(system, everything);
  const BaseParameters base = find_base_parameters(regressor, work);
  EXPECT_EQ(find_base_parameters(regressor, work, 7).columns, base.columns);
  EXPECT_LE(base.largest_dropped, 1e-10);
  EXPECT_GE(base.smallest_kept, 1e-6);
  const VectorXd values = base.combination.view() * regressor.values();
  MatrixXd Y(system.nv(), regressor.size());
  for (int i = 0; i < 5; ++i) {
    regressor.compute(work, random.state(system), random.numbers(system.nv()), Y);
    VectorXd of_base = VectorXd::Zero(system.nv());
    for (int c = 0; c < base.size(); ++c)
      of_base += Y.col(base.columns[static_cast<std::size_t>(c)]) * values[c];
    EXPECT_LE((of_base - Y * regressor.values()).norm(), 1e-9 * (1 + Y.norm() * values.norm()));
  }
}
INSTANTIATE_TEST_SUITE_P(Random, Regressors, ::testing::Range(0U, 40U));

Model pendulum(const Vector3& axis) {
  Model model;
  model.bodies.push_back(
      {.name = "rod", .mass = 2, .com = {0.3, 0.2, 0.1}, .inertia = {1, 2, 2.5}});
  model.joints.push_back({.name = "hinge",
                          .type = JointType::continuous,
                          .parent = "world",
                          .child = "rod",
                          .axis = axis});
  return model;
}
std::vector<std::string> base_names(const Model& model) {
  const System system = compile(model);
  Workspace work(system);
  return find_base_parameters(Regressor(system), work).names;
}

TEST(BaseParameters, of_textbook_mechanisms) {
  EXPECT_EQ(base_names(pendulum({0, 0, 1})), std::vector<std::string>{"izz:rod"});
  EXPECT_EQ(base_names(pendulum({0, 1, 0})),
            (std::vector<std::string>{"mx:rod", "mz:rod", "iyy:rod"}));
  Model two = pendulum({0, 1, 0});
  two.bodies.push_back({.name = "hand", .mass = 1, .com = {0.1, 0, 0}, .inertia = {1, 1, 1}});
  two.joints.push_back({.name = "elbow",
                        .type = JointType::continuous,
                        .parent = "rod",
                        .child = "hand",
                        .pose = Pose{.translation = {0.5, 0, 0}},
                        .axis = {0, 1, 0}});
  EXPECT_EQ(base_names(two),
            (std::vector<std::string>{"mx:rod + 0.5 m:hand", "mz:rod", "iyy:rod + 0.25 m:hand",
                                      "mx:hand", "mz:hand", "iyy:hand"}));
  Model thrown;
  thrown.bodies.push_back(RandomModel(1).body("stone"));
  thrown.joints.push_back(
      {.name = "flight", .type = JointType::free, .parent = "world", .child = "stone"});
  EXPECT_EQ(base_names(thrown).size(), 10U);
}

/// A random motion of a closed mechanism, near where its file starts.
struct ClosedMotion {
  ClosedMotion(ClosedWorkspace& work, RandomModel& random, std::vector<int> along = {})
      : state(initial_state(work.system())), entries(std::move(along)) {
    const System& system = work.system();
    const VectorXd start = state.q;
    do compute_integral(system, start, 0.2 * random.numbers(system.nv()), 1, state.q);
    while (!assemble(work, {}, state.q).assembled);
    if (entries.empty()) entries = choose_independent(work, state.q).entries;
    const auto n = static_cast<Index>(entries.size());
    MatrixXd G(system.nv(), n);
    VectorXd g(system.nv());
    compute_coordinate_map(work, state, entries, G, g);
    state.v = G * random.numbers(static_cast<int>(n));
    compute_coordinate_map(work, state, entries, G, g);
    a = G * random.numbers(static_cast<int>(n)) + g;
  }
  State state;
  std::vector<int> entries;
  VectorXd a;
};

class ClosedRegressors : public ::testing::TestWithParam<const char*> {
 protected:
  Model model_ = read_model(LINKWRIGHT_SOURCE_DIR "/models/" + std::string(GetParam()) + ".yaml");
};

TEST_P(ClosedRegressors, give_the_efforts_of_any_other_bodies) {
  RandomModel random(5);
  const System system = compile(model_), other = compile(with_other_bodies(random, model_));
  ClosedWorkspace work(system), work_other(other);
  const Regressor regressor(system), regressor_other(other);
  for (int i = 0; i < 5; ++i) {
    const ClosedMotion motion(work, random);
    const auto n = static_cast<Index>(motion.entries.size());
    MatrixXd Y(n, regressor.size());
    VectorXd rest(n), tau(system.effort_count()), wanted(n);
    regressor.compute(work, motion.state, motion.a, motion.entries, Y, rest);
    compute_inverse_dynamics(work_other, motion.state, motion.a, {}, {.entries = motion.entries},
                             tau);
    for (Index k = 0; k < n; ++k) wanted[k] = tau[motion.entries[static_cast<std::size_t>(k)]];
    EXPECT_LE((Y * regressor_other.values() + rest - wanted).norm(),
              1e-9 * (1 + Y.norm() * regressor_other.values().norm()));
  }
}

TEST_P(ClosedRegressors, base_parameters_are_found_from_efforts) {
  RandomModel random(6);
  const System system = compile(model_), wrong = compile(with_other_bodies(random, model_));
  ClosedWorkspace work(system), work_wrong(wrong);
  const Regressor truth(system), regressor(wrong);
  const VectorXd q = ClosedMotion(work, random).state.q;
  const BaseParameters base = find_base_parameters(regressor, work_wrong, q);
  EXPECT_LT(base.size(), regressor.size());
  Identification data(regressor, base);
  const std::vector<int> entries = choose_independent(work, q).entries;
  for (int i = 0; i < 20 * base.size(); ++i) {
    const ClosedMotion motion(work, random, entries);
    VectorXd tau(system.effort_count());
    compute_inverse_dynamics(work, motion.state, motion.a, {}, {.entries = entries}, tau);
    data.add(work_wrong, motion.state, motion.a, entries, tau);
  }
  const Estimate found = data.solve();
  const VectorXd wanted = base.combination.view() * truth.values();
  EXPECT_LE((found.values.view().col(0) - wanted).norm(), 1e-8 * wanted.norm()) << found.condition;
}
INSTANTIATE_TEST_SUITE_P(Bundled, ClosedRegressors,
                         ::testing::Values("four_bar", "five_bar", "slider_crank"),
                         [](const auto& one) { return std::string(one.param); });

/// A random arm whose bodies the model does not know well.
struct Measured {
  explicit Measured(unsigned seed)
      : random(seed),
        model(enlivened(random, random.tree(4, Base::fixed, {JointType::continuous}))),
        system(compile(with_other_bodies(random, model))),
        real(compile(model)),
        work(system),
        work_real(real),
        regressor(system, everything),
        base(find_base_parameters(regressor, work)),
        truth(base.combination.view() * Regressor(real, everything).values()) {}

  Estimate identify(int samples, double noise) {
    std::normal_distribution<double> normal(0, noise);
    std::mt19937 bits(4);
    Identification data(regressor, base);
    for (int i = 0; i < samples; ++i) {
      const State state = random.state(real);
      const VectorXd a = 5 * random.numbers(real.nv());
      VectorXd tau(real.nv());
      compute_inverse_dynamics(work_real, state, a, {}, tau);
      // A motor four times as noisy as the one before it.
      for (Index k = 0; k < tau.size(); ++k)
        if (noise > 0) tau[k] += std::pow(4.0, static_cast<double>(k)) * normal(bits);
      data.add(work, state, a, tau);
    }
    return data.solve();
  }

  RandomModel random;
  Model model;
  System system, real;
  Workspace work, work_real;
  Regressor regressor;
  BaseParameters base;
  VectorXd truth;
};

TEST(Identification, finds_exact_parameters_in_exact_data) {
  Measured arm(3);
  const Estimate found = arm.identify(200, 0);
  for (Index i = 0; i < arm.truth.size(); ++i)
    EXPECT_NEAR(found.values(i, 0), arm.truth[i], 1e-11 * arm.truth.norm())
        << found.names[static_cast<std::size_t>(i)];
  EXPECT_GT((found.model_values.view().col(0) - arm.truth).norm(), 1e-2 * arm.truth.norm());
}

TEST(Identification, tells_how_far_noise_leads_astray) {
  Measured arm(3);
  const Estimate found = arm.identify(2000, 0.01);
  ASSERT_EQ(found.effort_deviations.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(found.effort_deviations[k] / (0.01 * std::pow(4.0, static_cast<double>(k))), 1,
                0.1);
  const VectorXd z = (found.values.view().col(0) - arm.truth)
                         .cwiseQuotient(Eigen::VectorXd(found.deviations.view().col(0)));
  // Neither too proud nor too modest: their mean square is 1, as far as so few can tell.
  EXPECT_LE(z.lpNorm<Eigen::Infinity>(), 4);
  EXPECT_NEAR(z.squaredNorm() / static_cast<double>(z.size()), 1,
              4 * std::sqrt(2 / static_cast<double>(z.size())));
}

TEST(Identification, says_what_a_dull_motion_leaves_open) {
  const System system = compile(pendulum({0, 1, 0}));
  Workspace work(system);
  const Regressor regressor(system);
  Identification data(regressor, find_base_parameters(regressor, work));
  EXPECT_THROW((void)data.solve(), Error);
  State state(system);
  VectorXd a = VectorXd::Zero(1), tau(1);
  for (int i = 0; i < 100; ++i) {
    state.q[0] = 0.01 * i;
    compute_inverse_dynamics(work, state, a, {}, tau);
    data.add(work, state, a, tau);
  }
  try {
    (void)data.solve();
    FAIL() << "nothing accelerates";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'iyy:rod'"), std::string::npos) << e.what();
  }
}

/// Every state has the bits that it has alone, on one thread and on three.
TEST(RegressorBatch, has_the_bits_of_single_states) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm6.urdf"));
  const Regressor regressor(system, {JointParameter::damping, JointParameter::friction});
  const Eigen::Index nv = system.nv(), count = 5;
  Eigen::MatrixXd q(count, nv), v(count, nv), a(count, nv);
  for (Eigen::Index s = 0; s < count; ++s)
    for (Eigen::Index i = 0; i < nv; ++i) {
      const double x = static_cast<double>(s + 3 * i);
      q(s, i) = std::sin(x), v(s, i) = std::cos(2 * x), a(s, i) = std::sin(3 * x + 1);
    }
  a(2, 1) = std::numeric_limits<double>::infinity();
  for (const int threads : {1, 3}) {
    RegressorBatch batch(regressor, {.threads = threads});
    Eigen::MatrixXd Y(nv * regressor.size(), count), rest(nv, count);
    const BatchReport report = batch.compute(q, v, a, Y, rest);
    ASSERT_EQ(report.bad_states.size(), 1U);
    EXPECT_EQ(report.bad_states[0], 2);
    Workspace work(system);
    State state(system);
    Eigen::MatrixXd one(nv, regressor.size());
    Eigen::VectorXd left(nv);
    for (Eigen::Index s = 0; s < count; ++s) {
      if (s == 2) continue;
      state.q = q.row(s).transpose(), state.v = v.row(s).transpose();
      regressor.compute(work, state, a.row(s).transpose(), one, left);
      EXPECT_TRUE(Y.col(s) == one.reshaped()) << s;
      EXPECT_TRUE(rest.col(s) == left) << s;
    }
  }
}

}  // namespace
}  // namespace linkwright::testing
