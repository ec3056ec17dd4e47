// Dry friction of trees: it holds, lets go and stops where theory says.
#include <gtest/gtest.h>

#include <numbers>

#include "linkwright/dynamics/energy.hpp"
#include "linkwright/simulate/channels.hpp"
#include "linkwright/simulate/recording.hpp"
#include "simulate/contacts/contacts.hpp"

namespace linkwright::testing {
namespace {

Model rod(double friction) {
  Model model = point_pendulum();
  model.bodies[0].mass = 0.5;  // 4.905 N m of gravity
  model.joints[0].friction = {{friction, friction}};
  return model;
}

TEST(Friction, a_rod_below_its_friction_stays_where_it_is_in_every_method) {
  const System system = compile(rod(8));
  for (const Method method : methods_with_contacts()) {
    Simulation simulation(system, State(system), with_method(method));
    simulation.advance_to(100);
    EXPECT_LT(std::abs(simulation.state().q[0]), 1e-12) << to_string(method);
    EXPECT_EQ(simulation.state().v[0], 0) << to_string(method);
  }
}

TEST(Friction, what_it_takes_to_hold_is_told) {
  const System system = compile(rod(8));
  Simulation simulation(system, State(system), {});
  Channels channels(system, {"friction:hinge"});
  Table table(channels.columns());
  std::vector<double> row(channels.size());
  Workspace work(system);
  simulation.run(0.01, 0, [&](const Snapshot& at) {
    channels.compute(work, at, row);
    table.row(row);
    return true;
  });
  for (const double friction : table.column("friction:hinge")) EXPECT_NEAR(friction, 4.905, 1e-12);
}

TEST(Friction, a_rod_above_its_friction_falls_as_if_its_gravity_were_less) {
  const System system = compile(rod(3));
  Simulation simulation(system, State(system), with_method(Method::adams));
  simulation.advance_to(0.3);
  // The same under an effort that opposes it.
  Model free = rod(3);
  free.joints[0].friction.clear();
  const System other = compile(free);
  Simulation reference(other, State(other), with_method(Method::adams));
  reference.set_input(Eigen::VectorXd::Constant(1, 3));
  reference.advance_to(0.3);
  EXPECT_NEAR(simulation.state().q[0], reference.state().q[0], 1e-9);
  EXPECT_NEAR(simulation.state().v[0], reference.state().v[0], 1e-9);
}

TEST(Friction, a_block_on_an_incline_stops_when_it_should_and_stays) {
  const double slope = 0.4, friction = 9, g = 9.81;
  const System system = compile(incline(slope, friction));
  State start(system);
  start.v[0] = 1.7;
  const double braking = g * std::sin(slope) + friction / 2, stop = start.v[0] / braking;
  const double way = start.v[0] * stop / 2;
  for (const Method method : methods_with_contacts()) {
    Simulation simulation(system, start, with_method(method));
    simulation.advance_to(100);
    const double tolerance = is_exact(method) ? 1e-9 : 2e-3;
    EXPECT_NEAR(time_of(simulation, "joint 'rail' comes to rest"), stop, tolerance)
        << to_string(method);
    EXPECT_NEAR(simulation.state().q[0], way, tolerance) << to_string(method);
    EXPECT_EQ(simulation.state().v[0], 0) << to_string(method);
    EXPECT_EQ(simulation.occurrences().size(), 1U) << to_string(method);
  }
}

TEST(Friction, a_block_that_it_cannot_hold_slides_back) {
  const double slope = 0.4, friction = 2, g = 9.81;
  const System system = compile(incline(slope, friction));
  State start(system);
  start.v[0] = 1.7;
  const double up = g * std::sin(slope) + friction / 2, down = g * std::sin(slope) - friction / 2;
  const double turn = start.v[0] / up, top = start.v[0] * turn / 2, after = 0.4;
  for (const Method method : methods_with_contacts()) {
    if (!is_exact(method)) continue;
    Simulation simulation(system, start, with_method(method));
    simulation.advance_to(turn + after);
    EXPECT_NEAR(simulation.state().q[0], top - down * after * after / 2, 1e-9) << to_string(method);
    EXPECT_NEAR(simulation.state().v[0], -down * after, 1e-9) << to_string(method);
  }
}

/// A block pulled by a spring whose other end moves steadily: m x″ = k (V t − x) − F, in closed form.
struct StickSlip {
  double m = 1.5, k = 40, V = 0.1, sliding = 2, breakaway = 3.2;
  [[nodiscard]] double omega() const { return std::sqrt(k / m); }
  /// The n-th slip begins, after n full cycles.
  [[nodiscard]] double slip_time() const {  // duration of a slip
    const double A = (breakaway - sliding) / k * omega();
    return 2 * (std::numbers::pi - std::atan(A / V)) / omega();
  }
  [[nodiscard]] double begin(int n) const {
    double t = breakaway / (k * V), x = 0;
    for (int i = 0; i < n; ++i) {
      x += jump();
      t = (breakaway / k + x) / V;  // stretched to the breakaway again
    }
    return t;
  }
  /// How far a slip leads.
  [[nodiscard]] double jump() const {
    const double s = slip_time(), w = omega(), d = (breakaway - sliding) / k;
    return d * (1 - std::cos(w * s)) + V * (s - std::sin(w * s) / w);
  }
};

TEST(Friction, a_block_pulled_by_a_spring_sticks_and_slips_as_the_closed_form_says) {
  const StickSlip truth;
  Model model = slider(truth.m);
  model.gravity = {};
  model.joints[0].friction = {{truth.sliding, truth.sliding, truth.breakaway}};
  const System system = compile(model);
  for (const Method method : methods_with_contacts()) {
    Simulation simulation(system, State(system), with_method(method, 5e-4));
    simulation.add_controller(
        {.compute = [&](const State& s, const Reference&, Eigen::VectorXd& tau) {
          tau[0] = truth.k * (truth.V * s.t - s.q[0]);
        }});
    const double end = truth.begin(2) + truth.slip_time() + 0.1;
    simulation.advance_to(end);
    const double tolerance = is_exact(method) ? 1e-8 : 5e-3;
    for (int n = 0; n < 3; ++n) {
      const double before = truth.begin(n) - 0.01;
      EXPECT_NEAR(time_of(simulation, "starts to slide forwards", before), truth.begin(n),
                  tolerance)
          << to_string(method) << " " << n;
      EXPECT_NEAR(time_of(simulation, "comes to rest", before), truth.begin(n) + truth.slip_time(),
                  tolerance)
          << to_string(method) << " " << n;
    }
    EXPECT_NEAR(simulation.state().q[0], 3 * truth.jump(), tolerance) << to_string(method);
    EXPECT_EQ(simulation.state().v[0], 0) << to_string(method);
  }
}

TEST(Friction, what_a_tree_loses_is_its_work) {
  RandomModel random(23);
  long changes = 0;
  for (int trial = 0; trial < 4; ++trial) {
    Model model = random.tree(
        5, Base::fixed,
        {JointType::revolute, JointType::prismatic, JointType::cylindrical, JointType::universal});
    for (Joint& joint : model.joints) {
      joint.damping.clear(), joint.limits.clear();
      joint.friction = {{random.between(0.2, 2), random.between(0.2, 2)}};
    }
    const System system = compile(model);
    State start = random.state(system);
    Workspace work(system);
    Simulation simulation(system, start, with_method(Method::rk4, 2.5e-4));
    const auto energy = [&](const State& s) {
      const Energy e = compute_energy(work, s);
      return e.kinetic + e.potential;
    };
    const double at_start = energy(start);
    double lost = 0;
    State last = start;
    simulation.run(0.5, 0, [&](const Snapshot& at) {
      const State& now = at.now.state;
      for (const ContactFreedom& f : at.contacts->freedoms()) {
        const double way = now.q[f.q] - last.q[f.q];
        lost += way > 0 ? f.friction.forward * way : -f.friction.backward * way;
      }
      last = now;
      return true;
    });
    ASSERT_GT(lost, 0.1) << trial;
    EXPECT_NEAR(at_start - energy(simulation.state()), lost, 1e-7 * (std::abs(at_start) + lost))
        << trial;
    changes += simulation.statistics().contacts;
  }
  EXPECT_GT(changes, 3);
}

TEST(Friction, an_arm_at_rest_under_friction_does_not_creep) {
  RandomModel random(29);
  Model model = random.tree(6, Base::fixed, all_joint_types());
  for (Joint& joint : model.joints) {
    joint.limits.clear();
    if (joint.type != JointType::fixed) joint.friction = {{1e3, 1e3}};
  }
  const System system = compile(model);
  State start = random.state(system);
  start.v.setZero();
  for (const Method method : methods_with_contacts()) {
    Simulation simulation(system, start, with_method(method));
    simulation.advance_to(1);
    EXPECT_LT(distance(system, simulation.state(), start), 1e-14) << to_string(method);
    EXPECT_TRUE(simulation.state().v == start.v) << to_string(method);
  }
}

TEST(Friction, sampled_efforts_let_go_and_hold_again) {
  Model model = slider(1);
  model.gravity = {};
  model.joints[0].friction = {{1, 1}};
  const System system = compile(model);
  for (const Method method : methods_with_contacts()) {
    Simulation simulation(system, State(system), with_method(method));
    simulation.add_controller(
        {.period = 0.25, .compute = [](const State& s, const Reference&, Eigen::VectorXd& tau) {
           tau[0] = s.t > 0.4 && s.t < 0.6 ? 3 : 0.9;
         }});
    simulation.advance_to(3);
    // 2 m/s² from 0.5 s to 0.75 s, then −0.1 m/s² until it stands.
    const double v = 0.5, way = 0.0625 + v * v / 0.2;
    const double tolerance = is_exact(method) ? 1e-9 : 2e-3;
    EXPECT_NEAR(time_of(simulation, "starts to slide forwards"), 0.5, 1e-12) << to_string(method);
    simulation.advance_to(0.75 + 5 + 0.5);
    EXPECT_NEAR(time_of(simulation, "comes to rest"), 0.75 + 5, tolerance) << to_string(method);
    EXPECT_NEAR(simulation.state().q[0], way, tolerance) << to_string(method);
  }
}

TEST(Friction, two_equal_runs_and_a_continued_one_give_the_same_bits) {
  RandomModel random(31);
  Model model = random.tree(4, Base::fixed, {JointType::revolute, JointType::prismatic});
  for (Joint& joint : model.joints) {
    joint.limits = {{.lower = -1.2, .upper = 1.2, .restitution = 0.4}};
    joint.friction = {{random.between(0.5, 3), random.between(0.5, 3)}};
  }
  const System system = compile(model);
  State start(system);
  start.v = random.numbers(system.nv(), 2);
  for (const Method method : {Method::rk4, Method::semi_implicit}) {
    Simulation whole(system, start, with_method(method)), same(system, start, with_method(method));
    whole.advance_to(1);
    same.advance_to(0.37);
    Simulation rest(system, to_checkpoint(to_text(same.save())), with_method(method));
    rest.advance_to(1);
    EXPECT_GT(whole.statistics().contacts, 3) << to_string(method);
    EXPECT_TRUE(whole.state().q == rest.state().q) << to_string(method);
    EXPECT_TRUE(whole.state().v == rest.state().v) << to_string(method);
    ASSERT_EQ(whole.occurrences().size(), rest.occurrences().size());
    for (std::size_t i = 0; i < whole.occurrences().size(); ++i)
      EXPECT_EQ(whole.occurrences()[i].time, rest.occurrences()[i].time);
  }
}

TEST(Friction, is_refused_by_name_where_it_cannot_be_decided) {
  const System system = compile(rod(8));
  const std::string text =
      error_of([&] { Simulation(system, State(system), {.method = Method::symplectic}); });
  EXPECT_NE(text.find("symplectic"), std::string::npos) << text;
  EXPECT_NE(text.find("'hinge'"), std::string::npos) << text;
  EXPECT_NE(text.find("rk4"), std::string::npos) << text;

  class Own final : public Equations {
   public:
    explicit Own(const System& s) : tree_(s) {}
    const System& system() const override { return tree_.system(); }
    void compute_rates(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                       VectorRef a, VectorRef extra) override {
      tree_.compute_rates(now, input, forces, a, extra);
    }

   private:
    TreeEquations tree_;
  };
  const std::string own = error_of([&] {
    Simulation(std::make_unique<Own>(system), {State(system), {}}, {});
  });
  EXPECT_NE(own.find("contacts()"), std::string::npos) << own;
  EXPECT_NE(own.find("'hinge'"), std::string::npos) << own;
}

}  // namespace
}  // namespace linkwright::testing
