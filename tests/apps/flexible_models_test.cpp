// Flexible links at the command line: with mistakes that are passed over, by any file name, and --rigid.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "apps/program.hpp"

namespace apps {
namespace {

const std::string beam = R"(linkwright: 1
gravity: [0, 0, 0]
bodies: [{name: boom}]
joints: [{name: root, type: revolute, parent: world, child: boom, axis: [0, 1, 0]}]
flexible_links: [{body: boom, along: [2, 0, 0], bending: y, EI: 4, mass_per_length: 1, elements: 2, damping_ratio: 0.1}]
)";

/// A URDF with a shape that cannot be read.
TEST(FlexibleModels, are_told_where_lenient_passes_over_a_mistake) {
  const Folder folder;
  (void)folder.file("boom.urdf", R"(<robot name="r"><link name="foot"/>
<link name="boom"><visual><geometry><box size="2 0"/></geometry></visual></link>
<joint name="root" type="continuous"><parent link="foot"/><child link="boom"/><axis xyz="0 1 0"/></joint></robot>)");
  const std::string file = folder.file("m.yaml", R"(linkwright: 1
models: [{file: boom.urdf}]
flexible_links: [{body: boom, along: [2, 0, 0], EI: 4, mass_per_length: 1, elements: 2}]
)");
  EXPECT_EQ(run({"check", file}).code, 2);
  const Outcome lenient = run({"check", file, "--lenient"});
  EXPECT_EQ(lenient.code, 0) << lenient.err;
  EXPECT_NE(lenient.out.find("1 flexible link (boom of 2 elements"), std::string::npos)
      << lenient.out;
  EXPECT_EQ(run_json({"info", file, "--lenient", "--json"}).at("flexible_links").size(), 1U);
}

TEST(FlexibleModels, are_told_whatever_the_file_is_called) {
  const Folder folder;
  const double first = std::pow(1.8751040687 / 2, 2) * 2 / (2 * std::numbers::pi);
  for (const std::string name : {"m.yaml", "m.YAML", "m.yml", "m.model"}) {
    const auto told = run_json({"info", folder.file(name, beam), "--json"}).at("flexible_links");
    ASSERT_EQ(told.size(), 1U) << name;
    EXPECT_EQ(told[0].at("body"), "boom");
    EXPECT_EQ(told[0].at("elements"), 2);
    EXPECT_NEAR(told[0].at("length").get<double>(), 2, 1e-14);
    EXPECT_NEAR(told[0].at("mass").get<double>(), 2, 1e-14);
    EXPECT_NEAR(told[0].at("damping_ratio").get<double>(), 0.1, 1e-15);
    const auto& modes = told[0].at("clamped_frequencies_hz");
    EXPECT_EQ(modes.size(), 1U) << modes;
    EXPECT_NEAR(modes.at("bend_y")[0].get<double>(), first, 1e-9);
  }
}

/// Stiffness of a beam is what the link is made of; what is added to its joints and its damping are not.
TEST(FlexibleModels, stay_stiff_with_rigid) {
  const Folder folder;
  const std::string file =
      folder.file("m.yaml", beam + "springs: [{joint: 'boom:bend2', stiffness: 7}]\n");
  const auto effort = [&](const std::string& what, const std::string& value, bool rigid) {
    std::vector<std::string> words{"compute", "inverse-dynamics", file, what, value, "--json"};
    if (rigid) words.push_back("--rigid");
    return run_json(words).at("values").at(2).get<double>();
  };
  EXPECT_NEAR(effort("--q", "boom:bend2=0.1", false), (2 * 4 / 2.0 + 7) * 0.1, 1e-12);
  EXPECT_NEAR(effort("--q", "boom:bend2=0.1", true), 2 * 4 / 2.0 * 0.1, 1e-12);
  EXPECT_GT(effort("--v", "boom:bend2=0.1", false), 1e-3) << "damped";
  EXPECT_NEAR(effort("--v", "boom:bend2=0.1", true), 0, 1e-12);
  const std::string notes = run({"compute", "inverse-dynamics", file}).err;
  EXPECT_TRUE(notes.starts_with("note: 1 spring is included; --rigid leaves it out\n")) << notes;
}

}  // namespace
}  // namespace apps
