// Every option that takes a path, with every kind of path that cannot serve: one line that names the
// path and the cause, exit code 2, or 1 for a full disk.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "apps/program.hpp"
#include "linkwright/viewer/page.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;

/// The words of a command with a path at "PATH".
struct Use {
  std::string name;
  Words words;
};

Words with_path(Words words, const std::string& path) {
  std::replace(words.begin(), words.end(), std::string("PATH"), path);
  return words;
}

const std::string arm = bundled("arm7.urdf");

std::vector<Use> uses_that_read() {
  std::vector<Use> uses{{"states", {"compute", "gravity", arm, "--states", "PATH"}},
                        {"continue", {"simulate", arm, "--time", "1", "--continue", "PATH"}}};
  for (const char* command : {"check", "info", "verify", "bench"})
    uses.push_back({command, {command, "PATH"}});
  uses.push_back({"compute", {"compute", "gravity", "PATH"}});
  uses.push_back({"simulate", {"simulate", "PATH", "--time", "1"}});
  uses.push_back({"view", {"view", "PATH", "-o", "-"}});
  return uses;
}

std::vector<Use> uses_that_write() {
  std::vector<Use> uses{
      {"compute --out", {"compute", "gravity", arm, "--out", "PATH"}},
      {"simulate --out", {"simulate", arm, "--time", "0.01", "--out", "PATH"}},
      {"simulate --checkpoint", {"simulate", arm, "--time", "0.01", "--checkpoint", "PATH"}}};
  if (!linkwright::page_available()) {
    std::cout << "skipped: --html and view -o (this build has no page)\n";
    return uses;
  }
  uses.push_back({"simulate --html", {"simulate", arm, "--time", "0.01", "--html", "PATH"}});
  uses.push_back({"view -o", {"view", arm, "-o", "PATH"}});
  uses.push_back({"view --out", {"view", arm, "--out", "PATH"}});
  return uses;
}

void expect_one_line(const Use& use, const std::string& path, int code, const std::string& says) {
  const Outcome outcome = run(with_path(use.words, path));
  const std::string about = use.name + " " + path + ": " + outcome.err;
  EXPECT_EQ(outcome.code, code) << about;
  EXPECT_TRUE(outcome.out.empty()) << about;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << about;
  EXPECT_TRUE(outcome.err.starts_with("error: " + path)) << about;
  EXPECT_TRUE(contains(outcome.err, says)) << about << " should say " << says;
  EXPECT_FALSE(contains(outcome.err, "exception")) << about;
  EXPECT_FALSE(contains(outcome.err, "internal")) << about;
}

TEST(paths, that_cannot_be_read_are_named_with_the_cause) {
  const Folder folder;
  std::filesystem::create_directory(folder.path("folder"));
  const std::string closed = folder.file("closed", "q1\n0\n");
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  std::string binary(
      "\x7f"
      "ELF\1\0\2\3",
      8);
  for (int i = 0; i < 2000; ++i) binary += static_cast<char>(i * 7);
  for (const Use& use : uses_that_read()) {
    expect_one_line(use, folder.path("folder"), 2, "folder");
    expect_one_line(use, folder.path("missing"), 2,
                    use.name == "states" ? "No such file" : "no such file");
    expect_one_line(use, folder.path("missing/file"), 2,
                    use.name == "states" ? "No such file" : "no such file");
    expect_one_line(use, folder.file("empty", ""), 2,
                    use.name == "continue" ? "not a checkpoint" : "empty");
    expect_one_line(use, folder.file("binary", binary), 2,
                    use.name == "continue" ? "not a checkpoint" : "binary");
    expect_one_line(use, "/proc/self/mem", 2, "cannot be read");
    if (::geteuid() == 0) continue;
    expect_one_line(use, closed, 2, "Permission denied");
  }
  if (::geteuid() == 0) std::cout << "skipped: files without permission (root may read them)\n";
}

TEST(paths, that_cannot_be_written_are_named_with_the_cause) {
  const Folder folder;
  std::filesystem::create_directory(folder.path("folder.csv"));
  (void)folder.file("file", "");
  std::filesystem::create_directory(folder.path("closed"));
  std::filesystem::permissions(folder.path("closed"), std::filesystem::perms::none);
  for (const Use& use : uses_that_write()) {
    expect_one_line(use, folder.path("folder.csv"), 2, "it is a folder");
    expect_one_line(use, folder.path("missing/result.csv"), 2, "its folder does not exist");
    expect_one_line(use, folder.path("file/result.csv"), 2, "Not a directory");
    expect_one_line(use, "/dev/full", 1, "No space left");
    if (::geteuid() != 0)
      expect_one_line(use, folder.path("closed/result.csv"), 2, "Permission denied");
    EXPECT_EQ(folder.contents(), (Words{"closed", "file", "folder.csv"})) << use.name;
  }
}

TEST(paths, results_on_a_full_stdout_fail) {
  const Folder folder;
  for (const std::string& words :
       {"info " + arm, "info " + arm + " --json", std::string("--help"), std::string("--version"),
        std::string("simulate --help"), "compute gravity " + arm,
        "compute gravity " + arm + " --json", "simulate " + arm + " --time 0.01 --out -"}) {
    std::string line = LINKWRIGHT_PROGRAM;
    line += " " + words + " > /dev/full 2> " + folder.path("err");
    const int status = std::system(line.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1) << words;
    const std::string said = read(folder.path("err"));
    EXPECT_TRUE(contains(said, "No space left")) << words << ": " << said;
  }
}

}  // namespace
}  // namespace apps
