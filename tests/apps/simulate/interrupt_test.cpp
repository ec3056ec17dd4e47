// Signals: whenever one comes, a result is whole or not there, and nothing else is left behind.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <iostream>
#include <thread>

#include "apps/program.hpp"
#include "linkwright/viewer/page.hpp"

namespace apps {
namespace {

using Words = std::vector<std::string>;

const std::string arm = bundled("arm7.urdf");

/// Many states: `rows` of them take far longer than the test waits.
std::string many_states(int rows) {
  std::string text = "q1,q2,q3,q4,q5,q6,q7\n";
  for (int i = 0; i < rows; ++i) text += "0.1,0.2,0.3,0.4,0.5,0.6,0.7\n";
  return text;
}

/// Ready some milliseconds after the first question.
std::function<bool(int)> after(int milliseconds) {
  const auto start = std::chrono::steady_clock::now();
  return [=](int) {
    return std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(milliseconds);
  };
}

TEST(interrupt, compute_leaves_nothing_behind) {
  const Folder folder;
  const std::string states = folder.file("in.csv", many_states(400000));
  const std::string out = folder.file("out.csv", "precious\n");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Outcome outcome =
        run_and_signal({"compute", "mass-matrix", arm, "--states", states, "--out", out}, signal,
                       [&](int process) { return writes_into(process, folder.path("")); });
    EXPECT_EQ(outcome.code, 128 + signal) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "interrupted; nothing was written")) << outcome.err;
    EXPECT_TRUE(outcome.out.empty());
    EXPECT_EQ(folder.contents(), (Words{"in.csv", "out.csv"}));
    EXPECT_EQ(read(out), "precious\n");
  }
}

TEST(interrupt, even_a_killed_program_leaves_nothing_behind) {
  const Folder folder;
  const std::string states = folder.file("in.csv", many_states(400000));
  const auto writes = [&](int process) { return writes_into(process, folder.path("")); };
  for (const Words& words : std::vector<Words>{
           {"compute", "mass-matrix", arm, "--states", states, "--out", folder.path("out.csv")},
           {"simulate", arm, "--time", "1e4", "--out", folder.path("out.csv"), "--any-size"},
           {"simulate", arm, "--time", "1e4", "--out", folder.path("out.h5"), "--any-size"}}) {
    EXPECT_EQ(run_and_signal(words, SIGKILL, writes).code, -1);
    if (folder.contents() != Words{"in.csv"} && folder.contents().front().starts_with('.')) {
      std::cout << "skipped: this file system knows no files without names\n";
      GTEST_SKIP() << "no files without names";
    }
    EXPECT_EQ(folder.contents(), Words{"in.csv"});
  }
}

TEST(interrupt, at_any_moment_a_result_is_whole_or_not_there) {
  struct Case {
    Words words;
    std::string name, end;
  };
  const Folder models;
  const std::string states = models.file("in.csv", many_states(2000));
  std::vector<Case> cases{
      {{"compute", "gravity", arm, "--states", states, "--out", "PATH"}, "out.csv", "\n"},
      {{"simulate", arm, "--time", "0.5", "--checkpoint", "PATH"}, "half.json", "}\n"}};
  if (linkwright::page_available())
    cases.push_back({{"view", arm, "-o", "PATH"}, "page.html", "</html>\n"});
  else
    std::cout << "skipped: view (this build has no page)\n";
  for (const Case& one : cases)
    for (int milliseconds = 0; milliseconds < 120; milliseconds += 6) {
      const Folder folder;
      Words words = one.words;
      words.back() = folder.path(one.name);
      (void)run_and_signal(words, milliseconds % 12 == 0 ? SIGINT : SIGTERM, after(milliseconds));
      const Words found = folder.contents();
      if (found.empty()) continue;
      ASSERT_EQ(found, Words{one.name}) << one.words.front() << " after " << milliseconds << " ms";
      EXPECT_TRUE(read(folder.path(one.name)).ends_with(one.end));
    }
}

}  // namespace
}  // namespace apps
