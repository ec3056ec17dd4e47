// `verify`: what it prints for every model, and what it refuses.
#include <gtest/gtest.h>

#include "apps/every/every_joint_type.hpp"
#include "apps/program.hpp"
#include "support/csv.hpp"

namespace apps {
namespace {

const std::vector<std::string> formulations{
    "trunk", "dense Lagrangian", "FD1", "FD2", "FD3", "FD4", "network", "absolute coordinates"};
TEST(verify, prints_an_aligned_row_per_formulation) {
  const Outcome outcome = run({"verify", bundled("arm7.urdf"), "--states", "3"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "nv 7, 3 random states (seed 1), tip 'tool'")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "All agree.\n")) << outcome.out;
  for (const std::string& name : formulations)
    EXPECT_TRUE(contains(outcome.out, "\n" + name + " ")) << outcome.out;
  const std::size_t start = outcome.out.find("\nformulation") + 1;
  const std::size_t width = outcome.out.find('\n', start) - start;
  std::size_t line = start;
  for (std::size_t row = 0; row <= formulations.size(); ++row) {
    EXPECT_EQ(outcome.out.find('\n', line) - line, width) << outcome.out;
    line = outcome.out.find('\n', line) + 1;
  }
}

TEST(verify, json_has_the_keys_of_the_contract) {
  const nlohmann::json result =
      run_json({"verify", bundled("arm7.urdf"), "--states", "5", "--json"});
  EXPECT_EQ(result.at("file"), bundled("arm7.urdf"));
  EXPECT_EQ(result.at("states"), 5);
  EXPECT_EQ(result.at("frame"), "tool");
  EXPECT_EQ(result.at("agree"), true);
  EXPECT_FALSE(result.contains("disagreement"));
  const double bound = result.at("bound");
  EXPECT_GT(bound, 0);
  EXPECT_LT(bound, 1e-9);
  ASSERT_EQ(result.at("formulations").size(), formulations.size());
  // Placing the joints and the biases everywhere; P, D, G on their own in FD1 … FD4, whose other sweeps
  // are the paper's 4, 4, 3 and 3; the biases are the first of FD4's three, and FD2 needs poses and
  // velocities for the tip.
  const nlohmann::json sweeps{4, 5, 7, 9, 6, 5, nullptr, nullptr};
  for (std::size_t i = 0; i < formulations.size(); ++i) {
    const auto& row = result.at("formulations").at(i);
    EXPECT_EQ(row.at("name"), formulations[i]);
    EXPECT_EQ(row.at("sweeps"), sweeps[i]) << row;
    EXPECT_LE(row.at("effort_difference"), bound) << row;
    EXPECT_LE(row.at("acceleration_difference"), 1e-12) << row;
    EXPECT_LE(row.at("tip_difference"), 1e-12) << row;
    EXPECT_GT(row.at("ns"), 0) << row;
  }
  // Independent computations never match to the last bit; if they did, nothing was compared.
  EXPECT_EQ(result.at("formulations").at(0).at("acceleration_difference"), 0);
  EXPECT_GT(result.at("formulations").at(1).at("acceleration_difference"), 0);
  EXPECT_GT(result.at("formulations").at(6).at("effort_difference"), 0);
  EXPECT_GT(result.at("formulations").at(7).at("effort_difference"), 0);
  EXPECT_GT(result.at("condition"), 1);
  EXPECT_TRUE(result.at("left_out").empty());
  EXPECT_GT(result.at("formulations").at(3).at("tip_difference"), 0);
}

/// The differences, which the seed decides, and nothing that the clock does.
std::vector<double> differences(const std::vector<std::string>& words) {
  std::vector<double> all;
  const nlohmann::json result = run_json(words);
  for (const auto& row : result.at("formulations")) {
    all.push_back(row.at("acceleration_difference"));
    all.push_back(row.at("tip_difference"));
  }
  return all;
}

TEST(verify, the_seed_decides_the_states) {
  const std::vector<std::string> words{"verify", bundled("arm6.urdf"), "--states", "4", "--json",
                                       "--seed"};
  const auto with = [&words](const std::string& seed) {
    std::vector<std::string> all = words;
    all.push_back(seed);
    return differences(all);
  };
  EXPECT_EQ(with("0").size(), 2 * formulations.size());
  EXPECT_EQ(with("0"), with("0"));
  EXPECT_NE(with("0"), with("2147483647"));
}

/// A chain of equal links on joints that turn about x and y by turns.
std::string chain(int bodies) {
  std::string text = "linkwright: 1\nbodies:\n", joints = "joints:\n";
  for (int k = 1; k <= bodies; ++k) {
    const std::string name = "b" + std::to_string(k);
    text +=
        "  - {name: " + name + ", mass: 1, com: [0, 0, 0.1], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}\n";
    joints += "  - {name: j" + std::to_string(k) +
              ", type: revolute, axis: " + (k % 2 == 0 ? "[1, 0, 0]" : "[0, 1, 0]") +
              ", parent: " + (k == 1 ? "world" : "b" + std::to_string(k - 1)) + ", child: " + name +
              (k == 1 ? "}\n" : ", pose: {xyz: [0, 0, 0.2]}}\n");
  }
  return text + joints;
}

/// From state to acceleration: linear in the number of bodies for all but the dense matrix.
TEST(verify, operations_grow_with_the_tree_and_belong_to_the_whole_call) {
  const Folder folder;
  const auto verify = [&folder](int bodies) {
    const std::string file = folder.file(std::to_string(bodies) + ".yaml", chain(bodies));
    return run_json({"verify", file, "--states", "1", "--json"}).at("formulations");
  };
  const nlohmann::json small = verify(40), large = verify(80);
  for (std::size_t i = 0; i < formulations.size(); ++i)
    for (const std::string which : {"multiplications", "additions"}) {
      if (formulations[i] == "absolute coordinates" || formulations[i] == "network") {
        EXPECT_TRUE(small.at(i).at(which).is_null());
        continue;
      }
      const auto count = [&](const nlohmann::json& of, std::size_t row) {
        return of.at(row).at(which).get<double>();
      };
      const double growth = count(large, i) / count(small, i);
      if (formulations[i] == "dense Lagrangian") {
        EXPECT_GT(growth, 4) << which;
        EXPECT_GT(count(large, i), 80.0 * 80 * 80 / 6) << which;  // the Cholesky factors alone
      } else {
        EXPECT_NEAR(growth, 2, 0.1) << formulations[i] << " " << which;
      }
      // The trunk fuses what the operators' sweeps do one by one.
      EXPECT_GE(count(small, i), count(small, 0)) << formulations[i] << " " << which;
    }
}

/// Within the minute that `run` allows, and agreeing, although M has a million entries.
TEST(verify, a_chain_of_a_thousand_bodies_is_verified) {
  const Folder folder;
  const Outcome outcome =
      run({"verify", folder.file("chain.yaml", chain(1000)), "--states", "3", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  const auto result = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(result.at("nv"), 1000);
  EXPECT_EQ(result.at("agree"), true);
  EXPECT_EQ(result.at("formulations").size(), formulations.size() - 1);
  ASSERT_EQ(result.at("left_out").size(), 1U);
  EXPECT_TRUE(contains(result.at("left_out").at(0), "absolute coordinates: left out for size"));
}

/// Squares of such numbers overflow or vanish, the accelerations do not.
TEST(verify, huge_and_tiny_masses_are_no_defect) {
  const Folder folder;
  for (const std::string size : {"1e160", "1e-160", "1e300", "1e-300"}) {
    std::string text = chain(3);
    const auto replace = [&text](const std::string& what, const std::string& with) {
      for (std::size_t at = text.find(what); at != std::string::npos;
           at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    };
    replace("mass: 1,", "mass: " + size + ",");
    replace("inertia: [0.1, 0.1, 0.1,", "inertia: [" + size + ", " + size + ", " + size + ",");
    const Outcome outcome = run({"verify", folder.file(size + ".yaml", text), "--states", "3"});
    EXPECT_EQ(outcome.code, 0) << size << "\n" << outcome.err;
  }
}

TEST(verify, works_for_every_joint_type) {
  const Folder folder;
  const std::string file = folder.file("every.yaml", every_joint_type);
  const Outcome outcome = run({"verify", file, "--states", "100"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "--rigid")) << outcome.err;
  const Outcome rigid = run({"verify", file, "--states", "100", "--rigid"});
  EXPECT_EQ(rigid.code, 0) << rigid.err;
  EXPECT_TRUE(rigid.err.empty()) << rigid.err;
  for (const std::string frame : {"b1", "b4", "b8", "b10", "b11"})
    EXPECT_EQ(run({"verify", file, "--frame", frame}).code, 0) << frame;
}

/// Every URDF and system file of a folder that the program can read, on a fixed and a free base.
void expect_agreement_of_all_in(const std::filesystem::path& folder) {
  int seen = 0, on_free_base = 0, skipped = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension != ".urdf" && extension != ".yaml") continue;
    if (entry.path().string().ends_with(".closures.yaml")) continue;
    std::vector<std::string> words{"verify", entry.path().string(), "--states", "10", "--cut-open"};
    const Outcome fixed = run(words);
    EXPECT_EQ(fixed.code, 0) << entry.path() << fixed.err;
    ++seen;
    if (extension == ".yaml") continue;
    words.insert(words.end(), {"--base", "free"});
    const Outcome free = run(words);
    // Some hang from the world by their own joints, some have a base without mass.
    const bool has_none = contains(free.err, "cannot be free") || contains(free.err, "no answer");
    ++(has_none ? skipped : on_free_base);
    if (has_none) continue;
    EXPECT_EQ(free.code, 0) << entry.path() << free.err;
  }
  EXPECT_GT(seen, 5);
  EXPECT_GT(on_free_base, skipped) << skipped << " models were skipped on a free base";
}

TEST(verify, all_bundled_models_agree) {
  expect_agreement_of_all_in(LINKWRIGHT_SOURCE_DIR "/models");
}

const std::vector<std::string> closed_formulations{
    "recursion", "independent", "dense", "transfer", "FD1",
    "FD2",       "FD3",         "FD4",   "network",  "absolute coordinates"};
/// Whether a formulation chooses coordinates of its own, which magnify rounding.
bool chooses_coordinates(const std::string& name) {
  return name == "transfer" || name.starts_with("FD");
}

TEST(verify, closed_systems_are_verified_closed) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LINKWRIGHT_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    const auto result = run_json({"verify", entry.path().string(), "--json"});
    EXPECT_EQ(result.at("agree"), true) << entry.path();
    if (!result.contains("closed_by")) continue;
    ++seen;
    const double bound = result.at("bound");
    EXPECT_LT(bound, 1e-12) << entry.path();
    ASSERT_EQ(result.at("formulations").size(), closed_formulations.size());
    for (std::size_t i = 0; i < closed_formulations.size(); ++i) {
      const auto& row = result.at("formulations").at(i);
      EXPECT_EQ(row.at("name"), closed_formulations[i]);
      const double allowed = i == 0 ? bound : row.at("bound").get<double>();
      EXPECT_TRUE(allowed == bound || chooses_coordinates(row.at("name"))) << row;
      EXPECT_LE(row.at("effort_difference"), allowed) << row;
      EXPECT_LE(row.at("closure_difference"), allowed) << row;
      EXPECT_GT(row.at("ns"), 0) << row;
    }
  }
  EXPECT_GE(seen, 10);
}

