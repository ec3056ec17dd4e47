// The verdict on made-up numbers.
#include <gtest/gtest.h>

#include "linkwright/verify/comparison.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;
using namespace verify;

constexpr double bound = 1e-12;

/// Three freedoms with a badly conditioned mass matrix, a tip that hangs on the first two.
ComparisonScale scale() {
  ComparisonScale scale;
  scale.mass_matrix = VectorXd{{1e3, 1, 1e-12}}.asDiagonal();
  scale.efforts = VectorXd{{1e3, 10, 1e-9}};
  scale.freedoms = {"boom", "wrist", "needle"};
  scale.jacobian = Eigen::MatrixXd::Zero(6, 3);
  scale.jacobian(2, 0) = scale.jacobian(4, 1) = 1;
  scale.tip = VectorXd{{10, 10, 10, 100, 100, 100}};
  scale.bound = bound;
  return scale;
}

/// Three formulations that agree exactly.
std::vector<NamedResult> three_results() {
  const VectorXd a{{1, -2, 1000}}, tip{{0, 0, 1, 4, 5, 6}};
  return {{"one", a, tip}, {"two", a, tip}, {"three", a, tip}};
}

Comparison verdict(const std::vector<NamedResult>& results) {
  Comparison comparison;
  compare(1, three_results(), scale(), comparison);
  compare(2, results, scale(), comparison);
  return comparison;
}

TEST(Comparison, equal_results_agree) {
  const Comparison comparison = verdict(three_results());
  EXPECT_FALSE(comparison.disagreement);
  EXPECT_EQ(comparison.pairs, 12);  // 2 states, 3 pairs, 2 quantities
  EXPECT_EQ(comparison.closest, 0);
  EXPECT_EQ(comparison.bound, bound);
  EXPECT_NO_THROW(require_agreement(comparison));
}

TEST(Comparison, differences_are_those_of_efforts_relative_to_their_own_size) {
  auto results = three_results();
  results[1].acceleration[1] += 4e-12;  // M 1, size 10: 0.4 of what is allowed
  results[1].tip[4] += 4e-12;           // as J says
  results[2].tip[5] += 2e-11;           // size 100: 0.2
  const Comparison comparison = verdict(results);
  EXPECT_FALSE(comparison.disagreement);
  EXPECT_NEAR(comparison.differences[1].effort, 4e-13, 1e-15);
  EXPECT_NEAR(comparison.differences[1].acceleration, 4e-12 / std::sqrt(1 + 4 + 1e6), 1e-18);
  EXPECT_EQ(comparison.differences[2].effort, 0);
  EXPECT_GT(comparison.differences[2].tip, 0);
  EXPECT_NEAR(comparison.closest, 0.4, 1e-3);
}

/// A tiny freedom is judged by its own balance, not by the largest effort of the mechanism.
TEST(Comparison, a_fault_of_a_tiny_effort_is_named) {
  auto results = three_results();
  results[2].acceleration[2] *= 1 + 1e-9;
  const Comparison comparison = verdict(results);
  ASSERT_TRUE(comparison.disagreement);
  EXPECT_EQ(comparison.disagreement->quantity, "effort");
  EXPECT_EQ(comparison.disagreement->where, "needle");
  EXPECT_EQ(comparison.disagreement->second, "three");
  EXPECT_NEAR(comparison.disagreement->got, 1e-9, 1e-12);
}

TEST(Comparison, a_wrong_acceleration_is_named) {
  auto results = three_results();
  results[2].acceleration[1] += 1e-3;
  results[2].tip[4] += 1e-3;
  const Comparison comparison = verdict(results);
  ASSERT_TRUE(comparison.disagreement);
  EXPECT_EQ(comparison.disagreement->quantity, "effort");
  EXPECT_EQ(comparison.disagreement->where, "wrist");
  EXPECT_EQ(comparison.disagreement->first, "one");
  EXPECT_EQ(comparison.disagreement->second, "three");
  EXPECT_EQ(comparison.disagreement->state, 2);
  EXPECT_NEAR(comparison.disagreement->got, 1e-4, 1e-12);
  EXPECT_EQ(comparison.disagreement->bound, bound);
  EXPECT_EQ(comparison.disagreeing, 2);  // with each of the others
  try {
    require_agreement(comparison);
    FAIL() << "no error";
  } catch (const Error& error) {
    // The program turns this kind into exit code 1.
    EXPECT_EQ(error.kind(), Error::Kind::failed_computation);
    for (const char* part : {"effort at 'wrist': one and three differ by 1.0e-04", "at state 2",
                             "at most 1.0e-12", "2 of 12 comparisons"})
      EXPECT_TRUE(contains(error.what(), part)) << part << "\n" << error.what();
  }
}

TEST(Comparison, a_wrong_tip_is_named) {
  auto results = three_results();
  results[1].tip[4] = -5;
  const Comparison comparison = verdict(results);
  ASSERT_TRUE(comparison.disagreement);
  EXPECT_EQ(comparison.disagreement->quantity, "tip acceleration");
  EXPECT_EQ(comparison.disagreement->where, "linear y");
  EXPECT_EQ(comparison.disagreement->second, "two");
}

TEST(Comparison, pairs_count_not_only_differences_to_the_first) {
  auto results = three_results();
  results[1].acceleration[0] += 8e-13;
  results[2].acceleration[0] -= 8e-13;
  const Comparison comparison = verdict(results);
  ASSERT_TRUE(comparison.disagreement);
  EXPECT_EQ(comparison.disagreement->first, "two");
  EXPECT_EQ(comparison.disagreement->second, "three");
}

TEST(Comparison, what_is_not_a_number_or_missing_or_without_size_disagrees) {
  auto results = three_results();
  results[1].acceleration[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(verdict(results).disagreement);
  results = three_results();
  results[1].tip.resize(0);
  EXPECT_TRUE(verdict(results).disagreement);
  results = three_results();
  for (NamedResult& result : results)
    result.acceleration[0] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(verdict(results).disagreement);
  results = three_results();
  results[1].acceleration[0] += 1e-300;
  EXPECT_FALSE(verdict(results).disagreement);  // swallowed by rounding: the same number
  ComparisonScale nothing = scale();
  nothing.efforts.setZero();
  results[1].acceleration[2] += 1e-9;
  Comparison comparison;
  compare(1, results, nothing, comparison);
  EXPECT_TRUE(comparison.disagreement);
}

}  // namespace
}  // namespace linkwright::testing
