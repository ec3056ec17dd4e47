#include "linkwright/io/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "linkwright/error.hpp"

namespace linkwright {
namespace {

constexpr std::size_t piece = std::size_t{1} << 20;

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
  if (file_ < 0) {
    const int reason = errno;
    if (reason == ENOENT) fail("its folder does not exist; make it first", 0);
    fail("no file can be made in its folder", reason);
  }
  temporary_ = pattern;
  struct stat existing {};
  const mode_t mode = ::stat(target_.c_str(), &existing) == 0 ? existing.st_mode : usual_mode();
  if (::fchmod(file_, mode & 07777U) == 0) return;
  const int reason = errno;
  ::unlink(temporary_.c_str());  // no destructor runs for a constructor that throws
  ::close(file_);
  fail("its permissions cannot be set", reason);
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
  if (path_ == "-") {
    file_ = ::dup(STDOUT_FILENO);
    if (file_ < 0 || std::fflush(stdout) != 0) fail("stdout refuses", errno);
  } else if (direct_) {
    file_ = ::open(path_.c_str(), O_WRONLY);
    if (file_ < 0) fail("it cannot be opened", errno);
  }
  flush();
  if (direct_) return;
  if (::fsync(file_) != 0) fail("the disk refuses", errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("it cannot be replaced", errno);
  temporary_.clear();
}

}  // namespace linkwright
