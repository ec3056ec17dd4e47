// `info`: the contract's keys, and a drawing that a person can read.
#include <gtest/gtest.h>

#include <sstream>

#include "apps/program.hpp"
#include "support/csv.hpp"

namespace apps {
namespace {

TEST(info, json_has_the_keys_of_the_contract) {
  const nlohmann::json info = run_json({"info", bundled("arm7.urdf"), "--json"});
  EXPECT_EQ(info.at("bodies"), 9);
  EXPECT_EQ(info.at("joints"), 8);
  EXPECT_EQ(info.at("nq"), 7);
  EXPECT_EQ(info.at("nv"), 7);
  EXPECT_EQ(info.at("closures"), 0);
  EXPECT_EQ(info.at("mobility"), 7);
  EXPECT_EQ(info.at("grubler"), 7);
  EXPECT_TRUE(info.at("redundant_constraints").is_array());
  EXPECT_TRUE(info.at("warnings").empty());
  EXPECT_EQ(info.at("joint_names").size(), 7U);
  EXPECT_EQ(info.at("joint_names").front(), "joint1");
  EXPECT_EQ(info.at("body_names").size(), 9U);
  EXPECT_EQ(info.at("position_names"), info.at("velocity_names"));
  EXPECT_NEAR(info.at("mass").get<double>(), 26.8, 1e-12);
}

TEST(info, a_free_base_adds_freedoms_but_no_joint_of_the_file) {
  const nlohmann::json info =
      run_json({"info", bundled("quadruped.urdf"), "--base", "free", "--json"});
  EXPECT_EQ(info.at("joints"), 16);
  EXPECT_EQ(info.at("nq"), 19);
  EXPECT_EQ(info.at("nv"), 18);
  EXPECT_EQ(info.at("mobility"), 18);
  EXPECT_EQ(info.at("position_names").front(), "base:0");
  EXPECT_EQ(info.at("joint_names").front(), "base");
  EXPECT_EQ(run_json({"info", bundled("quadruped.urdf"), "--base", "planar", "--json"}).at("nv"),
            15);
}

TEST(info, loops_are_certified) {
  const nlohmann::json info = run_json({"info", bundled("four_bar.yaml"), "--json"});
  EXPECT_EQ(info.at("closures"), 1);
  EXPECT_EQ(info.at("closure_names"), nlohmann::json::array({"rocker_pin"}));
  EXPECT_EQ(info.at("grubler"), 3 - 5);
  EXPECT_EQ(info.at("mobility"), 1);
  EXPECT_EQ(info.at("rank"), 2);
  EXPECT_EQ(info.at("rows"), 5);
  EXPECT_EQ(info.at("redundant_constraints"), nlohmann::json::array({"rocker_pin"}));
  EXPECT_EQ(info.at("independent"), nlohmann::json::array({"crank_pivot"}));
  EXPECT_EQ(info.at("singular"), false);
  EXPECT_EQ(info.at("idle_freedoms").size(), 0U);
  EXPECT_EQ(info.at("clusters").size(), 1U);
  EXPECT_EQ(info.at("coordinates"), nlohmann::json::array({"crank_pivot"}));
  EXPECT_EQ(info.at("hold"), nlohmann::json::array({"crank_pivot"}));
  EXPECT_EQ(info.at("passive"), nlohmann::json::array({"crank_pin", "rocker_pivot"}));
  EXPECT_EQ(info.at("closure_list").at(0).at("joint"), "revolute");
}

TEST(info, counts_the_equations_of_every_kind_of_closure) {
  const Folder folder;
  const std::string file = folder.file("m.yaml", R"(
linkwright: 1
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
joints:
  - {name: ja, type: free, parent: world, child: a}
  - {name: jb, type: free, parent: world, child: b}
closures:
  - {name: w, between: [a, b], joint: weld}
  - {name: s, between: [a, b], joint: spherical}
  - {name: c, between: [a, b], joint: cylindrical}
  - {name: d, between: [a, b], joint: distance, distance: 1}
)");
  EXPECT_EQ(run_json({"info", file, "--json"}).at("grubler"), 12 - 6 - 3 - 4 - 1);
}

TEST(info, draws_the_tree) {
  const Outcome outcome = run({"info", bundled("arm7.urdf")});
  EXPECT_EQ(outcome.code, 0);
  for (const std::string piece :
       {"└─ joint1 → link1  (revolute about z, q1; 5.4 kg)", "tool_mount → tool  (weld; massless)",
        "9 bodies, 8 joints (7 moving), nq 7, nv 7", "mobility 7"})
    EXPECT_NE(outcome.out.find(piece), std::string::npos) << piece << "\n" << outcome.out;
}

TEST(info, limits_stand_in_a_table_that_reads_well_for_thirty_joints) {
  const Outcome outcome = run({"info", bundled("humanoid.urdf"), "--base", "free"});
  const std::size_t start = outcome.out.find("\nlimits");
  ASSERT_NE(start, std::string::npos) << outcome.out;
  std::istringstream table(outcome.out.substr(start + 1));
  std::string header, row;
  std::getline(table, header);
  const std::size_t end = header.find("effort") + 6;
  int rows = 0;
  while (std::getline(table, row) && row.find("rad/s") != std::string::npos) {
    ++rows;
    EXPECT_EQ(row.substr(end, 2), "  ") << "a column is out of line: " << row;
    EXPECT_LE(row.size(), 100U);
  }
  EXPECT_EQ(rows, 30);
  EXPECT_EQ(row, "  none: 'base:0', 'base:1', 'base:2', 'base:3', 'base:4' and 1 more");
}

TEST(info, limits_are_in_the_json_in_the_order_of_v) {
  const Folder folder;
  const nlohmann::json limits = run_json({"info", folder.file("m.yaml", R"(
linkwright: 1
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
joints:
  - {name: ja, type: cylindrical, parent: world, child: a,
     limits: {lower: [-1, -2], upper: [3, 4], effort: 5}}
  - {name: jb, type: continuous, parent: a, child: b}
)"),
                                          "--json"})
                                    .at("limits");
  EXPECT_EQ(limits, nlohmann::json::parse(R"([
    {"name": "ja:0", "lower": -1, "upper": 3, "velocity": null, "effort": 5},
    {"name": "ja:1", "lower": -2, "upper": 4, "velocity": null, "effort": 5},
    {"name": "jb", "lower": null, "upper": null, "velocity": null, "effort": null}])"));
}

TEST(info, draws_branches_and_closures) {
  const Outcome outcome = run({"info", bundled("four_bar.yaml")});
  for (const std::string piece :
       {"├─ crank_pivot → crank", "│  └─ crank_pin → coupler", "└─ rocker_pivot → rocker",
        "rocker_pin: revolute between coupler and rocker, 5 equations"})
    EXPECT_NE(outcome.out.find(piece), std::string::npos) << piece << "\n" << outcome.out;
}

TEST(info, a_long_chain_stays_narrow) {
  std::string text = "linkwright: 1\nbodies:\n";
  std::string joints = "joints:\n";
  for (int i = 0; i < 500; ++i) {
    const std::string n = std::to_string(i);
    text += "  - {name: b" + n + ", mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n";
    joints += "  - {name: j" + n + ", type: revolute, parent: " +
              (i == 0 ? std::string("world") : "b" + std::to_string(i - 1)) + ", child: b" + n +
              "}\n";
  }
  const Folder folder;
  const Outcome outcome = run({"info", folder.file("chain.yaml", text + joints)});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("(depth 499) j499"), std::string::npos);
  EXPECT_LT(outcome.out.size(), 500U * 250U);
}

TEST(info, every_urdf_of_the_shared_folder_is_shown) {
  SKIP_WITHOUT_SHARED(shared("references/REFERENCES.md"));
  for (const auto& entry : std::filesystem::directory_iterator(shared("models"))) {
    if (entry.path().extension() != ".urdf") continue;
    const Outcome outcome = run({"info", entry.path().string(), "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(nlohmann::json::accept(outcome.out)) << entry.path();
    EXPECT_EQ(run({"info", entry.path().string()}).code, 0);
  }
}

/// As many as rows are redundant; each closure has its share.
TEST(info, internal_forces_of_closed_systems_are_told) {
  for (const std::string name : {"four_bar", "bricard", "stewart", "gripper"}) {
    const auto info = run_json({"info", bundled(name + ".yaml"), "--json"});
    const auto& internal = info.at("internal_forces");
    EXPECT_EQ(internal.size(),
              info.at("rows").get<std::size_t>() - info.at("rank").get<std::size_t>())
        << name;
    for (const auto& forces : internal) {
      ASSERT_EQ(forces.size(), info.at("closure_names").size()) << name;
      double size = 0;
      for (const auto& force : forces)
        for (const double x : force.get<std::vector<double>>()) size += x * x;
      EXPECT_GT(size, 1e-6) << name;
    }
  }
}

}  // namespace
}  // namespace apps
