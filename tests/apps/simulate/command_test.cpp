// Motion commanded from the shell: inputs, references, moves; and the same motion when it is replayed.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "apps/program.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;

const std::string arm = bundled("arm7.urdf"), five = bundled("five_bar.yaml");

/// A run that must succeed; its recording.
Table recorded(Words words, const std::string& path) {
  words.insert(words.end(), {"--out", path});
  const Outcome outcome = simulate(words);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return parse_table(read(path));
}

void expect_error(Words words, int code, const std::string& part) {
  const Outcome outcome = simulate(words);
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
  EXPECT_TRUE(outcome.out.empty());
}

double largest_difference(const Table& a, const Table& b, const Words& columns) {
  double worst = 0;
  for (const std::string& title : columns) {
    const std::vector<double> x = a.column(title), y = b.column(title);
    EXPECT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
      worst = std::max(worst, std::abs(x[i] - y[i]));
  }
  return worst;
}

/// A cart with a motor and a pole without.
const char* const cart_pole = R"(linkwright: 1
bodies: [{name: cart, mass: 1}, {name: pole, mass: 0.2, com: [0, 0, -0.5], inertia: [0.02, 0.02, 0, 0, 0, 0]}]
joints:
  - {name: rail, type: prismatic, parent: world, child: cart, axis: [1, 0, 0]}
  - {name: swing, type: continuous, parent: cart, child: pole, axis: [0, 1, 0]}
passive: [swing]
)";

TEST(command, a_move_arrives_and_everything_else_holds) {
  const Folder folder;
  const Table run = recorded({arm, "--time", "2.5", "--move", "joint2=1.2", "joint4=-1", "--in",
                              "1", "--move", "joint2=0.3", "--in", "1", "--every", "0.01"},
                             folder.path("run.csv"));
  EXPECT_NEAR(run.column("q:joint2")[100], 1.2, 1e-5);
  EXPECT_NEAR(run.column("q:joint2").back(), 0.3, 1e-8);
  EXPECT_NEAR(run.column("q:joint4").back(), -1, 1e-8);
  for (const double q : run.column("q:joint3")) EXPECT_NEAR(q, 0, 1e-6);
  EXPECT_NEAR(run.column("v:joint2").back(), 0, 1e-6);
}

/// What the motors gave, given again: with samples that are held, the very same bits.
TEST(command, recorded_efforts_give_the_motion_again) {
  const Folder folder;
  for (const auto& [model, move] : std::vector<std::pair<std::string, std::string>>{
           {arm, "joint2=0.8,joint4=-1"}, {five, "left_motor=0.4,right_motor=-0.3"}}) {
    const Table first =
        recorded({model, "--time", "1", "--move", move, "--in", "0.8", "--control-period", "0.004",
                  "--every", "0.004", "--record", "tau"},
                 folder.path("first.csv"));
    const Table again = recorded({model, "--time", "1", "--input", folder.path("first.csv"),
                                  "--input-between", "hold", "--every", "0.004", "--record", "tau"},
                                 folder.path("again.csv"));
    EXPECT_EQ(read(folder.path("first.csv")), read(folder.path("again.csv")));
    EXPECT_GT(std::abs(first.column(first.titles[2]).back()), 0.1);
    (void)again;
  }
}

/// A continuous controller, replayed by straight lines between the rows: half as far apart, a quarter of
/// the error.
TEST(command, recorded_efforts_of_a_continuous_controller_give_nearly_the_motion) {
  const Folder folder;
  const auto miss = [&](const std::string& every) {
    const Table first = recorded({five, "--time", "0.5", "--move", "left_motor=0.4", "--in", "0.4",
                                  "--record", "tau", "--rtol", "1e-10", "--every", every},
                                 folder.path("first.csv"));
    const Table again = recorded({five, "--time", "0.5", "--input", folder.path("first.csv"),
                                  "--rtol", "1e-10", "--every", every},
                                 folder.path("again.csv"));
    return std::abs(first.column("q:left_motor").back() - again.column("q:left_motor").back());
  };
  EXPECT_NEAR(miss("0.004") / miss("0.002"), 4, 0.4);
}

