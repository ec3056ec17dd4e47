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

/// A result file. Text collects in a temporary file in the same folder, which takes the place of
/// `path` on commit(); without a commit an existing file stays as it was and nothing is left
/// behind. "-" is stdout, and devices and pipes are written to directly; both receive everything at
/// commit(). Throws Error naming the path when it cannot be written.
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
  /// Throws the Error of a disk that refuses; `reason` is an errno, 0 for none.
  [[noreturn]] void fail(std::string_view what, int reason) const;

 private:
  void open_temporary();
  void flush();

  std::string path_;
  std::filesystem::path target_, temporary_;
  bool direct_ = false;
  int file_ = -1;
  std::string pending_;
};

}  // namespace linkwright
