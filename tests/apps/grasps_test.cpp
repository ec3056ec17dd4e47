// Grasps from the shell: contacts that slip, what they carry, and mistakes that are named.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "apps/program.hpp"

namespace apps {
namespace {

using nlohmann::json;

/// Two fingers squeeze a box of 2 kg; friction 0.5.
std::string squeezed(const std::string& left =
                         "contact: soft_finger, normal: [1, 0, 0], friction: 0.5, torsion: 0.02",
                     const std::string& object = "box", const std::string& more = "") {
  return R"(linkwright: 1
bodies:
  - {name: left_finger, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
  - {name: right_finger, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
joints:
  - {name: left, type: prismatic, parent: world, child: left_finger, pose: {xyz: [-0.1, 0, 0]}, axis: [1, 0, 0]}
  - {name: right, type: prismatic, parent: world, child: right_finger, pose: {xyz: [0.1, 0, 0]}, axis: [-1, 0, 0]}
objects: [{name: box, mass: 2, inertia: [0.02, 0.02, 0.02, 0, 0, 0]}]
grasps:
  - {name: l, arm: left_finger, object: )" +
         object + ", at: {xyz: [-0.1, 0, 0]}, " + left + R"(}
  - {name: r, arm: right_finger, object: box, at: {xyz: [0.1, 0, 0]}, contact: point, normal: [-1, 0, 0], friction: 0.5}
)" + more;
}

/// The squeeze falls from 40 N to 0 within a second; it slips at 2 · 9.81 / (2 · 0.5) N = 19.62 N.
constexpr const char* ramp = "time,tau:left,tau:right\n0,40,40\n1,0,0\n";
constexpr double slips_at = (40 - 19.62) / 40;

class Squeezed : public ::testing::Test {
 protected:
  Folder folder;
  std::string file = folder.file("box.yaml", squeezed());
  std::string input = folder.file("ramp.csv", ramp);
  [[nodiscard]] std::vector<std::string> words(std::vector<std::string> more) const {
    std::vector<std::string> all{"simulate", file, "--time", "1", "--input", input};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(Squeezed, a_slip_is_found_at_its_time_by_every_method) {
  for (const char* method : {"rk4", "semi-implicit", "adams", "bdf", "ida"}) {
    const json run = run_json(words({"--method", method, "--on-slip", "stop", "--json"}));
    EXPECT_EQ(run["end"], "event") << method;
    EXPECT_NEAR(run["time"], slips_at, 1e-9) << method;
    ASSERT_EQ(run["slips"].size(), 2U) << method;
    EXPECT_EQ(run["slips"][0]["what"], "slips");
    EXPECT_EQ(run["slips"][0]["released"], false);
    EXPECT_NEAR(run["slips"][0]["time"], slips_at, 1e-9);
  }
}

TEST_F(Squeezed, a_run_goes_on_under_a_warning_that_is_given_once_for_each_contact) {
  const Outcome run = apps::run(words({}));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "contacts")) << run.out;
  for (const char* contact : {"'l'", "'r'"}) {
    const std::string told = std::string("warning: contact ") + contact + " slips at t = 0.5095 s";
    const std::size_t first = run.err.find(told);
    ASSERT_NE(first, std::string::npos) << run.err;
    EXPECT_EQ(run.err.find(told, first + 1), std::string::npos) << run.err;
  }
  const json summary = run_json(words({"--json"}));
  EXPECT_EQ(summary["end"], "time");
  EXPECT_NEAR(summary["least_margin"]["margin"], -9.81, 1e-6);
  EXPECT_EQ(summary["slips"].size(), 2U);
}

TEST_F(Squeezed, a_box_released_falls) {
  const std::string out = folder.path("run.csv");
  const json run =
      run_json(words({"--on-slip", "release", "--json", "--out", out, "--record", "contact:l",
                      "--record", "contact:r:margin", "--record", "frame:box", "--every", "0.01"}));
  EXPECT_EQ(run["end"], "time");
  for (const json& slip : run["slips"]) EXPECT_EQ(slip["released"], true);
  const Table table = parse_table(read(out));
  const auto time = table.column("time"), z = table.column("frame:box:z"),
             margin = table.column("contact:l:margin"), other = table.column("contact:r:margin"),
             qw = table.column("contact:l:qw");
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double fallen = std::max(0.0, time[i] - slips_at);
    EXPECT_NEAR(z[i], -0.5 * 9.81 * fallen * fallen, 1e-9) << time[i];
    EXPECT_NEAR(margin[i], std::max(0.0, 0.5 * (40 - 40 * time[i]) - 9.81), 1e-8) << time[i];
    EXPECT_NEAR(other[i], margin[i], 1e-8);
    EXPECT_NEAR(qw[i], 1, 1e-9);
  }
}

TEST_F(Squeezed, a_checkpoint_goes_on_without_what_was_released) {
  const std::string half = folder.path("half.json");
  const auto end_of = [&](const std::vector<std::string>& all) {
    const std::string out = folder.path("end.csv");
    std::vector<std::string> with = all;
    with.insert(with.end(), {"--out", out, "--every", "1", "--record", "frame:box"});
    const Outcome run = apps::run(with);
    EXPECT_EQ(run.code, 0) << run.err;
    return parse_table(read(out)).column("frame:box:z").back();
  };
  const double whole = end_of(words({"--on-slip", "release"}));
  EXPECT_EQ(apps::run({"simulate", file, "--time", "0.7", "--input", input, "--on-slip", "release",
                       "--checkpoint", half})
                .code,
            0);
  EXPECT_NEAR(end_of(words({"--on-slip", "release", "--continue", half})), whole, 1e-9);
  const json rest = run_json(words({"--on-slip", "release", "--continue", half, "--json"}));
  EXPECT_EQ(rest["released"], (std::vector<std::string>{"l", "r"}));
  EXPECT_TRUE(contains(apps::run(words({"--on-slip", "release", "--continue", half})).out,
                       "released: 'l', 'r'"));
  EXPECT_LT(whole, -1);
}

TEST_F(Squeezed, what_the_contacts_carry_is_computed) {
  const json result =
      run_json({"compute", "contacts", file, "--tau", "left=30,right=30", "--json"});
  EXPECT_EQ(result["quantity"], "contacts");
  const std::vector<std::string> names = result["names"];
  const auto value = [&](const std::string& name) -> double {
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return found == names.end()
               ? NAN
               : result["values"][static_cast<std::size_t>(found - names.begin())].get<double>();
  };
  for (const char* contact : {"l", "r"}) {
    const std::string prefix = std::string("contact:") + contact + ":";
    EXPECT_NEAR(value(prefix + "normal"), 30, 1e-9);
    EXPECT_NEAR(value(prefix + "tangential"), 9.81, 1e-9);
    EXPECT_NEAR(value(prefix + "moment"), 0, 1e-9);
    EXPECT_NEAR(value(prefix + "margin"), 15 - 9.81, 1e-9);
    EXPECT_NEAR(value(prefix + "qw"), 1, 1e-12);
  }
  EXPECT_EQ(names.size(), 16U);
}

TEST_F(Squeezed, a_start_outside_the_cone_is_refused_by_a_run_that_stops_and_told_by_others) {
  const std::vector<std::string> weak{"simulate", file,    "--time",
                                      "0.1",      "--tau", "left=10,right=10"};
  std::vector<std::string> stops = weak;
  stops.insert(stops.end(), {"--on-slip", "stop"});
  const Outcome refused = apps::run(stops);
  EXPECT_EQ(refused.code, 2);
  for (const char* part : {"box.yaml", "contact 'l' slips", "margin -4.81 N",
                           "A normal force of 19.62 N would hold it, 9.62 N more"})
    EXPECT_TRUE(contains(refused.err, part)) << refused.err;
  const Outcome told = apps::run(weak);
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_TRUE(contains(told.err, "warning: contact 'l' slips at t = 0 s")) << told.err;
  EXPECT_TRUE(contains(told.out, "where the run starts, contact 'l' slips")) << told.out;
}

TEST_F(Squeezed, what_is_computed_with_a_contact_that_cannot_hold_says_so) {
  for (const char* quantity : {"forward-dynamics", "closure-forces", "contacts", "reactions"}) {
    const Outcome weak = apps::run({"compute", quantity, file, "--tau", "left=10,right=10"});
    EXPECT_EQ(weak.code, 0) << weak.err;
    EXPECT_TRUE(contains(weak.err, "slips: it carries 9.81 N along the surface"))
        << quantity << weak.err;
    const Outcome strong = apps::run({"compute", quantity, file, "--tau", "left=30,right=30"});
    EXPECT_FALSE(contains(strong.err, "slips")) << quantity << strong.err;
  }
  const std::string states = folder.file("states.csv", "tau:left,tau:right\n30,30\n10,10\n5,5\n");
  const Outcome rows = apps::run(
      {"compute", "forward-dynamics", file, "--states", states, "--out", folder.path("a.csv")});
  EXPECT_EQ(rows.code, 0) << rows.err;
  EXPECT_TRUE(contains(rows.err, "states.csv:4: contact 'l' slips")) << rows.err;
  EXPECT_TRUE(contains(rows.err, "at 2 states")) << rows.err;
}

/// Objects have no motors: what moves them is the arms.
TEST(TwoArmsAndBox, is_moved_by_the_arms_alone) {
  const json result =
      run_json({"compute", "inverse-dynamics", bundled("two_arms_and_box.yaml"), "--json"});
  const std::vector<std::string> names = result["names"];
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double effort = result["values"][i];
    if (names[i].starts_with("tau:box")) {
      EXPECT_EQ(effort, 0) << names[i];
    }
  }
}

void expect_told(const Outcome& outcome, const std::vector<std::string>& parts) {
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  for (const std::string& part : parts)
    EXPECT_TRUE(contains(outcome.err, part)) << part << "\n" << outcome.err;
}

TEST(GraspMistakes, are_named) {
  const Folder folder;
  const auto checked = [&](const std::string& text) {
    return run({"check", folder.file("bad.yaml", text)});
  };
  expect_told(checked(squeezed("contact: point", "bax")),
              {"bad.yaml:10", "grasp 'l'", "the object 'bax' does not exist", "did you mean 'box'",
               "objects are 'box'"});
  expect_told(checked(squeezed("contact: point, normal: [0, 0, 0]")),
              {"bad.yaml:10", "grasp 'l'", "its normal is [0, 0, 0]", "such as [0, 0, 1]"});
  expect_told(checked(squeezed("contact: soft_finger, friction: 0.5, torsion: 0")),
              {"grasp 'l' has torsion 0", "contact: point"});
  expect_told(checked(squeezed("contact: soft_finger, torsion: 0.1")),
              {"grasp 'l' has torsion but no friction"});
  expect_told(checked(squeezed("contact: point, friction: -0.1")), {"grasp 'l'", "its friction"});

  const std::string open = folder.file("open.yaml", squeezed("contact: rigid"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"compute", "contacts", open, "--q", "left=0.05"},
        std::vector<std::string>{"simulate", open, "--time", "0.1", "--q", "left=0.05"}})
    expect_told(
        run(words),
        {"grasp 'l' is open by 0.05 m and 0 rad: arm 'left_finger' does not reach object 'box'",
         "--assemble"});
  const Outcome held =
      run({"assemble", open, "--q", "left=0.05,right=0", "--hold", "left", "--hold", "right"});
  EXPECT_EQ(held.code, 1) << held.out << held.err;
  EXPECT_TRUE(contains(held.err, "is open by 0.")) << held.err;
  EXPECT_TRUE(contains(held.err, "grasp '")) << held.err;

