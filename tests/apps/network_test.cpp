/// `network:` in system files, from the command line.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/program.hpp"

namespace apps {
namespace {

using nlohmann::json;

std::string pendulum(const std::string& components) {
  return R"(linkwright: 1
bodies: [{name: rod, mass: 1, com: [0, 0, -0.5], inertia: [0.083, 0.083, 0.001, 0, 0, 0]}]
joints: [{name: hinge, type: revolute, parent: world, child: rod, axis: [0, 1, 0]}]
network:
  components:
)" + components;
}

constexpr const char* drive =
    R"(    - {name: supply, type: voltage_source, voltage: 12, wires: [plus]}
    - {name: winding, type: resistor, resistance: 0.8, wires: [plus, brush]}
    - {name: motor, type: motor, k: 0.05, wires: {electrical: [brush], shaft: [rotor]}}
    - {name: rotor, type: inertia, inertia: 1.0e-4, wires: [rotor]}
    - {name: gear, type: gear, ratio: 50, wires: {driving: [rotor], driven: ["joint:hinge"]}}
)";

double angle_after(const std::vector<std::string>& words) {
  std::vector<std::string> all{"simulate"};
  all.insert(all.end(), words.begin(), words.end());
  all.insert(all.end(), {"--time", "0.1", "--every", "0.1", "--out", "-"});
  const Outcome outcome = run(all);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Table table = parse_table(outcome.out);
  return table.column("q:hinge").back();
}

