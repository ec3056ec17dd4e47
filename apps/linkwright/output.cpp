#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "linkwright/error.hpp"

namespace linkwright::app {
namespace {

constexpr std::size_t piece = std::size_t{1} << 20;

bool has_colour(int descriptor) {
  const char* const refused = std::getenv("NO_COLOR");
  return (refused == nullptr || *refused == '\0') && isatty(descriptor) != 0;
}

void report(std::string_view kind, std::string_view colour, std::string_view message) {
  const std::string text = has_colour(STDERR_FILENO)
                               ? fmt::format("\x1b[1;{}m{}:\x1b[0m {}\n", colour, kind, message)
                               : fmt::format("{}: {}\n", kind, message);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// 0, or the reason of the failure.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

}  // namespace

void report_error(std::string_view message) { report("error", "31", message); }
void report_warning(std::string_view message) { report("warning", "33", message); }
void report_note(std::string_view message) { report("note", "36", message); }

void print(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0)
    throw Error(fmt::format("the results cannot be written to stdout ({})", std::strerror(errno)));
}

std::string bold(std::string_view text) {
  return has_colour(STDOUT_FILENO) ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string(text);
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string printable(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7f)
      out += fmt::format("\\x{:02x}", code);
    else
      out += c;
  }
  return out;
}

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path) {
  if (path_ == "-") {
    direct_ = true;
    return;
  }
  std::error_code ignored;
  const auto status = std::filesystem::status(target_, ignored);
  if (std::filesystem::is_directory(status)) fail("it is a folder; expected a file name", 0);
  if (std::filesystem::exists(status)) {
    if (::access(path_.c_str(), W_OK) != 0) fail("it may not be written", errno);
    direct_ = !std::filesystem::is_regular_file(status);
    // Renaming onto a symbolic link would replace the link and leave the file it names as it was.
    target_ = std::filesystem::canonical(target_, ignored);
  }
  if (!direct_) open_temporary();
}

void OutputFile::open_temporary() {
  const auto name = fmt::format(".{}.XXXXXX", target_.filename().string());
  std::string pattern = (target_.parent_path() / name).string();
  file_ = ::mkstemp(pattern.data());
  if (file_ < 0) fail("no file can be made in its folder", errno);
  temporary_ = pattern;
  struct stat existing {};
  const mode_t mode = ::stat(target_.c_str(), &existing) == 0 ? existing.st_mode : usual_mode();
  if (::fchmod(file_, mode & 07777U) != 0) fail("its permissions cannot be set", errno);
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::fail(std::string_view what, int reason) const {
  throw Error(
      fmt::format("{}: cannot write the results: {}{}; nothing was changed", path_, what,
                  reason == 0 ? std::string{} : fmt::format(" ({})", std::strerror(reason))));
}

void OutputFile::write(std::string_view text) {
  pending_ += text;
  if (!direct_ && pending_.size() > piece) flush();
}

void OutputFile::flush() {
  const int trouble = write_all(file_, pending_);
  if (trouble != 0) fail("the disk refuses", trouble);
  pending_.clear();
}

void OutputFile::commit() {
  if (path_ == "-") return print(std::exchange(pending_, {}));
  if (direct_) {
    file_ = ::open(path_.c_str(), O_WRONLY);
    if (file_ < 0) fail("it cannot be opened", errno);
  }
  flush();
  if (direct_) return;
  if (::fsync(file_) != 0) fail("the disk refuses", errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("it cannot be replaced", errno);
  temporary_.clear();
}

}  // namespace linkwright::app
