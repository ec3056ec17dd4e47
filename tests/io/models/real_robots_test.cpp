// Real robots are read as they are.

#include <gtest/gtest.h>

#include "linkwright/io/read_model.hpp"
#include "support/files.hpp"
#include "support/real_robots.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::contains;
using testing::error_of;
using testing::judged;
using testing::warns;

using testing::hopeless_robots;
using testing::robot_files;

std::filesystem::path find(const std::string& name) {
  for (const auto& file : robot_files())
    if (file.filename() == name) return file;
  return {};
}

TEST(RealRobots, AllAreReadExceptThoseWithoutMeaning) {
  LINKWRIGHT_SKIP_WITHOUT_ROBOTS();
  EXPECT_GE(robot_files().size(), 60U);
  for (const auto& file : robot_files())
    for (const Base base : {Base::fixed, Base::free}) {
      const std::string message = error_of([&] { judged(read_model(file, {.base = base})); });
      const auto expected = hopeless_robots().find(file.filename().string());
      // A robot that hangs from 'world' by its own joints refuses another base.
      if (base == Base::free && contains(message, "cannot be free")) continue;
      if (expected == hopeless_robots().end()) {
        EXPECT_EQ(message, "") << file;
        continue;
      }
      for (const std::string& word : expected->second)
        EXPECT_TRUE(contains(message, word)) << file << ": no \"" << word << "\" in: " << message;
    }
}

TEST(RealRobots, AllWithALinkAreReadLeniently) {
  LINKWRIGHT_SKIP_WITHOUT_ROBOTS();
  for (const auto& file : robot_files()) {
    if (file.filename() == "ur3.urdf") continue;
    EXPECT_EQ(error_of([&] { read_model(file, {.lenient = true}); }), "") << file;
  }
}

TEST(RealRobots, DefectsOfLinksThatDoNotMoveAloneAreTold) {
  LINKWRIGHT_SKIP_WITHOUT_ROBOTS();
  const auto tiago = judged(read_model(find("tiago.urdf"))).warnings;
  EXPECT_TRUE(warns(tiago, {"link 'base_antenna_left_link'", "-3.53486e-08", "welded to"}))
      << all_texts(tiago);
  const auto icub = judged(read_model(find("icub.urdf"))).warnings;
  EXPECT_TRUE(warns(icub, {"link 'head'", "mass 1.33687 without inertia"})) << all_texts(icub);
  EXPECT_FALSE(warns(icub, {"negative"})) << all_texts(icub);
  const auto talos = judged(read_model(find("talos_reduced.urdf"))).warnings;
  EXPECT_TRUE(warns(talos, {"ignored <mimic> of a fixed joint", "gripper_left_inner_double_joint"}))
      << all_texts(talos);
}

TEST(RealRobots, CollisionsAreKeptAndNotWarnedOf) {
  LINKWRIGHT_SKIP_WITHOUT_ROBOTS();
  std::size_t collisions = 0;
  for (const auto& file : robot_files()) {
    if (hopeless_robots().contains(file.filename().string())) continue;
    const Model model = read_model(file);
    collisions += model.collisions.size();
    EXPECT_FALSE(warns(model.warnings, {"ignored <collision>"})) << file;
  }
  EXPECT_GT(collisions, 500U);
}

}  // namespace
}  // namespace linkwright
