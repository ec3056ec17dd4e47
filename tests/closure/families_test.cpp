/// Families of mechanisms whose redundant rows are known beforehand: planar ones (every axis normal to a plane),
/// spherical ones (every axis through a point) and spatial ones, with gears between their joints.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "closure/random_mechanism.hpp"
#include "derivatives/by_duals.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "support/condition.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

enum class Family { planar, spherical, spatial };

/// Of each family: how many rows of a hinge can count at most.
int useful_rows(Family family) { return family == Family::spatial ? 5 : 2; }

class RandomFamily : public RandomMechanism {
 public:
  using RandomMechanism::RandomMechanism;

  /// Loops closed by hinges, and gears between joints, closed where the joints were drawn.
  ClosedMechanism mechanism(Family family, int bodies, int loops, int gears) {
    Model model = tree(bodies, Base::fixed, {JointType::revolute});
    for (Joint& joint : model.joints) {
      if (family == Family::planar && integer(0, 4) == 0) joint.type = JointType::prismatic;
      stay_in(family, joint.pose, joint.axis, joint.type == JointType::prismatic);
    }
    // The family stands askew in the world.
    const Pose tilt = pose(0.3);
    for (Joint& joint : model.joints)
      if (joint.parent == "world") joint.pose = tilt * joint.pose;
    std::vector<Closure> hinges;
    for (int i = 0; i < loops; ++i) {
      Closure hinge{.name = "loop" + std::to_string(i)};
      hinge.joint = JointType::revolute;
      hinge.at_a = pose(0.4), hinge.axis = direction();
      stay_in(family, hinge.at_a, hinge.axis, false);
      hinges.push_back(hinge);
    }
    ClosedMechanism made = close_between_bodies(std::move(model), std::move(hinges));
    const System system = compile(made.model);
    for (int i = 0; i < gears; ++i) {
      const JointPlace &leader = any(system), &follower = any(system);
      if (leader.name == follower.name) continue;
      Closure gear{.name = "gear" + std::to_string(i), .kind = Closure::Kind::gear};
      gear.leader = leader.name, gear.follower = follower.name;
      gear.ratio = between(0.3, 3) * (integer(0, 1) == 1 ? 1 : -1);
      gear.offset = made.q[follower.q] - gear.ratio * made.q[leader.q];
      made.model.closures.push_back(gear);
    }
    return made;
  }

 private:
  const JointPlace& any(const System& system) {
    return system.joints()[static_cast<std::size_t>(
        integer(0, static_cast<int>(system.joints().size()) - 1))];
  }
  /// A closure to the world would have to know the tilt.
  ClosedMechanism close_between_bodies(Model model, std::vector<Closure> hinges) {
    ClosedMechanism made = close(model, hinges);
    std::erase_if(made.model.closures, [](const Closure& c) { return c.body_a == "world"; });
    return made;
  }
  void stay_in(Family family, Pose& pose, Vector3& axis, bool slides) {
    const Vector3 normal{0, 0, 1};
    if (family == Family::planar) {
      pose.rotation = to_matrix(spatial::exp_rotation(between(-2, 2) * normal));
      axis = normal;
      const double angle = between(-3, 3);
      if (slides) axis = {std::cos(angle), std::sin(angle), 0};
    }
    if (family == Family::spherical) pose.translation = {};
  }
};

/// One of them, moving.
struct Mover {
  Mover(Family of, unsigned seed)
      : family(of),
        random(seed),
        made(random.mechanism(of, random.integer(4, 14), random.integer(1, 6),
                              random.integer(0, 2))),
        system(compile(made.model)),
        work(system),
        state(system) {
    state.q = made.q;
    state.v = random.numbers(system.nv());
    if (work.rows() > 0) project_velocity(work, state.q, {}, state.v);
    tau = random.numbers(system.nv());
    a.resize(system.nv());
  }
  [[nodiscard]] double condition() { return condition_of_closed(work, state.q); }

  Family family;
  RandomFamily random;
  ClosedMechanism made;
  System system;
  ClosedWorkspace work;
  State state;
  VectorXd tau, a;
};

