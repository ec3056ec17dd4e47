/// Inverse dynamics with as many motors as freedoms, with more, and with fewer.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "closure/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A mechanism at a closed state, with accelerations that obey the closures.
struct Trial {
  explicit Trial(const Model& model, unsigned seed = 1)
      : system(compile(model)), work(system), state(system), a(system.nv()) {
    RandomModel random(seed);
    state.q = initial_state(system).q;
    EXPECT_TRUE(assemble(work, {}, state.q).assembled);
    state.v = random.numbers(system.nv());
    project_velocity(work, state.q, {}, state.v);
    VectorXd tau = random.numbers(system.nv(), 5);
    for (const int passive : system.passive_freedoms()) tau[passive] = 0;
    compute_forward_dynamics(work, state, tau, {}, a);
    const std::vector<int> entries = choose_independent(work, state.q).entries;
    G.resize(system.nv(), static_cast<Index>(entries.size()));
    VectorXd g(system.nv());
    compute_coordinate_map(work, state, entries, G, g);
  }
  VectorXd efforts(const Actuation& actuation) {
    VectorXd tau(system.nv());
    compute_inverse_dynamics(work, state, a, {}, actuation, tau);
    return tau;
  }
  VectorXd motion(const VectorXd& tau) {
    VectorXd found(system.nv());
    compute_forward_dynamics(work, state, tau, {}, found);
    return found;
  }
  /// What the motors do on each motion that the closures allow.
  MatrixXd on_motions(const Actuation& actuation) const {
    MatrixXd B(G.cols(), static_cast<Index>(actuation.entries.size()));
    for (Index i = 0; i < B.cols(); ++i)
      B.col(i) = G.row(actuation.entries[static_cast<std::size_t>(i)]).transpose();
    return B;
  }
  void expect_same_motion(const VectorXd& tau, const std::string& what) {
    EXPECT_LE((motion(tau) - a).norm(), 1e-11 * (1 + a.norm())) << what;
  }

  System system;
  ClosedWorkspace work;
  State state;
  VectorXd a;
  MatrixXd G;
};

/// A motor on every joint, whose limits are far away unless told.
Model five_bar() {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/five_bar.yaml");
  model.actuators.clear();
  for (Joint& joint : model.joints) joint.passive.clear(), joint.limits.clear();
  return model;
}
Actuation every_joint(const System& system) {
  Actuation all;
  for (int i = 0; i < system.nv(); ++i) all.entries.push_back(i);
  return all;
}
TEST(Actuation, as_many_motors_as_freedoms_have_one_answer_and_the_others_get_nothing) {
  Trial trial(five_bar());
  ASSERT_EQ(trial.G.cols(), 2);
  for (const std::vector<int>& entries :
       {std::vector<int>{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}) {
    const VectorXd tau = trial.efforts({.entries = entries});
    trial.expect_same_motion(tau, "exactly actuated");
    for (int i = 0; i < trial.system.nv(); ++i)
      EXPECT_TRUE(tau[i] == 0 || i == entries[0] || i == entries[1]);
  }
}

/// The least Σ w τ² among all that do the same: w τ is a combination of the motions' own shares.
TEST(Actuation, more_motors_share_the_work_by_weighted_least_squares) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    Trial trial(five_bar(), seed);
    Actuation actuation = every_joint(trial.system);
    actuation.weights = {1, 3, 0.5, 2};
    const VectorXd tau = trial.efforts(actuation);
    trial.expect_same_motion(tau, "redundantly actuated");
    const MatrixXd B = trial.on_motions(actuation);
    const VectorXd pull = VectorXd{{1, 3, 0.5, 2}}.cwiseProduct(tau);
    const VectorXd price = B.transpose().colPivHouseholderQr().solve(pull);
    EXPECT_LE((pull - B.transpose() * price).norm(), 1e-11 * (1 + pull.norm()));
    // A dear motor does less.
    actuation.weights = {1, 300, 0.5, 2};
    const VectorXd spared = trial.efforts(actuation);
    trial.expect_same_motion(spared, "with another weight");
    EXPECT_LT(std::abs(spared[1]), std::abs(tau[1]));
  }
}

/// A load that moves nothing is held as it is; of any other the part that moves nothing is.
TEST(Actuation, an_internal_load_is_added_and_moves_nothing) {
  Trial trial(five_bar());
  Actuation actuation = every_joint(trial.system);
  const VectorXd plain = trial.efforts(actuation);
  const MatrixXd B = trial.on_motions(actuation);
  const MatrixXd idle = Eigen::FullPivLU<MatrixXd>(B).kernel();
  ASSERT_EQ(idle.cols(), 2);
  for (Index i = 0; i < idle.cols(); ++i) {
    const VectorXd load = 7 * idle.col(i);
    actuation.internal_load.assign(load.data(), load.data() + load.size());
    const VectorXd held = trial.efforts(actuation);
    EXPECT_LE((held - plain - load).norm(), 1e-11 * load.norm());
    trial.expect_same_motion(held, "with an internal load");
  }
  actuation.internal_load = {5, -3, 2, 8};
  const VectorXd held = trial.efforts(actuation), added = held - plain;
  trial.expect_same_motion(held, "with any load");
  EXPECT_LE((B * added).norm(), 1e-11 * added.norm());
  const VectorXd rest = VectorXd{{5, -3, 2, 8}} - added;
  EXPECT_LE(std::abs(rest.dot(added)), 1e-10 * added.squaredNorm()) << "the nearest such load";
}

