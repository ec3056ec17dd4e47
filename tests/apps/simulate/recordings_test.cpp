// A recording of `simulate` is a list of states: `compute` reads it as it comes, and finds in it what
// the simulation recorded.
#include <gtest/gtest.h>

#include <cmath>

#include "apps/program.hpp"
#include "linkwright/io/csv.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/simulate/recording.hpp"
#include "linkwright/simulate/simulation.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;

const std::string robot = bundled("space_robot.yaml");

/// The robot's free flight, driven and with every channel there is.
class Recordings : public ::testing::Test {
 protected:
  void record(const Words& more = {}) {
    Words words{"simulate", robot,  "--time",  "0.3",
                "--every",  "0.02", "--tau",   "left_yaw=0.3,right_pitch=-0.2",
                "--out",    path(), "--record"};
    for (const char* channel :
         {"frame:left_hand", "velocity:left_hand", "acceleration:left_hand", "a", "tau",
          "force:left_yaw", "momentum", "com", "kinetic", "potential"})
      words.emplace_back(channel);
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  [[nodiscard]] std::string path() const { return folder.path("run.csv"); }

  /// A quantity at the recording's states, whose columns must be the recording's own.
  void expect_same(const Words& quantity,
                   const std::vector<std::pair<std::string, std::string>>& columns,
                   double relative) const {
    Words words{"compute"};
    words.insert(words.end(), quantity.begin(), quantity.end());
    words.insert(words.end(), {"--states", path(), "--out", "-"});
    const Outcome outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Table got = parse_table(outcome.out), recorded = table();
    ASSERT_EQ(got.rows.size(), recorded.rows.size());
    for (const auto& [ours, theirs] : columns) {
      const std::vector<double> x = got.column(ours), y = recorded.column(theirs);
      for (std::size_t i = 0; i < y.size(); ++i)
        EXPECT_NEAR(x.at(i), y[i], relative * (1 + std::abs(y[i]))) << theirs << " row " << i;
    }
  }
  [[nodiscard]] Table table() const {
    std::string text = read(path());
    while (text.starts_with('#')) text.erase(0, text.find('\n') + 1);
    return parse_table(text);
  }

  Folder folder;
};

TEST_F(Recordings, give_back_what_was_recorded) {
  record();
  // Both programs place the same q and v, so that only the last bits may differ.
  const double same = 1e-12;
  expect_same({"energy", robot},
              {{"total", "energy"}, {"kinetic", "kinetic"}, {"potential", "potential"}}, same);
  expect_same({"momentum", robot},
              {{"linear:x", "momentum:linear:x"}, {"angular:z", "momentum:angular:z"}}, same);
  expect_same({"center-of-mass", robot}, {{"com:x", "com:x"}, {"com:z", "com:z"}}, same);
  expect_same({"forward-dynamics", robot}, {{"a:left_yaw", "a:left_yaw"}, {"a:base:4", "a:base:4"}},
              1e-10);
  expect_same({"inverse-dynamics", robot},
              {{"tau:left_yaw", "tau:left_yaw"}, {"tau:base:2", "tau:base:2"}}, 1e-10);
  expect_same({"forward-kinematics", robot, "--frame", "left_hand", "--axes", "world"},
              {{"frame:left_hand:x", "frame:left_hand:x"},
               {"frame:left_hand:wz", "velocity:left_hand:wz"},
               {"frame:left_hand:ay", "acceleration:left_hand:ay"}},
              same);
  expect_same({"reactions", robot}, {{"reaction:left_yaw:fx", "force:left_yaw:fx"}}, 1e-10);
}

TEST_F(Recordings, are_read_with_their_description_too) {
  record({"--describe"});
  expect_same({"energy", robot}, {{"total", "energy"}}, 1e-12);
}

TEST_F(Recordings, name_once_what_is_not_used) {
  record();
  const Outcome outcome = run({"compute", "gravity", robot, "--states", path(), "--out", "-"});
  const std::string note = "does not use 'v' (12 columns), 'frame' (7 columns), ";
  EXPECT_TRUE(contains(outcome.err, note)) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "'energy', 'closure_error'\n")) << outcome.err;
  EXPECT_EQ(outcome.err.find("note:"), outcome.err.rfind("note:")) << outcome.err;
}

TEST_F(Recordings, with_a_misspelt_column_are_refused) {
  record();
  const std::string whole = read(path());
  for (const auto& [from, to, says] : std::vector<std::array<std::string, 3>>{
           {"q:left_yaw", "q:left_ywa", "did you mean 'left_yaw'"},
           {"tau:left_yaw", "tau:lef_yaw", "did you mean 'left_yaw'"},
           {"frame:left_hand:x", "frame:left_hnd:x", "did you mean 'frame:left_hand:x'"},
           {"momentum:linear:x", "momentum:linaer:x", "did you mean 'momentum:linear:x'"},
           {"q:left_yaw", "left_yaw", "did you mean 'a:left_yaw'"}}) {
    std::string text = whole;
    text.replace(text.find(from), from.size(), to);
    const Outcome outcome =
        run({"compute", "gravity", robot, "--states", folder.file("bad.csv", text)});
    EXPECT_EQ(outcome.code, 2) << to;
    EXPECT_TRUE(contains(outcome.err, "'" + to + "'")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "did you mean")) << outcome.err;
  }
}

TEST_F(Recordings, may_hold_the_users_own_channels) {
  using namespace linkwright;
  const System system = compile(read_model(robot));
  Channels channels(system, {"a"},
                    {{"height, in words", "m", [](const State& s) { return s.q[6]; }}});
  Simulation simulation(system, initial_state(system));
  const auto recorder = open_recorder(path(), describe_run(system, channels));
  Workspace work(system);
  std::vector<double> row(channels.size());
  simulation.run(0.1, 0.02, [&](const Snapshot& snapshot) {
    channels.compute(work, snapshot, row);
    recorder->row(row);
    return true;
  });
  recorder->finish();
  const Outcome outcome = run({"compute", "energy", robot, "--states", path()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "'height, in words'")) << outcome.err;
  EXPECT_EQ(parse_table(outcome.out).rows.size(), 6U);
}

TEST_F(Recordings, in_hdf5_are_refused_with_a_way_out) {
  ASSERT_EQ(run({"simulate", robot, "--time", "0.01", "--out", folder.path("run.h5")}).code, 0);
  const Outcome outcome = run({"compute", "energy", robot, "--states", folder.path("run.h5")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "HDF5") && contains(outcome.err, "--out RUN.csv"))
      << outcome.err;
}

}  // namespace
}  // namespace apps
