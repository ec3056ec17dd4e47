#pragma once
/// Real robots: the URDF files of the Python package example-robot-data (`pip install
/// example-robot-data`), looked for where python3 keeps its packages, or in the folder named by the
/// environment variable LINKWRIGHT_ROBOTS. Nothing is downloaded; without them tests skip.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace linkwright::testing {

inline std::string first_line_of(const char* command) {
  std::string line;
  if (FILE* pipe = popen(command, "r")) {
    std::array<char, 4096> text{};
    if (std::fgets(text.data(), static_cast<int>(text.size()), pipe) != nullptr) line = text.data();
    pclose(pipe);
  }
  while (!line.empty() && line.back() == '\n') line.pop_back();
  return line;
}

inline std::filesystem::path find_robots() {
  if (const char* named = std::getenv("LINKWRIGHT_ROBOTS")) return named;
  const std::string packages = first_line_of(
      "python3 -c 'import importlib.metadata as m; "
      "print(m.distribution(\"example-robot-data\").locate_file(\"\"))' 2>/dev/null");
  return packages.empty()
             ? std::filesystem::path{}
             : std::filesystem::path(packages) / "cmeel.prefix/share/example-robot-data/robots";
}

/// The folder of the robots; empty where they are not.
inline const std::filesystem::path& robots() {
  static const std::filesystem::path folder = find_robots();
  return folder;
}

inline bool robots_are_there() {
  std::error_code trouble;
  return !robots().empty() && std::filesystem::is_directory(robots(), trouble);
}

/// By the file's name: why it must be refused, in words of the message.
inline const std::map<std::string, std::vector<std::string>>& hopeless_robots() {
  static const std::map<std::string, std::vector<std::string>> files = {
      // Both hands follow a joint 'index_q1' that is called Left_index_q1 and Right_index_q1.
      {"alex_psyonic_hands.urdf", {"closure 'mimic:Left_index_q2'", "'index_q1' does not exist"}},
      // Trunk and thighs have inertias with wrong products.
      {"romeo_laas_small.urdf",
       {"link 'body'", "principal moments -0.0213468", "link 'LHipPitch_link'",
        "link 'RHipPitch_link'"}},
      // A <robot> without content.
      {"ur3.urdf", {"no <link>"}},
  };
  return files;
}

inline std::vector<std::filesystem::path> robot_files() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(robots()))
    if (entry.path().extension() == ".urdf") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace linkwright::testing

#define LINKWRIGHT_SKIP_WITHOUT_ROBOTS()                                                 \
  if (!testing::robots_are_there()) {                                                    \
    std::cout << "skipped: real robots (no package example-robot-data for python3, and " \
                 "LINKWRIGHT_ROBOTS names no folder)\n";                                 \
    GTEST_SKIP() << "no real robots here";                                               \
  }
