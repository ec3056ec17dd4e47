// Help and version: every example that the help shows must run.
#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "apps/program.hpp"
#include "linkwright/viewer/page.hpp"

namespace apps {
namespace {

/// The words of each line after "Example:" that calls the program.
std::vector<std::vector<std::string>> examples(const std::string& help) {
  std::vector<std::vector<std::string>> found;
  const std::size_t start = help.find("Example:");
  if (start == std::string::npos) return found;
  std::istringstream lines(help.substr(start));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream pieces(line);
    std::vector<std::string> words;
    for (std::string word; pieces >> word;) words.push_back(word);
    if (words.empty() || words.front() != "linkwright") continue;
    words.erase(words.begin());
    found.push_back(words);
  }
  return found;
}

/// Runs an example where it may write files: in a folder of its own that has the models.
Outcome run_example(const std::vector<std::string>& words) {
  const Folder folder;
  std::filesystem::create_directory_symlink(LINKWRIGHT_SOURCE_DIR "/models", folder.path("models"));
  return run(words, {.folder = folder.path(".")});
}

TEST(help, shows_examples_that_run) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"},
                                                {"check", "--help"},
                                                {"info", "--help"},
                                                {"compute", "--help"},
                                                {"linearize", "--help"},
                                                {"grasp", "--help"},
                                                {"graph", "--help"},
                                                {"simulate", "--help"},
                                                {"verify", "--help"},
                                                {"bench", "--help"},
                                                {"view", "--help"}}) {
    const Outcome help = run(words);
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(help.err.empty()) << help.err;
    const auto lines = examples(help.out);
    EXPECT_FALSE(lines.empty()) << help.out;
    for (const auto& line : lines) {
      if (line.front() == "view" && !linkwright::page_available()) {
        std::cout << "skipped: the examples of view (this build has no page)\n";
        continue;
      }
      const Outcome outcome = run_example(line);
      EXPECT_EQ(outcome.code, 0) << line.front() << outcome.err;
      EXPECT_FALSE(outcome.out.empty());
    }
  }
}

TEST(help, fits_on_a_page_and_tells_defaults) {
  for (const std::string command : {"check", "info", "compute", "linearize", "grasp", "graph",
                                    "simulate", "verify", "bench", "view"}) {
    std::istringstream lines(run({command, "--help"}).out);
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("  linkwright ")) {
        EXPECT_LE(line.size(), 102U) << command << ": " << line;
      }
  }
  const std::string help = run({"simulate", "--help"}).out;
  for (const char* part : {"--time T (required)", "default 0.001", "default 1e-8", "default 1e-10",
                           "hold; report with", "default: every step", "rk4 (default)"})
    EXPECT_TRUE(contains(help, part)) << part << "\n" << help;
}

TEST(help, names_every_quantity) {
  const std::string help = run({"compute", "--help"}).out;
  for (const std::string quantity :
       {"forward-kinematics", "inverse-dynamics", "forward-dynamics", "mass-matrix",
        "mass-matrix-inverse", "bias", "gravity", "coriolis", "jacobian", "energy", "momentum",
        "center-of-mass", "centre-of-mass", "reactions", "joint-forces"})
    EXPECT_NE(help.find(quantity), std::string::npos) << quantity;
}

TEST(help, is_given_on_stderr_without_a_command) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("compute"), std::string::npos);
}

TEST(help, version_is_one_line) {
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.out.starts_with("linkwright ")) << outcome.out;
  EXPECT_EQ(outcome.out.find('\n'), outcome.out.size() - 1);
}

}  // namespace
}  // namespace apps
