// Limits that hold: rebounds, rest at a stop, stops that give way.
#include <gtest/gtest.h>

#include <numbers>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/simulate/channels.hpp"
#include "linkwright/simulate/recording.hpp"
#include "simulate/contacts/contacts.hpp"

namespace linkwright::testing {
namespace {

constexpr double g = 9.81;

Model ball(Limits floor) {
  Model model = slider(1);
  model.joints[0].limits = {floor};
  return model;
}

TEST(Stops, heights_of_a_bouncing_ball_fall_with_the_square_of_the_restitution) {
  const double e = 0.6, height = 0.8;
  const System system = compile(ball({.lower = -0.3, .restitution = e}));
  State start(system);
  start.q[0] = -0.3 + height;
  const double fall = std::sqrt(2 * height / g);
  for (const Method method : methods_with_contacts()) {
    const double step = is_exact(method) ? 1e-3 : 1e-4;
    Simulation simulation(system, start, with_method(method, step));
    const double tolerance = is_exact(method) ? 1e-9 : 100 * step;
    double impact = fall, flight = 2 * fall;
    for (int n = 1; n <= 4; ++n) {
      flight *= e;
      simulation.advance_to(impact + flight / 2);
      EXPECT_NEAR(simulation.state().q[0] + 0.3, height * std::pow(e, 2 * n), tolerance)
          << to_string(method) << " " << n;
      impact += flight;
    }
    // All of infinitely many rebounds take this long; then it lies.
    const double end = fall * (1 + e) / (1 - e);
    simulation.advance_to(end + 1);
    EXPECT_EQ(simulation.state().q[0], -0.3) << to_string(method);
    EXPECT_EQ(simulation.state().v[0], 0) << to_string(method);
    EXPECT_LT(count_of(simulation, "reaches its lower limit"), 60) << to_string(method);
    const double last = simulation.occurrences().back().time;
    EXPECT_NEAR(last, end, is_exact(method) ? 1e-5 : 100 * step) << to_string(method);
  }
}

TEST(Stops, without_loss_a_ball_bounces_for_ever) {
  const System system = compile(ball({.lower = 0, .restitution = 1}));
  State start(system);
  start.q[0] = 0.2;
  for (const Method method : methods_with_contacts()) {
    if (!is_exact(method)) continue;
    Simulation simulation(system, start, with_method(method));
    simulation.advance_to(40);  // 99 rebounds
    const State& now = simulation.state();
    EXPECT_EQ(count_of(simulation, "reaches"), 99) << to_string(method);
    EXPECT_NEAR(g * now.q[0] + now.v[0] * now.v[0] / 2, 0.2 * g, 1e-9) << to_string(method);
  }
}

TEST(Stops, an_arm_lies_against_its_limit_and_leaves_it_when_pushed) {
  Model model = point_pendulum();
  model.joints[0].limits = {{.lower = -0.5}};
  const System system = compile(model);
  for (const Method method : methods_with_contacts()) {
    Simulation simulation(system, State(system), with_method(method));
    simulation.advance_to(2);
    EXPECT_EQ(simulation.state().q[0], -0.5) << to_string(method);
    EXPECT_EQ(simulation.state().v[0], 0) << to_string(method);
    EXPECT_EQ(count_of(simulation, "joint 'hinge' reaches its lower limit -0.5"), 1);
    const Snapshot at = simulation.snapshot();
    const double weight = g * std::cos(0.5);
    EXPECT_NEAR(at.contacts->stop_force(0), weight, 1e-10) << to_string(method);
    EXPECT_EQ(at.contacts->friction_force(0), 0) << to_string(method);
    simulation.set_input(Eigen::VectorXd::Constant(1, 0.999 * weight));
    simulation.advance_to(3);
    EXPECT_EQ(simulation.state().q[0], -0.5) << to_string(method);
    simulation.set_input(Eigen::VectorXd::Constant(1, 1.5 * weight));
    simulation.advance_to(3.2);
    EXPECT_GT(simulation.state().q[0], -0.45) << to_string(method);
    EXPECT_EQ(time_of(simulation, "leaves its lower limit"), 3) << to_string(method);
  }
}

TEST(Stops, a_growing_pull_lifts_a_joint_off_when_it_exceeds_the_weight) {
  const System system = compile(ball({.lower = 0}));
  for (const Method method : methods_with_contacts()) {
    Simulation simulation(system, State(system), with_method(method));
    simulation.add_controller({.compute = [](const State& s, const Reference&,
                                             Eigen::VectorXd& tau) { tau[0] = 4 * s.t; }});
    simulation.advance_to(3);
    const double lift = g / 4, after = 3 - lift;
    EXPECT_NEAR(time_of(simulation, "leaves its lower limit 0"), lift,
                is_exact(method) ? 1e-9 : 1e-3)
        << to_string(method);
    EXPECT_NEAR(simulation.state().q[0], 4 * after * after * after / 6,
                is_exact(method) ? 1e-9 : 1e-3)
        << to_string(method);
  }
}

TEST(Stops, a_compliant_one_stores_and_returns) {
  const double k = 5000, fall = 0.2, v = std::sqrt(2 * g * fall);
  const System system = compile(ball({.lower = 0, .stiffness = k}));
  State start(system);
  start.q[0] = fall;
  // Between first touch and leaving: a half swing of mass and spring about its sagged place.
  const double w = std::sqrt(k), sag = g / k,
               swing = 2 * (std::numbers::pi - std::atan(v / (w * sag)));
  const double touch = std::sqrt(2 * fall / g), contact = swing / w;
  for (const Method method : methods_with_contacts()) {
    if (!is_exact(method)) continue;
    Simulation simulation(system, start, with_method(method, 1e-4));
    simulation.advance_to(touch + contact + 0.01);
    EXPECT_NEAR(time_of(simulation, "reaches its lower limit"), touch, 1e-8) << to_string(method);
    EXPECT_NEAR(time_of(simulation, "leaves its lower limit"), touch + contact, 1e-8)
        << to_string(method);
    const State& now = simulation.state();
    EXPECT_NEAR(now.v[0], v - g * 0.01, 1e-7) << to_string(method);
  }
}

TEST(Stops, a_compliant_one_with_damping_never_pulls_and_comes_to_rest) {
  const double k = 5000, d = 60;
  const System system = compile(ball({.lower = 0, .stiffness = k, .damping = d}));
  State start(system);
  start.q[0] = 0.3;
  Channels channels(system, {"stop:rail"});
  for (const Method method : {Method::rk4, Method::adams, Method::bdf, Method::ida}) {
    Simulation simulation(system, start, with_method(method));
    Table table(channels.columns());
    std::vector<double> row(channels.size());
    Workspace work(system);
    simulation.run(4, 1e-3, [&](const Snapshot& at) {
      channels.compute(work, at, row);
      table.row(row);
      return true;
    });
    double least = 0, most = 0;
    for (const double push : table.column("stop:rail"))
      least = std::min(least, push), most = std::max(most, push);
    EXPECT_GE(least, -1e-9) << to_string(method);
    EXPECT_GT(most, 10 * g) << to_string(method);
    EXPECT_NEAR(simulation.state().q[0], -g / k, 1e-8) << to_string(method);
  }
}

TEST(Stops, joints_that_hit_together_part_by_their_restitutions) {
  // Two sliders on each other, both at their limits at the same instant.
  Model model = slider(2);
  model.gravity = {};
  model.bodies.push_back({.name = "upper", .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}});
  model.joints.push_back({.name = "second",
                          .type = JointType::prismatic,
                          .parent = "ball",
                          .child = "upper",
                          .axis = {0, 0, 1}});
  model.joints[0].limits = {{.upper = 1, .restitution = 0.5}};
  model.joints[1].limits = {{.upper = 0.5, .restitution = 0.25}};
  const System system = compile(model);
  State start(system);
  start.v << 2, 1;
  Simulation simulation(system, start, with_method(Method::rk4));
  simulation.advance_to(0.6);
  EXPECT_NEAR(simulation.state().v[0], -1, 1e-12);
  EXPECT_NEAR(simulation.state().v[1], -0.25, 1e-12);
  EXPECT_NEAR(simulation.state().q[0], 1 - 0.1, 1e-12);
  EXPECT_NEAR(simulation.state().q[1], 0.5 - 0.025, 1e-12);
}

TEST(Stops, an_impact_changes_the_others_as_the_mass_matrix_says) {
  RandomModel random(41);
  Model model = random.tree(4, Base::fixed, {JointType::revolute});
  for (Joint& joint : model.joints)
    joint.limits.clear(), joint.damping.clear(), joint.friction.clear();
  model.joints[1].limits = {{.upper = 0.7, .restitution = 0.3}};
  const System system = compile(model);
  State start = random.state(system);
  const int hit = system.joint(model.joints[1].name).v;
  start.q[hit] = 0.7, start.v[hit] = 1.5;
  Simulation simulation(system, start, {});
  (void)simulation.snapshot();  // decides
  Eigen::MatrixXd M(system.nv(), system.nv());
  Workspace work(system);
  compute_mass_matrix(work, start.q, M);
  const Eigen::VectorXd impulse = M * (simulation.state().v - start.v);
  EXPECT_NEAR(simulation.state().v[hit], -0.3 * 1.5, 1e-12);
  for (int i = 0; i < system.nv(); ++i)
    EXPECT_NEAR(i == hit ? 0 : impulse[i], 0, 1e-12 * std::abs(impulse[hit])) << i;
}

TEST(Stops, friction_and_a_stop_of_one_joint_share_what_holds_it) {
  Model model = incline(0.5, 4);
  model.joints[0].limits = {{.lower = 0}};
  const System system = compile(model);
  Simulation simulation(system, State(system), {});
  const Snapshot at = simulation.snapshot();
  const double weight = 2 * g * std::sin(0.5);
  EXPECT_NEAR(at.contacts->friction_force(0) + at.contacts->stop_force(0), weight, 1e-12);
  EXPECT_LE(at.contacts->friction_force(0), 4);
  EXPECT_GE(at.contacts->stop_force(0), 0);
  // Both hold against a push upwards until friction alone does not.
  simulation.set_input(Eigen::VectorXd::Constant(1, weight + 3.9));
  simulation.advance_to(1);
  EXPECT_EQ(simulation.state().q[0], 0);
  simulation.set_input(Eigen::VectorXd::Constant(1, weight + 4.1));
  simulation.advance_to(2);
  EXPECT_NEAR(simulation.state().q[0], 0.1 / 2 / 2, 1e-9);
}

TEST(Stops, an_arm_that_falls_against_many_stops_comes_through) {
  for (const char* name : {"arm6.urdf", "arm7.urdf", "puma560.yaml"}) {
    const System system =
        compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/" + name));
    for (const double e : {0.0, 0.3}) {
      Model bouncing = system.model();
      for (Joint& joint : bouncing.joints)
        for (Limits& limits : joint.limits)
          limits.restitution = std::isfinite(limits.upper) ? e : 0;
      const System again = compile(bouncing);
      State start(again);
      compute_middle(again, start.q);
      for (const Method method : methods_with_contacts()) {
        SimulationOptions with = with_method(method);
        with.watch_error = false;  // impacts make it chaotic
        Simulation simulation(again, start, with);
        simulation.advance_to(3);
        const auto freedoms = contact_freedoms(again, Closures::leave_out);
        for (const ContactFreedom& f : freedoms) {
          EXPECT_GE(simulation.state().q[f.q], f.limits.lower - 1e-9) << name << " " << f.name;
          EXPECT_LE(simulation.state().q[f.q], f.limits.upper + 1e-9) << name << " " << f.name;
        }
      }
    }
  }
}

TEST(Stops, limits_without_room_between_them_lock_a_joint) {
  Model model = point_pendulum();
  model.joints[0].limits = {{.lower = 0, .upper = 0}};
  const System system = compile(model);
  for (const Method method : methods_with_contacts()) {
    Simulation simulation(system, State(system), with_method(method));
    simulation.add_controller(
        {.compute = [](const State& s, const Reference&, Eigen::VectorXd& tau) {
          tau[0] = 100 * std::sin(10 * s.t);
        }});
    simulation.advance_to(1);
    EXPECT_EQ(simulation.state().q[0], 0) << to_string(method);
    EXPECT_EQ(simulation.statistics().contacts, 0) << to_string(method);
    const Checkpoint saved = to_checkpoint(to_text(simulation.save()));
    EXPECT_FALSE(saved.contacts.empty());
  }
}

TEST(Stops, limits_may_be_told_only) {
  Model model = point_pendulum();
  model.joints[0].limits = {{.lower = -0.5}};
  const System system = compile(model);
  Simulation simulation(system, State(system), {.limits = LimitAction::report});
  simulation.advance_to(1);
  EXPECT_LT(simulation.state().q[0], -0.6);
  EXPECT_EQ(count_of(simulation, "passes its lower limit"), 1);
  const std::string text =
      error_of([&] { Simulation(system, State(system), {.method = Method::symplectic}); });
  EXPECT_NE(text.find("--limits report"), std::string::npos) << text;
  EXPECT_NE(text.find("'hinge'"), std::string::npos) << text;
}

TEST(Stops, bad_ones_are_refused_by_name) {
  const auto refused = [](Limits limits, Friction friction = {}) {
    Model model = slider(1);
    model.joints[0].limits = {limits};
    model.joints[0].friction = {friction};
    return error_of([&] { compile(model); });
  };
  const double nan = std::nan("");
  const std::vector<std::pair<std::string, std::string>> all{
      {refused({.lower = 0, .stiffness = -5}), "stiffness of its stops is -5"},
      {refused({.lower = 0, .stiffness = 0}), "stiffness of its stops is 0"},
      {refused({.lower = 0, .stiffness = nan}), "stiffness"},
      {refused({.lower = 0, .restitution = 1.1}), "restitution of its stops is 1.1"},
      {refused({.lower = 0, .restitution = -0.1}), "restitution"},
      {refused({.lower = 0, .stiffness = 100, .damping = -1}), "damping of its stops is -1"},
      {refused({.lower = 0, .restitution = 0.5, .stiffness = 100}), "restitution"},
      {refused({.lower = 0, .damping = 1}), "damping"},
      {refused({.restitution = 0.5}), "neither a lower nor an upper limit"},
      {refused({}, {2, 2, 1}), "breakaway friction 1 is less"},
      {refused({}, {2, 2, -1}), "breakaway"}};
  for (const auto& [text, part] : all) {
    EXPECT_NE(text.find("'rail'"), std::string::npos) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text << " / " << part;
  }
}

/// Two joints on their stops whose impulses lift each other off: the rebounds die out, and both lie. (They had gone on at
/// the rounding of the stops, four hundred thousand in a second.)
TEST(Stops, that_kick_each_other_come_to_rest) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm7.urdf"));
  State start(system);
  start.q[system.joint("joint2").q] = 0.5;
  for (const Method method : {Method::rk4, Method::adams, Method::bdf}) {
    SimulationOptions options = with_method(method);
    options.relative_tolerance = 1e-9, options.absolute_tolerance = 1e-11;
    Simulation simulation(system, start, options);
    simulation.advance_to(1);
    EXPECT_LT(simulation.statistics().contacts, 200) << to_string(method);
    for (std::size_t i = 0; i < system.joints().size(); ++i) {
      const JointPlace& place = system.joints()[i];
      const auto& limits = system.model().joints[i].limits;
      if (place.nv != 1 || limits.empty()) continue;
      const double q = simulation.state().q[place.q];
      EXPECT_GE(q, limits[0].lower - 1e-9) << place.name;
      EXPECT_LE(q, limits[0].upper + 1e-9) << place.name;
    }
  }
}

}  // namespace
}  // namespace linkwright::testing
