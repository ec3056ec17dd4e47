// What the program tells of limits, options and lenient reading.

#include <gtest/gtest.h>

#include "apps/program.hpp"

namespace apps {
namespace {

constexpr std::string_view two_links = R"(linkwright: 1
bodies:
  - {name: a, mass: 1, com: [0.5, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, mass: 1, com: [0.5, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}
joints:
  - {name: hinge, type: revolute, parent: world, child: a, damping: 0.3, limits: {effort: 5, velocity: 2}}
  - {name: knee, type: universal, parent: a, child: b, limits: {effort: [7, 8]}}
actuators:
  - {joint: hinge, motor: {damping: 1}}
springs:
  - {joint: hinge, stiffness: 2}
)";

TEST(limits, of_effort_and_velocity_are_told_exactly_when_exceeded) {
  const Folder folder;
  const std::string file = folder.file("m.yaml", two_links);
  const auto simulate = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"simulate", file, "--time", "0.01"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_EQ(simulate({}), "");
  EXPECT_EQ(simulate({"--tau", "hinge=-5,knee:1=8", "--v", "hinge=2"}), "") << "at the limits";
  EXPECT_TRUE(contains(simulate({"--tau", "hinge=-5.5"}),
                       "the effort -5.5 of joint 'hinge' exceeds its effort limit 5"));
  EXPECT_TRUE(contains(simulate({"--tau", "knee:1=8.5"}),
                       "the effort 8.5 of joint 'knee:1' exceeds its effort limit 8"));
  EXPECT_TRUE(contains(simulate({"--v", "hinge=-2.5"}),
                       "the velocity -2.5 of joint 'hinge' exceeds its velocity limit 2"));
  EXPECT_EQ(simulate({"--v", "hinge=-2.5", "--quiet"}), "");
}

TEST(limits, of_effort_are_told_by_forward_dynamics_and_not_by_others) {
  const Folder folder;
  const std::string file = folder.file("m.yaml", two_links);
  const std::string word = "exceeds its effort limit 5";
  const Outcome one = run({"compute", "forward-dynamics", file, "--tau", "hinge=6"});
  EXPECT_TRUE(contains(one.err, word)) << one.err;
  EXPECT_FALSE(contains(run({"compute", "mass-matrix", file, "--tau", "hinge=6"}).err, word));
  const std::string states = folder.file("s.csv", "tau:hinge\n4\n-9\n6\n5\n");
  const Outcome many = run({"compute", "forward-dynamics", file, "--states", states});
  EXPECT_TRUE(contains(many.err, "s.csv:3: the effort -9 of joint 'hinge' " + word)) << many.err;
  EXPECT_FALSE(contains(many.err, "the effort 6")) << "the largest stands for all";
  EXPECT_EQ(run_json({"info", file, "--json"}).at("limits").at(0).at("effort"), 5);
}

/// Degrees in place of radians, as a rule.
TEST(limits, of_position_are_told_of_what_was_given) {
  const std::string arm = bundled("arm7.urdf");
  const std::string word = "the position 90 of joint 'joint2' is beyond its limits -2 … 2 (radians";
  const Outcome one = run({"compute", "gravity", arm, "--q", "joint2=90"});
  EXPECT_EQ(one.code, 0);
  EXPECT_TRUE(contains(one.err, word)) << one.err;
  EXPECT_EQ(run({"compute", "gravity", arm, "--q", "joint2=1.9"}).err, "");
  const Folder folder;
  const std::string states = folder.file("s.csv", "q:joint2\n1\n90\n2.5\n");
  const Outcome many = run({"compute", "gravity", arm, "--states", states});
  EXPECT_TRUE(contains(many.err, "s.csv:3: " + word)) << many.err;
}

TEST(bases, that_float_are_pushed_from_outside_and_that_is_told) {
  const std::string dog = bundled("quadruped.urdf");
  const std::string word = "note: the effort of joint 'base' pushes link 'trunk' from outside";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"compute", "forward-dynamics", dog},
        {"simulate", dog, "--time", "0.002", "--limits", "ignore"},
        {"linearize", dog}}) {
    std::vector<std::string> pushed = words;
    pushed.insert(pushed.end(), {"--base", "free", "--tau", "base:0=1"});
    const Outcome told = run(pushed);
    EXPECT_EQ(told.code, 0) << told.err;
    EXPECT_TRUE(contains(told.err, word)) << told.err;
    pushed.back() = "base:0=0";
    EXPECT_FALSE(contains(run(pushed).err, word));
  }
}