/// Within the limits, the same motion, and the least Σ τ² of all such: a motor at its limit is pushed
/// outward by the price of the motion, the others balance it.
TEST(Actuation, effort_limits_are_a_bounded_problem) {
  int bounded = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Trial free(five_bar(), seed);
    const VectorXd wanted = free.efforts(every_joint(free.system));
    Model model = five_bar();
    Index most = 0;
    const double largest = wanted.cwiseAbs().maxCoeff(&most);
    const double limit = 0.8 * largest;
    model.joints[static_cast<std::size_t>(most)].limits = {Limits{.effort = limit}};
    Trial trial(model, seed);
    Actuation actuation = every_joint(trial.system);
    actuation.limits = Actuation::Limits::respect;
    const VectorXd tau = trial.efforts(actuation);
    trial.expect_same_motion(tau, "within limits");
    EXPECT_NEAR(std::abs(tau[most]), limit, 1e-9 * limit);
    ++bounded;
    EXPECT_GT(tau.norm(), wanted.norm());
    MatrixXd others = trial.on_motions(actuation).transpose();
    VectorXd right = tau;
    others.row(most).setZero(), right[most] = 0;
    const VectorXd price = others.colPivHouseholderQr().solve(right);
    const VectorXd left = tau - trial.on_motions(actuation).transpose() * price;
    for (Index i = 0; i < left.size(); ++i)
      EXPECT_TRUE(i == most ? left[i] * tau[i] < 0 : std::abs(left[i]) <= 1e-10 * tau.norm()) << i;
    actuation.limits = Actuation::Limits::ignore;
    EXPECT_LE((trial.efforts(actuation) - wanted).norm(), 1e-11 * wanted.norm());
  }
  EXPECT_EQ(bounded, 20);
}

TEST(Actuation, limits_that_do_not_allow_the_motion_are_told) {
  Model model = five_bar();
  for (Joint& joint : model.joints) joint.limits = {Limits{.effort = 1e-4}};
  Trial trial(model);
  Actuation actuation = every_joint(trial.system);
  actuation.limits = Actuation::Limits::respect;
  EXPECT_TRUE(contains(error_of([&] { trial.efforts(actuation); }), "effort limits do not allow"));
}

/// One motor on two freedoms: what it can do is done, what it cannot is refused, and the joint that would
/// have to move most is named.
TEST(Actuation, a_motion_without_a_motor_is_refused_by_name) {
  Trial trial(five_bar());
  const Actuation left{.entries = {trial.system.joint("left_motor").v}};
  const std::string told = error_of([&] { trial.efforts(left); });
  EXPECT_TRUE(contains(told, "the motors cannot produce this motion")) << told;
  bool named = false;
  for (const std::string& joint : trial.system.velocity_names())
    named = named || contains(told, "'" + joint + "'");
  EXPECT_TRUE(named) << told;
  VectorXd tau = VectorXd::Zero(trial.system.nv());
  tau[left.entries[0]] = 3;
  trial.a = trial.motion(tau);
  EXPECT_LE((trial.efforts(left) - tau).norm(), 1e-10);
}

/// The idle spin of a rod between two balls: no motor reaches it, and it is what the message names.
TEST(Actuation, an_idle_freedom_that_must_accelerate_is_named) {
  const Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/spatial_slider_crank.yaml");
  Trial trial(model);
  const Actuation motors = all_motors(trial.system);
  const VectorXd still = trial.motion(VectorXd::Zero(trial.system.nv()));
  trial.a = still;
  EXPECT_EQ(error_of([&] { trial.efforts(motors); }), "");
  const MatrixXd G = trial.G;
  ASSERT_EQ(G.cols(), 2);
  // A motion along which the crank rests.
  const Eigen::RowVectorXd crank = G.row(motors.entries.at(0));
  const VectorXd spin = G * VectorXd{{crank[1], -crank[0]}};
  trial.a = still + spin / spin.norm();
  Index most = 0;
  spin.cwiseAbs().maxCoeff(&most);
  const std::string moved = trial.system.velocity_names()[static_cast<std::size_t>(most)];
  const std::string told = error_of([&] { trial.efforts(motors); });
  EXPECT_TRUE(contains(told, "'" + moved + "' moves most")) << told;
}

TEST(Actuation, that_makes_no_sense_is_refused) {
  Trial trial(five_bar());
  EXPECT_TRUE(contains(error_of([&] { trial.efforts({.entries = {0, 9}}); }), "actuated entry 9"));
  EXPECT_TRUE(contains(error_of([&] { trial.efforts({.entries = {1, 0}}); }), "ascending"));
  EXPECT_TRUE(contains(error_of([&] {
                         trial.efforts({.entries = {0, 1}, .weights = {1}});
                       }),
                       "1 weights for 2 motors"));
  EXPECT_TRUE(contains(error_of([&] {
                         trial.efforts({.entries = {0, 1}, .weights = {1, 0}});
                       }),
                       "expected a positive number"));
  EXPECT_TRUE(contains(error_of([&] {
                         trial.efforts({.entries = {0, 1}, .internal_load = {1, 2, 3}});
                       }),
                       "3 internal loads for 2 motors"));
}

}  // namespace
}  // namespace linkwright::testing
