// Sums, differences and negatives in every space: what the sweeps give is what the matrices give,
// and parts that look the same way share their passes.
#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "linkwright/operators/dense.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::operators;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr auto mass = H * phi * M * transpose(phi) * transpose(H);
constexpr auto minv = inverse(mass + R);
constexpr auto J = transpose(B) * transpose(phi) * transpose(H);

/// A random tree with several tips: two on one node, one on the world.
struct Tree {
  explicit Tree(unsigned seed) : random(seed), system(compile(model())), at(system) {
    at.set_tips(std::vector<std::string>{"body1", "ground", "tip", "body0", "body1"});
    at.update(random.state(system).q);
    const Eigen::JacobiSVD<MatrixXd> svd(dense(mass + R, at));
    const VectorXd& values = svd.singularValues();
    // The sweeps and the matrices factorise each for itself, and lose κ(M) ε each; the products
    // around it lose a few digits more.
    bound = 100 * std::numeric_limits<double>::epsilon() * values[0] / values[values.size() - 1];
  }
  Model model() {
    const auto base = static_cast<Base>(random.integer(0, 2));
    Model made = random.tree(random.integer(2, 7), base, all_joint_types());
    made.frames.push_back({"ground", "world", random.pose(0.5), {}});
    return made;
  }
  template <Space s>
  VectorXd vector() {
    return random.numbers(at.size(s));
  }
  void expect_near(const VectorXd& got, const VectorXd& wanted, double scale,
                   const std::string& what) const {
    EXPECT_LE((got - wanted).norm(), bound * (1 + scale)) << what;
  }

  /// That `got` is (a_times a + b_times b) v.
  void expect_combination(const VectorXd& got, double a_times, const MatrixXd& a, double b_times,
                          const MatrixXd& b, const VectorXd& v, const std::string& what) const {
    const double scale = 3 * (a.norm() + b.norm()) * v.norm();
    expect_near(got, a_times * (a * v) + b_times * (b * v), scale, what);
  }

  RandomModel random;
  System system;
  Operators at;
  double bound;
};

/// `expression` is a_times x + b_times y, for two operators between the same spaces.
template <class E, class X, class Y>
void expect_combination(Tree& tree, E expression, double a_times, X x, double b_times, Y y) {
  static_assert(Adds<X, Y>);
  const VectorXd v = tree.vector<X::domain>();
  tree.expect_combination(apply(expression, tree.at, v), a_times, dense(x, tree.at), b_times,
                          dense(y, tree.at), v, describe(expression));
}
template <class X, class Y>
void expect_sums(Tree& tree, X x, Y y) {
  expect_combination(tree, -(x - y), -1, x, 1, y);
}
/// Sums within sums, once for each space in which an operator can end: every term is compiled for
/// every joint type.
template <class X, class Y>
void expect_nested_sums(Tree& tree, X x, Y y) {
  expect_combination(tree, x - y, 1, x, -1, y);
  expect_combination(tree, -(x - (y + -x)), -2, x, 1, y);
}

class Sums : public ::testing::TestWithParam<unsigned> {};

TEST_P(Sums, of_operators_that_end_in_joints) {
  Tree tree(GetParam());
  expect_nested_sums(tree, mass, R + D);
  expect_sums(tree, minv * mass, inverse(D) * H * phi * M * transpose(H));
  expect_sums(tree, H * phi * B, H * B);
}
TEST_P(Sums, of_operators_that_end_in_links) {
  Tree tree(GetParam());
  expect_sums(tree, psi_tilde * P, P * transpose(phi_tilde));
  expect_nested_sums(tree, transpose(phi) * E, E);
  expect_nested_sums(tree, Delta_phi * phi, L * H);
  expect_sums(tree, transpose(S) * transpose(phi), transpose(Psi));
}
TEST_P(Sums, of_operators_that_end_in_tips) {
  Tree tree(GetParam());
  expect_sums(tree, J * minv * transpose(J),
              transpose(B) * transpose(H) * inverse(D) * H * phi * B);
  expect_nested_sums(tree, transpose(B) * transpose(psi), transpose(B));
  expect_sums(tree, Identity<Space::tip_motion>{}, Identity<Space::tip_motion>{});
  expect_nested_sums(tree, Identity<Space::tip_force>{}, -Identity<Space::tip_force>{});
}
TEST_P(Sums, of_operators_that_end_in_the_base) {
  Tree tree(GetParam());
  expect_sums(tree, transpose(E) * phi * M * transpose(phi) * E, transpose(E) * M * E);
  expect_nested_sums(tree, transpose(E) * psi, transpose(E));
  expect_sums(tree, Identity<Space::base_force>{}, Identity<Space::base_force>{});
  expect_nested_sums(tree, Identity<Space::base_motion>{}, -Identity<Space::base_motion>{});
}

