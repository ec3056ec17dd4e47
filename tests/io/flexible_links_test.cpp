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
  const auto [link, beam] = [] {
    const TemporaryFolder folder;
    return read_beams(
               folder.write("beam.yaml", mechanism +
                                             "flexible_links: [{body: turned, along: [2, 0, 0], " +
                                             numbers + ", modes: 2}]"))
        .at(0);
  }();
  EXPECT_EQ(link.body, "boom");
  EXPECT_LT(norm(link.from - Vector3{2, 0, 0}), 1e-15);
  EXPECT_LT(norm(link.along - Vector3{-2, 0, 0}), 1e-15);
  EXPECT_EQ(beam.elements, 6);
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
