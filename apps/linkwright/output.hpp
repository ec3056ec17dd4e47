#pragma once
/// Everything that leaves the program: messages on stderr, results on stdout, files that appear
/// whole or not at all.

#include <filesystem>
#include <string>
#include <string_view>

namespace linkwright::app {

/// "error: …", "warning: …", "note: …" on stderr, in colour on a terminal unless NO_COLOR is set.
void report_error(std::string_view message);
void report_warning(std::string_view message);
void report_note(std::string_view message);

/// Writes to stdout; throws Error when that is not possible (a full disk).
void print(std::string_view text);
/// `text` in bold when stdout is a terminal and NO_COLOR is not set.
std::string bold(std::string_view text);

/// "1 joint", "2 bodies".
std::string counted(std::size_t count, std::string_view one, std::string_view many);
/// A name with its control characters written as \xNN, so that it cannot garble a terminal.
std::string printable(std::string_view name);

/// A result file. Text collects in a temporary file in the same folder, which takes the place of
/// `path` on commit(); without a commit an existing file stays as it was. "-" is stdout, and
/// devices and pipes are written to directly; both receive everything at commit().
///
///     OutputFile out("tau.csv");
///     out.write("tau:j1\n0.5\n");
///     out.commit();
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail(std::string_view what, int reason) const;
  void open_temporary();
  void flush();

  std::string path_;
  std::filesystem::path target_, temporary_;
  bool direct_ = false;
  int file_ = -1;
  std::string pending_;
};

}  // namespace linkwright::app