TEST(verify, the_table_of_a_closed_system_is_aligned_and_says_what_closes_it) {
  const std::string out = run({"verify", bundled("stewart.yaml"), "--states", "3"}).out;
  EXPECT_TRUE(contains(out, "closed by 6 closures ('leg1_ball', …), each state assembled")) << out;
  EXPECT_TRUE(contains(out, "All agree.\n")) << out;
  const std::size_t start = out.find("\nformulation") + 1;
  const std::size_t width = out.find('\n', start) - start;
  std::size_t line = start;
  for (std::size_t row = 0; row <= closed_formulations.size(); ++row) {
    EXPECT_EQ(out.find('\n', line) - line, width) << out;
    line = out.find('\n', line) + 1;
  }
}

TEST(verify, a_mechanism_that_cannot_be_closed_exits_with_1_and_names_the_closure) {
  const Folder folder;
  const std::string file = folder.file(
      "torn.yaml",
      "linkwright: 1\n"
      "bodies: [{name: rod, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}]\n"
      "joints: [{name: j, type: revolute, parent: world, child: rod, axis: [0, 0, 1]}]\n"
      "closures: [{name: far, between: [world, rod], joint: spherical, at_a: {xyz: [3, 0, 0]}}]\n");
  const Outcome outcome = run({"verify", file});
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "closure 'far' is open by")) << outcome.err;
}

