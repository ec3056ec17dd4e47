/// `linkwright linearize`: the contract's keys, equilibria, files, and what it refuses.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "apps/program.hpp"

namespace apps {
namespace {

using nlohmann::json;

TEST(Linearize, has_every_key_of_the_contract) {
  const json told = run_json({"linearize", bundled("four_bar.yaml"), "--equilibrium", "--json"});
  for (const char* key :
       {"states", "inputs", "outputs", "A", "B", "C", "D", "eigenvalues", "damping_ratios",
        "natural_frequencies", "controllability_rank", "observability_rank", "drift"})
    EXPECT_TRUE(told.contains(key)) << key;
  EXPECT_EQ(told.at("states"), (json{"q:crank_pivot", "v:crank_pivot"}));
  EXPECT_EQ(told.at("inputs"), json{"tau:crank_pivot"}) << "the other joints are passive";
  EXPECT_EQ(told.at("controllability_rank"), 2);
  EXPECT_TRUE(told.at("equilibrium").at("found").get<bool>());
  EXPECT_TRUE(told.at("at_rest").get<bool>());
  // One freedom at rest: λ² = A(1, 0).
  const double stiffness = told.at("A")[1][0].get<double>();
  const json& root = told.at("eigenvalues")[0];
  EXPECT_NEAR(std::hypot(root[0].get<double>(), root[1].get<double>()),
              std::sqrt(std::abs(stiffness)), 1e-9);
}

TEST(Linearize, tells_a_drift_where_the_state_is_not_at_rest) {
  const json told = run_json({"linearize", bundled("four_bar.yaml"), "--json"});
  EXPECT_FALSE(told.at("at_rest").get<bool>());
  EXPECT_NE(told.at("drift")[1].get<double>(), 0);
  const Outcome text = run({"linearize", bundled("four_bar.yaml")});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part : {"drift", "controllability rank 2 of 2", "v:crank_pivot"})
    EXPECT_TRUE(contains(text.out, part)) << text.out;
}

TEST(Linearize, motors_hold_where_the_mechanism_stands) {
  const json told =
      run_json({"linearize", bundled("arm6.urdf"), "--q", "0.3,-0.5,0.9,0.4,0.8,-0.2",
                "--equilibrium", "--tau", "hold", "--outputs", "frame:tool", "--json"});
  EXPECT_NEAR(told.at("q")[1].get<double>(), -0.5, 1e-15);
  EXPECT_NE(told.at("tau")[1].get<double>(), 0);
  EXPECT_EQ(told.at("outputs").size(), 6U);
  const json gravity = run_json(
      {"compute", "gravity", bundled("arm6.urdf"), "--q", "0.3,-0.5,0.9,0.4,0.8,-0.2", "--json"});
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(told.at("tau")[i].get<double>(), gravity.at("values")[i].get<double>(), 1e-9);
}

TEST(Linearize, a_trajectory_has_a_model_at_each_row) {
  const Folder folder;
  const std::string rows = folder.path("run.csv");
  ASSERT_EQ(
      run({"simulate", bundled("four_bar.yaml"), "--time", "0.2", "--every", "0.05", "--out", rows})
          .code,
      0);
  const json told = run_json({"linearize", bundled("four_bar.yaml"), "--states", rows, "--json"});
  ASSERT_EQ(told.at("points").size(), 5U);
  EXPECT_NE(told.at("points")[0].at("A"), told.at("points")[4].at("A"));
}

TEST(Linearize, refuses_by_name) {
  const std::string file = bundled("arm6.urdf");
  const auto refusal = [](std::vector<std::string> words, int code) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(
      contains(refusal({"linearize", file, "--coordinates", "frame:tool:x"}, 2), "1 coordinate"));
  EXPECT_TRUE(
      contains(refusal({"linearize", file, "--outputs", "frame:tol"}, 2), "did you mean 'tool'"));
  EXPECT_TRUE(contains(refusal({"linearize", file, "--inputs", "tau:elbw"}, 2), "elbw"));
  EXPECT_TRUE(contains(
      refusal({"linearize", bundled("four_bar.yaml"), "--inputs", "tau:crank_pin"}, 2), "passive"));
  EXPECT_TRUE(contains(refusal({"linearize", file, "--tau", "hold"}, 2), "--equilibrium"));
  EXPECT_TRUE(contains(refusal({"linearize", file, "--out", "model.txt"}, 2), ".json or .mat"));
  EXPECT_TRUE(contains(refusal({"linearize", file, "--motors"}, 2), "electrical side"));
  EXPECT_TRUE(contains(
      refusal({"linearize", bundled("four_bar.yaml"), "--coordinates", "crank_pin,rocker_pivot"},
              2),
      "coordinates"));
  EXPECT_TRUE(contains(refusal({"linearize", file, "--step", "-1"}, 2), "positive"));
}

/// What scipy makes of the MAT-file is what JSON says.
TEST(Linearize, writes_mat_files_that_scipy_reads) {
  if (std::system("python3 -c 'import scipy.io' 2>/dev/null") != 0)
    GTEST_SKIP() << "no scipy (pip install scipy): the MAT-file was not read by another program";
  const Folder folder;
  const std::string mat = folder.path("model.mat"), script = folder.path("read.py"),
                    out = folder.path("out.json");
  const json told = run_json({"linearize", bundled("five_bar.yaml"), "--equilibrium", "--tau",
                              "hold", "--out", mat, "--json"});
  std::ofstream(script)
      << "import json, sys, scipy.io\n"
         "m = scipy.io.loadmat(sys.argv[1])\n"
         "names = lambda x: [str(c[0]) if len(c) else '' for c in x[:, 0]]\n"
         "json.dump({'A': m['A'].tolist(), 'B': m['B'].tolist(), 'states': names(m['states']),\n"
         "  'inputs': names(m['inputs']), 'rank': int(m['controllability_rank'][0, 0]),\n"
         "  'eigenvalues': [[z.real, z.imag] for z in m['eigenvalues'][:, 0]]}, open(sys.argv[2], "
         "'w'))\n";
  ASSERT_EQ(std::system(("python3 '" + script + "' '" + mat + "' '" + out + "'").c_str()), 0);
  std::ostringstream text;
  text << std::ifstream(out).rdbuf();
  const json read = json::parse(text.str());
  for (const char* key : {"A", "B", "states", "inputs", "eigenvalues"})
    EXPECT_EQ(read.at(key), told.at(key)) << key;
  EXPECT_EQ(read.at("rank"), told.at("controllability_rank"));
}

}  // namespace
}  // namespace apps
