// Flexible links as a system file says them.
#include <gtest/gtest.h>

#include "linkwright/io/system_file.hpp"
#include "linkwright/system/digest.hpp"
#include "support/beams.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

const std::string mechanism = R"(linkwright: 1
gravity: [0, 0, 0]
bodies: [{name: boom}]
joints: [{name: root, type: fixed, parent: world, child: boom}]
frames: [{name: tip, body: boom, pose: {xyz: [2, 0, 0]}}, {name: turned, body: boom, pose: {xyz: [2, 0, 0], rpy: [0, 0, 3.141592653589793]}}]
)";
const std::string numbers =
    "E: 7.0e10, G: 2.6e10, density: 2700, section: {rectangle: [0.05, 0.01]}";

Model parse(const std::string& more) { return parse_system_file(mechanism + more, "beam.yaml"); }
std::uint64_t digest(const Model& model) { return digest_of(compute_digests(compile(model))); }

TEST(FlexibleLinkFile, says_what_code_says) {
  Model rigid = parse("");
  const Model chain =
      parse("flexible_links: [{body: boom, along: [2, 0, 0], " + numbers + ", elements: 5}]");
  EXPECT_EQ(digest(chain), digest(to_elastic_chains(rigid, {strip(5)})));
  EXPECT_NE(digest(chain), digest(to_elastic_chains(rigid, {strip(6)})));
  EXPECT_EQ(compile(chain).nv(), 15);
}

/// A frame stands for the link that carries it, and the beam is in the frame's axes then.
TEST(FlexibleLinkFile, may_name_a_frame) {
  const Model model =
      parse("flexible_links: [{body: turned, along: [2, 0, 0], " + numbers + ", modes: 2}]");
  FlexibleLink link = strip(6);
  link.from = {2, 0, 0}, link.along = {-2, 0, 0};
  const Model expected = to_elastic_chains(parse(""), {link});
  EXPECT_EQ(find_flexible_links(model).at(0).body, "boom");
  EXPECT_EQ(find_flexible_links(model).at(0).beam.elements, 6);
  ASSERT_EQ(model.bodies.size(), expected.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    EXPECT_EQ(model.bodies[i].name, expected.bodies[i].name);
    EXPECT_LT(norm(model.bodies[i].com - expected.bodies[i].com), 1e-14);
  }
}

/// A link of a model that has a name of its own: "left/boom".
TEST(FlexibleLinkFile, may_name_a_link_of_a_named_model) {
  const TemporaryFolder folder;
  (void)folder.write("boom.urdf",
                     "<robot name='r'><link name='foot'/><link name='boom'/><joint name='root' "
                     "type='revolute'><parent link='foot'/><child link='boom'/><axis xyz='0 0 1'/>"
                     "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>");
  const Model model = read_system_file(folder.write(
      "two.yaml",
      "linkwright: 1\nmodels: [{file: boom.urdf, name: left}, {file: boom.urdf, name: right}]\n"
      "flexible_links:\n  - {body: left/boom, along: [2, 0, 0], " +
          numbers + ", elements: 3}\n  - {body: right/boom, along: [2, 0, 0], " + numbers +
          ", elements: 2}\n"
          "frames: [{name: tip, body: right/boom, pose: {xyz: [2, 0, 0]}}]\n"
          "state: {q: {'left/root': 0.2, 'left/boom:bend3': [0.1, 0.2]}}\n"));
  const auto found = find_flexible_links(model);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].body, "left/boom");
  EXPECT_EQ(found[1].body, "right/boom");
  EXPECT_EQ(found[1].beam.elements, 2);
  const System system = compile(model);
  EXPECT_EQ(system.nv(), 2 + 3 * (3 + 2));
  EXPECT_EQ(model.frames.back().body, "right/boom:2");
  EXPECT_EQ(initial_state(system).q[system.joint("left/boom:bend3").q], 0.1);
}

TEST(FlexibleLinkFile, gives_elastic_joints_names_that_others_may_use) {
  const std::string link =
      "flexible_links: [{body: boom, along: [2, 0, 0], " + numbers + ", elements: 2}]\n";
  const Model model = parse(link +
                            "springs: [{joint: 'boom:twist2', stiffness: 1}]\n"
                            "loads: [{joint: 'boom:bend1', freedom: 1, torque: 2}]\n"
                            "state: {q: {'boom:bend2': [0.1, 0.2]}}\n");
  const System system = compile(model);
  const State start = initial_state(system);
  EXPECT_EQ(start.q[system.joint("boom:bend2").q + 1], 0.2);
  EXPECT_EQ(model.joint_springs.size(), 1U + 6U);
  const std::string unknown =
      error_of([&] { (void)parse(link + "state: {q: {'boom:bend3': 0.1}}\n"); });
  EXPECT_TRUE(contains(unknown, "'boom:bend3'")) << unknown;
  const std::string driven = error_of(
      [&] { (void)compile(parse(link + "actuators: [{joint: 'boom:twist1', gear: 2}]\n")); });
  EXPECT_TRUE(contains(driven, "passive")) << "elastic joints have no motor: " << driven;
}

