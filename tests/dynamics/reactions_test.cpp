// Joint reactions against the laws that define them, welds included.
#include <gtest/gtest.h>

#include <map>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

std::vector<Force> reactions_of(const System& system, const State& state, const Eigen::VectorXd& a,
                                ExternalForces forces) {
  Workspace work(system);
  std::vector<Force> out(system.joints().size());
  compute_reactions(work, state, a, forces, out);
  return out;
}

double distance(const Force& a, const Force& b) {
  return norm(a.moment - b.moment) + norm(a.force - b.force);
}

/// world ═ base 5 kg ─ revolute ─ A 1 kg ═ B 2 kg ─ prismatic ─ C 4 kg, at rest under gravity.
TEST(Reactions, of_welds_carry_the_weight_behind_them) {
  Model model;
  model.gravity = {0, 0, -9.81};
  const Symmetric3 round{0.1, 0.1, 0.1, 0, 0, 0};
  for (const auto& [name, mass] : {std::pair{"base", 5.0}, {"A", 1.0}, {"B", 2.0}, {"C", 4.0}})
    model.bodies.push_back({.name = name, .mass = mass, .inertia = round});
  model.joints = {{.name = "floor", .type = JointType::fixed, .parent = "world", .child = "base"},
                  {.name = "j", .type = JointType::revolute, .parent = "base", .child = "A"},
                  {.name = "k", .type = JointType::fixed, .parent = "A", .child = "B"},
                  {.name = "l", .type = JointType::prismatic, .parent = "B", .child = "C"}};
  const System system = compile(model);
  const auto f = reactions_of(system, State(system), Eigen::VectorXd::Zero(2), {});
  const double expected[] = {12 * 9.81, 7 * 9.81, 6 * 9.81, 4 * 9.81};
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(f[j].force.z, expected[j], 1e-12) << j;
}

/// A weld carries what a hinge in its place would carry while it stands still at zero.
TEST(Reactions, of_a_weld_are_those_of_a_hinge_at_rest) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    Model welded = random.tree(10, static_cast<Base>(seed % 3), all_joint_types());
    welded.joints[4].type = JointType::fixed;
    welded.joints[4].rotor_inertia.clear();
    welded.line_springs.push_back(
        {"s", "body1", "body7", {0.1, 0, 0}, {0, 0.2, 0}, 10, 1, 0.3, {}});
    welded.body_loads.push_back({"body5", {{1, 0, 0}, {0, 2, 0}}, {0.1, 0.1, 0}, true, {}});
    Model hinged = welded;
    hinged.joints[4].type = JointType::revolute;
    const System a = compile(welded), b = compile(hinged);
    const State state = random.state(a);
    const Eigen::VectorXd rate = random.numbers(a.nv());
    const int at = b.joints()[4].v, at_q = b.joints()[4].q;
    State wide(b);
    Eigen::VectorXd wide_rate = Eigen::VectorXd::Zero(b.nv());
    wide.q << state.q.head(at_q), 0, state.q.tail(a.nq() - at_q);
    wide.v << state.v.head(at), 0, state.v.tail(a.nv() - at);
    wide_rate << rate.head(at), 0, rate.tail(a.nv() - at);
    const ExternalForce pushes[] = {{a.frame("body6"), {{1, 2, 3}, {3, 2, 1}}, Axes::own},
                                    {a.frame("tip"), {{0, 1, 0}, {1, 0, 0}}, Axes::world}};
    const auto with = reactions_of(a, state, rate, pushes),
               without = reactions_of(b, wide, wide_rate, pushes);
    for (std::size_t j = 0; j < with.size(); ++j)
      EXPECT_LE(distance(with[j], without[j]),
                1e-11 * (1 + norm(with[j].moment) + norm(with[j].force)))
          << j;
  }
}

/// Projected on the joint's freedoms a reaction is the joint's effort (rotors aside). The column of a freedom in
/// the Jacobian of the child's own frame is how that freedom moves the child.
TEST(Reactions, project_to_efforts) {
  std::map<JointType, int> seen;
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    const System system = compile(random.tree(10, static_cast<Base>(seed % 3), all_joint_types()));
    if (system.nv() == 0) continue;
    const State state = random.state(system);
    const Eigen::VectorXd a = random.numbers(system.nv());
    const ExternalForce push{system.frame("tip"), {{1, 2, 3}, {3, 2, 1}}, Axes::own};
    const auto f = reactions_of(system, state, a, {&push, 1});
    Workspace work(system);
    Eigen::VectorXd tau(system.nv());
    compute_inverse_dynamics(work, state, a, {&push, 1}, tau);
    for (std::size_t j = 0; j < f.size(); ++j) {
      const JointPlace& place = system.joints()[j];
      const Joint& joint = system.model().joints[j];
      Eigen::MatrixXd J(6, system.nv());
      compute_jacobian(work, state.q, FrameId{place.frame}, Axes::own, J);
      for (int i = 0; i < place.nv; ++i) {
        const double rotor = per_freedom(joint.rotor_inertia, i, 0.0) * a[place.v + i];
        const double projected = J.col(place.v + i).dot(to_eigen(f[j]));
        EXPECT_NEAR(projected, tau[place.v + i] - rotor,
                    1e-12 * (1 + norm(f[j].moment) + norm(f[j].force)))
            << joint.name << ", a " << to_string(joint.type) << " joint, freedom " << i;
        ++seen[joint.type];
      }
    }
  }
  for (const JointType type : all_joint_types())
    EXPECT_EQ(seen[type] > 0, type != JointType::fixed) << to_string(type);
}

}  // namespace
}  // namespace linkwright::testing