TEST(names, that_are_unknown_are_answered_with_those_there_are) {
  const Outcome outcome = run({"compute", "gravity", bundled("arm7.urdf"), "--q", "elbow=1"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "there is no 'elbow'; known are 'joint1', 'joint2'"))
      << outcome.err;
}

TEST(names, with_blanks_are_understood) {
  const Folder folder;
  std::string text(two_links);
  for (std::size_t at = 0; (at = text.find("hinge", at)) != std::string::npos; at += 10)
    text.replace(at, 5, "\"big hinge\"");
  const std::string file = folder.file("m.yaml", text);
  const auto told = [&](const std::string& q) {
    return run_json({"compute", "forward-kinematics", file, "--frame", "a", "--q", q, "--json"})
        .at("values");
  };
  EXPECT_EQ(told("big hinge=0.5,knee:0=1"), told("0.5 1 0"));
  EXPECT_EQ(told("knee:0=1 big hinge=0.5"), told("0.5 1 0"));
  EXPECT_EQ(run({"compute", "gravity", file, "--q", "small hinge=0.5"}).code, 2);
}

/// What no mass resists is named, whether or not closures would have held it.
TEST(massless, motions_name_all_that_take_part) {
  const Folder folder;
  const std::string light = folder.file("light.yaml", R"(linkwright: 1
bodies: [{name: leaf}]
joints: [{name: stem, type: revolute, parent: world, child: leaf}]
)");
  const Outcome open = run({"compute", "forward-dynamics", light, "--quiet"});
  EXPECT_EQ(open.code, 1);
  EXPECT_TRUE(contains(open.err, "nothing with inertia resists joint 'stem' (link 'leaf')"))
      << open.err;
  const std::string spun = folder.file("spun.yaml", R"(linkwright: 1
bodies:
  - {name: hub}
  - {name: a, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: c, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
joints:
  - {name: outer, type: revolute, parent: world, child: hub}
  - {name: inner, type: revolute, parent: hub, child: a}
  - {name: other, type: revolute, parent: world, child: b}
  - {name: third, type: revolute, parent: world, child: c}
closures: [{name: pair, joint: gear, joints: [third, other], ratio: 2}]
)");
  EXPECT_EQ(run({"compute", "forward-dynamics", spun, "--quiet", "--tau", "other=1"}).code, 1);
  const Outcome closed = run({"compute", "forward-dynamics", spun, "--quiet"});
  EXPECT_EQ(closed.code, 1);
  EXPECT_TRUE(contains(closed.err, "'outer', 'inner' can move, and no mass at all moves with them"))
      << closed.err;
}

TEST(steps, too_many_to_be_told_apart_are_refused) {
  const std::string arm = bundled("arm7.urdf");
  expect_refused({{arm, "--time", "1e300"}, {arm, "--time", "1", "--step", "1e-300"}}, "simulate");
}

TEST(coordinates, that_change_nothing_are_told) {
  const std::string file = bundled("four_bar.yaml");
  const Outcome all = run({"compute", "energy", file}),
                own = run({"compute", "energy", file, "--coordinates", "independent"});
  EXPECT_EQ(own.code, 0);
  EXPECT_EQ(own.out, all.out);
  EXPECT_TRUE(contains(own.err, "note: --coordinates: energy is the same in all of them"))
      << own.err;
}

TEST(checkpoint, of_a_run_with_other_options_is_refused_by_them) {
  const Folder folder;
  const std::string file = folder.file("m.yaml", two_links);
  const std::string half = folder.path("half.json");
  const auto go_on = [&](const std::string& model, const std::vector<std::string>& first,
                         const std::vector<std::string>& second) {
    std::vector<std::string> words{"simulate", model, "--time", "0.01", "--checkpoint", half};
    words.insert(words.end(), first.begin(), first.end());
    EXPECT_EQ(run(words).code, 0);
    words = {"simulate", model, "--time", "0.02", "--continue", half};
    words.insert(words.end(), second.begin(), second.end());
    return run(words);
  };
  for (const auto& [first, second, word] :
       {std::tuple{"--rigid", "--quiet", "it had --rigid, this one has none"},
        std::tuple{"--quiet", "--rigid",
                   "it had none of --base, --rigid, --lenient and --cut-open, this one "
                   "has --rigid"}}) {
    const Outcome refused = go_on(file, {first}, {second});
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err, word)) << refused.err;
    EXPECT_FALSE(contains(refused.err, "the model has changed")) << refused.err;
  }
  const Outcome base = go_on(bundled("arm7.urdf"), {"--base", "free"}, {"--rigid"});
  EXPECT_TRUE(contains(base.err, "it had --base free, this one has --rigid")) << base.err;
  EXPECT_EQ(go_on(file, {"--rigid"}, {"--rigid"}).code, 0);

  EXPECT_EQ(run({"simulate", file, "--time", "0.01", "--checkpoint", half}).code, 0);
  std::string other(two_links);
  other.replace(other.find("mass: 1"), 7, "mass: 2");
  const Outcome changed =
      run({"simulate", folder.file("other.yaml", other), "--time", "0.02", "--continue", half});
  EXPECT_TRUE(contains(changed.err, "the model has changed")) << changed.err;
}