/// A recording is a reference: the motion of a fall, made once more with all the motors can give.
TEST(command, a_recording_is_a_reference) {
  const Folder folder;  // the arm reaches a limit at 0.397 s
  for (const auto& [model, start] : std::vector<std::pair<std::string, Words>>{
           {arm, {"--q", "joint2=0.5"}}, {bundled("four_bar.yaml"), {}}}) {
    Words fall{model, "--time", "0.38", "--every", "0.005", "--rtol", "1e-10"};
    fall.insert(fall.end(), start.begin(), start.end());
    const Table free = recorded(fall, folder.path("free.csv"));
    for (const std::string control : {"computed-torque", "exact"}) {
      const std::string path = folder.path(control + ".csv");
      const Table led = recorded(
          {model, "--time", "0.38", "--every", "0.005", "--reference", folder.path("free.csv"),
           "--control", control, "--rtol", "1e-9", "--record", "tau"},
          path);
      const Words columns(free.titles.begin() + 1, free.titles.begin() + 3);
      EXPECT_LE(largest_difference(free, led, columns), 1e-6) << model << control;
      // Nothing is needed to fall.
      for (const double tau : led.column(model == arm ? "tau:joint2" : "tau:crank_pivot"))
        EXPECT_NEAR(tau, 0, 5e-3) << model << control;
    }
  }
}

