/// What the operators of closed systems do not depend on, what they cost, and what they refuse.

#include <gtest/gtest.h>

#include "closure/aggregates.hpp"
#include "closure/mechanisms.hpp"
#include "closure/two_arms.hpp"
#include "linkwright/operators/operational_space.hpp"
#include "linkwright/operators/sparsity.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::operators;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<std::string> names_of(const System& system, std::span<const int> entries) {
  std::vector<std::string> names;
  for (const int i : entries) names.push_back(system.velocity_names()[static_cast<std::size_t>(i)]);
  return names;
}

/// Of the joints that both cuts have, as many as the mechanism has freedoms and that determine the others.
std::vector<std::string> common_independents(ClosedWorkspace& one, const VectorXd& q,
                                             ClosedWorkspace& other, const VectorXd& there,
                                             RandomMechanism& random) {
  std::vector<std::string> common;
  for (const std::string& name : one.system().velocity_names()) {
    const auto& known = other.system().velocity_names();
    if (std::find(known.begin(), known.end(), name) != known.end()) common.push_back(name);
  }
  const std::size_t count = choose_independent(one, q).entries.size();
  for (int tries = 0; tries < 200 && count <= common.size(); ++tries) {
    for (std::size_t i = common.size(); i-- > 1;)
      std::swap(common[i],
                common[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
    const std::vector<std::string> names(common.begin(),
                                         common.begin() + static_cast<std::ptrdiff_t>(count));
    try {
      if (require_independent(one, q, names).conditioning > 0.02 &&
          require_independent(other, there, names).conditioning > 0.02)
        return names;
    } catch (const Error&) {
      continue;
    }
  }
  return {};
}

TEST(AggregateLaws, the_cut_makes_no_difference) {
  int seen = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const TwoArms made =
        two_arms(random, {JointType::revolute, JointType::universal, JointType::spherical,
                          JointType::cylindrical, JointType::prismatic, JointType::helical});
    Model right = made.model, left = made.model;
    right.cut = {"right_end"}, left.cut = {"left_end"};
    const System first = compile(right), second = compile(left);
    ClosedWorkspace one(first), other(second);
    State state(first);
    state.q = made.q;
    ASSERT_TRUE(assemble(one, {.restarts = 0}, state.q).assembled);
    state.v.setZero();
    const State same = carry_over(first, state, other);
    const auto names = common_independents(one, state.q, other, same.q, random);
    if (names.empty()) continue;
    ++seen;
    Operators here(first), there(second);
    here.require_independent(state.q, names), there.require_independent(same.q, names);
    here.update(state.q), there.update(same.q);
    const auto n = static_cast<Index>(names.size());
    MatrixXd mass(n, n), mass_there(n, n);
    for (Index i = 0; i < n; ++i) {
      // Joints may stand in another order there.
      const auto of = names_of(first, here.independent()),
                 by = names_of(second, there.independent());
      const auto place = [&](Index k) {
        return std::find(by.begin(), by.end(), of[static_cast<std::size_t>(k)]) - by.begin();
      };
      mass.col(i) = apply(mass_operator, here, VectorXd::Unit(n, i));
      const VectorXd column = apply(mass_operator, there, VectorXd::Unit(n, place(i)));
      for (Index j = 0; j < n; ++j) mass_there(j, i) = column[place(j)];
    }
    const double bound = 64 * epsilon *
                         (condition_of_closed(one, state.q) + condition_of_closed(other, same.q)) /
                         std::pow(std::min(here.conditioning(), there.conditioning()), 2);
    EXPECT_LE((mass - mass_there).norm(), bound * mass.norm());
    EXPECT_NEAR(compute_log_determinant(here), compute_log_determinant(there),
                bound * condition_of(mass) * static_cast<double>(n + 1));
  }
  EXPECT_GT(seen, 20);
}

/// v₂ = T v₁ makes M₁ = Tᵀ M₂ T: log det changes by 2 log |det T|.
TEST(AggregateLaws, other_independents_change_the_determinant_by_their_jacobian) {
  int seen = 0;
  for (unsigned seed = 0; seed < 160; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ClosedMechanism made = mechanism_of(seed);
    ClosedCase c(made.model, made.q, seed);
    if (c.count == 0 || c.work.rows() == 0) continue;
    RandomModel random(seed);
    std::vector<int> all(static_cast<std::size_t>(c.system.nv()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    for (int tries = 0; tries < 20; ++tries) {
      for (std::size_t i = all.size(); i-- > 1;)
        std::swap(all[i], all[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
      Operators other(c.system);
      try {
        other.require_independent(
            made.q, names_of(c.system, std::span(all).first(static_cast<std::size_t>(c.count))));
        other.update(made.q);
      } catch (const Error&) {
        continue;  // they depend on each other
      }
      if (other.conditioning() < 1e-2) continue;
      MatrixXd T(c.count, c.count);
      for (Index i = 0; i < c.count; ++i)
        T.row(i) = c.G.row(other.independent()[static_cast<std::size_t>(i)]);
      ++seen;
      const double bound =
          c.sharp / std::pow(other.conditioning(), 2) * condition_of(c.mass) * (1 + c.count);
      EXPECT_NEAR(compute_log_determinant(c.at),
                  compute_log_determinant(other) + 2 * std::log(std::abs(T.determinant())), bound);
    }
  }
  EXPECT_GT(seen, 100);
}

/// Links in a row, each turned by a four-bar of its own that stands on the link before.
Model driven_chain(int count) {
  Model model;
  model.gravity = {0, -9.81, 0};
  for (int i = 0; i < count; ++i) {
    const std::string at = std::to_string(i);
    const std::string before = i == 0 ? "world" : "link" + std::to_string(i - 1);
    const double out = i == 0 ? 0 : 1;  // where it stands on the link before
    model.bodies.push_back(rod("link" + at, 1, 1));
    model.bodies.push_back(rod("crank" + at, 0.3, 0.2));
    model.bodies.push_back(rod("coupler" + at, 0.4, 0.1));
    model.joints.push_back(hinge("elbow" + at, before, "link" + at, {out, 0, 0}));
    model.joints.push_back(hinge("motor" + at, before, "crank" + at, {out - 0.4, 0, 0}));
    model.joints.push_back(hinge("pin" + at, "crank" + at, "coupler" + at, {0.3, 0, 0}));
    Closure loop{.name = "loop" + at, .body_a = "coupler" + at, .body_b = "link" + at};
    loop.joint = JointType::revolute;
    loop.at_a.translation = {0.4, 0, 0}, loop.at_b.translation = {0.3, 0, 0};
    model.closures.push_back(loop);
  }
  return model;
}
/// A parallelogram each, its sides at an angle that grows along the chain.
VectorXd position_of_chain(const System& system, int count) {
  VectorXd q(system.nq());
  for (int i = 0; i < count; ++i) {
    const double angle = 0.5 + 0.01 * i;
    q[system.joint("elbow" + std::to_string(i)).q] = angle;
    q[system.joint("motor" + std::to_string(i)).q] = angle;
    q[system.joint("pin" + std::to_string(i)).q] = -angle;
  }
  return q;
}

spatial::Operations operations(const std::vector<SweepNote>& notes) {
  spatial::Operations sum;
  for (const SweepNote& note : notes) {
    sum.multiplications += note.operations.multiplications;
    sum.additions += note.operations.additions;
    sum.divisions += note.operations.divisions;
  }
  return sum;
}

TEST(AggregateLaws, local_loops_cost_in_proportion_to_their_number) {
  const auto cost = [](int count) {
    const System system = compile(driven_chain(count));
    Operators at(system);
    at.update(position_of_chain(system, count));
    EXPECT_EQ(at.data().aggregates.size(), static_cast<std::size_t>(count));
    for (const Aggregate<double>& loop : at.data().aggregates) {
      EXPECT_EQ(loop.bodies(), 3);
      EXPECT_EQ(loop.independents(), 1);
    }
    spatial::counted() = {};
    (void)counting_copy(at);  // P, D, G
    const double factors = spatial::counted().flops(0);
    return std::array<double, 3>{factors,
                                 operations(sweeps_of(inverse(mass_operator), at)).flops(0),
                                 operations(sweeps_of(Algorithm::FD4, at)).flops(0)};
  };
  const auto at_10 = cost(10), at_20 = cost(20), at_40 = cost(40);
  for (std::size_t i = 0; i < at_10.size(); ++i) {
    EXPECT_GT(at_20[i], at_10[i]);
    EXPECT_EQ(at_40[i] - at_20[i], 2 * (at_20[i] - at_10[i])) << i;
  }
}

TEST(AggregateLaws, a_chain_of_local_loops_is_the_mechanism) {
  const Model model = driven_chain(6);
  ClosedCase c(model, position_of_chain(compile(model), 6), 3);
  EXPECT_EQ(c.count, 6);
  EXPECT_LE((c.swept(mass_operator) - c.mass).norm(), c.sharp * c.mass.norm());
  VectorXd a(c.system.nv());
  compute_forward_dynamics(c.work, c.state, c.tau, {}, a);
  const VectorXd by_operators = forward_dynamics(Algorithm::FD4, c.at, c.state, c.tau, {}).a;
  EXPECT_LE((by_operators - a).norm(), c.bound * condition_of(c.mass) * a.norm());
}

/// Joints outside of loops stay nodes of their own.
TEST(AggregateLaws, only_loops_are_gathered) {
  Model model = four_bar(0.4, 0.9, 0.4, 0.9);
  model.bodies.push_back(rod("arm", 0.5, 1));
  model.joints.push_back(hinge("shoulder", "rocker", "arm", {0.2, 0, 0}));
  const System system = compile(model);
  Operators at(system);
  VectorXd q(4);
  q[system.joint("j1").q] = 1, q[system.joint("j2").q] = -1, q[system.joint("j3").q] = 1;
  q[system.joint("shoulder").q] = 0.3;
  at.update(q);
  ASSERT_EQ(at.data().aggregates.size(), 1U);
  EXPECT_EQ(at.data().aggregates[0].bodies(), 3);
  EXPECT_EQ(at.size(Space::joint_rate), 2);
  EXPECT_EQ(at.size(Space::link_force), 24);
  EXPECT_EQ(at.size(Space::inboard_force), 12);
  const SparsityPanel panel = sparsity_panel(S * Delta_phi, at);
  EXPECT_EQ(panel.rows, (std::vector<int>{6, 6, 6, 6}));
  EXPECT_EQ(block_sizes(at, Space::joint_rate), (std::vector<int>{1, 1}));
  const std::string text = explain(inverse(mass_operator), at);
  EXPECT_NE(text.find("tip → base"), std::string::npos) << text;
}

TEST(AggregateLaws, what_is_out_of_date_is_refused) {
  const System system = compile(four_bar(0.4, 0.9, 0.4, 0.9));
  Operators at(system);
  const auto contains = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const auto mass = [&] { (void)apply(mass_operator, at, VectorXd::Ones(1)); };
  EXPECT_TRUE(contains(error_of([&] { (void)at.size(Space::joint_rate); }), "independent"));
  EXPECT_TRUE(contains(error_of([&] { (void)explain(mass_operator, at); }), "independent"));
  State state(system);
  state.q << 1, -1, 1;
  state.v << 1, -1, 1;
  at.update(state, Eigen::Vector3d{1, 0, 0});
  mass();
  const auto line = H * at.b();
  (void)evaluate(at, line);
  at.update(state, Eigen::Vector3d{1, 0, 0});
  EXPECT_TRUE(contains(error_of([&] { (void)evaluate(at, line); }), "write it anew"));
  at.set_tips(std::vector<std::string>{"coupler"});
  OperationalSpace space(at);
  space.update();
  const VectorXd one = VectorXd::Ones(1);
  const auto of_j1 = D * vector<Space::joint_rate>(at, one);
  (void)evaluate(at, of_j1);
  at.require_independent(state.q, {"j2"});
  EXPECT_TRUE(contains(error_of(mass), "no configuration"));
  EXPECT_TRUE(contains(error_of([&] { (void)space.rank(); }), "have moved"));
  at.update(state.q);
  mass();
  EXPECT_TRUE(contains(error_of([&] { (void)evaluate(at, of_j1); }), "last choice"));
  EXPECT_TRUE(contains(error_of([&] { (void)at.T(); }), "belongs to a state"));
  EXPECT_TRUE(
      contains(error_of([&] { (void)apply(mass_operator, at, VectorXd::Ones(3)); }), "have 1"));
}

TEST(AggregateLaws, what_has_no_operators_is_refused_by_name) {
  const auto contains = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const System flat = compile(four_bar(0.4, 0.9, 0.4, 0.9));
  Operators at(flat);
  at.update(VectorXd(Eigen::Vector3d{1, -1, 1}));
  // All links in a line: the closure has a row less, the mechanism a freedom more.
  const std::string singular = error_of([&] { at.update(VectorXd::Zero(3)); });
  EXPECT_TRUE(contains(singular, "'loop'") && contains(singular, "leave 2 freedoms")) << singular;
  EXPECT_FALSE(at.updated());
  at.choose_independent(VectorXd::Zero(3));
  at.update(VectorXd::Zero(3));
  EXPECT_EQ(at.size(Space::joint_rate), 2);
  EXPECT_TRUE(
      contains(error_of([&] { at.require_independent(VectorXd::Zero(3), {"j1"}); }), "2 freedoms"));

  Model light = four_bar(0.4, 0.9, 0.4, 0.9);
  for (Body& body : light.bodies) body.mass = 0, body.inertia = {};
  const System massless = compile(light);
  Operators nothing(massless);
  const std::string weightless = error_of([&] {
    nothing.update(VectorXd(Eigen::Vector3d{1, -1, 1}));
  });
  EXPECT_TRUE(contains(weightless, "nothing with inertia resists the loops")) << weightless;

  Model turning = four_bar(0.4, 0.9, 0.4, 0.9);
  turning.closures[0].rotor_inertia = {0.1};
  const System with_rotor = compile(turning);
  Operators wheels(with_rotor);
  wheels.update(VectorXd(Eigen::Vector3d{1, -1, 1}));
  const std::string rotor = error_of([&] {
    (void)apply(inverse(H * phi * M * transpose(phi) * transpose(H)), wheels, VectorXd::Ones(1));
  });
  EXPECT_TRUE(contains(rotor, "closing joint 'loop'")) << rotor;

  Model chain;
  chain.bodies = {rod("rod", 1, 1)};
  chain.joints = {hinge("pivot", "world", "rod", {0, 0, 0})};
  const System open = compile(chain);
  Operators tree(open);
  EXPECT_TRUE(contains(error_of([&] { tree.require_independent(VectorXd::Zero(1), {"pivot"}); }),
                       "nothing to choose"));
  EXPECT_TRUE(contains(error_of([&] { Operators refused(flat, Closures::refuse); }), "'loop'"));
}

/// The tree's open inertia may vanish where the loop's does not: a massless crank and coupler.
TEST(AggregateLaws, a_loop_may_hold_what_its_open_tree_could_not) {
  Model model = four_bar(0.4, 0.9, 0.4, 0.9);
  for (std::size_t i = 0; i < 2; ++i) model.bodies[i].mass = 0, model.bodies[i].inertia = {};
  const System system = compile(model);
  ClosedWorkspace work(system);
  State state(system);
  state.q << 1, -1, 1;
  state.v << 1, -1, 1;
  const VectorXd tau = Eigen::Vector3d{1, 0, 0};
  VectorXd expected(3);
  compute_forward_dynamics(work, state, tau, {}, expected);
  Operators at(system);
  const VectorXd a = forward_dynamics(Algorithm::FD4, at, state, tau, {}).a;
  EXPECT_LE((a - expected).norm(), 64 * epsilon * condition_of_closed(work, state.q) * a.norm());
}

/// `coordinates:` of the model, and the room's own choice otherwise.
TEST(AggregateLaws, the_independents_are_those_of_the_closures) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const ClosedMechanism made = mechanism_of(seed);
    ClosedCase c(made.model, made.q, seed);
    const Independent chosen = choose_independent(c.work, made.q);
    EXPECT_TRUE(std::ranges::equal(chosen.entries, c.at.independent())) << "seed " << seed;
    EXPECT_LE(c.at.conditioning(), chosen.conditioning * (1 + 1e-6));
  }
  Model model = four_bar(0.4, 0.9, 0.4, 0.9);
  model.coordinates = {"j3"};
  const System system = compile(model);
  Operators at(system);
  at.update(VectorXd(Eigen::Vector3d{1, -1, 1}));
  EXPECT_EQ(at.independent()[0], system.joint("j3").v);
}

}  // namespace
}  // namespace linkwright::testing