TEST(lenient, is_mentioned_by_the_refusal_that_it_mends) {
  const Folder folder;
  std::string text(two_links);
  text.replace(text.find("damping: 0.3"), 12, "damping: -3.");
  text.replace(text.find("damping: 1"), 10, "damping: -1");
  const std::string file = folder.file("m.yaml", text);
  const Outcome strict = run({"check", file});
  EXPECT_EQ(strict.code, 2);
  EXPECT_TRUE(contains(strict.err, "note: --lenient reads it: taken as 0 (2 times)")) << strict.err;
  const Outcome json = run({"check", file, "--json"});
  const nlohmann::json told = nlohmann::json::parse(json.out);
  EXPECT_EQ(told.at("errors").size(), 2U) << told;
  EXPECT_EQ(told.at("rest"), "--lenient reads it: taken as 0 (2 times)");
  EXPECT_EQ(run({"check", file, "--lenient"}).code, 0);
  EXPECT_EQ(run({"check", file, "--lenient", "--quiet"}).err, "");
}

TEST(options, that_are_wrong_are_told_in_plain_words) {
  const std::string arm = bundled("arm7.urdf");
  for (const auto& [words, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--time", "1e400"}, "--time '1e400' is out of range"},
           {{"--time", "1", "--time", "2"}, "--time is given 2 times; keep one"},
           {{"--time", "1", "--limits", "halt"},
            "--limits: 'halt' is unknown; did you mean 'hold'?; expected hold, report, stop or "
            "ignore"},
           {{"--time", "1", "--base", "fre"},
            "'fre' is unknown; did you mean 'free'?; expected fixed, free or planar"},
           {{"--time"}, "--time: no value follows; expected --time T"},
           {{"--tme", "1"}, "simulate has no option '--tme'; did you mean '--time'?"},
           {{"--json=3"}, "--json takes no value; got '--json=3'"},
           {{"--time", "1", "first", "second"}, "'first', 'second' are not expected here"},
           {{"--time", "1", "--q", "joint2:1=3"}, "this joint has one number, joint2"}}) {
    std::vector<std::string> line{"simulate", arm};
    line.insert(line.end(), words.begin(), words.end());
    const Outcome outcome = run(line);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, message)) << outcome.err;
  }
}

TEST(info, names_a_joint_of_one_freedom_without_a_number) {
  const Folder folder;
  const std::string out = run({"info", folder.file("m.yaml", two_links)}).out;
  EXPECT_TRUE(contains(out, "drives hinge, gear 1")) << out;
  EXPECT_TRUE(contains(out, "on hinge: stiffness 2")) << out;
  EXPECT_FALSE(contains(out, "hinge:0")) << out;
}

TEST(info, counts_the_equations_of_every_kind_of_grasp) {
  const Folder folder;
  const std::string file = folder.file("m.yaml", R"(linkwright: 1
bodies: [{name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]
joints: [{name: j, type: free, parent: world, child: a}]
objects: [{name: box, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]
grasps:
  - {name: r, arm: a, object: box}
  - {name: l, arm: a, object: box, contact: line, axis: [1, 0, 0]}
  - {name: s, arm: a, object: box, contact: soft_finger}
  - {name: p, arm: a, object: box, contact: point}
)");
  EXPECT_EQ(run_json({"info", file, "--json"}).at("grubler"), 12 - 6 - 5 - 4 - 3);
  const std::string out = run({"info", file}).out;
  EXPECT_TRUE(contains(out, "s: a holds box, soft_finger contact, 4 equations")) << out;
}

}  // namespace
}  // namespace apps
