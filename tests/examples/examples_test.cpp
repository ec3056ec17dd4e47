// The programs of examples/ run, and what they print obeys the law that each of them is about.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>

namespace {

/// Runs a program and reads the lines "name number" that it prints.
std::map<std::string, double> results_of(const std::string& name) {
  const std::string command = std::string("'") + LINKWRIGHT_EXAMPLES + "/example_" + name + "' '" +
                              LINKWRIGHT_SOURCE_DIR + "' 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string text;
  std::array<char, 256> part{};
  while (fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
  EXPECT_EQ(pclose(pipe), 0) << name << ":\n" << text;
  std::map<std::string, double> results;
  std::istringstream lines(text);
  std::string word;
  for (double number = 0; lines >> word >> number;) results[word] = number;
  EXPECT_FALSE(results.empty()) << text;
  return results;
}

TEST(Examples, computed_torque_lets_errors_fade_as_a_spring_does) {
  auto found = results_of("computed_torque");
  EXPECT_GT(found.at("start_error"), 0.3);
  EXPECT_LT(found.at("farthest_from_the_law"), 1e-8);
  EXPECT_LT(found.at("end_error"), 0.01 * found.at("start_error"));
}

TEST(Examples, motors_of_a_five_bar_give_what_its_energy_gains) {
  auto found = results_of("five_bar");
  EXPECT_EQ(found.at("mobility"), 2);
  EXPECT_LT(found.at("left_error"), 1e-6);
  EXPECT_LT(found.at("right_error"), 1e-6);
  EXPECT_LT(found.at("closure_error"), 1e-10);
  EXPECT_GT(std::abs(found.at("work")), 1e-3);
  EXPECT_LT(found.at("work_error"), 1e-3 * std::abs(found.at("work")));
}

TEST(Examples, a_four_bar_on_its_head_is_regulated) {
  auto found = results_of("linearize_and_regulate");
  EXPECT_EQ(found.at("unstable_before"), 1);
  EXPECT_GT(found.at("start_error"), 0.04);
  EXPECT_LT(found.at("end_error"), 1e-3 * found.at("start_error"));
  EXPECT_GT(found.at("distance_when_let_go"), 10 * found.at("start_error"));
}

TEST(Examples, ten_thousand_states_are_the_same_in_one_call) {
  auto found = results_of("ten_thousand_states");
  EXPECT_EQ(found.at("states"), 10000);
  EXPECT_LT(found.at("difference"), 1e-12);
}

TEST(Examples, operational_space_moves_the_tool_and_stills_the_rest) {
  auto found = results_of("operational_space");
  EXPECT_GT(found.at("start_error"), 0.1);
  EXPECT_LT(found.at("farthest_from_the_law"), 1e-6)
      << "the joints that come to rest do not disturb the tool";
  EXPECT_LT(found.at("joint_speed_at_end"), 0.02 * found.at("joint_speed_at_start"));
}

TEST(Examples, two_arms_move_a_box_and_hold_their_squeeze) {
  auto found = results_of("cooperative_object");
  EXPECT_LT(found.at("farthest_from_the_law"), 1e-6);
  EXPECT_NEAR(found.at("squeeze"), found.at("set"), 1e-6);
  EXPECT_GT(std::abs(found.at("squeeze_of_heavier_arms") - found.at("set")), 0.5)
      << "there is something to regulate";
  EXPECT_NEAR(found.at("squeeze_of_heavier_arms_regulated"), found.at("set"), 0.01);
}

TEST(Examples, slices_of_a_batch_are_the_whole) {
  auto found = results_of("batch_over_ranks");
  EXPECT_EQ(found.at("ranks"), 5);
  EXPECT_EQ(found.at("states"), 1003) << "every state has its rank";
  EXPECT_EQ(found.at("different_numbers"), 0);
}

TEST(Examples, a_free_flyer_holds_its_attitude) {
  auto found = results_of("free_flyer_attitude");
  EXPECT_GT(found.at("farthest_turn_without"), 0.05) << "the arms turn it";
  EXPECT_LT(found.at("farthest_turn_with_thrusters"), 0.1 * found.at("farthest_turn_without"));
  EXPECT_LT(found.at("end_turn_with_thrusters"), 1e-3);
  EXPECT_LT(found.at("arm_error_with_thrusters"), 1e-3);
}

TEST(Examples, motions_in_the_reaction_null_space_do_not_turn_the_base) {
  auto found = results_of("reaction_null_space");
  EXPECT_GT(found.at("way_in_the_null_space"), 0.3);
  EXPECT_GT(found.at("turn_otherwise"), 0.01);
  EXPECT_LT(found.at("turn_in_the_null_space"), 1e-7);
  EXPECT_LT(found.at("momentum_in_the_null_space"), 1e-8) << "nothing pushes from outside";
}

TEST(Examples, an_arm_stills_the_boom_that_it_stands_on) {
  auto found = results_of("vibration_suppression");
  const double before = found.at("swing_after_1_second"), left = found.at("swing_after_4_seconds");
  EXPECT_GT(left, 0.4 * before) << "by itself it hardly decays";
  EXPECT_LT(found.at("swing_after_4_seconds_suppressed"), 0.1 * left);
}

}  // namespace
