// Real robots of the Python package example-robot-data: every mesh that their files name is found and read.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "linkwright/io/read_model.hpp"
#include "linkwright/viewer/page.hpp"
#include "support/files.hpp"
#include "support/real_robots.hpp"

namespace linkwright::viewer_tests {
namespace {

namespace fs = std::filesystem;

/// A file of each robot: the first that can be read. Only those that must be refused are passed over,
/// and for their own reason.
std::vector<std::pair<fs::path, Model>> one_model_per_robot() {
  std::set<fs::path> seen;
  std::vector<std::pair<fs::path, Model>> models;
  for (const fs::path& file : testing::robot_files()) {
    const fs::path robot = *fs::relative(file, testing::robots()).begin();
    if (seen.contains(robot)) continue;
    const auto hopeless = testing::hopeless_robots().find(file.filename().string());
    const std::string refusal = testing::error_of([&] {
      models.emplace_back(file, testing::judged(read_model(file)));
      seen.insert(robot);
    });
    if (hopeless == testing::hopeless_robots().end()) {
      EXPECT_EQ(refusal, "") << file;
      continue;
    }
    for (const std::string& word : hopeless->second)
      EXPECT_TRUE(testing::contains(refusal, word)) << file << ": " << refusal;
  }
  return models;
}

TEST(page_robot_data, every_mesh_is_found_and_read) {
  LINKWRIGHT_SKIP_WITHOUT_ROBOTS();
  const auto models = one_model_per_robot();
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
