// Channels: names, units and numbers of what is recorded.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/simulate/channels.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Words = std::vector<std::string>;

Words names(const Channels& channels) {
  Words found;
  for (const Column& column : channels.columns()) found.push_back(column.name);
  return found;
}

std::string unit(const Channels& channels, const std::string& name) {
  for (const Column& column : channels.columns())
    if (column.name == name) return column.unit;
  return "no column " + name;
}

Model two_links() {
  Model model;
  model.name = "two_links";
  for (const char* name : {"upper", "lower"})
    model.bodies.push_back(
        {.name = name, .mass = 1, .com = {0, 0, -0.5}, .inertia = {0.1, 0.1, 0.01, 0, 0, 0}});
  model.joints.push_back({.name = "hinge",
                          .type = JointType::revolute,
                          .parent = "world",
                          .child = "upper",
                          .axis = {0, 1, 0}});
  model.joints.push_back({.name = "slide",
                          .type = JointType::prismatic,
                          .parent = "upper",
                          .child = "lower",
                          .pose = {Matrix3::identity(), {0, 0, -1}},
                          .axis = {0, 0, 1}});
  model.frames.push_back({"tip", "lower", {Matrix3::identity(), {0, 0, -1}}, {}});
  return model;
}

/// A random tree with every joint type, a state, and everything a row is made from.
struct Scene {
  RandomModel random{5};
  System system = compile(random.tree(12, Base::free, all_joint_types()));
  Workspace work{system};
  FullState now{random.state(system), {}};
  State& state = now.state;
  Eigen::VectorXd a = random.numbers(system.nv()), tau = random.numbers(system.nv());
  ExternalForce push{system.frame("tip"), {{1, 2, 3}, {4, 5, 6}}, Axes::world};

  std::vector<double> row(Channels& channels) {
    std::vector<double> out(channels.size(), std::nan(""));
    channels.compute(work, {now, a, tau, tau, {&push, 1}, {0.25}}, out);
    return out;
  }
};

TEST(Channels, coordinates_come_first_and_totals_last) {
  const System system = compile(two_links());
  EXPECT_EQ(names(Channels(system)),
            (Words{"time", "q:hinge", "q:slide", "v:hinge", "v:slide", "energy", "closure_error"}));
  const Channels tip(system, {"frame:tip"});
  EXPECT_EQ(names(tip), (Words{"time", "q:hinge", "q:slide", "v:hinge", "v:slide", "frame:tip:x",
                               "frame:tip:y", "frame:tip:z", "frame:tip:qw", "frame:tip:qx",
                               "frame:tip:qy", "frame:tip:qz", "energy", "closure_error"}));
}

TEST(Channels, units_follow_the_joints) {
  const System system = compile(two_links());
  const Channels channels(system, {"a", "tau", "force:slide", "momentum", "com"});
  EXPECT_EQ(unit(channels, "time"), "s");
  EXPECT_EQ(unit(channels, "q:hinge"), "rad");
  EXPECT_EQ(unit(channels, "q:slide"), "m");
  EXPECT_EQ(unit(channels, "v:slide"), "m/s");
  EXPECT_EQ(unit(channels, "a:hinge"), "rad/s^2");
  EXPECT_EQ(unit(channels, "tau:hinge"), "N*m");
  EXPECT_EQ(unit(channels, "tau:slide"), "N");
  EXPECT_EQ(unit(channels, "force:slide:fz"), "N");
  EXPECT_EQ(unit(channels, "momentum:angular:y"), "N*m*s");
  EXPECT_EQ(unit(channels, "com:z"), "m");
  Scene scene;
  const Channels free(scene.system, {"a:base"});
  EXPECT_EQ(unit(free, "q:base:3"), "1");
  EXPECT_EQ(unit(free, "q:base:4"), "m");
  EXPECT_EQ(unit(free, "v:base:2"), "rad/s");
  EXPECT_EQ(unit(free, "a:base:5"), "m/s^2");
}

TEST(Channels, each_column_of_q_and_v_names_its_own_number) {
  Scene scene;
  Channels channels(scene.system);
  const std::vector<double> row = scene.row(channels);
  for (std::size_t i = 0; i < scene.system.position_names().size(); ++i) {
    EXPECT_EQ(channels.columns()[1 + i].name, "q:" + scene.system.position_names()[i]);
    EXPECT_EQ(row[1 + i], scene.state.q[static_cast<Eigen::Index>(i)]);
  }
  const std::size_t first = 1 + scene.system.position_names().size();
  for (std::size_t i = 0; i < scene.system.velocity_names().size(); ++i) {
    EXPECT_EQ(channels.columns()[first + i].name, "v:" + scene.system.velocity_names()[i]);
    EXPECT_EQ(row[first + i], scene.state.v[static_cast<Eigen::Index>(i)]);
  }
}