TEST(verify, all_shared_models_agree) {
  SKIP_WITHOUT_SHARED(shared("models/ur5.urdf"));
  expect_agreement_of_all_in(shared("models"));
}

TEST(verify, without_freedoms_there_is_nothing_to_compare) {
  const Folder folder;
  const std::string file = folder.file("still.urdf", still_model);
  const Outcome outcome = run({"verify", file});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "still.urdf: no joint moves, so there is nothing to compare"))
      << outcome.out;
  const Outcome as_json = run({"verify", file, "--json"});
  EXPECT_EQ(as_json.code, 0) << as_json.err;
  EXPECT_TRUE(contains(as_json.err, "nothing to compare")) << as_json.err;
  const auto result = nlohmann::json::parse(as_json.out);
  EXPECT_TRUE(result.at("formulations").empty());
  EXPECT_EQ(result.at("agree"), true);
}

TEST(verify, a_massless_tip_exits_with_1_and_names_the_joint) {
  const Folder folder;
  const std::string file =
      folder.file("massless.yaml",
                  "linkwright: 1\n"
                  "bodies:\n"
                  "  - {name: arm, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
                  "  - {name: ghost}\n"
                  "joints:\n"
                  "  - {name: i, type: revolute, parent: world, child: arm}\n"
                  "  - {name: j, type: revolute, parent: arm, child: ghost}\n");
  for (const std::string last : {"--rigid", "--json"}) {
    const Outcome outcome = run({"verify", file, last});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    EXPECT_TRUE(contains(outcome.err, "error: trunk at state 1: ")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "joint 'j'")) << outcome.err;
  }
}

