#include "linkwright/model/names.hpp"

#include <gtest/gtest.h>

namespace linkwright {
namespace {

TEST(Names, QuotesNeverPassControlCharactersOn) {
  EXPECT_EQ(in_quotes("arm"), "'arm'");
  EXPECT_EQ(in_quotes("a\x1b[31m\n"), "'a\\x1b[31m\\x0a'");
  EXPECT_LT(in_quotes(std::string(100000, 'a')).size(), 80U);
}

TEST(Names, TheClosestNameIsASlipAwayOrNothing) {
  const std::vector<std::string> known{"shoulder", "elbow", "wrist"};
  EXPECT_EQ(closest_name("elbwo", known), "elbow");
  EXPECT_EQ(closest_name("Shoulder", known), "shoulder");
  EXPECT_EQ(closest_name("wirst", known), "wrist");
  EXPECT_EQ(closest_name("gripper_left_finger", known), "");
  EXPECT_EQ(closest_name("", {}), "");
  EXPECT_EQ(did_you_mean("elbo", known), "; did you mean 'elbow'?");
  EXPECT_EQ(did_you_mean("zzzzzzzzz", known), "");
}

TEST(Names, APrefixNeitherHelpsNorHinders) {
  const std::vector<std::string> known{"left/shoulder", "left/elbow", "right/elbow", "base"};
  EXPECT_EQ(closest_name("left/elbwo", known), "left/elbow");
  EXPECT_EQ(closest_name("right/elbwo", known), "right/elbow");
  EXPECT_EQ(closest_name("shoulder", known), "left/shoulder");
  EXPECT_EQ(closest_name("lef/elbow", known), "left/elbow");
  EXPECT_EQ(closest_name("arm/base", known), "base");
  EXPECT_EQ(closest_name("left/knee", known), "") << "the prefix alone is no resemblance";
  EXPECT_EQ(closest_name("a_long_prefix_that_is_shared/knee", {"a_long_prefix_that_is_shared/hip"}),
            "");
}

TEST(Names, ListsAreCutAfterFive) {
  EXPECT_EQ(list_in_quotes({"a", "b"}), "'a', 'b'");
  EXPECT_EQ(list_in_quotes({"a", "b", "c", "d", "e", "f", "g"}),
            "'a', 'b', 'c', 'd', 'e' and 2 more");
}

}  // namespace
}  // namespace linkwright
