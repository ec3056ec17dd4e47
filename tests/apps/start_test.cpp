// --start: where a mechanism begins.
#include <gtest/gtest.h>

#include "apps/program.hpp"
#include "linkwright/viewer/page.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;

const std::string file = LINKWRIGHT_SOURCE_DIR "/tests/data/limits.yaml";

/// The first row of a run: q then v.
std::vector<double> first_row(Words words) {
  words.insert(words.begin(), {"simulate", file, "--time", "0", "--out", "-"});
  const Outcome outcome = run(words);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::vector<double> row;
  for (const char* title : {"q:rail", "q:elbow", "q:wrist", "v:wrist"})
    row.push_back(parse_table(outcome.out).column(title).at(0));
  return row;
}

TEST(start, is_the_files_state_the_middle_or_neutral) {
  EXPECT_EQ(first_row({}), (std::vector{0.5, 0.125, 0.0, 3.0}));
  EXPECT_EQ(first_row({"--start", "file"}), (std::vector{0.5, 0.125, 0.0, 3.0}));
  EXPECT_EQ(first_row({"--start", "middle"}), (std::vector{0.5, 1.0, 0.5, 0.0}));
  EXPECT_EQ(first_row({"--start", "neutral", "--limits", "ignore"}),
            (std::vector{0.0, 0.0, 0.0, 0.0}));
}

TEST(start, is_what_lists_are_laid_over) {
  EXPECT_EQ(first_row({"--start", "middle", "--q", "wrist=1"}), (std::vector{0.5, 1.0, 1.0, 0.0}));
  EXPECT_EQ(first_row({"--start", "file", "--q", "wrist=1"}), (std::vector{0.5, 0.125, 1.0, 3.0}));
  EXPECT_EQ(first_row({"--start", "file", "--v", "rail=1"}), (std::vector{0.5, 0.125, 0.0, 3.0}));
  EXPECT_EQ(first_row({"--q", "rail=0.3,elbow=0.1"}), (std::vector{0.3, 0.1, 0.0, 3.0}));
}

TEST(start, beyond_a_limit_points_to_the_middle) {
  const Outcome outcome = run({"simulate", file, "--time", "0", "--start", "neutral"});
  EXPECT_EQ(outcome.code, 2);
  for (const char* part : {"limits.yaml", "'rail'", "0.25", "--start middle"})
    EXPECT_TRUE(contains(outcome.err, part)) << part << ": " << outcome.err;
}

TEST(start, serves_compute_and_view_too) {
  const nlohmann::json pose = run_json({"compute", "forward-kinematics", file, "--frame",
                                        "carriage", "--start", "middle", "--json"});
  EXPECT_EQ(pose.at("values").at(0), 0.5);
  if (!linkwright::page_available()) return;
  const Outcome page = run({"view", file, "--start", "middle", "-o", "-"});
  EXPECT_TRUE(contains(page.out, "\"q0\":[0.5,1.0,0.5]")) << page.err;
}

TEST(start, without_effect_or_meaning_is_refused) {
  const Folder folder;
  const std::string checkpoint = folder.path("half.json");
  ASSERT_EQ(run({"simulate", file, "--time", "0.01", "--checkpoint", checkpoint}).code, 0);
  expect_refused({{"simulate", file, "--time", "1", "--start", "centre"},
                  {"simulate", file, "--time", "1", "--start", "middle", "--q", "0.3,0.1,0"},
                  {"simulate", file, "--time", "1", "--start", "middle", "--continue", checkpoint},
                  {"simulate", bundled("arm7.urdf"), "--time", "1", "--start", "file"},
                  {"compute", "gravity", bundled("arm7.urdf"), "--start", "file"}});
}

}  // namespace
}  // namespace apps