/// The bound does not grow with the condition of the mass matrix; the table says why accelerations differ.
TEST(verify, a_badly_conditioned_model_is_judged_as_strictly_as_any) {
  const std::string file = LINKWRIGHT_SOURCE_DIR "/tests/data/ill_conditioned.yaml";
  const nlohmann::json result = run_json({"verify", file, "--json"});
  EXPECT_EQ(result.at("agree"), true);
  EXPECT_GE(result.at("condition"), 1e12);
  EXPECT_LE(result.at("bound"), 1e-13);
  EXPECT_TRUE(contains(run({"verify", file}).out, "so rounding alone sets them far apart"));
}

TEST(verify, bad_input_exits_with_2_and_names_it) {
  const std::string arm = bundled("arm7.urdf");
  const std::vector<std::vector<std::string>> lines{{arm, "--states", "0"},
                                                    {arm, "--states", "-1"},
                                                    {arm, "--states", "1.5"},
                                                    {arm, "--states", "many"},
                                                    {arm, "--states", "1e30"},
                                                    {arm, "--states"},
                                                    {arm, "--seed", "-1"},
                                                    {arm, "--seed", "0.5"},
                                                    {arm, "--seed", "3000000000"},
                                                    {arm, "--frame", "tol"},
                                                    {arm, "--frame", "world"},
                                                    {arm, "--base", "floating"},
                                                    {arm, "--state", "3"},
                                                    {arm, arm},
                                                    {},
                                                    {"no_such_file.urdf"}};
  expect_refused(lines, "verify");
  EXPECT_TRUE(contains(run({"verify", arm, "--states", "0"}).err, "--states '0'"));
  EXPECT_TRUE(contains(run({"verify", arm, "--seed", "-1"}).err, "--seed '-1'"));
  EXPECT_TRUE(contains(run({"verify", arm, "--frame", "tol"}).err, "did you mean 'tool'"));
  EXPECT_TRUE(contains(run({"verify", arm, "--frame", "world"}).err, "does not move"));
}

}  // namespace
}  // namespace apps
