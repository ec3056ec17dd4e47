// linkwright graph: what it draws and says, and what it refuses.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "apps/program.hpp"

namespace apps {
namespace {

const std::string arm = bundled("arm7.urdf"), four_bar = bundled("four_bar.yaml");

std::set<std::string> names(const nlohmann::json& list) {
  return list.get<std::set<std::string>>();
}

TEST(graph, answers_in_json) {
  const nlohmann::json found = run_json({"graph", four_bar, "--json"});
  const std::set<std::string> tree = names(found.at("tree")), rest = names(found.at("co-tree"));
  for (const char* joint : {"crank_pivot", "crank_pin", "rocker_pivot"})
    EXPECT_TRUE(tree.contains(joint)) << joint;
  EXPECT_TRUE(rest.contains("rocker_pin"));
  EXPECT_EQ(tree.size() + rest.size(), found.at("edges").size());
  EXPECT_EQ(tree.size() + 1, found.at("terminals").size());
  const auto& conditions = found.at("conditions");
  EXPECT_EQ(conditions.at("satisfied"), true);
  ASSERT_EQ(conditions.at("multi_ports").size(), 3U);
  for (const auto& body : conditions.at("multi_ports"))
    EXPECT_EQ(body.at("in_tree").size(), body.at("branches").get<std::size_t>());
  EXPECT_TRUE(conditions.at("conflicts").empty());
}

TEST(graph, cases_of_the_paper) {
  const nlohmann::json one = run_json({"graph", arm, "--drivers", "centre", "--json"});
  EXPECT_EQ(one.at("conditions").at("across_drivers").size(), 7U);
  EXPECT_TRUE(names(one.at("tree")).contains("link1:B"));
  EXPECT_FALSE(names(one.at("tree")).contains("link1:G"));
  const nlohmann::json two = run_json({"graph", arm, "--drivers", "inboard", "--json"});
  EXPECT_TRUE(names(two.at("tree")).contains("joint1"));
  EXPECT_FALSE(names(two.at("tree")).contains("link1:B"));
  const nlohmann::json three = run_json({"graph", arm, "--drivers", "outboard", "--json"});
  EXPECT_FALSE(names(three.at("tree")).contains("joint1"));
  EXPECT_TRUE(names(three.at("tree")).contains("link7:A*"));
  const Outcome branched =
      run({"graph", bundled("humanoid.urdf"), "--drivers", "outboard", "-o", "-"});
  EXPECT_EQ(branched.code, 2);
  EXPECT_TRUE(contains(branched.err, "'torso'")) << branched.err;
  EXPECT_TRUE(branched.out.empty());
}

TEST(graph, writes_a_drawing) {
  const Folder folder;
  const Outcome outcome = run({"graph", four_bar, "-o", folder.path("graph.svg")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "3 bodies, 16 edges, 9 branches, 7 chords")) << outcome.out;
  std::ostringstream svg;
  svg << std::ifstream(folder.path("graph.svg")).rdbuf();
  EXPECT_TRUE(svg.str().starts_with("<svg "));
  EXPECT_TRUE(contains(svg.str(), "System graph of four_bar"));
  EXPECT_EQ(run({"graph", four_bar, "-o", "-"}).out, svg.str());
}

TEST(graph, refuses_drivers_that_conflict) {
  const Outcome loop = run({"graph", four_bar, "--across", "crank_pivot", "crank_pin",
                            "rocker_pivot", "rocker_pin", "--json"});
  EXPECT_EQ(loop.code, 2);
  const nlohmann::json said = nlohmann::json::parse(loop.out);
  EXPECT_TRUE(said.at("tree").is_null());
  EXPECT_EQ(said.at("conditions").at("satisfied"), false);
  EXPECT_TRUE(contains(loop.err, "'crank_pivot', 'crank_pin', 'rocker_pivot', 'rocker_pin'"))
      << loop.err;
  const Outcome two = run({"graph", four_bar, "--across", "crank_pivot", "rocker_pivot", "--json"});
  EXPECT_EQ(two.code, 2);
  EXPECT_TRUE(contains(two.err, "across drivers 'crank_pivot', 'rocker_pivot' conflict"))
      << two.err;
  EXPECT_EQ(nlohmann::json::parse(two.out).at("conditions").at("conflicts").at(0).at("kind"),
            "mechanism");
  EXPECT_EQ(run({"graph", four_bar, "--across", "crank_pivot", "--json"}).code, 0);
  // Where the loops are open there is nothing to say yet; --assemble closes them.
  const std::vector<std::string> moved{"graph", four_bar,        "--across", "crank_pivot",
                                       "--q",   "crank_pivot=2", "--json"};
  EXPECT_EQ(run(moved).code, 2);
  std::vector<std::string> assembled = moved;
  assembled.push_back("--assemble");
  EXPECT_EQ(run(assembled).code, 0);
}

/// Positions matter where drivers meet loops, and are checked everywhere.
TEST(graph, tells_where_positions_have_no_effect) {
  const Outcome open = run({"graph", arm, "--json", "--q", "joint1=0.3"});
  EXPECT_EQ(open.code, 0) << open.err;
  EXPECT_TRUE(contains(open.err, "--q and --assemble have no effect")) << open.err;
  EXPECT_FALSE(contains(run({"graph", arm, "--json"}).err, "no effect"));
  const Outcome wrong = run({"graph", arm, "--json", "--q", "joint11=0.3"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "joint11")) << wrong.err;
  EXPECT_FALSE(contains(run({"graph", four_bar, "--json", "--across", "crank_pivot", "--q",
                             "crank_pivot=2", "--assemble"})
                            .err,
                        "no effect"));
}

TEST(graph, refuses_by_name) {
  const auto refused = [](const std::vector<std::string>& words, const std::string& part) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
  };
  refused({"graph", four_bar}, "-o, or --json");
  refused({"graph", four_bar, "-o", "-", "--json"}, "both write to stdout");
  refused({"graph", four_bar, "--json", "--across", "crank_pivo"}, "did you mean 'crank_pivot'");
  refused({"graph", four_bar, "--json", "--across", "crank_pivot", "--through", "crank_pivot"},
          "'crank_pivot' is driven twice");
  refused({"graph", four_bar, "--json", "--drivers", "middle"}, "middle");
  refused({"graph", four_bar, "--json", "--drivers", "centre", "--across", "crank_pivot"},
          "'crank_pivot'");
}

}  // namespace
}  // namespace apps
