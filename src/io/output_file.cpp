#include "linkwright/io/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
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

/// Whether the machine failed, rather than the path being wrong.
bool is_full_disk(int reason) {
  return reason == ENOSPC || reason == EDQUOT || reason == EFBIG || reason == EIO;
}

/// Holds signals back while a file changes its name, so that none can end the program in between.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

/// Gives a file without a name one; 0, or the reason of the failure.
int give_name(int file, const std::filesystem::path& name) {
  const std::string handle = fmt::format("/proc/self/fd/{}", file);
  const int done = ::linkat(AT_FDCWD, handle.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
  return done == 0 ? 0 : errno;
}

/// A name that no file in the folder has.
std::filesystem::path hidden_name(const std::filesystem::path& folder) {
  static std::atomic<unsigned> count{0};
  return folder / fmt::format(".linkwright-{}-{}", ::getpid(), count++);
}

/// Whether files can be made here without a name and be named later, tried with another file.
bool knows_nameless_files(const std::filesystem::path& folder) {
  const SignalsHeld held;
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return false;
  const std::filesystem::path name = hidden_name(folder);
  const bool named = give_name(file, name) == 0;
  if (named) ::unlink(name.c_str());
  ::close(file);
  return named;
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
  const std::filesystem::path parent = target_.parent_path();
  const std::filesystem::path folder = parent.empty() ? "." : parent;
  if (knows_nameless_files(folder)) open_nameless(folder);
  if (file_ < 0) open_hidden(folder);
  struct stat existing {};
  const mode_t mode = ::stat(target_.c_str(), &existing) == 0 ? existing.st_mode : usual_mode();
  if (::fchmod(file_, mode & 07777U) == 0) return;
  const int reason = errno;
  if (!hidden_.empty()) ::unlink(hidden_.c_str());  // no destructor runs when a constructor throws
  ::close(file_);
  fail("its permissions cannot be set", reason);
}

void OutputFile::open_nameless(const std::filesystem::path& folder) {
  file_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

void OutputFile::open_hidden(const std::filesystem::path& folder) {
  std::string pattern = (folder / ".linkwright-XXXXXX").string();
  file_ = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (file_ >= 0) {
    hidden_ = pattern;
    return;
  }
  const int reason = errno;
  if (reason == ENOENT) fail("its folder does not exist; make it first", 0);
  fail("no file can be made in its folder", reason);
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
  if (aside_ >= 0) ::close(aside_);
  if (!hidden_.empty()) ::unlink(hidden_.c_str());
}

void OutputFile::fail(std::string_view what, int reason) const {
  throw Error(
      fmt::format("{}: cannot write the results: {}{}; nothing was changed", path_, what,
                  reason == 0 ? std::string{} : fmt::format(" ({})", std::strerror(reason))),
      is_full_disk(reason) ? Error::Kind::failed_computation : Error::Kind::bad_input);
}

void OutputFile::write(std::string_view text) {
  pending_ += text;
  if (pending_.size() <= piece) return;
  if (direct_)
    set_aside();
  else
    flush();
}

void OutputFile::set_aside() {
  std::error_code none;
  std::filesystem::path folder = std::filesystem::temp_directory_path(none);
  if (none) folder = "/tmp";
  if (aside_ < 0) aside_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (aside_ < 0) {
    std::string pattern = (folder / ".linkwright-XXXXXX").string();
    const SignalsHeld held;
    aside_ = ::mkostemp(pattern.data(), O_CLOEXEC);
    if (aside_ >= 0) ::unlink(pattern.c_str());
  }
  if (trouble_ == 0) trouble_ = aside_ < 0 ? errno : write_all(aside_, pending_);
  if (trouble_ != 0) fail(fmt::format("they cannot be set aside in {}", folder.string()), trouble_);
  pending_.clear();
}

void OutputFile::write_set_aside() {
  if (::lseek(aside_, 0, SEEK_SET) != 0) fail("what was set aside cannot be read", errno);
  std::string part(piece, '\0');
  while (true) {
    const ssize_t got = ::read(aside_, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("what was set aside cannot be read", errno);
    if (got == 0) return;
    trouble_ = write_all(file_, std::string_view(part).substr(0, static_cast<std::size_t>(got)));
    if (trouble_ != 0) fail("the disk refuses", trouble_);
  }
}

void OutputFile::flush() {
  if (trouble_ == 0) trouble_ = write_all(file_, pending_);
  if (trouble_ != 0) fail("the disk refuses", trouble_);
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
  if (aside_ >= 0) write_set_aside();
  flush();
  if (direct_) return;
  while (::fsync(file_) != 0)
    if (errno != EINTR) fail("the disk refuses", errno);
  take_its_place();
}

void OutputFile::take_its_place() {
  const SignalsHeld held;
  if (hidden_.empty()) {
    const int reason = give_name(file_, target_);
    if (reason == 0) return;
    if (reason != EEXIST) fail("it cannot be given its name", reason);
    // A name can be taken over by renaming only.
    const std::filesystem::path name = hidden_name(target_.parent_path());
    const int other = give_name(file_, name);
    if (other != 0) fail("it cannot be given its name", other);
    hidden_ = name;
  }
  if (::rename(hidden_.c_str(), target_.c_str()) != 0) fail("it cannot be replaced", errno);
  hidden_.clear();
}

}  // namespace linkwright
