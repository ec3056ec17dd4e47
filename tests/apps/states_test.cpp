// `compute --states`: many states in, many results out, nothing lost on the way.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <sstream>

#include "apps/program.hpp"
#include "support/csv.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;

const std::string iiwa = shared("models/drake_kuka_iiwa_robot.urdf");

Table reference() { return parse_table(read(shared("references/iiwa_motiongenesis.csv"))); }

/// The reference's q, qd, qdd under titles that `title(letter, number)` makes, in this order.
std::string make_states(const Table& table,
                        const std::vector<std::pair<std::string, std::string>>& columns) {
  std::string text;
  for (const auto& [from, to] : columns) text += (text.empty() ? "" : ",") + to;
  text += '\n';
  for (const auto& row : table.rows) {
    std::string line;
    for (const auto& [from, to] : columns) {
      const auto at = std::find(table.titles.begin(), table.titles.end(), from);
      line +=
          (line.empty() ? "" : ",") + row.at(static_cast<std::size_t>(at - table.titles.begin()));
    }
    text += line + '\n';
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> columns(bool named) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [from, to] : {std::pair{"q", "q"}, {"qd", "v"}, {"qdd", "a"}})
    for (int i = 1; i <= 7; ++i)
      pairs.emplace_back(from + std::to_string(i),
                         to + (named ? ":iiwa_joint_" : std::string()) + std::to_string(i));
  return pairs;
}

Outcome inverse_dynamics(const std::string& states, const std::string& out) {
  return run({"compute", "inverse-dynamics", iiwa, "--states", states, "--out", out});
}

