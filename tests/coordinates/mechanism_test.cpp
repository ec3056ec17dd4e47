/// Freeman's way beside the closure room: the same masses, biases, accelerations and forces.

#include "linkwright/coordinates/mechanism.hpp"

#include "closure/random_mechanism.hpp"
#include "coordinates/compare.hpp"
#include "coordinates/moving.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {
namespace {

class Loops : public ::testing::TestWithParam<const char*>, protected Moving {
 protected:
  Loops() : Moving(std::string(GetParam()) + ".yaml") {}
};

/// A platform on legs; `hand`: the parts of its motion that are free.
struct Platform {
  const char *file, *body;
  std::vector<std::string> hand;
};
class Platforms : public ::testing::TestWithParam<Platform>, protected Moving {
 protected:
  Platforms() : Moving(std::string(GetParam().file) + ".yaml") {}
};

TEST_P(Loops, double_transfer_equals_the_closure_room) {
  const std::vector<int> entries = choose_independent(work, state.q).entries;
  const Mechanism found =
      compute_double_transfer(work, state, {}, joint_influence(system, names_of(system, entries)));
  expect_same(work, state, tau, found, entries, GetParam());
}

TEST_P(Platforms, leg_by_leg_equals_the_closure_room) {
  const std::vector<int> entries = choose_independent(work, state.q).entries;
  const Mechanism found = compute_leg_by_leg(work, state, {}, GetParam().body,
                                             joint_influence(system, names_of(system, entries)));
  expect_same(work, state, tau, found, entries, GetParam().file);
}

/// Damping, friction, springs, loads and rotors on every joint that closes a loop.
Model alive(const std::string& file) {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/" + file);
  RandomMechanism(3).enliven(model);
  return model;
}
TEST_P(Loops, double_transfer_knows_what_acts_on_closing_joints) {
  Moving other(alive(std::string(GetParam()) + ".yaml"));
  const std::vector<int> entries = choose_independent(other.work, other.state.q).entries;
  expect_same_motion(
      other.work, other.state, other.tau,
      compute_double_transfer(other.work, other.state, {},
                              joint_influence(other.system, names_of(other.system, entries))),
      GetParam());
}
TEST_P(Platforms, leg_by_leg_knows_what_acts_on_closing_joints) {
  Moving other(alive(std::string(GetParam().file) + ".yaml"));
  const std::vector<int> entries = choose_independent(other.work, other.state.q).entries;
  expect_same_motion(
      other.work, other.state, other.tau,
      compute_leg_by_leg(other.work, other.state, {}, GetParam().body,
                         joint_influence(other.system, names_of(other.system, entries))),
      GetParam().file);
}

/// Power does not depend on the coordinates, nor does the energy.
TEST_P(Platforms, the_hand_may_be_a_coordinate) {
  const std::string name = GetParam().body;
  std::vector<std::string> parts;
  for (const std::string& part : GetParam().hand) parts.push_back(name + ":" + part);
  const Influence hand =
      select(compute_frame_influence(work, state.q, system.frame(name), Axes::world), parts);
  const Mechanism by_hand = compute_leg_by_leg(work, state, {}, name, hand);
  const Mechanism at_once = compute_double_transfer(work, state, {}, hand);
  const VectorXd rate = hand.G.view() * state.v;
  const double bound = 1024 * epsilon * by_hand.condition * at_once.condition;
  EXPECT_LT((by_hand.joints.G.view() * rate - state.v).norm(), bound * state.v.norm());
  EXPECT_LT((by_hand.model.inertia.view() - at_once.model.inertia.view()).norm(),
            bound * at_once.model.inertia.view().norm());
  EXPECT_LT((by_hand.model.power.flat() - at_once.model.power.flat()).norm(),
            bound * (at_once.model.power.flat().norm() + at_once.model.inertia.view().norm()));
  EXPECT_LT((by_hand.model.load.view() - at_once.model.load.view()).norm(),
            bound * at_once.model.load.view().norm());
  expect_same_motion(work, state, tau, by_hand, name);
  expect_same_motion(work, state, tau, at_once, name);
  MatrixXd M(system.nv(), system.nv());
  compute_mass_matrix(work.tree(), state.q, M);
  const double energy = state.v.dot(M * state.v);
  EXPECT_NEAR(rate.dot(by_hand.model.inertia.view() * rate), energy, bound * energy);
}

INSTANTIATE_TEST_SUITE_P(Freeman, Loops,
                         ::testing::Values("four_bar", "slider_crank", "spatial_slider_crank",
                                           "five_bar", "bricard", "gripper", "ankle", "stewart",
                                           "delta", "walking_machine", "planar_platform"),
                         [](const auto& given) { return std::string(given.param); });

const std::vector<std::string> all_six{"wx", "wy", "wz", "vx", "vy", "vz"};
INSTANTIATE_TEST_SUITE_P(Freeman, Platforms,
                         ::testing::Values(Platform{"stewart", "plate", all_six},
                                           Platform{"delta", "plate", {"vx", "vy", "vz"}},
                                           Platform{
                                               "planar_platform", "platform", {"wz", "vx", "vy"}},
                                           Platform{"walking_machine", "trunk", all_six}),
                         [](const auto& given) { return std::string(given.param.file); });

/// Any closures, redundant ones among them, with dampers and loads at the joints and a push at a body.
TEST(FreemanRandom, any_loops_any_closures) {
  int compared = 0, by_legs = 0;
  for (unsigned seed = 0; seed < 80; ++seed) {
    RandomMechanism random(seed);
    ClosedMechanism made =
        random.closed(random.integer(3, 7), random.integer(1, 4),
                      static_cast<Base>(random.integer(0, 2)), all_joint_types());
    for (Joint& joint : made.model.joints) {
      if (velocity_count(joint) == 0) continue;
      joint.damping = {random.between(0, 1)};
      made.model.joint_loads.push_back({joint.name, 0, random.between(-3, 3), {}});
    }
    const System system = compile(made.model);
    ClosedWorkspace work(system);
    State state(system);
    state.q = made.q, state.v = random.numbers(system.nv());
    if (work.rows() == 0) continue;  // a free joint closes nothing
    project_velocity(work, state.q, {}, state.v);
    const Independent chosen = choose_independent(work, state.q);
    if (chosen.entries.empty() || chosen.conditioning < 1e-4) continue;
    const Influence q = joint_influence(system, names_of(system, chosen.entries));
    const ExternalForce push{system.frame("body1"), {random.vector(3), random.vector(3)}};
    const VectorXd tau = random.numbers(system.nv());
    const std::string where = "seed " + std::to_string(seed);
    expect_same(work, state, tau, compute_double_transfer(work, state, {&push, 1}, q),
                chosen.entries, where, {&push, 1});
    ++compared;
    // The same with some body as if it were a platform.
    const std::string body = "body" + std::to_string(random.integer(0, 2));
    if (system.frame(system.frame(body)).node == 0) continue;
    expect_same(work, state, tau, compute_leg_by_leg(work, state, {&push, 1}, body, q),
                chosen.entries, "leg by leg, " + where, {&push, 1});
    ++by_legs;
  }
  EXPECT_GT(compared, 40);
  EXPECT_GT(by_legs, 30);
}

TEST(PlatformErrors, what_nothing_moves_is_refused_by_name) {
  const Moving moving("stewart.yaml");
  ClosedWorkspace work(moving.system);
  const Influence q = joint_influence(moving.system, {"floating"});
  EXPECT_THROW((void)compute_leg_by_leg(work, moving.state, {}, "world", q), Error);
  EXPECT_THROW((void)compute_leg_by_leg(work, moving.state, {}, "plat", q), Error);
}

}  // namespace
}  // namespace linkwright::testing
