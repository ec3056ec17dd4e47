// The factors of the mass matrix against the trunk's matrix, over random trees.
#include "linkwright/operators/factorization.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "operators/case.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::operators;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The square root of a covariance, column by column.
MatrixXd root(Case& c, Covariance covariance) {
  MatrixXd out(c.mass.rows(), c.mass.cols());
  for (Eigen::Index i = 0; i < out.cols(); ++i)
    apply_root(c.at, covariance, VectorXd::Unit(out.cols(), i), out.col(i));
  return out;
}

/// Serial and branched, every base, every joint type; some joints with rotors, every fourth tree
/// with rotors everywhere.
class Factorization : public ::testing::TestWithParam<unsigned> {
 protected:
  static Case make(unsigned seed) {
    RandomModel random(seed);
    Model model =
        random.tree(2 + static_cast<int>(seed % 7), static_cast<Base>(seed % 3), all_joint_types());
    // At least one freedom, and one of the joints whose D is a matrix.
    model.joints.back().type = seed % 2 == 0 ? JointType::spherical : JointType::custom;
    model.joints.back().modes.clear();
    if (seed % 2 == 1) model.joints.back().modes = random.modes(1 + static_cast<int>(seed % 6));
    if (seed % 5 == 0)
      for (std::size_t k = 1; k < model.joints.size(); ++k)
        model.joints[k].parent = model.joints[k - 1].child;
    if (seed % 4 == 0)
      for (Joint& joint : model.joints)
        if (joint.type != JointType::fixed) joint.rotor_inertia = {random.between(0.01, 0.5)};
    return {model, seed};
  }
};

TEST_P(Factorization, solving_undoes_the_mass_matrix) {
  Case c = make(GetParam());
  const VectorXd x = RandomModel(GetParam() + 100).numbers(c.system.nv());
  EXPECT_LE((solve(c.at, c.mass * x) - x).norm(), c.bound * x.norm());
  VectorXd in_place = c.mass * x;
  compute_solve(c.at, in_place, in_place);
  EXPECT_EQ(in_place, solve(c.at, c.mass * x));
}
TEST_P(Factorization, log_determinant_is_that_of_the_matrix) {
  Case c = make(GetParam());
  const Eigen::LLT<MatrixXd> llt(c.mass);
  const double expected = 2 * llt.matrixLLT().diagonal().array().log().sum();
  EXPECT_NEAR(compute_log_determinant(c.at), expected, c.bound * (1 + std::abs(expected)));
}
TEST_P(Factorization, the_roots_have_the_covariances) {
  Case c = make(GetParam());
  const MatrixXd S = root(c, Covariance::mass), T = root(c, Covariance::inverse_mass);
  const MatrixXd inverse = c.mass.inverse();
  EXPECT_LE((S * S.transpose() - c.mass).norm(), c.bound * c.mass.norm());
  EXPECT_LE((T * T.transpose() - inverse).norm(), c.bound * inverse.norm());
  EXPECT_LE((T.transpose() * S - MatrixXd::Identity(S.rows(), S.cols())).norm(),
            c.bound * static_cast<double>(S.rows()));
}
TEST_P(Factorization, a_sample_is_a_root_times_normal_numbers) {
  Case c = make(GetParam());
  const Eigen::Index n = c.mass.rows();
  const MatrixXd S = root(c, Covariance::mass), T = root(c, Covariance::inverse_mass);
  std::mt19937_64 one(7), two(7);
  const VectorXd effort = sample(c.at, Covariance::mass, one);
  const VectorXd rate = sample(c.at, Covariance::inverse_mass, two);
  // Both came from the same w = S⁻¹ effort = T⁻¹ rate.
  EXPECT_LE((T.transpose() * effort - S.transpose() * rate).norm(),
            c.bound * (T.norm() * effort.norm() + S.norm() * rate.norm()));
  // |w|² has the mean n and the deviation √(2n): 400 draws keep within five deviations of it.
  double sum = 0;
  for (int i = 0; i < 400; ++i)
    sum += (T.transpose() * sample(c.at, Covariance::mass, one)).squaredNorm();
  EXPECT_NEAR(sum / 400, static_cast<double>(n), 5 * std::sqrt(2.0 * static_cast<double>(n) / 400));
}
INSTANTIATE_TEST_SUITE_P(Trees, Factorization, ::testing::Range(0U, 32U));

TEST(FactorizationOfNothing, has_determinant_one) {
  Model model;
  model.bodies.push_back(RandomModel(1).body("plinth"));
  model.joints.push_back({.name = "weld", .parent = "world", .child = "plinth"});
  const System system = compile(model);
  Operators at(system);
  at.update(VectorXd());
  EXPECT_EQ(compute_log_determinant(at), 0);
  EXPECT_EQ(solve(at, VectorXd()).size(), 0);
}

TEST(FactorizationErrors, name_what_is_wrong) {
  RandomModel random(5);
  const System system = compile(random.tree(4, Base::fixed, {JointType::revolute}));
  Operators at(system);
  VectorXd x = VectorXd::Ones(4), out(4), small(3);
  const auto early = [&] { compute_log_determinant(at); };
  EXPECT_NE(error_of(early).find("call Operators::update(q)"), std::string::npos);
  EXPECT_NE(error_of([&] { compute_solve(at, x, out); }).find("update"), std::string::npos);
  at.update(random.state(system).q);
  EXPECT_EQ(error_of([&] { compute_solve(at, small, out); }),
            "x has 3 entries; this system needs 4");
  EXPECT_EQ(error_of([&] { apply_root(at, Covariance::mass, x, small); }),
            "out has 3 entries; this system needs 4");
  x[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of([&] { apply_root(at, Covariance::mass, x, out); }),
            "w[2] of joint 'joint2' is nan; expected a finite number");
}

}  // namespace
}  // namespace linkwright::testing
