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

/// What the program's own help lists.
std::vector<std::string> commands() {
  const std::string help = run({"--help"}).out, title = "Subcommands:\n";
  std::istringstream lines(help.substr(help.find(title) + title.size()));
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    std::istringstream words(line);
    words >> found.emplace_back();
  }
  return found;
}

/// Runs examples where they may write files: in a folder of their own that has the models.
class Workshop {
 public:
  Workshop() {
    std::filesystem::create_directory_symlink(LINKWRIGHT_SOURCE_DIR "/models",
                                              folder_.path("models"));
  }
  [[nodiscard]] Outcome run(const std::vector<std::string>& words) const {
    return apps::run(words, {.folder = folder_.path(".")});
  }

 private:
  Folder folder_;
};

TEST(help, shows_examples_that_run) {
  std::vector<std::vector<std::string>> pages{{"--help"}};
  for (const std::string& command : commands()) pages.push_back({command, "--help"});
  EXPECT_EQ(pages.size(), 14U) << "are all commands found?";
  for (const std::vector<std::string>& words : pages) {
    const Outcome help = run(words);
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(help.err.empty()) << help.err;
    const auto lines = examples(help.out);
    EXPECT_FALSE(lines.empty()) << help.out;
    const Workshop workshop;  // an example may read what the one before it wrote
    for (const auto& line : lines) {
      if (line.front() == "view" && !linkwright::page_available()) {
        std::cout << "skipped: the examples of view (this build has no page)\n";
        continue;
      }
      const Outcome outcome = workshop.run(line);
      EXPECT_EQ(outcome.code, 0) << line.front() << outcome.err;
      EXPECT_FALSE(outcome.out.empty());
    }
  }
}

/// The keys that a command's help names behind "one JSON object:".
std::vector<std::string> promised_keys(const std::string& help) {
  const std::string title = "one JSON object:";
  std::vector<std::string> keys;
  const std::size_t start = help.find(title);
  if (start == std::string::npos) return keys;
  // Up to an empty line or the next option, which begins at its own indent.
  std::string text;
  std::istringstream lines(help.substr(start + title.size()));
  for (std::string line; std::getline(lines, line) && !line.empty() && !line.starts_with("  -");)
    text += line + " ";
  std::istringstream pieces(text);
  for (std::string piece; std::getline(pieces, piece, ',');) {
    std::istringstream words(piece);
    std::string key, next;
    words >> key >> next;
    if (key != "…") keys.push_back(key);
    if (next == "of") break;  // what follows stands within
  }
  return keys;
}

TEST(help, names_the_keys_that_json_has) {
  const std::map<std::string, std::vector<std::string>> calls{
      {"check", {LINKWRIGHT_SOURCE_DIR "/tests/data/bad_models/many_mistakes.urdf"}},
      {"info", {"models/arm7.urdf"}},
      {"assemble", {"models/four_bar.yaml"}},
      {"compute", {"mass-matrix", "models/arm7.urdf"}},
      {"linearize", {"models/four_bar.yaml"}},
      {"grasp", {"models/three_fingers_and_ball.yaml"}},
      {"graph", {"models/arm7.urdf"}},
      {"identify", {"models/arm6.urdf", "--data", "run.csv", "--joints", "damping,friction"}},
      {"verify", {"models/arm7.urdf", "--states", "2"}},
      {"bench", {"models/arm7.urdf", "--seconds", "0.05", "--states", "64"}}};
  const Workshop workshop;
  const Outcome recorded = workshop.run(
      {"simulate", "models/arm6.urdf", "--time", "8", "--reference", "models/arm6_excitation.csv",
       "--every", "0.01", "--record", "a", "--record", "tau", "--out", "run.csv"});
  ASSERT_EQ(recorded.code, 0) << recorded.err;
  for (const std::string& command : commands()) {
    const std::vector<std::string> keys = promised_keys(run({command, "--help"}).out);
    const auto call = calls.find(command);
    EXPECT_EQ(keys.empty(), call == calls.end()) << command;
    if (keys.empty()) continue;  // a page, a summary
    EXPECT_GE(keys.size(), 3U) << command;
    std::vector<std::string> words{command};
    words.insert(words.end(), call->second.begin(), call->second.end());
    words.emplace_back("--json");
    const Outcome outcome = workshop.run(words);
    ASSERT_EQ(outcome.code, command == "check" ? 2 : 0) << command << outcome.err;
    const auto told = nlohmann::json::parse(outcome.out);
    for (const std::string& key : keys) EXPECT_TRUE(told.contains(key)) << command << ": " << key;
  }
}

TEST(help, fits_on_a_page_and_tells_defaults) {
  for (const std::string& command : commands()) {
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
