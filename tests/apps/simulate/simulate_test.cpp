// `linkwright simulate` as a user meets it: rows, files, methods, mistakes, interruption.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "apps/program.hpp"
#include "linkwright/viewer/page.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;

const std::string arm = bundled("arm7.urdf"), robot = bundled("space_robot.yaml");

/// The rows of a run that must succeed.
Table rows_of(Words words) {
  const Folder folder;
  words.insert(words.end(), {"--out", folder.path("run.csv")});
  const Outcome outcome = simulate(words);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(folder.contents(), Words{"run.csv"});
  return parse_table(read(folder.path("run.csv")));
}

nlohmann::json summary_of(Words words) {
  words.insert(words.begin(), "simulate");
  words.emplace_back("--json");
  return run_json(words);
}

TEST(simulate, first_row_is_zero_and_the_last_is_exactly_the_end) {
  for (const Words& words : std::vector<Words>{{"--every", "0.01"},
                                               {"--every", "0.03"},
                                               {"--step", "0.007", "--every", "0.05"},
                                               {"--rtol", "1e-6", "--every", "0.04"},
                                               {"--method", "bdf"},
                                               {}}) {
    Words all{arm, "--time", "0.1"};
    all.insert(all.end(), words.begin(), words.end());
    const std::vector<double> time = rows_of(all).column("time");
    ASSERT_GE(time.size(), 3U);
    EXPECT_EQ(time.front(), 0);
    EXPECT_EQ(time.back(), 0.1);
    EXPECT_TRUE(std::is_sorted(time.begin(), time.end(), std::less_equal<>{}));
  }
}

TEST(simulate, rows_are_as_far_apart_as_asked) {
  const std::vector<double> time =
      rows_of({arm, "--time", "0.1", "--every", "0.02"}).column("time");
  ASSERT_EQ(time.size(), 6U);
  for (std::size_t i = 0; i < time.size(); ++i)
    EXPECT_NEAR(time[i], 0.02 * static_cast<double>(i), 1e-12);
  EXPECT_EQ(rows_of({arm, "--time", "0.01"}).rows.size(), 11U) << "every step of 1 ms";
  EXPECT_EQ(rows_of({arm, "--time", "0"}).rows.size(), 1U) << "no time, one row";
}

TEST(simulate, columns_stand_in_the_agreed_order) {
  const Table table = rows_of({robot, "--time", "0.01", "--record", "frame:left_hand", "--record",
                               "tau:left_yaw", "--record", "momentum"});
  EXPECT_EQ(table.titles.front(), "time");
  EXPECT_EQ(table.titles[1], "q:base:0");
  EXPECT_EQ(table.titles[8], "q:left_yaw");
  EXPECT_EQ(table.titles[14], "v:base:0");
  const Words last(table.titles.begin() + 26, table.titles.end());
  EXPECT_EQ(last, (Words{"frame:left_hand:x", "frame:left_hand:y", "frame:left_hand:z",
                         "frame:left_hand:qw", "frame:left_hand:qx", "frame:left_hand:qy",
                         "frame:left_hand:qz", "tau:left_yaw", "momentum:angular:x",
                         "momentum:angular:y", "momentum:angular:z", "momentum:linear:x",
                         "momentum:linear:y", "momentum:linear:z", "energy", "closure_error"}));
}

TEST(simulate, starts_from_the_file_or_from_the_command_line) {
  const Table own = rows_of({robot, "--time", "0"});
  EXPECT_EQ(own.column("q:left_pitch"), std::vector{-0.6});
  const Table given =
      rows_of({robot, "--time", "0", "--q", "base:0=1,left_pitch=0.25", "--v", "left_yaw=-0.5"});
  EXPECT_EQ(given.column("q:left_pitch"), std::vector{0.25});
  EXPECT_EQ(given.column("q:right_pitch"), std::vector{0.0});
  EXPECT_EQ(given.column("v:left_yaw"), std::vector{-0.5});
}

TEST(simulate, efforts_move_the_joints) {
  // A free bead of 0.01 kg under 2 N for 0.1 s: x = f t² / (2 m) = 1 m.
  const Folder folder;
  std::string text = stiff;
  text.erase(text.find("springs:"), text.find("state:") - text.find("springs:"));
  const Table table = rows_of({folder.file("bead.yaml", text), "--time", "0.1", "--tau", "rail=2"});
  // rk4 is exact for a constant force, so only rounding is left.
  EXPECT_NEAR(table.column("q:rail").back() - 0.1, 1, 1e-12);
  EXPECT_NEAR(table.column("v:rail").back(), 20, 1e-11);
}

