// `bench`: what it prints, for which models, and what it refuses. Times themselves are not tested.
#include <gtest/gtest.h>

#include <set>

#include "apps/every/every_joint_type.hpp"
#include "apps/program.hpp"
#include "support/csv.hpp"

namespace apps {
namespace {

const std::vector<std::string> quantities{"inverse-dynamics", "forward-dynamics", "mass-matrix",
                                          "forward-kinematics", "jacobian"};

/// `bench` in a twentieth of a second.
std::vector<std::string> quick(std::vector<std::string> words) {
  words.insert(words.begin(), "bench");
  words.insert(words.end(), {"--seconds", "0.05"});
  return words;
}

TEST(bench, prints_a_row_per_quantity_and_what_was_checked) {
  const Outcome outcome = run(quick({bundled("arm7.urdf"), "--states", "100"}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "arm7.urdf: nv 7, batches of 100 states, 1 thread, "))
      << outcome.out;
  for (const std::string& quantity : quantities)
    EXPECT_TRUE(contains(outcome.out, "\n" + quantity + " ")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "Worst difference")) << outcome.out;
}

TEST(bench, columns_are_aligned) {
  const std::string out =
      run(quick({bundled("arm7.urdf"), "--states", "64", "--threads", "2"})).out;
  const std::size_t start = out.find("\nquantity") + 1, width = out.find('\n', start) - start;
  std::size_t line = start;
  for (int row = 0; row < 11; ++row) {
    EXPECT_EQ(out.find('\n', line) - line, width) << out;
    line = out.find('\n', line) + 1;
  }
  EXPECT_EQ(out[line], '\n') << out;
}

TEST(bench, json_has_every_cell_of_the_table) {
  const nlohmann::json result =
      run_json(quick({bundled("arm7.urdf"), "--states", "40", "--threads", "2", "--json"}));
  EXPECT_EQ(result.at("file"), bundled("arm7.urdf"));
  EXPECT_EQ(result.at("nv"), 7);
  EXPECT_EQ(result.at("states"), 40);
  EXPECT_EQ(result.at("threads"), 2);
  EXPECT_LE(result.at("worst_difference").at("double"), 1e-12);
  EXPECT_LE(result.at("worst_difference").at("float"), 1e-4);
  std::set<std::string> cells;
  for (const auto& row : result.at("rows")) {
    EXPECT_GT(row.at("ns"), 0) << row;
    EXPECT_EQ(row.at("batch"), row.at("call") == "batch" ? 40 : 1) << row;
    cells.insert(row.at("quantity").get<std::string>() + row.at("call").get<std::string>() +
                 row.at("scalar").get<std::string>() + row.at("threads").dump());
  }
  // One state; batches in double and float, on one and on two threads.
  EXPECT_EQ(cells.size(), 5 * quantities.size());
  EXPECT_EQ(result.at("rows").size(), cells.size());
  for (const std::string& quantity : quantities) {
    EXPECT_TRUE(cells.contains(quantity + "one statedouble1"));
    EXPECT_TRUE(cells.contains(quantity + "batchfloat2"));
  }
}

TEST(bench, works_for_every_joint_type_and_any_number_of_states) {
  const Folder folder;
  const std::string file = folder.file("every.yaml", every_joint_type);
  for (const std::string states : {"1", "7", "8", "17", "2000"}) {
    const Outcome outcome = run(quick({file, "--states", states, "--json"}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "--rigid")) << outcome.err;
    const auto result = nlohmann::json::parse(outcome.out);
    EXPECT_LE(result.at("worst_difference").at("double"), 1e-12) << states;
  }
  EXPECT_TRUE(run(quick({file, "--states", "16", "--rigid"})).err.empty());
}

TEST(bench, works_for_every_bundled_model) {
  for (const auto& entry : std::filesystem::directory_iterator(LINKWRIGHT_SOURCE_DIR "/models")) {
    const auto extension = entry.path().extension();
    if (extension != ".urdf" && extension != ".yaml") continue;
    std::vector<std::string> words{entry.path().string(), "--states", "100", "--cut-open"};
    EXPECT_EQ(run(quick(words)).code, 0) << entry.path();
    if (extension == ".yaml") continue;
    words.insert(words.end(), {"--base", "free"});
    EXPECT_EQ(run(quick(words)).code, 0) << entry.path();
  }
}

/// The mechanism and not its spanning tree: freedoms that are left, and motors that its loops tie together.
TEST(bench, closed_systems_are_timed_closed) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LINKWRIGHT_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    const Outcome outcome = run(quick({entry.path().string(), "--json"}));
    EXPECT_EQ(outcome.code, 0) << entry.path() << outcome.err;
    const auto result = nlohmann::json::parse(outcome.out);
    if (!result.contains("closed_by")) continue;
    ++seen;
    EXPECT_LE(result.at("worst_difference").at("double"), 1e-12) << entry.path();
    EXPECT_LE(result.at("worst_difference").at("batch"), 1e-10) << entry.path();
    std::size_t batches = 0;
    for (const auto& row : result.at("rows"))
      if (row.at("call") == "batch") ++batches;
    EXPECT_EQ(result.at("rows").size(), 3 + batches);
    EXPECT_GE(batches, 1U) << "forward dynamics at least";
    for (const auto& row : result.at("rows")) EXPECT_GT(row.at("ns"), 0) << row;
    EXPECT_EQ(result.at("mobility").get<int>(),
              result.at("nv").get<int>() - result.at("rank").get<int>());
  }
  EXPECT_GE(seen, 10);
  const std::string four_bar = bundled("four_bar.yaml");
  const Outcome table = run(quick({four_bar}));
  EXPECT_TRUE(contains(
      table.out, "closed by 1 closure ('rocker_pin'): 2 of 5 rows independent, 1 freedom left"))
      << table.out;
  for (const std::string quantity : {"inverse-dynamics", "forward-dynamics", "mass-matrix"})
    EXPECT_TRUE(contains(table.out, "\n" + quantity + " ")) << table.out;
  const auto threaded = run_json(quick({four_bar, "--states", "100", "--threads", "2", "--json"}));
  EXPECT_EQ(threaded.at("states"), 100);
  // One state three times; the two that batches give on one thread and on two.
  EXPECT_EQ(threaded.at("rows").size(), 7U);
  EXPECT_TRUE(contains(run(quick({bundled("walking_machine.yaml"), "--states", "64"})).out,
                       "as many motors as freedoms: 12 for 6"));
}