TEST_P(Sums, of_vectors) {
  Tree tree(GetParam());
  Operators& at = tree.at;
  const VectorXd link = tree.vector<Space::link_motion>(), tip = tree.vector<Space::tip_motion>();
  const VectorXd f = tree.vector<Space::tip_force>(), g = tree.vector<Space::base_motion>();
  const Stacked<Space::link_motion, double> alpha{link.data()};
  const Stacked<Space::tip_motion, double> a_0{tip.data()};
  const Stacked<Space::tip_force, double> push{f.data()};
  const Stacked<Space::base_motion, double> world{g.data()};
  const auto expect = [&](auto expression, const VectorXd& wanted) {
    VectorXd got = VectorXd::Constant(at.size(expression.space), std::nan(""));
    evaluate(at.evaluation(), expression, got.data());
    tree.expect_near(got, wanted, wanted.norm() + 10, describe(expression));
  };
  const MatrixXd Bt = dense(transpose(B), at), Et = dense(transpose(E), at);
  expect(transpose(B) * alpha + a_0, Bt * link + tip);  // (5.7)
  expect(a_0 - (transpose(B) * transpose(phi) * (alpha - E * (world + world)) - a_0),
         2 * tip - Bt * dense(transpose(phi), at) * (link - 2 * Et.transpose() * g));
  expect(a_0 - J * minv * transpose(J) * (push - -push),
         tip - 2 * dense(J * minv * transpose(J), at) * f);
  expect(
      H * phi * (B * (push + push - -push) - M * (alpha + E * -world)),
      dense(H * phi, at) * (3 * Bt.transpose() * f - dense(M, at) * (link - Et.transpose() * g)));
  expect(-(transpose(E) * M * alpha) - transpose(E) * phi * B * (-push),
         Et * (dense(phi, at) * Bt.transpose() * f - dense(M, at) * link));
  expect(push - (push + push), -f);
  expect(-(world + world), -2 * g);
  expect(a_0 + a_0, 2 * tip);
}

TEST_P(Sums, are_written_over_a_term) {
  Tree tree(GetParam());
  const VectorXd link = tree.vector<Space::link_motion>(), tip = tree.vector<Space::tip_motion>();
  VectorXd out = tip;
  evaluate(tree.at.evaluation(),
           transpose(B) * Stacked<Space::link_motion, double>{link.data()} -
               Stacked<Space::tip_motion, double>{out.data()},
           out.data());
  tree.expect_near(out, dense(transpose(B), tree.at) * link - tip, out.norm(), "in place");
}

/// Several vectors at once, one of which reads what another has just got.
TEST_P(Sums, several_vectors_come_from_one_pass) {
  Tree tree(GetParam());
  Operators& at = tree.at;
  const VectorXd x = tree.vector<Space::joint_rate>();
  const Stacked<Space::joint_rate, double> rate{x.data()};
  VectorXd link(at.size(Space::link_motion)), tip(at.size(Space::tip_motion)), tau(x.size());
  evaluate(
      at.evaluation(), assign_to(link.data(), transpose(phi) * transpose(H) * rate),
      assign_to(tip.data(), -(transpose(B) * Stacked<Space::link_motion, double>{link.data()})),
      assign_to(tau.data(), mass * rate));
  const double scale = x.norm() * dense(mass, at).norm() + link.norm();
  tree.expect_near(link, dense(transpose(phi) * transpose(H), at) * x, scale, "links");
  tree.expect_near(tip, -dense(J, at) * x, scale, "tips");
  tree.expect_near(tau, dense(mass, at) * x, scale, "joints");
}
INSTANTIATE_TEST_SUITE_P(Trees, Sums, ::testing::Range(0U, 16U));

TEST(Fusing, parts_that_look_the_same_way_share_their_passes) {
  Tree tree(1);
  using enum Direction;
  const auto directions = [&](auto expression) {
    std::vector<Direction> out;
    for (const SweepNote& note : sweeps_of(expression, tree.at)) out.push_back(note.direction);
    return out;
  };
  const std::vector<Direction> one{inward}, two{outward, inward}, other_two{inward, outward},
      three{outward, inward, outward};
  const auto articulated = H * psi * P * transpose(psi) * transpose(H);
  EXPECT_EQ(directions(mass + articulated), two);
  EXPECT_EQ(directions(H * phi - H * psi), one);
  EXPECT_EQ(directions(P + phi_tilde * P + P * transpose(phi_tilde) +  // (a.48)
                       phi_tilde * P * transpose(H) * inverse(D) * H * P * transpose(phi_tilde)),
            two);
  EXPECT_EQ(directions(transpose(I - H * Psi * L) * inverse(D) * H * psi_tilde * P +  // (a.50)
                       transpose(L) * transpose(Psi) * transpose(I - G * H) + transpose(G)),
            other_two);
  // The single pass inwards joins the one in the middle, on whichever side of the sum it stands.
  const auto single = inverse(D) * H * phi * M * transpose(H);
  EXPECT_EQ(directions(single + minv * mass), three);
  EXPECT_EQ(directions(minv * mass + single), three);
}

TEST(Fusing, a_shared_pass_costs_what_its_parts_cost) {
  Tree tree(2);
  const auto multiplications = [&](auto expression) {
    long sum = 0;
    for (const SweepNote& note : sweeps_of(expression, tree.at))
      sum += note.operations.multiplications;
    return sum;
  };
  const auto articulated = H * psi * P * transpose(psi) * transpose(H);
  EXPECT_EQ(multiplications(mass + articulated),
            multiplications(mass) + multiplications(articulated));
}

}  // namespace
}  // namespace linkwright::testing