TEST(NetworkFile, just_runs) {
  const Folder folder;
  const std::string file = folder.file("p.yaml", pendulum(drive));
  const double usual = angle_after({file});
  EXPECT_GT(std::abs(usual), 1e-3);
  EXPECT_EQ(angle_after({file, "--voltage", "supply=12"}), usual);
  EXPECT_NEAR(angle_after({file, "--voltage", "supply=0"}), 0, 1e-15);
  // A column takes the place of the file's value.
  const std::string volts = folder.file("u.csv", "time,voltage:supply\n0,12\n1,12\n");
  EXPECT_NEAR(angle_after({file, "--input", volts}), usual, 1e-14);
  const Outcome twice =
      run({"simulate", file, "--time", "0.1", "--input", volts, "--voltage", "supply=3"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_TRUE(contains(twice.err, "keep one")) << twice.err;
}

TEST(NetworkFile, counts_rigid_rotors_in_every_command) {
  const Folder folder;
  const std::string file = folder.file("p.yaml", pendulum(drive));
  const Outcome outcome = run({"compute", "mass-matrix", file, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(json::parse(outcome.out).at("values")[0][0].get<double>(), 0.083 + 0.25 + 2500 * 1e-4,
              1e-12);
  const Outcome forward = run({"compute", "forward-dynamics", file});
  EXPECT_EQ(forward.code, 0) << forward.err;
  EXPECT_TRUE(contains(forward.err, "of the network's 5 components, only inertias")) << forward.err;
}

TEST(NetworkFile, is_told_by_info) {
  const Folder folder;
  const std::string file = folder.file("p.yaml", pendulum(drive));
  const json told = json::parse(run({"info", file, "--json"}).out).at("network");
  EXPECT_EQ(told.at("index"), 2);
  EXPECT_EQ(told.at("components").size(), 5U);
  EXPECT_TRUE(contains(told.at("dependent").at("rotor").get<std::string>(), "joint:hinge"));
  EXPECT_TRUE(contains(run({"info", file}).out, "rotor follows 'joint:hinge'"));
}

TEST(NetworkFile, is_told_by_simulate) {
  const json told =
      json::parse(run({"simulate", bundled("network_arm.yaml"), "--time", "0.01", "--json"}).out)
          .at("network");
  EXPECT_EQ(told, (json{{"index", 2}, {"states", 4}, {"dependent", {"shoulder_rotor"}}}));
}

TEST(NetworkFile, records_every_component) {
  const Folder folder;
  const std::string file = bundled("network_arm.yaml"), rows = folder.path("run.csv"),
                    page = folder.path("run.html");
  const Outcome outcome =
      run({"simulate", file, "--time", "0.05", "--step", "5e-4", "--every", "0.01", "--record",
           "network", "--record", "extra", "--out", rows, "--html", page});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Table table = parse_table(apps::read(rows));
  const auto bus = table.column("network:buffer:voltage"),
             in = table.column("network:shoulder_winding:current"),
             out = table.column("network:shoulder_motor:electrical:current");
  EXPECT_EQ(bus.front(), -24);
  EXPECT_GT(bus.back(), -24) << "the battery gives way";
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_NEAR(in[i], out[i], 1e-12);
}

constexpr const char* charged =
    R"(    - {name: supply, type: voltage_source, voltage: 12, wires: [plus]}
    - {name: smooth, type: capacitor, capacitance: 1.0e-3, wires: [plus]}
    - {name: calm, type: voltage_source, voltage: 5, wires: [other]}
    - {name: lamp, type: resistor, resistance: 10, wires: [other]}
)";

/// A table does not say how fast a source changes, which the current of a capacitor across it needs.
TEST(NetworkFile, tables_of_sources_whose_rate_matters_are_refused) {
  const Folder folder;
  const std::string file = folder.file("p.yaml", pendulum(charged)),
                    table = folder.file("u.csv", "time,voltage:supply\n0,12\n1,13\n"),
                    calm = folder.file("c.csv", "time,voltage:calm\n0,5\n1,6\n");
  const Outcome outcome = run({"simulate", file, "--time", "0.5", "--input", table});
  EXPECT_EQ(outcome.code, 2);
  for (const char* word : {"u.csv", "'voltage:supply'", "resistor"})
    EXPECT_TRUE(contains(outcome.err, word)) << outcome.err;
  const Outcome fine = run({"simulate", file, "--time", "0.5", "--input", calm});
  EXPECT_EQ(fine.code, 0) << fine.err;
}

TEST(NetworkFile, sources_and_motors_have_names_of_their_own) {
  const Folder folder;
  const std::string actuators =
      "actuators: [{name: supply, joint: hinge, gear: 10, motor: {Ra: 1, k: 0.1}}]\n";
  const std::string text = pendulum(charged);
  const Outcome outcome = run({"check", folder.file("p.yaml", text + actuators)});
  EXPECT_EQ(outcome.code, 2);
  for (const char* word : {"p.yaml:6", "'supply'", "motor of `actuators`"})
    EXPECT_TRUE(contains(outcome.err, word)) << outcome.err;
}

/// A capacitor across a source begins with what this run's source gives.
TEST(NetworkFile, starts_are_judged_with_the_sources_of_the_run) {
  const Folder folder;
  const std::string file = folder.file(
      "p.yaml", pendulum(R"(    - {name: supply, type: voltage_source, voltage: 12, wires: [plus]}
    - {name: wire, type: resistor, resistance: 1, wires: [plus, a]}
    - {name: first, type: capacitor, capacitance: 1.0e-3, voltage: 5, wires: [plus, b]}
    - {name: second, type: capacitor, capacitance: 1.0e-3, voltage: 5, wires: [b]}
    - {name: leak, type: resistor, resistance: 50, wires: [b]}
    - {name: load, type: resistor, resistance: 5, wires: [a]}
)"));
  const Outcome file_only = run({"simulate", file, "--time", "0.01"});
  EXPECT_EQ(file_only.code, 2);
  EXPECT_TRUE(contains(file_only.err, "contradicts")) << file_only.err;
  const Outcome given = run({"simulate", file, "--time", "0.01", "--voltage", "supply=10"});
  EXPECT_EQ(given.code, 0) << given.err;
}

/// The descriptor form by name, in words and in JSON.
TEST(NetworkFile, runs_by_ida) {
  const Folder folder;
  const std::string file = bundled("network_arm.yaml");
  const json told =
      json::parse(run({"simulate", file, "--time", "0.05", "--method", "ida", "--json"}).out);
  EXPECT_EQ(told.at("method"), "ida");
  EXPECT_EQ(told.at("descriptor_form"), (json{{"index", 0}, {"unknowns", 8}}));
  const Outcome text =
      run({"simulate", bundled("four_bar.yaml"), "--time", "0.05", "--method", "ida"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "index 2, 16 unknowns")) << text.out;
  const double by_ida = angle_after({folder.file("p.yaml", pendulum(drive)), "--method", "ida"}),
               by_rk4 = angle_after({folder.path("p.yaml"), "--step", "1e-4"});
  EXPECT_NEAR(by_ida, by_rk4, 1e-9);
}

/// Rows of a recording tell the network's states and sources too.
TEST(NetworkFile, is_linearised_along_a_recording) {
  const Folder folder;
  const std::string file = bundled("network_arm.yaml"), rows = folder.path("run.csv");
  const Outcome recorded = run({"simulate", file, "--time", "0.04", "--step", "5e-4", "--every",
                                "0.04", "--record", "extra", "--record", "input:voltage:battery",
                                "--voltage", "battery=-20", "--out", rows});
  ASSERT_EQ(recorded.code, 0) << recorded.err;
  const Outcome outcome = run({"linearize", file, "--states", rows, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "network:")) << outcome.err;
  const json points = json::parse(outcome.out).at("points");
  ASSERT_EQ(points.size(), 2U);
  // Rates of the states where the run stood are those of the run: its rows 0.5 ms apart show them.
  const std::string fine = folder.path("fine.csv");
  ASSERT_EQ(run({"simulate", file, "--time", "0.0405", "--step", "5e-5", "--every", "5e-5",
                 "--record", "extra", "--voltage", "battery=-20", "--out", fine})
                .code,
            0);
  const Table table = parse_table(apps::read(fine));
  const std::vector<double> bus = table.column("extra:network:buffer:voltage");
  const std::size_t at = 800;  // 0.04 s
  const double rate = (bus[at + 1] - bus[at - 1]) / 1e-4;
  const json states = json::parse(outcome.out).at("states");
  for (std::size_t i = 0; i < states.size(); ++i)
    if (states[i] == "network:buffer:voltage") {
      EXPECT_NEAR(points[1].at("drift")[i].get<double>(), rate, 1e-4 * std::abs(rate) + 1e-3);
    }
  // Without them the model is another, and that is told.
  ASSERT_EQ(
      run({"simulate", file, "--time", "0.04", "--step", "5e-4", "--every", "0.04", "--out", rows})
          .code,
      0);
  const Outcome without = run({"linearize", file, "--states", rows, "--json"});
  EXPECT_TRUE(contains(without.err, "network:buffer:voltage")) << without.err;
}

TEST(NetworkFile, loose_ends_are_told_with_the_node_that_was_meant) {
  const Folder folder;
  EXPECT_EQ(run({"check", folder.file("whole.yaml", pendulum(drive))}).err, "");
  std::string text = drive;
  const std::size_t at = text.find("[plus, brush]");
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, 13, "[plus, brusk]");
  const Outcome outcome = run({"check", folder.file("p.yaml", pendulum(text))});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.err,
                       "is all that is wired to node 'brusk': no current passes there; "
                       "did you mean 'brush'?"))
      << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "p.yaml:")) << outcome.err;
}