TEST(FlexibleLinkFile, says_why_elastic_joints_are_not_for_passive_and_cut) {
  const std::string link =
      "flexible_links: [{body: boom, along: [2, 0, 0], " + numbers + ", elements: 2}]\n";
  const auto text = [&](const std::string& more) {
    return error_of([&] { (void)parse(link + more); });
  };
  const std::string passive = text("passive: ['boom:twist1']\n");
  EXPECT_TRUE(contains(passive, "beam.yaml:7")) << passive;
  EXPECT_TRUE(contains(passive, "elastic joints are passive already")) << passive;
  const std::string cut = text("cut: ['boom:bend1']\n");
  EXPECT_TRUE(contains(cut, "'boom:bend1' is elastic")) << cut;
  const std::string carries = text("cut: [root]\n");
  EXPECT_TRUE(contains(carries, "'root' is in no loop")) << carries;
}

/// A link that cannot be made is told, and not that its joints are missing.
TEST(FlexibleLinkFile, tells_no_consequences_of_a_link_that_failed) {
  for (const std::string wrong : {"E: -7.0e10", "young: 7.0e10"}) {
    const std::string text = error_of([&] {
      (void)parse("flexible_links: [{body: boom, along: [2, 0, 0], density: 1, " + wrong +
                  ", section: {circle: 1}}]\nstate: {q: {'boom:bend1': [0.1, 0]}}\n"
                  "springs: [{joint: 'boom:bend2', freedom: 0, stiffness: 1}]\n"
                  "passive: [nowhere]\n");
    });
    EXPECT_TRUE(contains(text, "beam.yaml:6")) << text;
    EXPECT_TRUE(contains(text, "'nowhere'")) << text;
    EXPECT_FALSE(contains(text, "there is no joint 'boom:")) << text;
  }
}

/// The same where it fails only when all that holds it is known.
TEST(FlexibleLinkFile, tells_no_consequences_of_a_beam_that_cannot_bend) {
  const std::string text = error_of([] {
    (void)parse("flexible_links: [{body: boom, along: [2, 0, 0], " + numbers +
                "}]\nclosures: [{name: far, between: [world, boom], joint: spherical, at_a: {xyz: "
                "[2, 0, 0]}, at_b: {xyz: [2, 0, 0]}}]\n"
                "springs: [{joint: 'boom:bend2', freedom: 0, stiffness: 1}]\n"
                "state: {q: {'boom:bend1': [0.1, 0]}}\n");
  });
  EXPECT_TRUE(contains(text, "beam.yaml:6: flexible link 'boom': 'root' and 'far' hold it"))
      << text;
  EXPECT_EQ(text.find("boom:bend"), std::string::npos) << text;
  EXPECT_EQ(text.find("move as one"), std::string::npos) << text;
}

struct Mistake {
  std::string entry;
  std::vector<std::string> words;
};

TEST(FlexibleLinkFile, tells_mistakes_with_their_lines) {
  const std::vector<Mistake> mistakes{
      {"{body: boom, " + numbers + "}", {"along"}},
      {"{along: [2, 0, 0], " + numbers + "}", {"body"}},
      {"{body: boom, along: [2, 0], " + numbers + "}", {"along"}},
      {"{body: bom, along: [2, 0, 0], " + numbers + "}", {"'bom'", "did you mean 'boom'?"}},
      {"{body: boom, along: [2, 0, 0], lenght: 3, " + numbers + "}", {"lenght"}},
      {"{body: boom, along: [2, 0, 0], bending: x, " + numbers + "}", {"'x'", "both, y or z"}},
      {"{body: boom, along: [2, 0, 0], up: [0, 0, 0], " + numbers + "}", {"up", "[0, 0, 0]"}},
      {"{body: boom, along: [2, 0, 0], elements: 0, " + numbers + "}", {"elements is 0"}},
      {"{body: boom, along: [2, 0, 0], elements: 2.5, " + numbers + "}", {"elements", "2.5"}},
      {"{body: boom, along: [2, 0, 0], EI: [], mass_per_length: 1}", {"EI", "empty"}},
      {"{body: boom, along: [2, 0, 0], E: -7, density: 1, section: {circle: 1}}", {"E is -7"}},
      {"{body: boom, along: [2, 0, 0], E: 7, density: 1, section: {circle: 0}}", {"radius", "0"}},
      {"{body: boom, along: [2, 0, 0], E: 7, density: 1, section: {}}", {"expected one of"}},
      {"{body: boom, along: [2, 0, 0], E: 7, density: 1, section: {tube: [1]}}",
       {"1 numbers", "inner radius"}},
      {"{body: boom, along: [2, 0, 0], E: 7, density: 1, section: {square: 1}}", {"square"}},
      {"boom", {"flexible link"}},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string text =
        error_of([&] { (void)parse("flexible_links:\n  - " + mistake.entry + "\n"); });
    EXPECT_TRUE(contains(text, "beam.yaml:7")) << mistake.entry << "\n" << text;
    for (const std::string& word : mistake.words)
      EXPECT_TRUE(contains(text, word)) << mistake.entry << "\n" << text;
  }
}

/// One run tells all of them.
TEST(FlexibleLinkFile, tells_several_mistakes_together) {
  const std::string text = error_of([] {
    (void)parse(
        "flexible_links:\n  - {body: boom, along: [0, 0, 0], EI: 3, mass_per_length: 1}\n"
        "  - {body: mast, along: [1, 0, 0], EI: 3, mass_per_length: 1}\n"
        "springs: [{joint: nowhere, stiffness: 1}]\n");
  });
  EXPECT_TRUE(contains(text, "beam.yaml:7")) << text;
  EXPECT_TRUE(contains(text, "beam.yaml:8")) << text;
  EXPECT_TRUE(contains(text, "'nowhere'")) << text;
}

}  // namespace
}  // namespace linkwright::testing
