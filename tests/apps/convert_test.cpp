/// `linkwright convert`: what it writes, refuses and tells; written models compute the same.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/program.hpp"
#include "support/files.hpp"

namespace apps {
namespace {

using Json = nlohmann::json;

const std::filesystem::path source = LINKWRIGHT_SOURCE_DIR;

std::string contents_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Convert, writes_what_computes_the_same) {
  const Folder folder;
  for (const auto& [in, out] : {std::pair<std::string, std::string>{"models/arm7.urdf", "a.yaml"},
                                {"models/arm7.urdf", "a.urdf"},
                                {"models/four_bar.yaml", "b.yaml"},
                                {"models/network_arm.yaml", "c.yaml"},
                                {"models/flexible_arm.yaml", "d.yml"},
                                {"tests/data/sdf/loop.sdf", "e.yaml"}}) {
    const std::string from = (source / in).string(), to = folder.path(out);
    const Outcome done = run({"convert", from, to, "--quiet"});
    ASSERT_EQ(done.code, 0) << in << ": " << done.err;
    EXPECT_TRUE(contains(done.out, to)) << done.out;
    for (const std::vector<std::string>& question :
         {std::vector<std::string>{"compute", "mass-matrix"}, {"compute", "bias"}}) {
      const auto answer = [&](const std::string& file) {
        std::vector<std::string> words = question;
        words.insert(words.end(), {file, "--cut-open", "--json", "--quiet"});
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        Json json = Json::parse(outcome.out);
        json.erase("file");
        return json;
      };
      if (out.ends_with(".yaml") || out.ends_with(".yml")) {
        EXPECT_EQ(answer(from), answer(to)) << in << " as " << out;
      } else {
        EXPECT_EQ(answer(from).at("names"), answer(to).at("names"));
      }
    }
  }
}

TEST(Convert, refuses_what_a_format_cannot_say_and_touches_no_file) {
  const Folder folder;
  const std::string out = folder.file("out.urdf", "before");
  const std::string puma = (source / "models/puma560.yaml").string();
  const Outcome refused = run({"convert", puma, out});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "rotor inertia")) << refused.err;
  EXPECT_TRUE(contains(refused.err, "--lenient")) << refused.err;
  EXPECT_EQ(contents_of(out), "before");
  const Outcome lenient = run({"convert", puma, out, "--lenient"});
  EXPECT_EQ(lenient.code, 0) << lenient.err;
  EXPECT_TRUE(contains(lenient.err, "left out")) << lenient.err;
  EXPECT_TRUE(contains(contents_of(out), "<robot"));
}

TEST(Convert, says_which_formats_there_are) {
  const Folder folder;
  const std::string arm = (source / "models/arm7.urdf").string();
  const Outcome other = run({"convert", arm, folder.path("arm.sdf")});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(contains(other.err, "'.sdf'") && contains(other.err, ".yaml")) << other.err;
  EXPECT_EQ(run({"convert", arm}).code, 2);
  EXPECT_EQ(run({"convert", arm, ""}).code, 2);
}

TEST(Convert, keeps_the_base_that_was_asked_for) {
  const Folder folder;
  const std::string out = folder.path("q.yaml");
  const std::string quadruped = (source / "models/quadruped.urdf").string();
  ASSERT_EQ(run({"convert", quadruped, out, "--base", "free"}).code, 0);
  const Json info = Json::parse(run({"info", out, "--json"}).out);
  EXPECT_EQ(info.at("nq"),
            Json::parse(run({"info", quadruped, "--json", "--base", "free"}).out).at("nq"));
  EXPECT_EQ(info.at("joints"), Json::parse(run({"info", quadruped, "--json"}).out).at("joints"));
}

TEST(Packages, are_named_on_the_command_line) {
  const Folder folder;
  const std::string arm = (source / "models/arm7.urdf").string();
  EXPECT_TRUE(contains(run({"check", arm, "--package", "hand=/tmp"}).err, "package 'hand'"));
  const Outcome wrong = run({"check", arm, "--package", "hand"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "NAME=DIR")) << wrong.err;
}

TEST(ClosuresOption, closes_the_loops_of_a_tree) {
  const Folder folder;
  const std::string robot = folder.file("r.urdf", R"(<robot name="r"><link name="base"/>
<link name="a"><inertial><origin xyz="1 0 0"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><origin xyz="1 0 0"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j1" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="j2" type="continuous"><parent link="base"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>)");
  const std::string list =
      folder.file("r.closures.yaml", "closed_loop: [[a, j2]]\ntype: ['6d']\nname_mot: [j1]\n");
  const Json info = Json::parse(run({"info", robot, "--closures", list, "--json"}).out);
  EXPECT_EQ(info.at("closures"), 1);
  EXPECT_EQ(info.at("mobility"), 1);
  EXPECT_EQ(info.at("passive"), Json::array({"j2"}));
}

}  // namespace
}  // namespace apps
