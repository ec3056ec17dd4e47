// Files that appear whole or not at all.
#include "linkwright/io/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "support/files.hpp"

namespace linkwright {
namespace {

using linkwright::testing::TemporaryFolder;

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> visible(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(OutputFile, appears_at_its_commit) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "result.csv";
  {
    OutputFile file(path.string());
    file.write(std::string(3 << 20, 'x'));  // more than is kept in memory
    EXPECT_FALSE(std::filesystem::exists(path));
    file.write("end\n");
    file.commit();
  }
  EXPECT_EQ(text_of(path).size(), (3U << 20) + 4);
  EXPECT_EQ(visible(folder.path()), std::vector<std::string>{"result.csv"});
}

TEST(OutputFile, replaces_what_was_there_and_keeps_its_permissions) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.write("result.csv", "old");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  {
    OutputFile file(path.string());
    file.write("new");
    EXPECT_EQ(text_of(path), "old");
    file.commit();
  }
  EXPECT_EQ(text_of(path), "new");
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0640));
  EXPECT_EQ(visible(folder.path()), std::vector<std::string>{"result.csv"});
}

TEST(OutputFile, without_a_commit_leaves_everything_as_it_was) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.write("result.csv", "old");
  { OutputFile(path.string()).write(std::string(3 << 20, 'x')); }
  { OutputFile((folder.path() / "other.csv").string()).write("x"); }
  EXPECT_EQ(text_of(path), "old");
  EXPECT_EQ(visible(folder.path()), std::vector<std::string>{"result.csv"});
}

TEST(OutputFile, takes_the_longest_name_a_folder_can_hold) {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  for (const char* text : {"first", "second"}) {
    OutputFile file((folder.path() / name).string());
    file.write(text);
    file.commit();
    EXPECT_EQ(text_of(folder.path() / name), text);
  }
}

TEST(OutputFile, many_at_once_do_not_meet) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "result").string();
  OutputFile first(path), second(path);
  first.write("first");
  second.write("second");
  first.commit();
  EXPECT_EQ(text_of(path), "first");
  second.commit();
  EXPECT_EQ(text_of(path), "second");
}

TEST(OutputFile, a_full_disk_stays_full) {
  OutputFile file("/dev/full");
  file.write("x");
  for (int i = 0; i < 2; ++i) {
    try {
      file.commit();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::failed_computation);
      EXPECT_TRUE(linkwright::testing::contains(error.what(), "/dev/full")) << error.what();
    }
  }
}

/// What waits for a stream waits on disk, in a file without a name.
TEST(OutputFile, a_pipe_receives_megabytes_at_the_commit) {
  const TemporaryFolder folder, aside;
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", aside.path().c_str(), 1);
  std::string sent, received;
  std::thread reader;
  {
    OutputFile file(pipe.string());
    for (int i = 0; i < 500000; ++i) {
      const std::string line = std::to_string(i) + "\n";
      file.write(line);
      sent += line;
    }
    EXPECT_TRUE(visible(aside.path()).empty());
    reader = std::thread([&] { received = text_of(pipe); });
    file.commit();
  }
  reader.join();  // the pipe ends with the file
  EXPECT_EQ(received, sent);
  if (before == nullptr)
    ::unsetenv("TMPDIR");
  else
    ::setenv("TMPDIR", kept.c_str(), 1);
}

TEST(OutputFile, signals_are_let_through_again_after_a_commit) {
  const TemporaryFolder folder;
  sigset_t before, after;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  OutputFile file((folder.path() / "result").string());
  file.commit();
  ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
  EXPECT_EQ(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
}

}  // namespace
}  // namespace linkwright
