#pragma once
/// Files that appear whole or not at all.
///
///     linkwright::OutputFile out("tau.csv");
///     out.write("tau:j1\n0.5\n");
///     out.commit();

#include <filesystem>
#include <string>
#include <string_view>

namespace linkwright {

/// A result file. Text collects in a file without a name in the same folder, which takes the place
/// of `path` on commit(); without a commit an existing file stays as it was and nothing is left
/// behind, even when the process is killed. (Where the file system knows no files without names, it
/// has a hidden one, which the destructor removes.) "-" is stdout, and devices and pipes are written
/// to directly; both receive everything at commit(), and until then all but the last megabyte waits in a
/// nameless file in the folder for temporary files, not in memory. Throws Error naming the path when it cannot be
/// written; a disk that is full is a failed computation, all else bad input. After that every
/// further write fails too.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void commit();

  /// For writers that go back and forth in the file: the temporary file, opened for reading and
  /// writing. −1 for "-", devices and pipes, which know no places.
  [[nodiscard]] int descriptor() const { return direct_ ? -1 : file_; }
  /// Throws the Error of a file that cannot be written; `reason` is an errno, 0 for none.
  [[noreturn]] void fail(std::string_view what, int reason) const;

 private:
  void open_temporary();
  void open_nameless(const std::filesystem::path& folder);
  void open_hidden(const std::filesystem::path& folder);
  void take_its_place();
  void flush();
  void set_aside();
  void write_set_aside();

  std::string path_;
  std::filesystem::path target_;
  std::filesystem::path hidden_;  ///< the temporary file's name, empty while it has none
  bool direct_ = false;
  int file_ = -1;
  int aside_ = -1;   ///< what stdout, a device or a pipe will receive, as far as it is not pending
  int trouble_ = 0;  ///< why a write failed
  std::string pending_;
};

}  // namespace linkwright
