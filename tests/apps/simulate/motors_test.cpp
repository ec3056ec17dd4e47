/// Motors in commands: what elastic gears do to results, voltages along motions, and what is told.

#include <gtest/gtest.h>

#include <cmath>

#include "apps/program.hpp"

namespace apps {
namespace {

using nlohmann::json;

/// Two links; the first motor's gear gives way, the second has none.
std::string elastic_arm(const std::string& damping = "0", const std::string& state = "") {
  return "linkwright: 1\n"
         "bodies:\n"
         "  - {name: upper, mass: 2, com: [0, 0, -0.2], inertia: [0.03, 0.03, 0.002, 0, 0, 0]}\n"
         "  - {name: lower, mass: 1, com: [0, 0, -0.2], inertia: [0.02, 0.02, 0.001, 0, 0, 0]}\n"
         "joints:\n"
         "  - {name: shoulder, type: continuous, parent: world, child: upper, axis: [0, 1, 0]}\n"
         "  - {name: elbow, type: continuous, parent: upper, child: lower, pose: {xyz: [0, 0, "
         "-0.4]}, "
         "axis: [0, 1, 0]}\n"
         "actuators:\n"
         "  - {name: m1, joint: shoulder, gear: 80, elastic: {stiffness: 12, damping: " +
         damping +
         "},\n"
         "     motor: {Ra: 1.6, La: 4.8e-3, k: 0.19, rotor_inertia: 2.0e-4, damping: 1.0e-3, "
         "voltage_limit: 4}}\n"
         "  - {name: m2, joint: elbow, gear: 60, motor: {Ra: 3.8, k: 0.07, rotor_inertia: "
         "3.0e-5}}\n" +
         state;
}

/// What `compute` says at a state is what `simulate` records there.
TEST(ElasticGears, count_in_compute_as_they_do_in_simulate) {
  const Folder folder;
  const std::string file = folder.file(
      "arm.yaml", elastic_arm("0.01",
                              "state: {q: {shoulder: 0.3, elbow: 0.2}, v: {shoulder: 0.5}, "
                              "shaft_angle: {m1: 24.2}, shaft_speed: {m1: 37}}\n"));
  const Outcome run_of =
      simulate({file, "--time", "0.001", "--step", "1e-3", "--record", "a", "--out", "-"});
  ASSERT_EQ(run_of.code, 0) << run_of.err;
  const Table recorded = parse_table(run_of.out);
  const json energy = run_json({"compute", "energy", file, "--json"});
  EXPECT_NEAR(energy.at("values")[2].get<double>(), recorded.column("energy")[0], 1e-12);
  const json a = run_json({"compute", "forward-dynamics", file, "--json"});
  EXPECT_EQ(a.at("names"), (json{"a:shoulder", "a:elbow", "motor:m1:acceleration"}));
  EXPECT_NEAR(a.at("values")[0].get<double>(), recorded.column("a:shoulder")[0], 1e-9);
  // J ω̇ = −B ω − T.
  const double T = 12 * (24.2 - 80 * 0.3) + 0.01 * (37 - 80 * 0.5);
  EXPECT_NEAR(a.at("values")[2].get<double>(), (-1e-3 * 37 - T) / 2e-4, 1e-8);
  const json forces = run_json({"compute", "joint-forces", file, "--json"});
  EXPECT_NEAR(forces.at("values")[0].get<double>(), 80 * T, 1e-10);
  // Said on the command line, and by a table.
  const json other = run_json(
      {"compute", "energy", file, "--extra", "motor:m1:angle=24,motor:m1:speed=40", "--json"});
  const json row = run_json({"compute", "energy", file, "--states",
                             folder.file("s.csv",
                                         "q1,q2,v1,motor:m1:angle,motor:m1:speed\n"
                                         "0.3,0.2,0.5,24,40\n"),
                             "--json"});
  EXPECT_NEAR(other.at("values")[2].get<double>(), row.at("values")[0][2].get<double>(), 1e-12);
  EXPECT_NE(other.at("values")[2], energy.at("values")[2]);
}

TEST(ElasticGears, are_told_where_they_do_not_count) {
  const Folder folder;
  const std::string file = folder.file("arm.yaml", elastic_arm());
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"compute", "mass-matrix", file},
        {"compute", "inverse-dynamics", file},
        {"compute", "derivatives", file},
        {"verify", file, "--states", "1"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "the rotor of 'm1' turns by itself behind an elastic gear"))
        << words[1] << outcome.err;
  }
  EXPECT_FALSE(contains(run({"compute", "energy", file}).err, "rotor"));
  expect_refused({{"compute", "energy", file, "--extra", "motor:m2:angle=1"},
                  {"compute", "energy", file, "--extra", "motor:m1:angle"}});
}

TEST(VoltagesOfMotions, name_the_derivative_that_is_missing) {
  const Folder folder;
  const std::string file = folder.file("arm.yaml", elastic_arm());
  const auto refusal = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"compute", "voltages", file, "--a", "1,0"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(contains(refusal({}), "has no jerk"));
  EXPECT_TRUE(contains(refusal({"--j", "0,0"}), "has no snap"));
  EXPECT_TRUE(
      contains(refusal({"--j", "0,0", "--s", "0,0"}),
               "has no crackle, on which voltages depend (motor 'm1' sits behind an elastic "
               "gear and has an inductance of 0.0048 H): give --c"));
  // Behind rigid gears alone the jerk is enough, and more is not used.
  const Outcome enough = run({"compute", "voltages", bundled("puma560_motors.yaml"), "--a",
                              "0,0,0,0,0,0", "--j", "0,0,0,0,0,0", "--s", "0,0,0,0,0,0"});
  EXPECT_EQ(enough.code, 0) << enough.err;
  EXPECT_TRUE(contains(enough.err, "--s is not used by voltages")) << enough.err;
}