TEST(states, iiwa_agrees_with_motiongenesis) {
  SKIP_WITHOUT_SHARED(shared("references/REFERENCES.md"));
  const Folder folder;
  const Table expected = reference();
  const std::string states = folder.file("in.csv", make_states(expected, columns(true)));
  const Outcome outcome = inverse_dynamics(states, folder.path("out.csv"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Table table = parse_table(read(folder.path("out.csv")));
  ASSERT_EQ(table.rows.size(), expected.rows.size());
  std::vector<double> scale(expected.rows.size(), 0);
  for (int i = 1; i <= 7; ++i) {
    const auto tau = expected.column("tau" + std::to_string(i));
    for (std::size_t k = 0; k < tau.size(); ++k) scale[k] = std::max(scale[k], std::abs(tau[k]));
  }
  for (int i = 1; i <= 7; ++i) {
    const auto got = table.column("tau:iiwa_joint_" + std::to_string(i));
    const auto tau = expected.column("tau" + std::to_string(i));
    for (std::size_t k = 0; k < tau.size(); ++k)
      EXPECT_NEAR(got[k], tau[k], 1e-13 * scale[k]) << "joint " << i << ", row " << k;
  }
}

TEST(states, iiwa_last_link_moves_as_in_motiongenesis) {
  SKIP_WITHOUT_SHARED(shared("references/REFERENCES.md"));
  const Folder folder;
  const Table expected = reference();
  const std::string states = folder.file("in.csv", make_states(expected, columns(false)));
  const Outcome outcome = run({"compute", "forward-kinematics", iiwa, "--frame", "iiwa_link_7",
                               "--axes", "world", "--states", states, "--out", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Table table = parse_table(outcome.out);
  for (const auto& [ours, theirs] :
       std::vector<std::pair<std::string, std::string>>{{"x", "px"},
                                                        {"y", "py"},
                                                        {"z", "pz"},
                                                        {"wx", "wx"},
                                                        {"wy", "wy"},
                                                        {"wz", "wz"},
                                                        {"vx", "vx"},
                                                        {"vy", "vy"},
                                                        {"vz", "vz"},
                                                        {"alphax", "alphax"},
                                                        {"alphaz", "alphaz"},
                                                        {"ax", "ax"},
                                                        {"ay", "ay"},
                                                        {"az", "az"}}) {
    const auto got = table.column("frame:iiwa_link_7:" + ours), want = expected.column(theirs);
    for (std::size_t k = 0; k < want.size(); ++k)
      EXPECT_NEAR(got[k], want[k], 2e-12 * std::max(1.0, std::abs(want[k]))) << ours << k;
  }
}

TEST(states, names_places_and_order_of_columns_do_not_matter) {
  SKIP_WITHOUT_SHARED(shared("references/REFERENCES.md"));
  const Folder folder;
  const Table table = reference();
  auto mixed = columns(true);
  std::reverse(mixed.begin(), mixed.end());
  std::swap(mixed[3], mixed[17]);
  const auto result = [&](const std::vector<std::pair<std::string, std::string>>& pairs) {
    const Outcome outcome = inverse_dynamics(folder.file("in.csv", make_states(table, pairs)), "-");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string expected = result(columns(true));
  EXPECT_EQ(result(columns(false)), expected);
  EXPECT_EQ(result(mixed), expected);
}

TEST(states, a_comma_locale_gives_the_same_bytes) {
  if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no de_DE.UTF-8";
  std::setlocale(LC_NUMERIC, "C");
  const Words words{"compute",  "inverse-dynamics",       "models/arm7.urdf",
                    "--states", "models/arm7_states.csv", "--out",
                    "-"};
  const Outcome expected = run(words);
  ASSERT_EQ(expected.code, 0) << expected.err;
  const Outcome german = run(words, {.environment = {{"LC_ALL", "de_DE.UTF-8"}}});
  EXPECT_EQ(german.code, 0);
  EXPECT_EQ(german.out, expected.out);
  EXPECT_EQ(german.err, expected.err);
}

const std::string arm = bundled("arm7.urdf");

TEST(states, hostile_files_are_refused_by_line_and_column) {
  const Folder folder;
  struct Case {
    std::string text;
    Words said;
  };
  const std::string header = "q1,q2,q3,q4,q5,q6,q7\n", row = "0,0,0,0,0,0,0\n";
  const std::vector<Case> cases{
      {"", {"empty"}},
      {header, {":1:", "no state"}},
      {"# only a header follows\n" + header + "# and no row\n", {":2:", "no state"}},
      {"\x89HDF\r\n\x1a\n", {"HDF5", "--out RUN.csv"}},
      {std::string("\0\1\2", 3), {"binary"}},
      {"\n# only a comment\n\n", {"empty"}},
      {header + "0,0,0\n", {":2:", "3 fields", "7 columns"}},
      {header + row + "0,0,0,0,0,0,0,0\n", {":3:", "8 fields"}},
      {"q1,q8\n0,0\n", {":1:", "'q8'"}},
      {"q1,q0\n0,0\n", {":1:", "'q0'"}},
      {"q:jiont1\n0\n", {":1:", "did you mean 'joint1'"}},
      {"speed:joint1\n0\n", {":1:", "'speed:joint1' is unknown"}},
      {"qd1\n0\n", {":1:", "v:JOINT"}},
      {"q1,q:joint1\n0,0\n", {":1:", "'q:joint1'", "'q1'"}},
      {"q1,q1\n0,0\n", {":1:", "same number"}},
      {"q1,\n0,0\n", {":1:"}},
      {"q1,q2\n0,nan\n", {":2:", "'q2'", "finite"}},
      {"q1,q2\n0,0\n\n# note\n-inf,0\n", {":5:", "'q1'", "finite"}},
      {"q1,q2\n0;1,0\n", {":2:", "'q1'"}},
      {"q1,q2\n\"0,5\",0\n", {":2:", "'q1'", "decimal point"}},
      {"q1,q2\n0,\n", {":2:", "'q2'", "empty"}},
      {"q1\n1e999\n", {":2:", "'q1'"}},
      {"q1\n\"0\n", {":2:", "quote"}},
      {"q1\n" + std::string(1 << 20, '7') + "x\n", {":2:", "'q1'"}},
      {std::string("q1\n0\0\n", 6), {":2:"}},
  };
  for (const Case& hostile : cases) {
    const std::string file = folder.file("in.csv", hostile.text);
    const std::string out = folder.file("out.csv", "precious\n");
    const Outcome outcome = run({"compute", "gravity", arm, "--states", file, "--out", out});
    const std::string shown = hostile.text.substr(0, 60);
    EXPECT_EQ(outcome.code, 2) << shown << outcome.err;
    EXPECT_NE(outcome.err.find("error: " + file), std::string::npos) << outcome.err;
    EXPECT_LT(outcome.err.size(), 2000U);
    for (const std::string& piece : hostile.said)
      EXPECT_NE(outcome.err.find(piece), std::string::npos) << shown << "\n" << outcome.err;
    EXPECT_EQ(read(out), "precious\n");
    EXPECT_EQ(folder.contents(), (Words{"in.csv", "out.csv"}));
  }
}

TEST(states, ordinary_variations_are_read) {
  const Folder folder;
  const auto result = [&](const std::string& text) {
    const Outcome outcome =
        run({"compute", "gravity", arm, "--states", folder.file("in.csv", text)});
    EXPECT_EQ(outcome.code, 0) << text << outcome.err;
    return outcome.out;
  };
  const std::string expected = result("q:joint2,q:joint4\n0.5,-0.25\n1,2\n");
  EXPECT_EQ(
      result("\xEF\xBB\xBF# from a spreadsheet\r\n\r\nq:joint2, q:joint4\r\n0.5, -.25\r\n\r\n1,2"),
      expected);
  EXPECT_EQ(result("\"q:joint2\",\"q4\"\n\"0.5\",-25e-2\n+1,2.0\n"), expected);
  EXPECT_EQ(result("case,q2,q4\nfirst,0.5,-0.25\nsecond,1,2\n"), expected);
}

TEST(states, what_is_missing_or_ignored_is_said) {
  const Folder folder;
  const std::string file = folder.file("in.csv", "time,q1\n0,0.5\n");
  const Outcome outcome = run({"compute", "inverse-dynamics", arm, "--states", file});
  EXPECT_EQ(outcome.code, 0);
  for (const std::string piece :
       {"no column for q of 'joint2'", "no column for v of 'joint1'", "taken as zero"})
    EXPECT_NE(outcome.err.find(piece), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"compute", "gravity", arm, "--states", file, "--q", "joint1=1"}).code, 2);
}

TEST(states, their_time_is_carried_over) {
  const Folder folder;
  const auto file = [&](const std::string& text) { return folder.file("in.csv", text); };
  const Outcome rows =
      run({"compute", "gravity", arm, "--states", file("q2,time\n0.5,0.25\n1,0.75\n")});
  EXPECT_EQ(rows.code, 0) << rows.err;
  const Table table = parse_table(rows.out);
  EXPECT_EQ(table.titles.front(), "time");
  EXPECT_EQ(table.column("time"), (std::vector<double>{0.25, 0.75}));
  EXPECT_FALSE(contains(rows.err, "does not use")) << rows.err;
  const auto json =
      run_json({"compute", "mass-matrix", arm, "--json", "--states", file("t,q2\n3,0\n4,1\n")});
  EXPECT_EQ(json.at("time"), (nlohmann::json{3.0, 4.0}));
  // Without one there is none.
  const Outcome plain = run({"compute", "gravity", arm, "--states", file("q2\n1\n")});
  EXPECT_NE(parse_table(plain.out).titles.front(), "time");
  for (const char* bad : {"time,t,q2\n0,0,1\n", "time,q2\nnoon,1\n"})
    EXPECT_EQ(run({"compute", "gravity", arm, "--states", file(bad)}).code, 2) << bad;
}

TEST(states, come_from_stdin_too) {
  const Outcome outcome =
      run({"compute", "gravity", arm, "--states", "-"}, {.input = "q2\n1\n2\n"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(parse_table(outcome.out).rows.size(), 2U);
}

TEST(states, a_row_that_fails_leaves_the_old_result) {
  SKIP_WITHOUT_SHARED(shared("references/REFERENCES.md"));
  const Folder folder;
  const std::string leaf = shared("bad_models/zero_mass_moving_leaf.urdf");
  const std::string out = folder.file("out.csv", "precious\n");
  const std::string in = folder.file("in.csv", "q1\n0\n0.5\n");
  const Outcome outcome = run({"compute", "forward-dynamics", leaf, "--states", in, "--out", out});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.err.find(in + ":2:"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("'l'"), std::string::npos) << outcome.err;
  EXPECT_EQ(read(out), "precious\n");
  EXPECT_EQ(folder.contents(), (Words{"in.csv", "out.csv"}));
}

TEST(out, a_path_that_cannot_be_written_is_named) {
  const Folder folder;
  for (const std::string& out : {folder.path("missing/out.csv"), folder.path("")}) {
    const Outcome outcome = run({"compute", "gravity", arm, "--out", out});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("error: " + out), std::string::npos) << outcome.err;
    EXPECT_TRUE(outcome.out.empty());
  }
  const Outcome full = run({"compute", "gravity", arm, "--out", "/dev/full"});
  EXPECT_EQ(full.code, 1) << full.err;
  EXPECT_NE(full.err.find("/dev/full"), std::string::npos);
}

TEST(out, replaces_a_file_whole_and_keeps_links_and_permissions) {
  const Folder folder;
  const std::string target = folder.file("real.csv", std::string(100000, 'x'));
  std::filesystem::permissions(target, std::filesystem::perms(0640));
  std::filesystem::create_symlink(target, folder.path("link.csv"));
  ASSERT_EQ(run({"compute", "gravity", arm, "--out", folder.path("link.csv")}).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.csv")));
  EXPECT_EQ(std::filesystem::status(target).permissions(), std::filesystem::perms(0640));
  EXPECT_EQ(read(target), run({"compute", "gravity", arm, "--out", "-"}).out);
  EXPECT_EQ(folder.contents(), (Words{"link.csv", "real.csv"}));
}

TEST(out, input_and_output_may_be_the_same_file) {
  const Folder folder;
  const std::string file = folder.file("both.csv", "q2\n1\n2\n");
  ASSERT_EQ(run({"compute", "gravity", arm, "--states", file, "--out", file}).code, 0);
  EXPECT_EQ(parse_table(read(file)).titles.front(), "gravity:joint1");
  EXPECT_EQ(parse_table(read(file)).rows.size(), 2U);
}

/// Every row is what --force alone gives for its state; components without a column are zero.
TEST(states, rows_give_forces_of_their_own) {
  const Folder folder;
  const std::string in = folder.file(
      "in.csv",
      "force:tool:fz,q2,force:link4:nx,force:tool:fx\n-10,1,0.5,2\n3,2,0,-1\n0,0.3,7,0\n");
  const std::vector<Words> alone{{"tool: 0,0,0,2,0,-10", "link4: 0.5,0,0,0,0,0", "1"},
                                 {"tool: 0,0,0,-1,0,3", "link4: 0,0,0,0,0,0", "2"},
                                 {"tool: 0,0,0,0,0,0", "link4: 7,0,0,0,0,0", "0.3"}};
  for (const std::string quantity :
       {"inverse-dynamics", "forward-dynamics", "reactions", "derivatives"})
    for (const std::string axes : {"own", "world"}) {
      const auto compute = [&](Words words) {
        words.insert(words.begin(), {"compute", quantity, arm, "--force-axes", axes, "--json"});
        return run_json(words).at("values");
      };
      const nlohmann::json many = compute({"--states", in, "--force", "link2: 1,2,3,4,5,6"});
      ASSERT_EQ(many.size(), alone.size());
      for (std::size_t s = 0; s < alone.size(); ++s)
        EXPECT_EQ(many[s], compute({"--q", "joint2=" + alone[s][2], "--force", "link2: 1,2,3,4,5,6",
                                    "--force", alone[s][0], "--force", alone[s][1]}))
            << quantity << ", row " << s;
    }
}

TEST(states, forces_that_cannot_act_are_named) {
  const Folder folder;
  const std::string in = folder.file("in.csv", "q2,force:tool:fz\n1,2\n");
  const Outcome unused = run({"compute", "gravity", arm, "--states", in});
  EXPECT_EQ(unused.code, 0);
  EXPECT_TRUE(contains(unused.err, "gravity does not use 'force'")) << unused.err;
  const auto refusal = [&](Words words, const std::string& titles) {
    const std::string file = folder.file("bad.csv", titles + "\n1,2\n");
    words.insert(words.end(), file);
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  const Words inverse{"compute", "inverse-dynamics", arm, "--states"};
  EXPECT_TRUE(contains(refusal(inverse, "q2,force:tol:fz"), "did you mean 'force:tool:fz'"));
  EXPECT_TRUE(contains(refusal(inverse, "force:tool:fz,force:tool:fz"), "remove one"));
  EXPECT_TRUE(contains(
      refusal({"compute", "inverse-dynamics", arm, "--force", "tool: 0,0,0,0,0,1", "--states"},
              "q2,force:tool:fz"),
      "has columns for the force on 'tool' and --force is given too; keep one"));
  EXPECT_TRUE(contains(refusal({"linearize", arm, "--states"}, "q2,force:tool:fz"),
                       "columns give a force on 'tool', and linearize takes no forces"));
}

TEST(states, json_gives_one_result_per_state) {
  const Folder folder;
  const std::string in = folder.file("in.csv", "q2\n1\n2\n3\n");
  const nlohmann::json many = run_json({"compute", "gravity", arm, "--states", in, "--json"});
  ASSERT_EQ(many.at("values").size(), 3U);
  const nlohmann::json one = run_json({"compute", "gravity", arm, "--q", "joint2=2", "--json"});
  EXPECT_EQ(many.at("values").at(1), one.at("values"));
}

}  // namespace
}  // namespace apps
