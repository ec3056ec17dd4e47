// Results that no machine or disk would bear are refused before any work, with their size.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "apps/program.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;

const std::string arm = bundled("arm7.urdf");

/// A chain of bodies, each on a prismatic joint.
std::string chain(const Folder& folder, int bodies) {
  std::string text = "<robot name=\"chain\"><link name=\"l0\"/>\n";
  for (int i = 1; i <= bodies; ++i) {
    const std::string n = std::to_string(i), p = std::to_string(i - 1);
    text += "<link name=\"l" + n + "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" " +
            "izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"j" + n +
            "\" type=\"continuous\"><parent link=\"l" + p + "\"/><child link=\"l" + n +
            "\"/><axis xyz=\"0 0 1\"/></joint>\n";
  }
  return folder.file("chain.urdf", text + "</robot>\n");
}

TEST(size, matrices_over_very_many_joints_are_refused) {
  const Folder folder;
  const std::string file = chain(folder, 20000);
  for (const char* quantity : {"mass-matrix", "mass-matrix-inverse", "coriolis-matrix"}) {
    const Outcome outcome = run({"compute", quantity, file, "--out", folder.path("out.csv")});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    for (const char* part : {quantity, "chain.urdf", "20000 × 20000", "GiB", "forward-dynamics"})
      EXPECT_TRUE(contains(outcome.err, part)) << part << ": " << outcome.err;
    EXPECT_EQ(folder.contents(), Words{"chain.urdf"});
  }
  EXPECT_EQ(run({"compute", "gravity", file, "--json"}).code, 0);
  const Outcome bench = run({"bench", file, "--states", "16"});
  EXPECT_EQ(bench.code, 2) << bench.err;
  EXPECT_TRUE(contains(bench.err, "GiB")) << bench.err;
}

TEST(size, a_recording_too_long_for_the_disk_is_refused_with_its_numbers) {
  const Folder folder;
  const Words words{"simulate", arm,    "--time", "1",
                    "--every",  "1e-9", "--out",  folder.path("r.csv")};
  const Outcome outcome = run(words);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  for (const char* part : {"1e+09 rows", "17 numbers", "GB", "--every", "--any-size"})
    EXPECT_TRUE(contains(outcome.err, part)) << part << ": " << outcome.err;
  EXPECT_TRUE(folder.contents().empty());
  EXPECT_EQ(run({"simulate", arm, "--time", "3e4", "--out", folder.path("r.h5")}).code, 2)
      << "30 million steps are 30 million rows";
  EXPECT_EQ(run({"simulate", arm, "--time", "0.01", "--every", "1e-3", "--out",
                 folder.path("r.csv"), "--any-size"})
                .code,
            0);
}

TEST(size, of_a_recording_is_foretold_well) {
  const Folder folder;
  const std::string path = folder.path("r.csv");
  ASSERT_EQ(run({"simulate", arm, "--time", "1", "--q", "joint2=0.5", "--out", path}).code, 0);
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  // The same rows a million times as many: 1001 rows make `bytes`.
  const Outcome outcome = run({"simulate", arm, "--time", "1e6", "--out", path});
  const std::size_t at = outcome.err.find("about ");
  ASSERT_NE(at, std::string::npos) << outcome.err;
  const double foretold = 1e9 * std::stod(outcome.err.substr(at + 6));
  EXPECT_LT(std::abs(std::log(foretold / (1e6 * bytes))), std::log(1.3)) << outcome.err;
}

TEST(size, a_run_of_very_many_steps_is_noted) {
  const Outcome outcome = run({"simulate", arm, "--time", "1e-3", "--step", "1e-14", "--limits",
                               "stop", "--v", "joint2=1e10"});
  EXPECT_EQ(outcome.code, 0) << "the limit of joint2 ends it soon: " << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "1e+11 steps")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "--step")) << outcome.err;
}

TEST(size, memory_that_is_not_there_is_no_internal_error) {
#ifdef LINKWRIGHT_SANITIZED
  GTEST_SKIP()
      << "skipped: sanitizers reserve terabytes of addresses and end a program without memory";
#endif
  const Folder folder;
  const std::string file = chain(folder, 6000);  // 36 million numbers: allowed, but 288 MB
  const std::string line = "ulimit -v 400000; " + std::string(LINKWRIGHT_PROGRAM) +
                           " compute mass-matrix " + file + " --out " + folder.path("out.csv") +
                           " 2> " + folder.path("err");
  const int status = std::system(line.c_str());
  const std::string err = read(folder.path("err"));
  EXPECT_EQ(WEXITSTATUS(status), 1) << err;
  EXPECT_TRUE(contains(err, "not enough memory")) << err;
  EXPECT_EQ(folder.contents(), (Words{"chain.urdf", "err"}));
}

}  // namespace
}  // namespace apps
