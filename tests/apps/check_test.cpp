// Exit codes and messages of `check`, and of the program as a whole.
#include <gtest/gtest.h>

#include <algorithm>

#include "apps/program.hpp"
#include "support/csv.hpp"

namespace apps {
namespace {

TEST(check, refuses_every_hopeless_model_by_name) {
  SKIP_WITHOUT_SHARED(shared("references/REFERENCES.md"));
  for (const std::string name :
       {"empty_file", "empty_robot", "truncated", "garbage_number", "comma_decimal", "nan_mass",
        "negative_mass", "duplicate_link", "missing_link", "joint_no_parent", "loop_self_parent"}) {
    const std::string file = shared("bad_models/" + name + ".urdf");
    for (const std::string command : {"check", "info"}) {
      const Outcome outcome = run({command, file});
      EXPECT_EQ(outcome.code, 2) << name;
      EXPECT_TRUE(outcome.out.empty()) << outcome.out;
      EXPECT_TRUE(outcome.err.starts_with("error: " + file)) << outcome.err;
    }
    EXPECT_EQ(run({"compute", "mass-matrix", file}).code, 2) << name;
  }
}

TEST(check, warns_of_every_doubtful_model_and_goes_on) {
  SKIP_WITHOUT_SHARED(shared("references/REFERENCES.md"));
  for (const std::string name :
       {"triangle_violation_pd", "mass_without_inertia", "zero_mass_moving_leaf"}) {
    const std::string file = shared("bad_models/" + name + ".urdf");
    const Outcome outcome = run({"check", file});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("warning: " + file + ":")) << outcome.err;
    EXPECT_NE(outcome.err.find("'l'"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, file + ": ok, 2 bodies, 1 joint, nq 1, nv 1\n");
    EXPECT_EQ(run({"compute", "forward-kinematics", file}).code, 0);
  }
}

TEST(check, forward_dynamics_refuses_a_massless_leaf_by_name) {
  SKIP_WITHOUT_SHARED(shared("references/REFERENCES.md"));
  const Outcome outcome =
      run({"compute", "forward-dynamics", shared("bad_models/zero_mass_moving_leaf.urdf")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("'l'"), std::string::npos) << outcome.err;
  EXPECT_TRUE(outcome.out.empty());
}

TEST(check, says_the_same_as_json) {
  SKIP_WITHOUT_SHARED(shared("references/REFERENCES.md"));
  const nlohmann::json good = run_json({"check", bundled("arm7.urdf"), "--json"});
  EXPECT_EQ(good.at("file"), bundled("arm7.urdf"));
  EXPECT_EQ(good.at("ok"), true);
  EXPECT_TRUE(good.at("warnings").empty());
  EXPECT_FALSE(good.contains("error"));

  const std::string file = shared("bad_models/negative_mass.urdf");
  const Outcome outcome = run({"check", file, "--json"});
  EXPECT_EQ(outcome.code, 2);
  const nlohmann::json bad = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(bad.at("ok"), false);
  EXPECT_EQ("error: " + bad.at("error").get<std::string>() + "\n", outcome.err);

  const nlohmann::json doubtful =
      run_json({"check", shared("bad_models/triangle_violation_pd.urdf"), "--json"});
  EXPECT_EQ(doubtful.at("ok"), true);
  EXPECT_EQ(doubtful.at("warnings").size(), 1U);
}

TEST(check, passes_every_bundled_model) {
  for (const auto& entry : std::filesystem::directory_iterator(LINKWRIGHT_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".urdf" && entry.path().extension() != ".yaml") continue;
    const Outcome outcome = run({"check", entry.path().string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    // The published inertias of two links of the PUMA belong to no real body; the four-bar names
    // coordinates and what to hold, which have no effect yet.
    const auto name = entry.path().filename();
    const int expected = name == "puma560.yaml" || name == "four_bar.yaml" ? 2 : 0;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), expected) << outcome.err;
    if (entry.path().extension() != ".urdf") continue;
    for (const std::string base : {"free", "planar"})
      EXPECT_EQ(run({"check", entry.path().string(), "--base", base}).code, 0) << entry.path();
  }
}

TEST(program, bad_command_lines_exit_with_2_and_keep_stdout_clean) {
  const std::string arm = bundled("arm7.urdf");
  const std::vector<std::vector<std::string>> lines{
      {},
      {"chek", arm},
      {"check"},
      {"check", arm, "--bse", "free"},
      {"check", arm, "--base", "floating"},
      {"check", "no_such_file.urdf"},
      {"check", LINKWRIGHT_SOURCE_DIR},
      {"check", bundled("puma560.yaml"), "--base", "free"},
      {"compute"},
      {"compute", "mass-matrix"},
      {"compute", "mass-matrx", arm},
      {"compute", "closure", arm},
      {"compute", "jacobian", arm},
      {"compute", "jacobian", arm, "--frame", "tol"},
      {"compute", "jacobian", arm, "--frame", "tool", "--axes", "body"},
      {"compute", "energy", arm, "--frame", "tool"},
      {"compute", "energy", arm, "--force", "tool: 0,0,0,0,0,1"},
      {"compute", "inverse-dynamics", arm, "--force", "tool: 0,0,0,0,0"},
      {"compute", "inverse-dynamics", arm, "--force", "0,0,0,0,0,1"},
      {"compute", "inverse-dynamics", arm, "--force", "tool: 0,0,0,0,0,nan"},
      {"compute", "energy", arm, "--q", "1,2"},
      {"compute", "energy", arm, "--q", "joint1=1,2"},
      {"compute", "energy", arm, "--q", "joint1=1,joint1=2"},
      {"compute", "energy", arm, "--q", "jiont1=1"},
      {"compute", "energy", arm, "--q", "1,2,3,4,5,6,inf"},
      {"compute", "energy", arm, "--q", "1,2,3,,5,6,7"},
      {"compute", "energy", arm, "--q", "1,2,3,4,5,6,7x"},
      {"compute", "energy", arm, "--q"},
      {"compute", "energy", arm, "--out", ""},
      {"compute", "energy", arm, "--states", ""},
      {"compute", "energy", arm, "--states", "no_such_file.csv"},
      {"compute", "energy", arm, "--states", LINKWRIGHT_SOURCE_DIR},
      {"compute", "energy", arm, "--out", "-", "--json"},
      {"compute", "energy", arm, arm},
  };
  expect_refused(lines);
}

TEST(program, suggests_the_name_that_was_meant) {
  const std::string arm = bundled("arm7.urdf");
  const auto said = [](const std::vector<std::string>& words) { return run(words).err; };
  EXPECT_NE(said({"chek", arm}).find("did you mean 'check'"), std::string::npos);
  EXPECT_NE(said({"compute", "mass-matrx", arm}).find("'mass-matrix'"), std::string::npos);
  EXPECT_NE(said({"compute", "closure", arm}).find("not built yet"), std::string::npos);
  EXPECT_NE(said({"compute", "energy", arm, "--q", "jiont1=1"}).find("'joint1'"),
            std::string::npos);
  EXPECT_NE(said({"compute", "jacobian", arm, "--frame", "tol"}).find("'tool'"), std::string::npos);
  EXPECT_NE(
      said({"compute", "energy", bundled("quadruped.urdf"), "--base", "free", "--q", "base=1"})
          .find("base:0 … base:6"),
      std::string::npos);
}

TEST(program, prints_no_colour_to_a_file) {
  const Outcome outcome = run({"info", bundled("arm7.urdf")});
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(run({"check", "none"}).err.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace apps
