// `linkwright simulate` where a run begins and ends: checkpoints, limits at the start, doubtful starts.
#include <gtest/gtest.h>

#include "apps/program.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;

TEST(SimulateParts, the_summary_of_a_continued_run_speaks_of_that_part_alone) {
  const Folder folder;
  const std::string half = folder.path("half.json");
  const auto summary_of = [](Words words) {
    words.insert(words.begin(), {"simulate", bundled("space_robot.yaml"), "--step", "0.01"});
    words.emplace_back("--json");
    return run_json(words);
  };
  const nlohmann::json first = summary_of({"--time", "0.5", "--checkpoint", half}),
                       rest = summary_of({"--time", "0.8", "--continue", half});
  EXPECT_EQ(first["steps"], 50);
  EXPECT_EQ(rest["from"], 0.5);
  EXPECT_EQ(rest["steps"], 30);
  EXPECT_EQ(rest["evaluations"], 120);
  for (const auto& event : rest["events"]) EXPECT_GT(event["time"], 0.5) << rest;
  EXPECT_EQ(rest["energy"]["start"], first["energy"]["end"]) << "where this part began";
}

/// The bead passes its limit once before the checkpoint and once after it.
TEST(SimulateParts, events_before_the_checkpoint_are_those_of_the_part_before) {
  const Folder folder;
  const std::string half = folder.path("half.json"),
                    file = folder.file("rail.yaml", R"(linkwright: 1
gravity: [0, 0, 0]
bodies: [{name: bead, mass: 1}]
joints: [{name: rail, type: prismatic, parent: world, child: bead, axis: [1, 0, 0], limits: {lower: -0.5, upper: 0.5}}]
springs: [{joint: rail, stiffness: 10}]
state: {v: {rail: 3}}
)");
  const nlohmann::json first = run_json({"simulate", file, "--time", "0.5", "--limits", "report",
                                         "--checkpoint", half, "--json"}),
                       rest = run_json({"simulate", file, "--time", "1.5", "--limits", "report",
                                        "--continue", half, "--json"});
  ASSERT_EQ(first["events"].size(), 1U) << first;
  ASSERT_EQ(rest["events"].size(), 1U) << rest;
  EXPECT_LT(first["events"][0]["time"], 0.5);
  EXPECT_GT(rest["events"][0]["time"], 0.5);
}

/// Nothing moves and nothing is lost: there is no scale to see a drift against.
TEST(SimulateParts, a_drift_without_a_scale_is_no_number_of_joules) {
  const Folder folder;
  const std::string file = folder.file("still.yaml", R"(linkwright: 1
gravity: [0, 0, 0]
bodies: [{name: bead, mass: 1}]
joints: [{name: rail, type: prismatic, parent: world, child: bead, axis: [1, 0, 0]}]
)");
  const nlohmann::json energy = run_json({"simulate", file, "--time", "0.1", "--json"})["energy"];
  EXPECT_EQ(energy["scale"], 0);
  EXPECT_EQ(energy["change"], 0);
  EXPECT_EQ(energy["drift"], 0);
  EXPECT_TRUE(energy["kept"]);
}

TEST(SimulateParts, a_run_that_stops_where_it_starts_has_one_row) {
  const Folder folder;
  const std::string file = folder.file("rail.yaml", R"(linkwright: 1
gravity: [0, 0, 0]
bodies: [{name: bead, mass: 1}]
joints: [{name: rail, type: prismatic, parent: world, child: bead, axis: [1, 0, 0], limits: {lower: -1, upper: 0.5}}]
state: {q: {rail: 0.5}, v: {rail: 1}}
)");
  for (const Words& every : std::vector<Words>{{}, {"--every", "0.1"}}) {
    Words words{"simulate", file,   "--time", "1",
                "--limits", "stop", "--out",  folder.path("run.csv"),
                "--json"};
    words.insert(words.end(), every.begin(), every.end());
    const Outcome outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["rows"], 1);
    const Table table = parse_table(read(folder.path("run.csv")));
    EXPECT_EQ(table.rows.size(), 1U);
  }
}

/// A joint just above the threshold of refusal: told where it is computed with, with its D.
TEST(SimulateParts, a_joint_that_hardly_anything_resists_is_warned_of) {
  const Folder folder;
  const std::string file = folder.file("needle.yaml", R"(linkwright: 1
bodies: [{name: needle, mass: 1, inertia: [0.5, 0.5, 1.0e-12, 0, 0, 0]}]
joints: [{name: spin, type: revolute, parent: world, child: needle, axis: [0, 0, 1]}]
)");
  for (const Words& words : std::vector<Words>{{"simulate", file, "--time", "0.01"},
                                               {"compute", "forward-dynamics", file},
                                               {"check", file}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* part : {"warning: ", "joint 'spin' (link 'needle')", "1e-12", "rotor inertia"})
      EXPECT_NE(outcome.err.find(part), std::string::npos) << words[0] << " " << part << "\n"
                                                           << outcome.err;
  }
  const nlohmann::json checked = nlohmann::json::parse(run({"check", file, "--json"}).out);
  EXPECT_NE(checked["warnings"].dump().find("'spin'"), std::string::npos) << checked;
  EXPECT_EQ(run({"compute", "mass-matrix", file}).err.find("'spin'"), std::string::npos);
}

}  // namespace
}  // namespace apps
