#include "linkwright/io/number.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <random>

namespace linkwright {
namespace {

TEST(Number, EveryDoubleIsReadBackBitForBit) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10000; ++i) {
    const auto bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    const auto read = parse_number(std::string_view(text, static_cast<std::size_t>(end - text)));
    ASSERT_TRUE(read.has_value()) << std::string(text, end);
    EXPECT_EQ(*read, value);
  }
}

TEST(Number, WaysToWriteIt) {
  for (const std::string_view text :
       {"1.5", "+1.5", " 1.5 ", "\t1.5\r\n", "15e-1", "1.5E+00", "01.50"})
    EXPECT_EQ(parse_number(text), 1.5) << text;
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("-5."), -5.0);
  EXPECT_EQ(parse_number("1e-400"), 0.0) << "too small for a double";
}

TEST(Number, WhatIsNoNumberIsRefusedAndQuoted) {
  for (const std::string_view text :
       {"1,5", "1.5kg", "nan",   "-nan", "inf",   "-Infinity", "0x10",    "1e", "e5", "--1", "+-1",
        "++1", "1 2",   "1e999", "one",  "1.5.2", "1_000",     "${mass}", "+",  "-",  "."}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
    EXPECT_NE(explain_bad_number(text).find("'" + std::string(text) + "'"), std::string::npos)
        << text;
  }
  EXPECT_FALSE(parse_number("").has_value());
  EXPECT_FALSE(parse_number("  ").has_value());
  EXPECT_NE(explain_bad_number(" ").find("empty"), std::string::npos);
  EXPECT_NE(explain_bad_number("1,5").find("decimal point"), std::string::npos);
  EXPECT_NE(explain_bad_number("-inf").find("finite"), std::string::npos);
  EXPECT_EQ(explain_bad_number("1e400"), "'1e400' is out of range; the largest number is 1.8e+308");
  EXPECT_NE(explain_bad_number("-1e999").find("out of range"), std::string::npos);
  EXPECT_NE(explain_bad_number("${m}").find("xacro"), std::string::npos);
}

}  // namespace
}  // namespace linkwright
