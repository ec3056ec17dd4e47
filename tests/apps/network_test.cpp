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
       {"'a'", "'b'"}},
      {"    - {name: i, type: current_source, wires: [x]}\n", {"'i'"}},
      {"    - {name: r, type: resistor, resistance: 1, wires: [x, y]}\n", {"'x'"}},
      {"    - {name: s, type: speed_source, speed: 1, wires: [\"joint:hinge\"]}\n",
       {"'s'", "joint:hinge"}},
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
