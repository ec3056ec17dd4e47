#pragma once
/// The one exception type for users' mistakes, and where they were made.

#include <stdexcept>
#include <string>
#include <utility>

namespace linkwright {

/// A place in a file. `line` 0 means "no line known"; an empty file means "built in code".
struct Source {
  std::string file;
  int line = 0;

  /// "arm.urdf:12", "arm.urdf" or "" — ready to stand in front of a message.
  [[nodiscard]] std::string text() const {
    if (file.empty()) return {};
    return line > 0 ? file + ":" + std::to_string(line) : file;
  }
};

/// Thrown for every mistake a user can make. The message names the thing (file:line, link, joint),
/// what was expected, what was found, and what to do. Example:
///
///     try { auto model = linkwright::read_model("arm.urdf"); }
///     catch (const linkwright::Error& e) { std::cerr << e.what() << '\n'; }
class Error : public std::runtime_error {
 public:
  /// What went wrong: input that can be corrected, or a computation that has no answer.
  enum class Kind { bad_input, failed_computation };

  explicit Error(const std::string& message, Kind kind = Kind::bad_input)
      : std::runtime_error(message), kind_(kind) {}
  Error(const Source& where, const std::string& message, Kind kind = Kind::bad_input)
      : std::runtime_error(where.file.empty() ? message : where.text() + ": " + message),
        kind_(kind) {}

  [[nodiscard]] Kind kind() const noexcept { return kind_; }

 private:
  Kind kind_;
};

}  // namespace linkwright