constexpr unsigned members = 100;  // of each family

class Families : public ::testing::TestWithParam<Family> {
 protected:
  template <class Check>
  static void on_all(Check check) {
    int seen = 0;
    for (unsigned seed = 0; seed < members; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      Mover mover(GetParam(), seed);
      if (mover.work.rows() == 0) continue;  // no two bodies that move apart were drawn
      ++seen;
      check(mover);
    }
    EXPECT_GE(seen, static_cast<int>(members) / 2);
  }
};

/// Rows hold in no other direction than the family's: every hinge counts for two of its five rows at most.
TEST_P(Families, redundant_rows_are_those_of_the_family) {
  int hinges = 0, all_count = 0;
  on_all([&](Mover& m) {
    EXPECT_LT(compute_worst_closure(m.work, m.state.q).gap(), 1e-13);
    int most = 0;
    for (const Closure& c : m.made.model.closures) {
      most += c.kind == Closure::Kind::gear ? 1 : useful_rows(m.family);
      hinges += c.kind == Closure::Kind::gear ? 0 : 1;
    }
    most = std::min(most, m.system.nv());
    const Mobility found = compute_mobility(m.work, m.state.q);
    EXPECT_LE(found.rank, most);
    EXPECT_EQ(found.mobility, m.system.nv() - found.rank);
    EXPECT_EQ(found.redundant.empty(), found.rank == found.rows);
    all_count += found.rank == most ? 1 : 0;
  });
  EXPECT_GT(hinges, 100);
  EXPECT_GT(all_count, 10) << "the count must be reached where loops do not overlap";
}

/// d/dt (J v) at constant v, by dual numbers that run through the sweeps and the rows: what both do, times their
/// rounding and the lengths they meet.
TEST_P(Families, the_bias_is_the_rate_of_J_v_by_dual_numbers) {
  on_all([](Mover& m) {
    const Tree<double>& tree = m.system.tree();
    Scratch<spatial::Dual> s(tree);
    const std::vector<spatial::Dual> q = dual_position(m.system, m.state.q, m.state.v),
                                     v = dual(m.state.v, VectorXd::Zero(m.system.nv()));
    sweeps::place_joints(tree, s, q.data());
    sweeps::poses<sweeps::Origin::world>(tree, s);
    sweeps::velocities(tree, s, v.data());
    VectorXd bias(m.work.rows()), velocity(m.work.rows());
    compute_closure_bias(m.work, m.state, bias);
    MatrixXd J(m.work.rows(), m.system.nv());
    compute_closure_jacobian(m.work, m.state.q, J);
    const VectorXd expected = J * m.state.v;
    const double speed = 1 + m.state.v.norm(),
                 bound = 64 * static_cast<double>(m.system.nv()) * epsilon * speed * speed;
    for (const ClosurePlace& c : m.system.closures()) {
      if (c.kind == PairKind::gear) {
        EXPECT_EQ(bias[c.row], 0) << c.name;
        continue;
      }
      const auto ia = static_cast<std::size_t>(c.node_a), ib = static_cast<std::size_t>(c.node_b);
      const auto meeting = closure::meet(c, s.pose[ia], s.pose[ib], s.V[ia], s.V[ib]);
      for (int i = 0; i < c.rows; ++i) {
        const spatial::Dual rate = dot(closure::row_of(c, meeting, i).W, meeting.V);
        EXPECT_NEAR(rate.x, expected[c.row + i], bound) << c.name << " row " << i;
        EXPECT_NEAR(rate.d, bias[c.row + i], bound) << c.name << " row " << i;
      }
    }
  });
}