TEST(NetworkFile, is_linearised_at_rest) {
  const Folder folder;
  std::string text = drive;
  text.replace(text.find("voltage: 12"), 11, "voltage: 1.0");
  const std::string file = folder.file("p.yaml", pendulum(text));
  const Outcome outcome = run({"linearize", file, "--equilibrium", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json told = json::parse(outcome.out);
  EXPECT_TRUE(told.at("at_rest").get<bool>());
  // 1 V through 0.8 ohm, 0.05 N m/A, fifty times, against a rod of 1 kg whose centre hangs 0.5 m below.
  EXPECT_NEAR(std::abs(std::sin(told.at("q")[0].get<double>())), 1.25 * 0.05 * 50 / (9.81 * 0.5),
              2e-3);
}

/// A part that is written once and used twice is what it stands for, joints and parts inside included.
TEST(NetworkFile, parts_stand_for_their_components) {
  const Folder folder;
  const std::string parts = R"(linkwright: 1
bodies: [{name: rod, mass: 1, com: [0, 0, -0.5], inertia: [0.083, 0.083, 0.001, 0, 0, 0]}]
joints: [{name: hinge, type: revolute, parent: world, child: rod, axis: [0, 1, 0]}]
network:
  parts:
    - name: coil
      ports: [in, out]
      components:
        - {name: winding, type: resistor, resistance: 0.4, wires: [in, middle]}
        - {name: choke, type: inductor, inductance: 1.0e-3, wires: [middle, out]}
    - name: drive
      ports: [plus, shaft]
      components:
        - {name: first, part: coil, wires: {in: plus, out: tap}}
        - {name: second, part: coil, wires: {in: tap, out: brush}}
        - {name: motor, type: motor, k: 0.05, wires: {electrical: [brush, ground], shaft: [shaft]}}
        - {name: rotor, type: inertia, inertia: 1.0e-4, wires: [shaft]}
  components:
    - {name: supply, type: voltage_source, voltage: 12, wires: [plus]}
    - {name: servo, part: drive, wires: {plus: plus, shaft: turn}}
    - {name: gear, type: gear, ratio: 50, wires: {driving: [turn], driven: ["joint:hinge"]}}
)";
  const std::string plain =
      pendulum(R"(    - {name: supply, type: voltage_source, voltage: 12, wires: [plus]}
    - {name: w1, type: resistor, resistance: 0.4, wires: [plus, a]}
    - {name: l1, type: inductor, inductance: 1.0e-3, wires: [a, b]}
    - {name: w2, type: resistor, resistance: 0.4, wires: [b, c]}
    - {name: l2, type: inductor, inductance: 1.0e-3, wires: [c, brush]}
    - {name: motor, type: motor, k: 0.05, wires: {electrical: [brush], shaft: [turn]}}
    - {name: rotor, type: inertia, inertia: 1.0e-4, wires: [turn]}
    - {name: gear, type: gear, ratio: 50, wires: {driving: [turn], driven: ["joint:hinge"]}}
)");
  const std::string file = folder.file("parts.yaml", parts);
  const double used = angle_after({file, "--step", "5e-4"});
  EXPECT_GT(std::abs(used), 1e-3);
  EXPECT_EQ(used, angle_after({folder.file("plain.yaml", plain), "--step", "5e-4"}));
  const json told = json::parse(run({"info", file, "--json"}).out).at("network");
  EXPECT_EQ(told.at("components").size(), 8U);
  EXPECT_TRUE(contains(run({"info", file, "--json"}).out, "servo:second:choke"));

  const auto refused = [&](const std::string& from, const std::string& to,
                           const std::vector<std::string>& words) {
    std::string text = parts;
    text.replace(text.find(from), from.size(), to);
    const Outcome outcome = run({"check", folder.file("bad.yaml", text)});
    EXPECT_EQ(outcome.code, 2) << to;
    for (const std::string& word : words)
      EXPECT_TRUE(contains(outcome.err, word)) << word << " in " << outcome.err;
  };
  refused("part: drive", "part: drve", {"bad.yaml:20", "'drve'", "did you mean 'drive'"});
  refused("shaft: turn}", "shft: turn}", {"bad.yaml:20", "no port of part 'drive'", "'shaft'"});
  refused(", shaft: turn}", "}", {"bad.yaml:20", "shaft"});
  refused("ports: [in, out]", "ports: [in, exit]", {"bad.yaml:7", "'exit'"});
  refused("- {name: servo, part: drive", "- {name: joint, part: drive", {"bad.yaml:20", "joint:"});
  refused("part: drive, wires", "part: drive, type: gear, wires", {"bad.yaml:20", "`part`"});
  refused("    - {name: servo, part: drive, wires: {plus: plus, shaft: turn}}\n", "",
          {"bad.yaml:11", "'drive'", "used by no component"});
}

/// What no spanning tree can have is not left out without a word.
TEST(NetworkFile, inertias_on_several_joints_are_not_cut_open) {
  const Folder folder;
  const std::string text = R"(linkwright: 1
bodies:
  - {name: a, mass: 1, com: [0, 0, -0.5], inertia: [0.083, 0.083, 0.001, 0, 0, 0]}
  - {name: b, mass: 1, com: [0, 0, -0.5], inertia: [0.083, 0.083, 0.001, 0, 0, 0]}
joints:
  - {name: one, type: revolute, parent: world, child: a, axis: [0, 1, 0]}
  - {name: two, type: revolute, parent: a, child: b, pose: {xyz: [0, 0, -1]}, axis: [0, 1, 0]}
network:
  components:
    - {name: both, type: transformer, ratios: [1, -30, 20], wires: [[ring], ["joint:one"], ["joint:two"]]}
    - {name: ring, type: inertia, inertia: 3.0e-3, wires: [ring]}
)";
  const std::string file = folder.file("d.yaml", text);
  EXPECT_EQ(run({"simulate", file, "--time", "0.01"}).code, 0);
  const Outcome outcome = run({"simulate", file, "--time", "0.01", "--cut-open"});
  EXPECT_EQ(outcome.code, 2);
  for (const char* word : {"d.yaml", "'one', 'two'", "--cut-open"})
    EXPECT_TRUE(contains(outcome.err, word)) << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "network:inertia1")) << outcome.err;
}

