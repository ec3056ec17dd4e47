// Real robots of the Python package example-robot-data: every mesh that their files name is found and read.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <set>

#include "linkwright/io/read_model.hpp"
#include "linkwright/viewer/page.hpp"
#include "support/files.hpp"

namespace linkwright::viewer_tests {
namespace {

namespace fs = std::filesystem;

/// Where pip put the robots; empty when it did not.
fs::path robots_folder() {
  std::FILE* python = ::popen(
      "python3 -c 'import sysconfig; print(sysconfig.get_path(\"purelib\"), end=\"\")' 2>/dev/null",
      "r");
  if (python == nullptr) return {};
  std::array<char, 4096> text{};
  const std::size_t length = std::fread(text.data(), 1, text.size(), python);
  ::pclose(python);
  const fs::path folder =
      fs::path(std::string(text.data(), length)) / "cmeel.prefix/share/example-robot-data/robots";
  return fs::is_directory(folder) ? folder : fs::path{};
}

/// A file of each robot: the first that can be read.
std::vector<std::pair<fs::path, Model>> one_model_per_robot(const fs::path& robots) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(robots))
    if (entry.path().extension() == ".urdf") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::set<fs::path> seen;
  std::vector<std::pair<fs::path, Model>> models;
  for (const fs::path& file : files) {
    const fs::path robot = *fs::relative(file, robots).begin();
    if (seen.contains(robot)) continue;
    try {
      models.emplace_back(file, testing::judged(read_model(file)));
      seen.insert(robot);
    } catch (const Error&) {
      // What a model must be is not this test's matter.
    }
  }
  return models;
}

TEST(page_robot_data, every_mesh_is_found_and_read) {
  const fs::path robots = robots_folder();
  if (robots.empty()) {
    std::cout << "skipped: the Python package example-robot-data is not installed\n";
    GTEST_SKIP();
  }
  const auto models = one_model_per_robot(robots);
  EXPECT_GT(models.size(), 20U);
  for (const auto& [file, model] : models) {
    const System system = compile(model);
    const Page page = to_page_data(system, State(system).q);
    for (const Warning& warning : page.warnings) {
      EXPECT_FALSE(testing::contains(warning.text(), "not found")) << warning.text();
      EXPECT_FALSE(testing::contains(warning.text(), "not drawn")) << warning.text();
      EXPECT_FALSE(testing::contains(warning.text(), "not read")) << warning.text();
    }
    EXPECT_LT(page.text.size(), 10'000'000U) << file;
  }
}

}  // namespace
}  // namespace linkwright::viewer_tests