/// The recursion chooses rows where loops meet: those it solves for are fewer than all, worse conditioned, and carry
/// more. κ of them, and the accelerations M⁻¹ Jᵀ λ that a relative error of one makes of what it finds.
struct Chosen {
  double condition = 1, size = 0;
};
Chosen chosen_by_recursion(Mover& m) {
  const closure::LoopScratch& loops = m.work.loops();
  const Index n = m.system.nv();
  MatrixXd all(m.work.rows(), n), M(n, n), chosen(0, n);
  compute_closure_jacobian(m.work, m.state.q, all);
  compute_mass_matrix(m.work.tree(), m.state.q, M);
  std::vector<double> carried;
  for (std::size_t c = 0; c < loops.carried.size(); ++c)
    for (int i = 0; i < loops.carried[c].count; ++i) {
      const double lambda = loops.lambda[c].x[i];
      if (lambda == 0) continue;
      carried.push_back(lambda);
      chosen.conservativeResize(chosen.rows() + 1, n);
      chosen.bottomRows(1) = all.row(m.system.closures()[c].row + loops.carried[c].row[i]);
    }
  if (carried.empty()) return {};
  const MatrixXd columns = chosen.transpose(), moved = M.ldlt().solve(columns);
  return {condition_of(chosen * moved),
          moved.norm() * VectorXd::Map(carried.data(), std::ssize(carried)).norm()};
}

/// A solve loses 2 κ ε of what it is solved for, the multipliers among that (laws_test.cpp).
TEST_P(Families, three_ways_lead_to_the_same_accelerations) {
  on_all([](Mover& m) {
    VectorXd found[3];
    int rank[3];
    Chosen chosen;
    const ClosedMethod methods[3] = {ClosedMethod::recursion, ClosedMethod::independent,
                                     ClosedMethod::dense};
    for (int i = 0; i < 3; ++i) {
      compute_forward_dynamics(m.work, m.state, m.tau, {}, m.a, methods[i]);
      found[i] = m.a, rank[i] = closed_report(m.work).rank;
      if (methods[i] == ClosedMethod::recursion) chosen = chosen_by_recursion(m);
    }
    EXPECT_EQ(rank[0], rank[1]);
    EXPECT_EQ(rank[0], rank[2]);
    const double size = size_of_solution(m.work, m.state, m.tau, found[1]),
                 bound = 2 * m.condition() * epsilon * size;
    EXPECT_LT((found[2] - found[1]).norm(), bound);
    const double of_recursion = 2 * chosen.condition * epsilon * chosen.size;
    EXPECT_LT((found[0] - found[1]).norm(), std::max(bound, of_recursion));
    EXPECT_LT(bound, 1e-3 * size) << "means nothing";
    EXPECT_LT(of_recursion, 1e-3 * std::max(size, chosen.size)) << "means nothing";
  });
}

/// Energy changes by what the motors do and by nothing else. Central differences of the step h along a path that
/// leaves with v and a: h² of the third derivative, and rounding over h.
TEST_P(Families, energy_is_balanced) {
  constexpr double h = 1e-5;
  on_all([](Mover& m) {
    compute_forward_dynamics(m.work, m.state, m.tau, {}, m.a);
    State there(m.system);
    double energy[2];
    for (const int side : {0, 1}) {
      const double t = side == 0 ? -h : h;
      compute_integral(m.system, m.state.q, m.state.v, t, there.q);
      there.v = m.state.v + t * m.a;
      const Energy now = compute_energy(m.work, there);
      energy[side] = now.kinetic + now.potential;
    }
    const double change = (energy[1] - energy[0]) / (2 * h), power = m.state.v.dot(m.tau);
    const double rate = 1 + m.state.v.norm() + std::cbrt(m.a.norm());
    EXPECT_NEAR(change, power,
                10 * h * h * std::pow(rate, 5) + 64 * epsilon / h * (1 + std::abs(energy[0])) +
                    64 * m.condition() * epsilon * (1 + m.a.norm()) * (1 + m.state.v.norm()));
  });
}

INSTANTIATE_TEST_SUITE_P(Closed, Families,
                         ::testing::Values(Family::planar, Family::spherical, Family::spatial),
                         [](const auto& family) {
                           return std::string(family.param == Family::planar      ? "planar"
                                              : family.param == Family::spherical ? "spherical"
                                                                                  : "spatial");
                         });

}  // namespace
}  // namespace linkwright::testing