TEST(simulate, methods_agree_on_a_falling_arm) {
  const double exact =
      rows_of({arm, "--time", "0.2", "--q", "joint2=0.5", "--rtol", "1e-11", "--atol", "1e-12"})
          .column("q:joint2")
          .back();
  // Bounds follow the methods' orders: h = 1e-3 leaves about h, h² and far below h³.
  for (const auto& [method, bound] :
       std::vector<std::pair<std::string, double>>{{"rk4", 1e-9},
                                                   {"semi-implicit", 1e-2},
                                                   {"symplectic", 1e-4},
                                                   {"adams", 1e-6},
                                                   {"bdf", 1e-6}}) {
    const double q = rows_of({arm, "--time", "0.2", "--q", "joint2=0.5", "--method", method})
                         .column("q:joint2")
                         .back();
    EXPECT_NEAR(q, exact, bound) << method;
  }
}

TEST(simulate, a_free_floating_robot_turns_and_keeps_its_momentum) {
  const Table table = rows_of({robot, "--time", "5", "--every", "0.1", "--record", "momentum"});
  double most = 0;  // of the base's quaternion about z: half the angle it turned
  for (const double z : table.column("q:base:3")) most = std::max(most, std::abs(z));
  EXPECT_GT(most, 0.01);
  for (const char* name : {"momentum:angular:x", "momentum:angular:z", "momentum:linear:y"})
    for (const double value : table.column(name)) EXPECT_NEAR(value, 0, 1e-9) << name;
  const nlohmann::json summary = summary_of({robot, "--time", "5"});
  EXPECT_LT(summary["momentum"]["linear"]["drift"], 1e-12);
  EXPECT_LT(summary["momentum"]["angular"]["drift"], 1e-12);
  EXPECT_GT(summary["momentum"]["angular"]["scale"], 1);
  EXPECT_TRUE(summary["energy"]["kept"]);
  EXPECT_LT(summary["energy"]["drift"], 1e-9);
}

TEST(simulate, a_run_that_gains_energy_does_not_say_it_was_kept) {
  // Near the end of what rk4 stands, this spring gains energy step by step and never overflows.
  const Folder folder;
  const std::string file = folder.path("spring.yaml");
  std::ofstream(file) << "linkwright: 1\nname: spring\nbodies: [{name: ball, mass: 1}]\n"
                         "joints: [{name: rail, type: prismatic, parent: world, child: ball, "
                         "axis: [0, 0, 1]}]\n"
                         "springs: [{joint: rail, stiffness: 1000}]\n"
                         "state: {q: {rail: 0.1}}\n";
  // Rows at both ends only: what happens between them counts all the same.
  const Words run{file, "--time", "12", "--every", "12", "--step"};
  const auto with_step = [&](const char* step) {
    Words words = run;
    words.emplace_back(step);
    return summary_of(words)["energy"];
  };
  const nlohmann::json bad = with_step("0.0897"), good = with_step("0.001");
  EXPECT_TRUE(bad["conservative"]);
  EXPECT_FALSE(bad["kept"]);
  EXPECT_GT(bad["drift"], 10);
  EXPECT_LT(bad["scale"], 10) << "joules there were at the start";
  EXPECT_TRUE(good["kept"]);
  EXPECT_LT(good["drift"], 1e-6);
}