void append(std::vector<double>& out, const Vector3& v) { out.insert(out.end(), {v.x, v.y, v.z}); }

TEST(Channels, requested_numbers_are_those_of_the_functions_they_name) {
  Scene scene;
  const std::string joint = scene.system.joints().back().name;
  Channels channels(scene.system,
                    {"velocity:tip", "acceleration:tip", "force:" + joint, "momentum", "com",
                     "kinetic", "potential", "a", "tau"},
                    {{"twice", "s", [](const State& state) { return 2 * state.t; }}});
  scene.state.t = 3;
  const std::vector<double> row = scene.row(channels);

  std::vector<double> expected;
  compute_forward_kinematics(scene.work, scene.state, scene.a);
  for (const Motion& m : {frame_velocity(scene.work, scene.system.frame("tip"), Axes::world),
                          frame_acceleration(scene.work, scene.system.frame("tip"), Axes::world)}) {
    append(expected, m.angular);
    append(expected, m.linear);
  }
  std::vector<Force> reactions(scene.system.joints().size());
  compute_reactions(scene.work, scene.state, scene.a, {&scene.push, 1}, reactions);
  append(expected, reactions.back().moment);
  append(expected, reactions.back().force);
  const Momentum momentum = compute_momentum(scene.work, scene.state);
  append(expected, momentum.angular);
  append(expected, momentum.linear);
  append(expected, compute_centre_of_mass(scene.work, scene.state).position);
  const Energy energy = compute_energy(scene.work, scene.state);
  expected.insert(expected.end(), {energy.kinetic, energy.potential});
  expected.insert(expected.end(), scene.a.begin(), scene.a.end());
  expected.insert(expected.end(), scene.tau.begin(), scene.tau.end());
  expected.insert(expected.end(), {6, energy.kinetic + energy.potential, 0.25});

  const auto first = static_cast<std::size_t>(1 + scene.system.nq() + scene.system.nv());
  ASSERT_EQ(row.size(), first + expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(row[first + i], expected[i]) << channels.columns()[first + i].name;
}

TEST(Channels, a_row_places_the_joints_once_whatever_was_asked_for) {
  Scene scene;
  for (const auto& requests : {Words{}, Channels::known(scene.system)}) {
    Channels channels(scene.system, requests);
    const Stamp& stamp = scene.work.scratch().stamp;
    const std::uint64_t before = stamp.placements();
    scene.row(channels);
    EXPECT_EQ(stamp.placements() - before, 1U);
  }
}

TEST(Channels, readers_after_one_placement_say_what_each_would_compute) {
  Scene scene;
  Workspace other(scene.system);
  compute_forward_kinematics(scene.work, scene.state, scene.a);
  const Energy energy = system_energy(scene.work),
               energy_alone = compute_energy(other, scene.state);
  EXPECT_EQ(energy.kinetic, energy_alone.kinetic);
  EXPECT_EQ(energy.potential, energy_alone.potential);
  EXPECT_EQ(
      norm(system_momentum(scene.work).angular - compute_momentum(other, scene.state).angular), 0);
  EXPECT_EQ(norm(system_centre_of_mass(scene.work).position -
                 compute_centre_of_mass(other, scene.state).position),
            0);
  std::vector<Force> read(scene.system.joints().size()), alone = read;
  joint_reactions(scene.work, {&scene.push, 1}, read);
  compute_reactions(other, scene.state, scene.a, {&scene.push, 1}, alone);
  for (std::size_t j = 0; j < read.size(); ++j) {
    EXPECT_EQ(norm(read[j].force - alone[j].force), 0) << j;
    EXPECT_EQ(norm(read[j].moment - alone[j].moment), 0) << j;
  }
}

TEST(Channels, a_pose_column_is_the_pose) {
  Scene scene;
  Channels channels(scene.system, {"frame:tip"});
  const std::vector<double> row = scene.row(channels);
  const std::size_t x = row.size() - 9;
  compute_forward_kinematics(scene.work, scene.state, scene.a);
  const Pose pose = frame_pose(scene.work, scene.system.frame("tip"));
  EXPECT_EQ(row[x], pose.translation.x);
  EXPECT_GE(row[x + 3], 0) << "the first row has qw >= 0";
  const Matrix3 back =
      spatial::to_matrix(Quaternion{row[x + 3], row[x + 4], row[x + 5], row[x + 6]});
  const Vector3 v{0.3, -0.7, 0.5};
  EXPECT_NEAR(norm(back * v - pose.rotation * v), 0, 1e-14);  // a few roundings of order 1
}

TEST(Channels, quaternions_do_not_jump_between_rows) {
  const System system = compile(two_links());
  Workspace work(system);
  FullState now{State(system), {}};
  State& state = now.state;
  Channels channels(system, {"frame:tip"});
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(2);
  std::vector<double> row(channels.size()), before;
  bool negative = false;
  // Two turns about y: a quaternion that always has qw >= 0 jumps twice.
  for (int i = 0; i <= 200; ++i) {
    state.q[0] = 4 * std::acos(-1.0) * i / 200;
    channels.compute(work, {now, zero, zero, zero}, row);
    negative = negative || row[8] < -0.9;
    double change = 0;
    for (std::size_t k = 8; k < 12 && i > 0; ++k) change += std::abs(row[k] - before[k]);
    EXPECT_LT(change, 0.1) << "row " << i;  // half a step of 0.063 rad, in two numbers
    before = row;
  }
  EXPECT_TRUE(negative);
  channels.restart();
  state.q[0] = 3;
  state.q[0] += 2 * std::acos(-1.0);
  channels.compute(work, {now, zero, zero, zero}, row);
  EXPECT_GE(row[8], 0) << "a new run begins anew";
}

TEST(Channels, what_is_there_anyway_or_asked_twice_comes_once) {
  const System system = compile(two_links());
  const std::size_t plain = Channels(system).size();
  EXPECT_EQ(Channels(system, {"time", "q", "v:hinge", "q:slide", "energy"}).size(), plain);
  EXPECT_EQ(Channels(system, {"a", "a:hinge", "a:hinge"}).size(), plain + 2);
  EXPECT_EQ(Channels(system, {"frame:tip", "frame:tip"}).size(), plain + 7);
  EXPECT_EQ(Channels(system, {"a:hinge"}).size(), plain + 1);
}

TEST(Channels, an_unknown_request_lists_the_known_ones_and_the_closest) {
  const System system = compile(two_links());
  for (const auto& [said, hint] :
       std::vector<std::pair<std::string, std::string>>{{"frame:top", "'frame:tip'"},
                                                        {"fram:tip", "'frame:tip'"},
                                                        {"tau:hing", "'tau:hinge'"},
                                                        {"momentun", "'momentum'"},
                                                        {"force:tip", ""},
                                                        {"frame:", ""},
                                                        {"", ""},
                                                        {":", ""}}) {
    const std::string request = said;
    const std::string message = error_of([&] { Channels(system, {request}); });
    for (const std::string& part :
         {"'" + request + "'", hint, std::string("frame:NAME"), std::string("force:JOINT"),
          std::string("potential"), std::string("two_links")})
      EXPECT_TRUE(contains(message, part)) << request << ": " << message;
  }
  EXPECT_TRUE(contains(error_of([&] { Channels(system, {}, {{"energy", "J", {}}}); }), "function"));
  const auto zero = [](const State&) { return 0.0; };
  EXPECT_TRUE(contains(error_of([&] { Channels(system, {}, {{"energy", "J", zero}}); }), "rename"));
}

TEST(Channels, every_known_request_is_accepted) {
  Scene scene;
  for (const std::string& request : Channels::known(scene.system)) {
    Channels channels(scene.system, {request});
    for (const double value : scene.row(channels)) EXPECT_TRUE(std::isfinite(value)) << request;
  }
}

TEST(Channels, wrong_sizes_and_strangers_are_refused) {
  Scene scene;
  Channels channels(scene.system);
  std::vector<double> small(channels.size() - 1), right(channels.size());
  const Eigen::VectorXd few(1);
  const auto compute = [&](const Eigen::VectorXd& a, std::span<double> out) {
    channels.compute(scene.work, {scene.now, a, scene.tau, scene.tau}, out);
  };
  EXPECT_TRUE(contains(error_of([&] { compute(scene.a, small); }), "room for"));
  EXPECT_TRUE(contains(error_of([&] { compute(few, right); }), "1"));
  Scene other;
  EXPECT_TRUE(
      contains(error_of([&] {
                 channels.compute(other.work, {scene.now, scene.a, scene.tau, scene.tau}, right);
               }),
               "another system"));
}

}  // namespace
}  // namespace linkwright::testing
