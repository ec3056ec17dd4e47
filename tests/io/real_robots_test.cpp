// Real robots: the URDF files of the Python package example-robot-data (`pip install
// example-robot-data`), looked for where python3 keeps its packages, or in the folder named by the
// environment variable LINKWRIGHT_ROBOTS. Nothing is downloaded; without them these tests skip.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>

#include "linkwright/io/read_model.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::contains;
using testing::error_of;
using testing::judged;
using testing::warns;

std::string first_line_of(const char* command) {
  std::string line;
  if (FILE* pipe = popen(command, "r")) {
    std::array<char, 4096> text{};
    if (std::fgets(text.data(), static_cast<int>(text.size()), pipe) != nullptr) line = text.data();
    pclose(pipe);
  }
  while (!line.empty() && line.back() == '\n') line.pop_back();
  return line;
}

std::filesystem::path find_robots() {
  if (const char* named = std::getenv("LINKWRIGHT_ROBOTS")) return named;
  const std::string packages = first_line_of(
      "python3 -c 'import importlib.metadata as m; "
      "print(m.distribution(\"example-robot-data\").locate_file(\"\"))' 2>/dev/null");
  return packages.empty()
             ? std::filesystem::path{}
             : std::filesystem::path(packages) / "cmeel.prefix/share/example-robot-data/robots";
}

const std::filesystem::path& robots() {
  static const std::filesystem::path folder = find_robots();
  return folder;
}

bool are_there() {
  std::error_code trouble;
  return !robots().empty() && std::filesystem::is_directory(robots(), trouble);
}

#define SKIP_WITHOUT_ROBOTS()                                                            \
  if (!are_there()) {                                                                    \
    std::cout << "skipped: real robots (no package example-robot-data for python3, and " \
                 "LINKWRIGHT_ROBOTS names no folder)\n";                                 \
    GTEST_SKIP() << "no real robots here";                                               \
  }

/// By the file's name: why it must fail, in words of the message.
const std::map<std::string, std::vector<std::string>> hopeless = {
    // Both hands follow a joint 'index_q1' that is called Left_index_q1 and Right_index_q1.
    {"alex_psyonic_hands.urdf", {"closure 'mimic:Left_index_q2'", "'index_q1' does not exist"}},
    // Trunk and thighs have inertias with wrong products.
    {"romeo_laas_small.urdf",
     {"link 'body'", "principal moments -0.0213468", "link 'LHipPitch_link'",
      "link 'RHipPitch_link'"}},
    // A <robot> without content.
    {"ur3.urdf", {"no <link>"}},
};

std::vector<std::filesystem::path> files() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(robots()))
    if (entry.path().extension() == ".urdf") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::filesystem::path find(const std::string& name) {
  for (const auto& file : files())
    if (file.filename() == name) return file;
  return {};
}

TEST(RealRobots, AllAreReadExceptThoseWithoutMeaning) {
  SKIP_WITHOUT_ROBOTS();
  EXPECT_GE(files().size(), 60U);
  for (const auto& file : files())
    for (const Base base : {Base::fixed, Base::free}) {
      const std::string message = error_of([&] { judged(read_model(file, {.base = base})); });
      const auto expected = hopeless.find(file.filename().string());
      // A robot that hangs from 'world' by its own joints refuses another base.
      if (base == Base::free && contains(message, "cannot be free")) continue;
      if (expected == hopeless.end()) {
        EXPECT_EQ(message, "") << file;
        continue;
      }
      for (const std::string& word : expected->second)
        EXPECT_TRUE(contains(message, word)) << file << ": no \"" << word << "\" in: " << message;
    }
}

TEST(RealRobots, AllWithALinkAreReadLeniently) {
  SKIP_WITHOUT_ROBOTS();
  for (const auto& file : files()) {
    if (file.filename() == "ur3.urdf") continue;
    EXPECT_EQ(error_of([&] { read_model(file, {.lenient = true}); }), "") << file;
  }
}

TEST(RealRobots, DefectsOfLinksThatDoNotMoveAloneAreTold) {
  SKIP_WITHOUT_ROBOTS();
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
  SKIP_WITHOUT_ROBOTS();
  std::size_t collisions = 0;
  for (const auto& file : files()) {
    if (hopeless.contains(file.filename().string())) continue;
    const Model model = read_model(file);
    collisions += model.collisions.size();
    EXPECT_FALSE(warns(model.warnings, {"ignored <collision>"})) << file;
  }
  EXPECT_GT(collisions, 500U);
}

}  // namespace
}  // namespace linkwright