TEST(simulate, the_summary_counts_and_names) {
  const Outcome outcome = simulate({arm, "--time", "0.1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"rk4, step 0.001 s", "steps", "100", "evaluations", "400",
                           "energy drift", "x real time", "events"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  EXPECT_EQ(outcome.out.find("momentum"), std::string::npos) << "an arm on the ground keeps none";
  const nlohmann::json summary = summary_of({arm, "--time", "0.1", "--rtol", "1e-7"});
  EXPECT_EQ(summary["method"], "adams");
  EXPECT_EQ(summary["time"], 0.1);
  EXPECT_EQ(summary["end"], "time");
  EXPECT_TRUE(summary["momentum"].is_null());
  EXPECT_TRUE(summary["estimated_error_in_tolerances"].is_number());
  const nlohmann::json damped = summary_of({bundled("arm6.urdf"), "--time", "0.05"});
  EXPECT_FALSE(damped["energy"]["kept"]) << "its joints rub";
}

TEST(simulate, repeated_runs_give_the_same_bytes) {
  const Folder folder;
  for (const Words& words : std::vector<Words>{{}, {"--method", "adams"}, {"--method", "bdf"}}) {
    for (const std::string extension : {".csv", ".h5"}) {
      for (const char* name : {"a", "b"}) {
        Words all{robot, "--time", "0.5", "--out", folder.path(name + extension)};
        all.insert(all.end(), words.begin(), words.end());
        EXPECT_EQ(simulate(all).code, 0);
      }
      EXPECT_TRUE(read(folder.path("a" + extension)) == read(folder.path("b" + extension)))
          << extension;
    }
  }
}

TEST(simulate, hdf5_holds_the_same_rows_as_csv) {
  const Folder folder;
  const std::string path = folder.path("run.h5");
  ASSERT_EQ(simulate({arm, "--time", "0.05", "--out", path}).code, 0);
  const Table csv = rows_of({arm, "--time", "0.05"});
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "data", H5P_DEFAULT);
  ASSERT_GE(data, 0);
  std::vector<double> all(csv.rows.size() * csv.titles.size());
  ASSERT_EQ(H5Sget_simple_extent_npoints(H5Dget_space(data)), static_cast<hssize_t>(all.size()));
  H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
  for (std::size_t c = 0; c < csv.titles.size(); ++c) {
    const std::vector<double> column = csv.column(csv.titles[c]);
    for (std::size_t r = 0; r < column.size(); ++r)
      EXPECT_EQ(all[r * csv.titles.size() + c], column[r]) << csv.titles[c];
  }
  H5Dclose(data);
  H5Fclose(file);
}

TEST(simulate, a_checkpoint_continues_the_run_to_the_same_bits) {
  const Folder folder;
  const std::string half = folder.path("half.json");
  for (const char* method : {"rk4", "semi-implicit", "symplectic"}) {
    const Words common{robot, "--method", method, "--step", "0.01"};
    const auto with = [&common](Words more) {
      more.insert(more.begin(), common.begin(), common.end());
      return more;
    };
    const Table whole = rows_of(with({"--time", "1"}));
    EXPECT_EQ(simulate(with({"--time", "0.5", "--checkpoint", half})).code, 0);
    const Table rest = rows_of(with({"--time", "1", "--continue", half}));
    ASSERT_EQ(rest.rows.size(), 51U) << method;
    for (std::size_t i = 0; i < rest.rows.size(); ++i)
      EXPECT_EQ(rest.rows[i], whole.rows[50 + i]) << method << " row " << i;
  }
}

TEST(simulate, a_described_csv_explains_itself) {
  const Folder folder;
  ASSERT_EQ(simulate({robot, "--time", "0.01", "--out", folder.path("run.csv"), "--describe"}).code,
            0);
  const std::string text = read(folder.path("run.csv"));
  for (const char* part : {"# method: rk4\n", "# unit of v:left_yaw: rad/s\n",
                           "# file space_robot.yaml", "#| linkwright: 1\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(simulate, limits_hold_are_reported_or_stop_the_run) {
  const Folder folder;
  const std::string text = R"(linkwright: 1
gravity: [0, 0, 0]
bodies: [{name: bead, mass: 1}]
joints: [{name: rail, type: prismatic, parent: world, child: bead, axis: [1, 0, 0], limits: {lower: -1, upper: 0.5}}]
state: {v: {rail: 1}}
)";
  const std::string file = folder.file("rail.yaml", text);
  const nlohmann::json held = summary_of({file, "--time", "1"});
  ASSERT_EQ(held["events"].size(), 1U) << held;
  EXPECT_EQ(held["events"][0]["name"], "joint 'rail' reaches its upper limit 0.5");
  EXPECT_EQ(held["contacts"], 1);
  EXPECT_EQ(held["energy"]["end"], 0);
  const nlohmann::json reported = summary_of({file, "--time", "1", "--limits", "report"});
  ASSERT_EQ(reported["events"].size(), 1U) << reported;
  EXPECT_NEAR(reported["events"][0]["time"], 0.5, 1e-9);
  EXPECT_EQ(reported["time"], 1);
  const nlohmann::json stopped = summary_of({file, "--time", "1", "--limits", "stop"});
  EXPECT_EQ(stopped["end"], "event");
  EXPECT_NEAR(stopped["time"], 0.5, 1e-9);
  const nlohmann::json ignored = summary_of({file, "--time", "1", "--limits", "ignore"});
  EXPECT_TRUE(ignored["events"].empty());
  const Outcome beyond = simulate({file, "--time", "1", "--q", "rail=0.75"});
  EXPECT_EQ(beyond.code, 2);
  for (const char* part : {"rail.yaml", "'rail'", "0.75", "0.5"})
    EXPECT_NE(beyond.err.find(part), std::string::npos) << part << "\n" << beyond.err;
}

TEST(simulate, an_explosion_is_named_and_leaves_no_bad_row) {
  const Folder folder;
  const std::string file = folder.file("stiff.yaml", stiff);
  for (const char* name : {"run.csv", "run.h5"}) {
    const Outcome outcome = simulate({file, "--time", "10", "--out", folder.path(name)});
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    for (const char* part : {"stiff.yaml", "'rail'", "t = ", "energy"})
      EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
  }
  const std::string text = read(folder.path("run.csv"));
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
  EXPECT_GE(parse_table(text).rows.size(), 1U) << "the rows before it are kept";
  EXPECT_EQ(folder.contents(), (Words{"run.csv", "run.h5", "stiff.yaml"}));
}

TEST(simulate, mistakes_are_bad_input_and_leave_no_file) {
  const Folder folder;
  const std::string out = folder.path("run.csv");
  struct Case {
    Words words;
    Words parts;
  };
  for (const Case& mistake : std::vector<Case>{
           {{}, {"--time"}},
           {{"--time", "-1"}, {"--time", "forwards"}},
           {{"--time", "soon"}, {"--time", "'soon'"}},
           {{"--time", "1", "--step", "0"}, {"--step", "above zero"}},
           {{"--time", "1", "--step", "1e999"}, {"--step"}},
           {{"--time", "1", "--every", "-0.1"}, {"--every"}},
           {{"--time", "1", "--method", "rk5"},
            {"'rk5'", "rk4", "semi-implicit", "symplectic", "adams", "bdf", "ida"}},
           {{"--time", "1", "--record", "frame:tol"}, {"'frame:tol'", "'frame:tool'", "momentum"}},
           {{"--time", "1", "--record", "energie"}, {"'energie'", "'energy'", "frame:NAME"}},
           {{"--time", "1", "--method", "rk4", "--rtol", "1e-6"}, {"--rtol", "rk4", "adams"}},
           {{"--time", "1", "--method", "bdf", "--step", "0.1"}, {"--step", "bdf", "--rtol"}},
           {{"--time", "1", "--q", "joint9=1"}, {"--q", "'joint9'"}},
           {{"--time", "1", "--tau", "1,2"}, {"--tau", "7"}},
           {{"--time", "1", "--limits", "break"}, {"--limits"}},
           {{"--time", "1", "--continue", folder.path("none.json")}, {"none.json"}},
       }) {
    Words words{arm, "--out", out};
    words.insert(words.end(), mistake.words.begin(), mistake.words.end());
    const Outcome outcome = simulate(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    for (const std::string& part : mistake.parts)
      EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    EXPECT_TRUE(folder.contents().empty());
  }
}

TEST(simulate, paths_that_cannot_be_written_are_noticed_before_the_run) {
  const Folder folder;
  const std::string taken = folder.path("folder.h5");
  std::filesystem::create_directory(taken);
  for (const auto& [path, part] : std::vector<std::pair<std::string, std::string>>{
           {folder.path("none/run.csv"), "folder does not exist"},
           {folder.path("none/run.h5"), "folder does not exist"},
           {folder.path("run.dat"), ".h5"},
           {taken, "it is a folder"}}) {
    // A thousand years: would the run begin, the test would not end.
    const Outcome outcome = simulate({arm, "--time", "3e10", "--every", "1e6", "--out", path});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(path), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
  const Outcome full = simulate({arm, "--time", "0.1", "--out", "/dev/full"});
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.err.find("No space left"), std::string::npos) << full.err;
}

TEST(simulate, other_results_are_tried_before_the_run_too) {
  const Folder folder;
  for (const char* option : {"--checkpoint", "--html"}) {
    const Outcome outcome =
        simulate({arm, "--time", "3e10", "--every", "1e6", option, folder.path("none/result")});
    if (outcome.err.find("built without the page") != std::string::npos) continue;
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("folder does not exist"), std::string::npos) << outcome.err;
  }
  const std::string same = folder.path("same.csv");
  const Outcome twice = simulate({arm, "--time", "3e10", "--out", same, "--checkpoint", same});
  EXPECT_EQ(twice.code, 2);
  EXPECT_NE(twice.err.find("given for two results"), std::string::npos) << twice.err;
  const Outcome rows =
      simulate({arm, "--time", "1", "--every", "1e-300", "--out", folder.path("rows.csv")});
  EXPECT_EQ(rows.code, 2);
  EXPECT_NE(rows.err.find("rows"), std::string::npos) << rows.err;
}

TEST(simulate, a_channel_list_may_follow_one_option) {
  const Table table = rows_of({robot, "--time", "0.01", "--record", "momentum", "kinetic"});
  EXPECT_EQ(std::count(table.titles.begin(), table.titles.end(), "kinetic"), 1);
  EXPECT_EQ(std::count(table.titles.begin(), table.titles.end(), "momentum:linear:x"), 1);
}

TEST(simulate, an_interrupted_run_leaves_a_readable_file) {
  for (const char* name : {"run.csv", "run.h5"}) {
    const Folder folder;
    const auto recording = [&folder](int process) { return writes_into(process, folder.path("")); };
    const Outcome outcome = run_and_signal(
        {"simulate", arm, "--time", "1e4", "--every", "0.01", "--out", folder.path(name)}, SIGINT,
        recording);
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_NE(outcome.err.find("interrupted at t = "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("interrupted"), std::string::npos) << outcome.out;
    ASSERT_EQ(folder.contents(), Words{name});
  }
}

TEST(simulate, rows_of_an_interrupted_run_are_whole) {
  const Folder folder;
  const auto recording = [&folder](int process) { return writes_into(process, folder.path("")); };
  const Words words{"simulate", arm,     "--time",    "1e7", "--out", folder.path("run.csv"),
                    "--every",  "0.001", "--any-size"};
  EXPECT_EQ(run_and_signal(words, SIGTERM, recording).code, 143);
  const Table table = parse_table(read(folder.path("run.csv")));
  ASSERT_GE(table.rows.size(), 1U);
  for (const auto& row : table.rows) ASSERT_EQ(row.size(), table.titles.size());
  EXPECT_EQ(table.column("time").front(), 0);
}

TEST(simulate, progress_appears_on_a_terminal_only) {
  const Words words{"simulate", arm, "--time", "100"};
  const Outcome quiet = run(words);
  EXPECT_EQ(quiet.code, 0);
  EXPECT_TRUE(quiet.err.empty()) << quiet.err;
  const std::optional<Outcome> shown = run_on_terminal(words);
  if (!shown) {
    std::cout << "skipped: progress on a terminal (this machine has no pseudo-terminals)\n";
    GTEST_SKIP() << "no pseudo-terminals";
  }
  EXPECT_EQ(shown->code, 0);
  for (const char* part : {"s of 100 s", " %", "x real time", " left"})
    EXPECT_NE(shown->err.find(part), std::string::npos) << part << "\n" << shown->err;
  EXPECT_TRUE(shown->err.ends_with("\r\x1b[K")) << "the line is removed";
}

TEST(simulate, a_page_is_written_or_its_absence_explained) {
  const Folder folder;
  const Outcome outcome = simulate({robot, "--time", "0.5", "--every", "0.05", "--record",
                                    "force:left_yaw", "--html", folder.path("run.html")});
  if (!linkwright::page_available()) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("npm"), std::string::npos) << outcome.err;
    return;
  }
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(folder.path("run.html")), std::string::npos) << outcome.out;
  const std::string page = read(folder.path("run.html"));
  for (const char* part : {"q:left_yaw", "force:left_yaw:fx", "momentum drift"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST(simulate, out_dash_is_csv_on_stdout) {
  const Outcome outcome = simulate({arm, "--time", "0.01", "--out", "-"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(parse_table(outcome.out).rows.size(), 11U);
  EXPECT_EQ(simulate({arm, "--time", "0.01", "--out", "-", "--json"}).code, 2);
}

}  // namespace
}  // namespace apps
