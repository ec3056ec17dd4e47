/// More motors than freedoms: the walking machine on its feet, and two fingers that hold an object.

#include "linkwright/coordinates/load_distribution.hpp"

#include "closure/mechanisms.hpp"
#include "coordinates/compare.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {
namespace {

/// Fingers of two links on the ground hold an object between pins (figure 4-5 b): four motors, three
/// freedoms.
Model two_fingers() {
  Model out;
  out.gravity = {0, -9.81, 0};
  out.bodies = {rod("left1", 0.3, 0.4), rod("left2", 0.25, 0.3), rod("right1", 0.3, 0.4),
                rod("right2", 0.25, 0.3)};
  out.bodies.push_back({.name = "object", .mass = 1.1, .inertia = {0.01, 0.01, 0.01, 0, 0, 0}});
  out.joints = {hinge("left_root", "world", "left1", {-0.2, 0, 0}),
                hinge("left_knuckle", "left1", "left2", {0.3, 0, 0}),
                hinge("right_root", "world", "right1", {0.2, 0, 0}),
                hinge("right_knuckle", "right1", "right2", {0.3, 0, 0})};
  Joint floating{
      .name = "floating", .type = JointType::planar, .parent = "world", .child = "object"};
  floating.axis = {0, 0, 1};
  out.joints.push_back(floating);
  for (const char* side : {"left", "right"}) {
    Closure tip{
        .name = std::string(side) + "_tip", .body_a = std::string(side) + "2", .body_b = "object"};
    tip.joint = JointType::revolute;
    tip.at_a.translation = {0.25, 0, 0};
    tip.at_b.translation = {side[0] == 'l' ? -0.06 : 0.06, 0, 0};
    out.closures.push_back(tip);
  }
  out.joints.back().passive = {true};
  return out;
}

/// A mechanism whose motors are more than its freedoms; u: the platform's.
struct Overconstrained {
  Overconstrained(const Model& model, const std::string& body, const VectorXd& start)
      : system(compile(model)), work(system), state(system) {
    state.q = start.size() > 0 ? start : initial_state(system).q;
    if (!assemble(work, {}, state.q).assembled) throw Error("cannot be assembled");
    for (Index i = 0; i < state.v.size(); ++i) state.v[i] = std::sin(2.0 + static_cast<double>(i));
    project_velocity(work, state.q, {}, state.v);
    machine = compute_leg_by_leg(work, state, {}, body, joint_influence(system, {"floating"}));
    for (int i = 0; i < machine.model.inertia.rows(); ++i)
      u.push_back(system.joint("floating").v + i);
    actuation = all_motors(system);
    motors = compose(joint_influence(system, names_of(system, actuation.entries)), machine.joints);
    acceleration = VectorXd::LinSpaced(static_cast<Index>(u.size()), -1, 2);
    T_u = loads(machine.model, entries_of(state.v, u), acceleration);
  }
  /// The closure room's answer to the same question.
  VectorXd expected() {
    const VectorXd a = machine.joints.G.view() * acceleration +
                       quadratic_form(machine.joints.H, entries_of(state.v, u));
    VectorXd tau(system.nv());
    compute_inverse_dynamics(work, state, a, {}, actuation, tau);
    return entries_of(tau, actuation.entries);
  }
  VectorXd found(const Distribution& distribution) const {
    VectorXd T_q(motors.G.rows());
    compute_distribution(motors, T_u, distribution, T_q);
    return T_q;
  }
  [[nodiscard]] double bound() const {
    return 1024 * epsilon * machine.condition * condition_of(motors.G.view()) * (1 + T_u.norm());
  }
  System system;
  ClosedWorkspace work;
  State state;
  Mechanism machine;
  std::vector<int> u;
  Actuation actuation;
  Influence motors;
  VectorXd acceleration, T_u;
};

class LoadDistribution : public ::testing::TestWithParam<std::string> {
 protected:
  LoadDistribution()
      : all(GetParam() == "walking_machine"
                ? Overconstrained(read_model(LINKWRIGHT_SOURCE_DIR "/models/walking_machine.yaml"),
                                  "trunk", VectorXd())
                : Overconstrained(two_fingers(), "object",
                                  (VectorXd(7) << 1.9, -1.2, 1.24, 1.2, 0, 0.5, 0).finished())) {}
  Overconstrained all;
};

TEST_P(LoadDistribution, least_squares_is_the_left_inverse_and_the_closure_room) {
  const VectorXd found = all.found({}), expected = all.expected();
  EXPECT_LT((found - expected).norm(), all.bound());
  const MatrixXd G = all.motors.G.view();
  EXPECT_LT((G.transpose() * found - all.T_u).norm(), all.bound());   // (4-80)
  const VectorXd left = G * (G.transpose() * G).inverse() * all.T_u;  // (4-85)
  EXPECT_LT((found - left).norm(), all.bound() * condition_of(G));
  // (4-87)–(4-90): the same as arrays.
  const DynamicModel shared = distribute(all.machine.model, all.motors);
  EXPECT_LT((loads(shared, entries_of(all.state.v, all.u), all.acceleration) - found).norm(),
            all.bound());
}

TEST_P(LoadDistribution, weights_shift_the_load) {
  const VectorXd even = all.found({});
  Distribution heavy{.weights = std::vector<double>(static_cast<std::size_t>(even.size()), 1)};
  heavy.weights[0] = 100;
  const VectorXd found = all.found(heavy);
  EXPECT_LT(std::abs(found[0]), std::abs(even[0]));
  all.actuation.weights = heavy.weights;
  EXPECT_LT((found - all.expected()).norm(), all.bound());
  const DynamicModel shared = distribute(all.machine.model, all.motors, heavy.weights);
  EXPECT_LT((loads(shared, entries_of(all.state.v, all.u), all.acceleration) - found).norm(),
            all.bound());
}

TEST_P(LoadDistribution, an_internal_load_moves_nothing) {
  const VectorXd even = all.found({});
  Distribution squeeze;
  for (Index i = 0; i < even.size(); ++i)
    squeeze.preferred.push_back(4 * std::cos(static_cast<double>(i * i)));
  const VectorXd found = all.found(squeeze), more = found - even;
  EXPECT_GT(more.norm(), 0.1);
  EXPECT_LT((all.motors.G.view().transpose() * more).norm(), all.bound());
}

TEST_P(LoadDistribution, limits_bind_and_are_named_where_they_cannot) {
  const VectorXd even = all.found({});
  Index most = 0;
  even.cwiseAbs().maxCoeff(&most);
  Distribution bounded{.limits =
                           std::vector<double>(static_cast<std::size_t>(even.size()), HUGE_VAL)};
  bounded.limits[static_cast<std::size_t>(most)] = 0.9 * std::abs(even[most]);
  const VectorXd found = all.found(bounded);
  EXPECT_NEAR(std::abs(found[most]), 0.9 * std::abs(even[most]), all.bound());
  EXPECT_LT((all.motors.G.view().transpose() * found - all.T_u).norm(), all.bound());
  EXPECT_GT(found.norm(), even.norm());
  bounded.limits.assign(bounded.limits.size(), 1e-3);
  EXPECT_THROW((void)all.found(bounded), Error);
}

TEST_P(LoadDistribution, motors_that_leave_a_freedom_open_are_refused) {
  VectorXd T_q(2);
  EXPECT_THROW(
      compute_distribution(select(all.motors, {all.motors.of[0].name, all.motors.of[1].name}),
                           all.T_u, {}, T_q),
      Error);
  EXPECT_THROW((void)all.found({.weights = {1, 2}}), Error);
}

INSTANTIATE_TEST_SUITE_P(Machines, LoadDistribution,
                         ::testing::Values("walking_machine", "two_fingers"),
                         [](const auto& given) { return given.param; });

}  // namespace
}  // namespace linkwright::testing