  expect_told(checked(squeezed("contact: line, axis: [0, 0, 1], friction: 0.5")),
              {"grasp 'l'", "make no right angle", "across the normal"});
  const std::string whole = folder.file("whole.yaml", squeezed());
  expect_told(run({"simulate", whole, "--time", "0.1", "--tau", "box:5=19.62"}),
              {"box", "passive"});

  const std::string passive =
      folder.file("passive.yaml", squeezed("contact: point", "box", "passive: [left]\n"));
  expect_told(run({"simulate", passive, "--time", "0.1", "--tau", "left=1"}), {"left", "passive"});
  expect_told(run({"compute", "contacts", passive, "--tau", "left=1"}), {"left", "passive"});

  expect_told(run({"simulate", open, "--time", "0.1", "--out", folder.path("o.csv"), "--record",
                   "contact:l"}),
              {"grasp 'l' is rigid", "closure:l"});
  expect_told(run({"compute", "contacts", bundled("four_bar.yaml")}),
              {"there is no grasp in it", "closure-forces"});
  expect_told(run({"simulate", open, "--time", "0.1", "--on-slip", "jump"}), {"--on-slip"});
}

TEST(GraspMistakes, an_option_without_effect_is_told) {
  const Folder folder;
  const std::string still = folder.file("arm.yaml", R"(linkwright: 1
bodies: [{name: rod, mass: 1, com: [1, 0, 0]}]
joints: [{name: hinge, type: revolute, parent: world, child: rod, axis: [0, 1, 0]}]
)");
  const Outcome run = apps::run({"simulate", still, "--time", "0.1", "--on-slip", "stop"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "--on-slip has no effect")) << run.err;
}

/// The bundled arms hold their box as they stand, and drop it once they press less.
TEST(TwoArmsAndBox, hold_it_until_they_press_less) {
  const json held =
      run_json({"simulate", bundled("two_arms_and_box.yaml"), "--time", "2", "--json"});
  EXPECT_TRUE(held["slips"].empty()) << held["slips"];
  EXPECT_GT(held["least_margin"]["margin"], 5);
  const Folder folder;
  const std::string less =
      folder.file("less.csv", "time,tau:left/joint2,tau:right/joint2\n0,0,0\n1,0,0\n2,-120,-120\n");
  const json dropped = run_json({"simulate", bundled("two_arms_and_box.yaml"), "--time", "2",
                                 "--input", less, "--on-slip", "release", "--json"});
  ASSERT_FALSE(dropped["slips"].empty());
  for (const json& slip : dropped["slips"]) EXPECT_GT(slip["time"], 1);
}

}  // namespace
}  // namespace apps
