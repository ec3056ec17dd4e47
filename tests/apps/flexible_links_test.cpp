/// Flexible links through the program: what `info`, `check` and `linearize` tell of a cantilever.

#include <gtest/gtest.h>

#include <cmath>

#include "apps/program.hpp"

namespace apps {
namespace {

using nlohmann::json;

constexpr std::string_view text = R"(linkwright: 1
gravity: [0, 0, 0]
bodies: [{name: boom}]
joints: [{name: root, type: fixed, parent: world, child: boom}]
flexible_links: [{body: boom, along: [2, 0, 0], E: 7.0e10, G: 2.6e10, density: 2700, section: {rectangle: [0.05, 0.01]}, elements: 12, damping_ratio: 0.01}]
)";
constexpr double pi = 3.14159265358979323846;

/// Euler and Bernoulli: (β/L)² √(EI/µ), by hand.
std::vector<double> beam_frequencies(double thickness) {
  std::vector<double> all;
  for (const double beta : {1.8751040687, 4.6940911330, 7.8547574382})
    all.push_back(beta * beta / 4 * std::sqrt(7.0e10 / 2700 * thickness * thickness / 12));
  return all;
}

TEST(FlexibleLinkProgram, tells_elements_and_frequencies) {
  const Folder folder;
  const std::string file = folder.file("boom.yaml", text);
  const json link = run_json({"info", file, "--json"}).at("flexible_links").at(0);
  EXPECT_EQ(link.at("body"), "boom");
  EXPECT_EQ(link.at("elements"), 12);
  EXPECT_NEAR(link.at("mass").get<double>(), 2.7, 1e-12);
  const auto told = link.at("clamped_frequencies_hz").at("bend_y").get<std::vector<double>>();
  ASSERT_EQ(told.size(), 3U);
  for (std::size_t n = 0; n < 3; ++n)
    EXPECT_NEAR(told[n] * 2 * pi / beam_frequencies(0.01)[n], 1, 1e-9) << n;
  const Outcome shown = run({"info", file});
  EXPECT_TRUE(contains(shown.out, "boom: 12 elements, 2 m, 2.7 kg")) << shown.out;
  EXPECT_FALSE(contains(shown.out, "springs on joints")) << "the file has none";
  const Outcome checked = run({"check", file});
  EXPECT_TRUE(contains(checked.out, "1 flexible link (boom of 12 elements from 2.056 Hz)"))
      << checked.out;
  EXPECT_EQ(checked.err, "");
  EXPECT_TRUE(run_json({"info", bundled("arm7.urdf"), "--json"}).at("flexible_links").empty());
}

TEST(FlexibleLinkProgram, linearizes_to_the_frequencies_of_the_beam) {
  const Folder folder;
  const json told = run_json({"linearize", folder.file("boom.yaml", text), "--json"});
  const auto frequencies = told.at("natural_frequencies").get<std::vector<double>>();
  for (const double thickness : {0.01, 0.05})
    for (const double exact : beam_frequencies(thickness)) {
      double nearest = 1;
      for (const double f : frequencies) nearest = std::min(nearest, std::abs(f / exact - 1));
      EXPECT_LT(nearest, 0.02) << exact;
    }
}

TEST(FlexibleLinkProgram, refuses_by_line) {
  const Folder folder;
  std::string broken(text);
  broken.replace(broken.find("7.0e10"), 6, "-7.0e10");
  const Outcome told = run({"check", folder.file("boom.yaml", broken)});
  EXPECT_EQ(told.code, 2);
  EXPECT_TRUE(contains(told.err, "boom.yaml:5")) << told.err;
  EXPECT_TRUE(contains(told.err, "flexible link 'boom': E is")) << told.err;
}

}  // namespace
}  // namespace apps
