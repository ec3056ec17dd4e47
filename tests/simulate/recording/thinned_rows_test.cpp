// Rows of long runs in little memory: few, evenly spread, the ends exact, always the same.
#include <gtest/gtest.h>

#include "linkwright/simulate/recording.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

/// The times that are left of many.
std::vector<double> kept(const std::vector<double>& times, std::size_t most) {
  ThinnedRows rows(2, most);
  for (const double t : times) {
    rows.take(std::vector{t, -t});
    EXPECT_LE(rows.size(), most);
    EXPECT_EQ(rows.at(rows.size() - 1)[0], t);
  }
  std::vector<double> left;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows.at(i)[1], -rows.at(i)[0]);
    left.push_back(rows.at(i)[0]);
  }
  return left;
}

TEST(ThinnedRows, keep_a_short_run_whole) {
  const std::vector<double> times{0, 0.1, 0.1, 0.25, 0.3};
  EXPECT_EQ(kept(times, 8), times);
}

TEST(ThinnedRows, are_evenly_spread_with_exact_ends) {
  std::vector<double> even, dense;
  for (int i = 0; i <= 100000; ++i) {
    even.push_back(i * 1e-3);
    dense.push_back(std::pow(i * 1e-5, 3));  // rows crowd at the start
  }
  for (const std::vector<double>& times : {even, dense}) {
    const std::vector<double> left = kept(times, 1000);
    EXPECT_EQ(left.front(), times.front());
    EXPECT_EQ(left.back(), times.back());
    EXPECT_GE(left.size(), 200U);
    EXPECT_TRUE(std::is_sorted(left.begin(), left.end(), std::less_equal<>{}));
    double widest = 0;
    for (std::size_t i = 1; i < left.size(); ++i) widest = std::max(widest, left[i] - left[i - 1]);
    EXPECT_LE(widest, 8 * (times.back() - times.front()) / 1000);
    EXPECT_EQ(left, kept(times, 1000));
  }
}

TEST(ThinnedRows, get_along_with_times_that_stand_still) {
  const std::vector<double> left = kept(std::vector<double>(5000, 2.5), 100);
  EXPECT_GE(left.size(), 25U);
  EXPECT_TRUE(contains(error_of([] { ThinnedRows(3, 2); }), "2 rows of 3 numbers"));
  ThinnedRows rows(3, 10);
  EXPECT_TRUE(contains(error_of([&] { rows.take(std::vector{1.0}); }), "a row of 1 numbers"));
}

}  // namespace
}  // namespace linkwright::testing
