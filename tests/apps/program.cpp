#include "apps/program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace apps {
namespace {

void redirect(const std::string& path, int descriptor, int flags) {
  const int file = ::open(path.c_str(), flags, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(126);
}

[[noreturn]] void become_program(const std::vector<std::string>& words, const Place& place,
                                 const Folder& files, const std::string& terminal = {}) {
  redirect(files.path("in"), STDIN_FILENO, O_RDONLY);
  redirect(files.path("out"), STDOUT_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
  redirect(terminal.empty() ? files.path("err") : terminal, STDERR_FILENO,
           O_WRONLY | O_CREAT | O_TRUNC);
  for (const auto& [name, value] : place.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments{const_cast<char*>(LINKWRIGHT_PROGRAM)};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (::chdir(place.folder.c_str()) != 0) ::_exit(126);
  ::alarm(60 * LINKWRIGHT_TIME_FACTOR);
  ::execv(LINKWRIGHT_PROGRAM, arguments.data());
  ::_exit(127);
}

/// How a program ended, and the most memory that it held.
std::pair<int, long> wait_for(pid_t child) {
  int status = 0;
  struct rusage used {};
  ::wait4(child, &status, 0, &used);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, used.ru_maxrss};
}

}  // namespace

Outcome run(const std::vector<std::string>& words, const Place& place) {
  return run_and_signal(words, 0, {}, place);
}

Outcome run_and_signal(const std::vector<std::string>& words, int signal,
                       const std::function<bool(int)>& ready, const Place& place) {
  const Folder files;
  (void)files.file("in", place.input);
  const pid_t child = ::fork();
  if (child == 0) become_program(words, place, files);
  for (int i = 0; ready && !ready(child) && i < 15000 * LINKWRIGHT_TIME_FACTOR; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  if (ready) ::kill(child, signal);
  const auto [code, kilobytes] = wait_for(child);
  return {code, read(files.path("out")), read(files.path("err")), kilobytes};
}

bool writes_into(int process, const std::string& folder) {
  std::error_code gone;
  const std::string descriptors = "/proc/" + std::to_string(process) + "/fd";
  for (const auto& entry : std::filesystem::directory_iterator(descriptors, gone)) {
    const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
    // A file without a name is shown as FOLDER/#NUMBER (deleted).
    const bool temporary = contains(target, "(deleted)") || contains(target, "/.linkwright-");
    if (target.starts_with(folder) && temporary) return true;
  }
  return false;
}

std::optional<Outcome> run_on_terminal(const std::vector<std::string>& words, const Place& place) {
  const Folder files;
  (void)files.file("in", place.input);
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) return std::nullopt;
  const std::string name = ::ptsname(terminal);
  const int held = ::open(name.c_str(), O_RDWR | O_NOCTTY);  // keeps the text after the program
  if (held < 0) return std::nullopt;
  const pid_t child = ::fork();
  if (child == 0) become_program(words, place, files, name);
  // Read while it runs: a terminal holds few kilobytes, and who writes more waits.
  ::fcntl(terminal, F_SETFL, O_NONBLOCK);
  std::string shown;
  std::atomic<bool> ended = false;
  std::thread reader([&] {
    std::array<char, 4096> piece{};
    for (bool last = false; !last;) {
      last = ended;
      for (ssize_t got = 0; (got = ::read(terminal, piece.data(), piece.size())) > 0;)
        shown.append(piece.data(), static_cast<std::size_t>(got));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  const int code = wait_for(child).first;
  ended = true;
  reader.join();
  Outcome outcome{code, read(files.path("out")), shown};
  ::close(held);
  ::close(terminal);
  return outcome;
}

Outcome simulate(std::vector<std::string> words) {
  words.insert(words.begin(), "simulate");
  return run(words);
}

nlohmann::json run_json(const std::vector<std::string>& words) {
  const Outcome outcome = run(words);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out);
}

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "linkwright-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder " + pattern);
  folder_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Folder::file(const std::string& name, std::string_view text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return path(name);
}

std::vector<std::string> Folder::contents() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void expect_refused(const std::vector<std::vector<std::string>>& lines,
                    const std::string& command) {
  for (std::vector<std::string> words : lines) {
    if (!command.empty()) words.insert(words.begin(), command);
    std::string line;
    for (const std::string& word : words) line += word + " ";
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << line << outcome.err;
    EXPECT_TRUE(outcome.out.empty()) << line << outcome.out;
    EXPECT_TRUE(outcome.err.starts_with("error: ")) << line << outcome.err;
    EXPECT_FALSE(contains(outcome.err, "internal")) << line << outcome.err;
  }
}

std::string read(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string shared(const std::string& name) {
  return std::string(LINKWRIGHT_SHARED_DIR "/") + name;
}
std::string bundled(const std::string& name) {
  return std::string(LINKWRIGHT_SOURCE_DIR "/models/") + name;
}

std::vector<double> Table::column(const std::string& title) const {
  const auto found = std::find(titles.begin(), titles.end(), title);
  if (found == titles.end()) {
    ADD_FAILURE() << "no column " << title;
    return {};
  }
  const auto i = static_cast<std::size_t>(found - titles.begin());
  std::vector<double> values;
  for (const auto& row : rows) {
    double value = 0;
    const auto [stop, trouble] =
        std::from_chars(row.at(i).data(), row.at(i).data() + row.at(i).size(), value);
    EXPECT_EQ(trouble, std::errc{}) << row.at(i);
    values.push_back(value);
  }
  return values;
}

Table parse_table(const std::string& text) {
  Table table;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    std::vector<std::string> fields;
    std::istringstream pieces(line);
    for (std::string field; std::getline(pieces, field, ',');) fields.push_back(field);
    if (table.titles.empty())
      table.titles = fields;
    else
      table.rows.push_back(fields);
  }
  return table;
}

}  // namespace apps