TEST(command, passive_joints_move_as_they_must) {
  const Folder folder;
  const std::string cart = folder.file("cart.yaml", cart_pole);
  const Outcome outcome =
      simulate({cart, "--time", "1.5", "--move", "rail=1", "--in", "1", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["control"]["joints"], (Words{"rail"}));
  EXPECT_LE(json["control"]["largest_distance"]["value"].get<double>(), 1e-6);
  expect_error({cart, "--time", "1", "--move", "swing=1", "--in", "1"}, 2,
               "'swing', which is passive");
  expect_error({cart, "--time", "1", "--reference",
                folder.file("r.csv", "time,q:rail,q:swing\n0,0,0\n1,1,1\n")},
               2, "r.csv:1: column 'q:swing' commands joint 'swing', which is passive");
  expect_error({cart, "--time", "1", "--input", folder.file("i.csv", "time,tau:swing\n0,0\n1,1\n")},
               2, "i.csv:3: tau:swing is 1 at t = 1 s, but joint 'swing' is passive");
}

TEST(command, goes_on_from_a_checkpoint_with_the_same_bytes) {
  const Folder folder;
  std::string pushes = "time,tau:joint1,force:tool:fx\n", rows = "time,q:joint2\n";
  for (int i = 0; i <= 50; ++i) {
    pushes += std::to_string(0.013 * i) + "," + std::to_string(i % 7) + ",3\n";
    rows += std::to_string(0.013 * i) + "," + std::to_string(0.1 * std::sin(0.2 * i)) + "\n";
  }
  const std::string input = folder.file("in.csv", pushes), reference = folder.file("ref.csv", rows);
  for (const Words& command : std::vector<Words>{
           {"--input", input},
           {"--input", input, "--input-between", "hold"},
           {"--reference", reference},
           {"--reference", reference, "--control", "pd", "--control-period", "0.007"},
           {"--reference", reference, "--control", "exact"},
           {"--move", "joint2=0.5", "--in", "0.4", "--input", input}}) {
    const auto part = [&](const Words& words, const std::string& out) {
      Words all{arm, "--every", "0.05"};
      all.insert(all.end(), command.begin(), command.end());
      all.insert(all.end(), words.begin(), words.end());
      return recorded(all, folder.path(out));
    };
    const Table whole = part({"--time", "0.6"}, "whole.csv");
    part({"--time", "0.3", "--checkpoint", folder.path("half.json")}, "first.csv");
    const Table rest = part({"--time", "0.6", "--continue", folder.path("half.json")}, "rest.csv");
    EXPECT_EQ(rest.rows.back(), whole.rows.back()) << command[0] << command.back();
    EXPECT_EQ(rest.rows.size(), 7U);
  }
  // Other commands than those of the run that was saved.
  expect_error({arm, "--time", "0.6", "--continue", folder.path("half.json")}, 2,
               "other controllers");
}

TEST(command, a_run_that_goes_on_under_another_command_says_so) {
  const Folder folder;
  const auto pushes = [&](const std::string& name, const std::string& first,
                          const std::string& last) {
    return folder.file(name, "time,tau:joint1\n0,1\n0.1," + first + "\n0.3,2\n0.6," + last + "\n");
  };
  const std::string half = folder.path("half.json");
  Words words{arm,      "--time",       "0.2",  "--input", pushes("a.csv", "1", "2"),
              "--move", "joint2=0.5",   "--in", "0.4",     "--kp",
              "100",    "--checkpoint", half};
  ASSERT_EQ(simulate(words).code, 0);
  words = {arm,    "--time", "0.6",  "--input", "",           "--move", "joint2=0.5",
           "--in", "0.4",    "--kp", "",        "--continue", half};
  const auto said = [&](const std::string& input, const std::string& kp) {
    words[4] = input, words[10] = kp;
    const Outcome outcome = simulate(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_FALSE(contains(said(folder.path("a.csv"), "100"), "another command"));
  EXPECT_FALSE(contains(said(pushes("later.csv", "1", "7"), "100"), "another command"));
  EXPECT_TRUE(contains(said(pushes("earlier.csv", "7", "2"), "100"), "than before: --input"));
  EXPECT_TRUE(contains(said(folder.path("a.csv"), "101"), "than before: --kp"));
  words.insert(words.end(), {"--tau", "joint7=0.1"});
  EXPECT_TRUE(contains(said(folder.path("a.csv"), "100"), "--tau, which is new"));
}

TEST(command, references_of_closed_systems_must_fit) {
  const Folder folder;
  const std::string bar = bundled("four_bar.yaml");
  expect_error(
      {bar, "--time", "1", "--reference",
       folder.file("r.csv",
                   "time,q:crank_pivot,q:rocker_pivot\n0,1.0471975511965976,"
                   "1.7270078722916533\n0.5,1.1,1.9\n1,1.2,2\n")},
      2, "r.csv:3: the motion asked for violates the closures at t = 0.5 s: closure 'rocker_pin'");
  // Out of reach, and beyond a position that no motor leads past.
  const Words platform{bundled("planar_platform.yaml"), "--time", "1", "--assemble", "--in", "1"};
  for (const auto& [move, part] : std::vector<std::pair<std::string, std::string>>{
           {"motor1=3", "violates the closures at t = 0.28"},
           {"motor1=3,motor2=-3", "the motion asked for "},
           {"motor1=2,motor2=2,motor3=2", "the motion asked for "}}) {
    Words words = platform;
    words.insert(words.end(), {"--move", move});
    expect_error(words, 2, part);
  }
}

TEST(command, limits_are_told_with_the_time_that_would_do) {
  const Outcome fast = simulate({arm, "--time", "0.5", "--move", "joint2=1.2", "--in", "0.3"});
  EXPECT_EQ(fast.code, 0);
  EXPECT_TRUE(contains(fast.err, "joint 'joint2' to a velocity of 7.5, beyond its limit 2"))
      << fast.err;
  EXPECT_TRUE(contains(fast.err, "--in 1.125 would do")) << fast.err;
  EXPECT_TRUE(contains(fast.err, "an effort of")) << fast.err;
  // It does.
  const Outcome slow = simulate({arm, "--time", "1.2", "--move", "joint2=1.2", "--in", "1.125"});
  EXPECT_EQ(slow.err, "");
  // Efforts of a closed mechanism: what is advised holds, a tenth less does not.
  const Outcome heavy =
      simulate({five, "--time", "0.3", "--move", "left_motor=0.5", "--in", "0.08"});
  const std::string told = "beyond its limit 8; nothing enforces it. --in ";
  const std::size_t at = heavy.err.find(told);
  ASSERT_NE(at, std::string::npos) << heavy.err;
  const double advised = std::stod(heavy.err.substr(at + told.size()));
  for (const auto& [part, beyond] : {std::pair{1.0, false}, {0.9, true}}) {
    const Outcome tried = simulate({five, "--time", "0.3", "--move", "left_motor=0.5", "--in",
                                    std::to_string(part * advised)});
    EXPECT_EQ(contains(tried.err, "beyond its limit"), beyond) << tried.err;
  }
  const Folder folder;
  const Outcome strong =
      simulate({arm, "--time", "0.01", "--input",
                folder.file("in.csv", "time,tau:joint2\n0,5\n0.005,-900\n0.01,1\n")});
  EXPECT_EQ(strong.code, 0);
  EXPECT_TRUE(contains(strong.err, "in.csv:3: the effort -900 of joint 'joint2' exceeds"))
      << strong.err;
  const Outcome pulled = simulate({arm, "--time", "0.05", "--reference",
                                   folder.file("stay.csv", "time,q:joint2\n0,0.5\n1,0.5\n"), "--q",
                                   "joint2=0", "--control", "pd", "--kp", "joint2=1e4"});
  EXPECT_TRUE(contains(pulled.err, "t = 0 s: the effort 5000 of joint 'joint2' exceeds"))
      << pulled.err;
  EXPECT_TRUE(contains(pulled.err, "the controller has to close the gap")) << pulled.err;
  EXPECT_TRUE(contains(pulled.err, "stay.csv says nothing of 'joint1', 'joint3'")) << pulled.err;
  expect_error({arm, "--time", "1", "--move", "joint2=4", "--in", "1"}, 2,
               "--move joint2=4: the joint moves from -2 to 2 only");
}

TEST(command, mistakes_are_refused_by_name) {
  const Folder folder;
  const std::string early = folder.file("early.csv", "time,tau:joint1\n0,1\n0.5,2\n");
  const std::string back = folder.file("back.csv", "time,q:joint1\n0,1\n0.5,2\n0.4,1\n");
  const std::string typo = folder.file("typo.csv", "time,q:jiont1\n0,1\n1,2\n");
  const std::string shorter = folder.file("short.csv", "time,q:joint1\n0,1\n0.5,2\n");
  const Words run{arm, "--time", "1"};
  const auto refused = [&](Words words, const std::string& part) {
    words.insert(words.begin(), run.begin(), run.end());
    expect_error(words, 2, part);
  };
  refused({"--input", early},
          "early.csv:3: the input ends at t = 0.5 s and the run goes on to 1 s");
  refused({"--reference", shorter}, "short.csv:3: the reference ends at t = 0.5 s");
  refused({"--reference", back}, "back.csv:4: the time 0.4 s follows 0.5 s");
  refused({"--reference", typo}, "did you mean 'q:joint1'?");
  refused({"--input", folder.path("none.csv")}, "the file cannot be opened");
  refused({"--input-between", "hold"}, "--input-between has no effect without --input");
  refused({"--control", "pd"}, "have no effect without --reference");
  refused({"--control", "lqr", "--move", "joint1=1", "--in", "1"}, "'lqr' is unknown");
  refused({"--move", "joint1=1"}, "--move is given 1 times and --in 0 times");
  refused({"--move", "joint1=1", "--in", "0"}, "--in '0'");
  refused({"--move", "joint9=1", "--in", "1"}, "there is no 'joint9'; did you mean");
  refused({"--move", "joint1=1,joint1=2", "--in", "1"}, "'joint1' is given twice");
  refused({"--move", "1", "--in", "1"}, "'1' names no joint");
  refused({"--move", "joint1=1", "--in", "1", "--kp", "joint9=3"},
          "--kp: 'joint9' is no joint that is");
  refused({"--move", "joint1=1", "--in", "1", "--kp", "-3"}, "not negative");
  refused({"--move", "joint1=1", "--in", "1", "--kd", "1,2"}, "--kd: 2 numbers are given");
  refused({"--move", "joint1=1", "--in", "1", "--control", "exact", "--kp", "3"}, "no controller");
  refused({"--move", "joint1=1", "--in", "1", "--reference", shorter}, "keep one");
  refused({"--move", "joint1=1", "--in", "1", "--control-period", "0"}, "--control-period '0'");
}

/// A million rows in little memory, whatever they go to.
TEST(command, long_recordings_take_little_memory) {
  const Folder folder;
  const std::string pendulum = folder.file("pendulum.yaml", R"(linkwright: 1
bodies: [{name: rod, mass: 1, com: [0.5, 0, 0], inertia: [0, 0.1, 0.1, 0, 0, 0]}]
joints: [{name: hinge, type: continuous, parent: world, child: rod, axis: [0, 1, 0]}]
)");
  const Words run_words{"simulate", pendulum, "--time", "1000", "--record", "tau"};
  for (const Words& output :
       std::vector<Words>{{"--out", "-"}, {"--html", folder.path("run.html")}}) {
    Words words = run_words;
    words.insert(words.end(), output.begin(), output.end());
    const Outcome outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
#ifdef LINKWRIGHT_SANITIZED
    std::cout << "skipped: how much memory it takes (sanitizers keep what is freed)\n";
#else
    EXPECT_LE(outcome.peak_kilobytes, 200 * 1024) << output[0];
#endif
    if (output[0] == "--out") {
      EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1000002);
      EXPECT_TRUE(contains(outcome.out.substr(outcome.out.size() - 200), "\n1000,"));
    } else {
      const std::string page = read(folder.path("run.html"));
      EXPECT_TRUE(contains(page, "of 1000001"));
    }
  }
}

}  // namespace
}  // namespace apps