TEST(bench, a_quantity_without_an_answer_is_named_and_the_others_are_timed) {
  SKIP_WITHOUT_SHARED(shared("references/REFERENCES.md"));
  const std::string file = shared("bad_models/zero_mass_moving_leaf.urdf");
  const Outcome outcome = run(quick({file, "--threads", "2", "--states", "64"}));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.out, "no answer: ")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\nmass-matrix ")) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "error: forward-dynamics: ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "joint 'j'")) << outcome.err;

  const Outcome as_json = run(quick({file, "--states", "64", "--json"}));
  EXPECT_EQ(as_json.code, 1);
  const auto parsed = nlohmann::json::parse(as_json.out);
  for (const auto& row : parsed.at("rows")) {
    const bool hopeless = row.at("quantity") == "forward-dynamics";
    EXPECT_EQ(row.at("ns").is_null(), hopeless) << row;
    EXPECT_EQ(row.contains("error"), hopeless) << row;
  }
}

TEST(bench, bad_input_exits_with_2_and_names_it) {
  SKIP_WITHOUT_SHARED(shared("references/REFERENCES.md"));
  const Folder folder;
  const std::string still = folder.file("still.urdf", still_model);
  const std::string arm = bundled("arm7.urdf");
  const std::vector<std::vector<std::string>> lines{{arm, "--states", "0"},
                                                    {arm, "--states", "-1"},
                                                    {arm, "--states=-4096"},
                                                    {arm, "--states", "1.5"},
                                                    {arm, "--states", "many"},
                                                    {arm, "--states", ""},
                                                    {arm, "--states", "1e30"},
                                                    {arm, "--states", "nan"},
                                                    {arm, "--states", "999999999"},
                                                    {arm, "--threads", "0"},
                                                    {arm, "--threads", "-2"},
                                                    {arm, "--threads", "100000"},
                                                    {arm, "--threads", "inf"},
                                                    {arm, "--seconds", "0"},
                                                    {arm, "--seconds", "-1"},
                                                    {arm, "--seconds", "nan"},
                                                    {arm, "--seconds", "inf"},
                                                    {arm, "--seconds", "1e9"},
                                                    {arm, "--seconds", "1,5"},
                                                    {arm, "--seconds"},
                                                    {arm, "--second", "1"},
                                                    {arm, "--base", "floating"},
                                                    {arm, arm},
                                                    {},
                                                    {"no_such_file.urdf"},
                                                    {still},
                                                    {shared("bad_models/nan_mass.urdf")},
                                                    {arm, "--states", "99999999999999999999"}};
  expect_refused(lines, "bench");
  EXPECT_TRUE(contains(run({"bench", arm, "--states", "0"}).err, "--states '0'"));
  EXPECT_TRUE(contains(run({"bench", arm, "--threads", "0"}).err, "--threads '0'"));
  EXPECT_TRUE(contains(run({"bench", arm, "--seconds", "nan"}).err, "--seconds 'nan'"));
  EXPECT_TRUE(contains(run({"bench", arm, "--states", "999999999"}).err, "GiB"));
  EXPECT_TRUE(contains(run({"bench", still}).err, "still.urdf: no joint moves"));
}

}  // namespace
}  // namespace apps
