// Exit codes and messages of `check`, and of the program as a whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "apps/program.hpp"
#include "support/csv.hpp"

namespace apps {
namespace {

std::string bad_model(const std::string& name) {
  return std::string(LINKWRIGHT_SOURCE_DIR) + "/tests/data/bad_models/" + name;
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(check, refuses_every_hopeless_model_by_name) {
  for (const std::string name :
       {"empty.urdf", "no_links.urdf", "cut_off.urdf", "unit_in_number.urdf", "decimal_comma.urdf",
        "mass_nan.urdf", "mass_negative.urdf", "link_twice.urdf", "joint_to_nowhere.urdf",
        "joint_without_parent.urdf", "own_parent.urdf", "moment_negative.urdf",
        "mimic_without_leader.urdf", "effort_negative.urdf", "many_mistakes.yaml"}) {
    const std::string file = bad_model(name);
    for (const std::string command : {"check", "info"}) {
      const Outcome outcome = run({command, file});
      EXPECT_EQ(outcome.code, 2) << name;
      EXPECT_TRUE(outcome.out.empty()) << outcome.out;
      for (const std::string& line : lines_in(outcome.err))
        EXPECT_TRUE(line.starts_with("error: " + file) || line.starts_with("note: --lenient"))
            << outcome.err;
    }
    EXPECT_EQ(run({"compute", "mass-matrix", file}).code, 2) << name;
  }
}

TEST(check, warns_of_every_doubtful_model_and_goes_on) {
  for (const std::string name :
       {"triangle.urdf", "mass_without_inertia.urdf", "massless_leaf.urdf"}) {
    const std::string file = bad_model(name);
    const Outcome outcome = run({"check", file});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("warning: " + file + ":")) << outcome.err;
    EXPECT_NE(outcome.err.find("'boom'"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, file + ": ok, 2 bodies, 1 joint, nq 1, nv 1\n");
    EXPECT_EQ(run({"compute", "forward-kinematics", file}).code, 0);
    const Outcome quiet = run({"check", file, "--quiet"});
    EXPECT_EQ(quiet.err, "");
    EXPECT_EQ(quiet.out, outcome.out);
  }
}

TEST(check, forward_dynamics_refuses_a_massless_leaf_by_name) {
  const Outcome outcome = run({"compute", "forward-dynamics", bad_model("massless_leaf.urdf")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("'boom'"), std::string::npos) << outcome.err;
  EXPECT_TRUE(outcome.out.empty());
}

TEST(check, says_the_same_as_json) {
  const nlohmann::json good = run_json({"check", bundled("arm7.urdf"), "--json"});
  EXPECT_EQ(good.at("file"), bundled("arm7.urdf"));
  EXPECT_EQ(good.at("ok"), true);
  EXPECT_TRUE(good.at("warnings").empty());
  EXPECT_FALSE(good.contains("errors"));

  const Outcome outcome = run({"check", bad_model("many_mistakes.urdf"), "--json"});
  EXPECT_EQ(outcome.code, 2);
  const nlohmann::json bad = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(bad.at("ok"), false);
  EXPECT_EQ(bad.at("errors").size(), 10U) << bad;
  std::string told;
  for (const nlohmann::json& error : bad.at("errors"))
    told += "error: " + error.get<std::string>() + "\n";
  EXPECT_EQ(told + "note: " + bad.at("rest").get<std::string>() + "\n", outcome.err);

  const nlohmann::json doubtful = run_json({"check", bad_model("triangle.urdf"), "--json"});
  EXPECT_EQ(doubtful.at("ok"), true);
  EXPECT_EQ(doubtful.at("warnings").size(), 1U);
}

TEST(check, lenient_goes_on_and_says_the_meaning_taken) {
  const std::string file = bad_model("mimic_without_leader.urdf");
  const Outcome outcome = run({"check", file, "--lenient"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("dropped, joint 'luff' moves freely"), std::string::npos)
      << outcome.err;
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"info", file}, {"compute", "energy", file}, {"verify", file, "--states", "2"}}) {
    EXPECT_EQ(run(words).code, 2);
    std::vector<std::string> lenient = words;
    lenient.push_back("--lenient");
    EXPECT_EQ(run(lenient).code, 0) << run(lenient).err;
  }
}

/// Warnings of three kinds, four of one of them.
std::string crane_of_many_warnings(const Folder& folder) {
  std::string text = "<robot name='crane'><gazebo/><transmission/><link name='stand'/>\n";
  for (const std::string name : {"a", "b", "c", "d"})
    text += "<link name='" + name + "'/><joint name='to_" + name +
            "' type='continuous'><parent link='stand'/><child link='" + name + "'/></joint>\n";
  return folder.file("crane.urdf", text + "</robot>");
}

TEST(check, tells_each_warning_and_sums_them_up) {
  const Folder folder;
  const std::string file = crane_of_many_warnings(folder);
  const std::vector<std::string> lines = lines_in(run({"check", file}).err);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines.back(), "warning: 6 warnings of 3 kinds; --quiet hides them");
}

TEST(check, other_commands_sum_up_many_warnings_in_one_line) {
  const Folder folder;
  const std::string file = crane_of_many_warnings(folder);
  const std::vector<std::string> words{"compute", "forward-kinematics", file};
  EXPECT_EQ(run(words).err,
            "warning: " + file +
                ": 6 warnings of 3 kinds (ignored <gazebo>, ignored <transmission>, massless "
                "leaf); `linkwright check` tells each, --quiet hides this line\n");
  EXPECT_EQ(run({"compute", "forward-kinematics", file, "--quiet"}).err, "");
  EXPECT_NE(run({"info", file}).out.find("massless leaf"), std::string::npos);
  EXPECT_EQ(run({"info", file, "--quiet"}).out.find("massless leaf"), std::string::npos);
}

TEST(check, passes_every_bundled_model) {
  for (const auto& entry : std::filesystem::directory_iterator(LINKWRIGHT_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".urdf" && entry.path().extension() != ".yaml") continue;
    const Outcome outcome = run({"check", entry.path().string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    // The published inertias of two links of the PUMA belong to no real body.
    const int expected = entry.path().filename().string().starts_with("puma560") ? 2 : 0;
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
