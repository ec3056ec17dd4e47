// `linkwright simulate` where a tolerance cannot be held, or a run comes to grief.
#include <gtest/gtest.h>

#include "apps/program.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;

/// Two links that fall from nearly upright: chaotic.
const char* const chaos = R"(linkwright: 1
name: chaos
bodies:
  - {name: upper, mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.01, 0, 0, 0]}
  - {name: lower, mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.01, 0, 0, 0]}
joints:
  - {name: shoulder, type: revolute, parent: world, child: upper, axis: [0, 1, 0]}
  - {name: elbow, type: revolute, parent: upper, child: lower, axis: [0, 1, 0], pose: {xyz: [0, 0, -1]}}
state: {q: {shoulder: 3.0, elbow: 0.5}}
)";

TEST(simulate_miss, a_tolerance_that_is_missed_is_told_everywhere_and_the_run_goes_on) {
  const Folder folder;
  const std::string model = folder.file("chaos.yaml", chaos), csv = folder.path("run.csv");
  for (const char* method : {"adams", "bdf", "ida"}) {
    const Outcome outcome =
        run({"simulate", model, "--time", "40", "--method", method, "--rtol", "1e-6", "--atol",
             "1e-6", "--every", "0.1", "--out", csv, "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "the tolerance is missed from t = ")) << outcome.err;
    const nlohmann::json summary = nlohmann::json::parse(outcome.out);
    const double missed = summary.at("tolerance_missed_at");
    EXPECT_GT(missed, 0.1);
    EXPECT_LT(missed, 40);
    EXPECT_GT(summary.at("estimated_error_in_tolerances"), 100);
    const Table table = parse_table(read(csv));
    const std::vector<double> time = table.column("time"), mark = table.column("tolerance_missed");
    EXPECT_EQ(time.back(), 40);
    for (std::size_t i = 0; i < time.size(); ++i)
      EXPECT_EQ(mark[i], time[i] >= missed ? 1 : 0) << method << " t = " << time[i];
  }
}

TEST(simulate_miss, stop_ends_the_run_there_and_says_what_was_tried) {
  const Folder folder;
  const std::string model = folder.file("chaos.yaml", chaos);
  const Outcome outcome = run(
      {"simulate", model, "--time", "40", "--rtol", "1e-6", "--atol", "1e-6", "--on-miss", "stop"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "the tolerance is not met: at t = ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "Tried from the same start: adams, rtol 1e-09")) << outcome.err;
}

TEST(simulate_miss, a_motion_that_can_be_foretold_has_no_time_of_it) {
  const Folder folder;
  const nlohmann::json summary = run_json(
      {"simulate", folder.file("chaos.yaml", chaos), "--time", "1", "--rtol", "1e-8", "--json"});
  EXPECT_TRUE(summary.at("tolerance_missed_at").is_null());
}

TEST(simulate_miss, a_run_that_explodes_names_a_step_that_gets_past_it) {
  const Folder folder;
  const std::string model = folder.file("stiff.yaml", stiff);
  const Outcome outcome = run({"simulate", model, "--time", "1"});
  EXPECT_EQ(outcome.code, 1);
  // ω = 1e4 1/s: rk4 bears steps up to 2.83e-4 s.
  EXPECT_TRUE(contains(outcome.err, "Tried from the same start: rk4, step 0.00025 s gets past it"))
      << outcome.err;
  const Outcome shorter = run({"simulate", model, "--time", "0.1", "--step", "0.00025"});
  EXPECT_EQ(shorter.code, 0) << shorter.err;
}

TEST(simulate_miss, what_to_do_about_it_is_not_asked_of_fixed_steps) {
  const Folder folder;
  const Outcome outcome =
      run({"simulate", folder.file("stiff.yaml", stiff), "--time", "1", "--on-miss", "stop"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "--on-miss has no meaning for rk4")) << outcome.err;
}

}  // namespace
}  // namespace apps