/// Exit code 2, with file, line and name.
TEST(NetworkFile, mistakes_are_refused_by_name) {
  const Folder folder;
  struct Mistake {
    std::string components;
    std::vector<std::string> words;
  };
  const std::vector<Mistake> mistakes{
      {"    - {name: r, type: resistr, resistance: 1, wires: [a]}\n",
       {"p.yaml:6", "'resistr'", "did you mean 'resistor'"}},
      {"    - {name: r, type: resistor, stiffness: 1, wires: [a]}\n",
       {"p.yaml:6", "does not belong to a resistor"}},
      {"    - {name: r, type: resistor, resistance: -1, wires: [a]}\n",
       {"p.yaml:6", "'r'", "more than zero"}},
      {"    - {name: d, type: damper, damping: 1, wires: [\"joint:hnge\"]}\n",
       {"p.yaml:6", "'hnge'", "did you mean 'hinge'"}},
      {"    - {name: d, type: damper, damping: 1, wires: [\"joint:hinge:3\"]}\n",
       {"p.yaml:6", "'hinge'", "1 freedom"}},
      {"    - {name: r, type: resistor, resistance: 1, wires: [\"joint:hinge\"]}\n",
       {"p.yaml:6", "'r'", "domains are not mixed"}},
      {"    - {name: r, type: resistor, resistance: 1, wires: [a]}\n    - {name: d, type: damper, "
       "damping: 1, wires: [a]}\n",
       {"p.yaml:7", "'d'", "'a'", "domains are not mixed"}},
      {"    - {name: m, type: motor, k: 1, wires: [a, b]}\n", {"p.yaml:6", "electrical: [a, b]"}},
      {"    - {name: m, type: motor, k: 1, wires: {electrical: [a], shft: [b]}}\n",
       {"p.yaml:6", "no port of a motor"}},
      {"    - {name: a, type: voltage_source, wires: [x]}\n    - {name: b, type: voltage_source, "
       "wires: [x]}\n",
       {"p.yaml:6", "'a'", "'b'", "in series"}},
      {"    - {name: i, type: current_source, wires: [x]}\n", {"p.yaml:6", "'i'"}},
      {"    - {name: r, type: resistor, resistance: 1, wires: [x, y]}\n",
       {"p.yaml:6", "'x'", "`ground`"}},
      {"    - {name: s, type: speed_source, speed: 1, wires: [\"joint:hinge\"]}\n",
       {"p.yaml:6", "'s'", "joint:hinge"}},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string file = folder.file("p.yaml", pendulum(mistake.components));
    const Outcome outcome = run({"check", file});
    EXPECT_EQ(outcome.code, 2) << mistake.components;
    for (const std::string& word : mistake.words)
      EXPECT_TRUE(contains(outcome.err, word)) << word << " in " << outcome.err;
  }
}

}  // namespace
}  // namespace apps