TEST(VoltagesOfMotions, beyond_limits_are_told_with_their_row) {
  const Folder folder;
  const std::string file = folder.file("arm.yaml", elastic_arm());
  const Outcome outcome =
      run({"compute", "voltages", file, "--states",
           folder.file("m.csv", "time,q1,v1,a1,j1,s1,c1\n0,0,0,0.1,0,0,0\n1,0,0.9,0.1,0,0,0\n")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "m.csv:3: motor 'm1' would need 14.")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "beyond its voltage limit of 4 V")) << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "motor 'm2'")) << outcome.err;
}

/// Of a closed mechanism the closures decide most derivatives: others are not taken without a word.
TEST(VoltagesOfMotions, refuse_jerks_that_open_closures) {
  const std::string file = bundled("five_bar_motors.yaml");
  const auto outcome = [&](const std::string& j) {
    return run({"compute", "voltages", file, "--v", "left_shoulder=1", "--assemble", "--a",
                "left_shoulder=1", "--j", j});
  };
  EXPECT_EQ(outcome("left_shoulder=2").code, 0) << outcome("left_shoulder=2").err;
  const Outcome refused = outcome("left_shoulder=2,left_elbow=77");
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "--j left_elbow=77: the closures make it")) << refused.err;
}

TEST(Currents, without_a_voltage_have_no_effect_and_that_is_told) {
  const Folder folder;
  const std::string file =
      folder.file("arm.yaml", elastic_arm("0.01", "state: {current: {m1: 2}}\n"));
  const std::vector<std::string> words{file, "--time", "0.001", "--step", "1e-4"};
  const Outcome open = simulate(words);
  EXPECT_EQ(open.code, 0) << open.err;
  EXPECT_TRUE(contains(open.err, "the current 2 A of motor 'm1' has no effect")) << open.err;
  std::vector<std::string> driven = words;
  driven.insert(driven.end(), {"--voltage", "m1=1"});
  EXPECT_FALSE(contains(simulate(driven).err, "has no effect"));
  // Two voltages at one motor would add up.
  driven.insert(driven.end(), {"--input", folder.file("u.csv", "time,voltage:m1\n0,3\n1,3\n")});
  const Outcome twice = simulate(driven);
  EXPECT_EQ(twice.code, 2);
  EXPECT_TRUE(contains(twice.err, "both drive that motor; keep one")) << twice.err;
}

/// A recording of motors is linearised where they were.
TEST(Currents, of_recordings_are_read_by_linearize) {
  const Folder folder;
  const std::string file = bundled("five_bar_motors.yaml"), rows = folder.path("run.csv");
  ASSERT_EQ(simulate({file, "--time", "0.02", "--step", "1e-4", "--every", "0.01", "--voltage",
                      "left=6,right=-6", "--record", "motor", "--out", rows})
                .code,
            0);
  const Outcome read = run({"linearize", file, "--motors", "--states", rows, "--json"});
  ASSERT_EQ(read.code, 0) << read.err;
  EXPECT_FALSE(contains(read.err, "no column for 'motor:")) << read.err;
  const json told = json::parse(read.out), points = told.at("points");
  const Table table = parse_table(apps::read(rows));
  const std::vector<double> currents = table.column("motor:left:current");
  ASSERT_EQ(told.at("motor_state_names")[0], "motor:left:current");
  ASSERT_EQ(points.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_DOUBLE_EQ(points[i].at("motor_states")[0].get<double>(), currents[i]);
  EXPECT_GT(std::abs(currents[2]), 0.1);
}

TEST(Check, does_not_count_a_coupled_shaft_as_a_closure) {
  const Folder folder;
  std::string text = elastic_arm();
  text.replace(text.find("joint: elbow, gear: 60"), 22, "transmission: {shoulder: 40, elbow: 60}");
  const Outcome outcome = run({"check", folder.file("arm.yaml", text)});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "nv 2, 1 coupled transmission\n")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "closure")) << outcome.out;
}

TEST(EffortLimits, are_kept_where_that_is_asked_for) {
  const std::vector<std::string> words{
      bundled("arm6.urdf"), "--move", "shoulder=1", "--in", "0.1", "--time", "0.2",
      "--record",           "tau",    "--out",      "-"};
  const auto most = [](const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    double largest = 0;
    for (const double tau : parse_table(outcome.out).column("tau:shoulder"))
      largest = std::max(largest, std::abs(tau));
    return largest;
  };
  const double asked = most(simulate(words));
  std::vector<std::string> cut = words;
  cut.insert(cut.end(), {"--effort-limits", "cut"});
  const Outcome outcome = simulate(cut);
  EXPECT_LT(most(outcome), 0.9 * asked);
  EXPECT_TRUE(contains(outcome.err, "it is cut off there")) << outcome.err;
}

}  // namespace
}  // namespace apps
