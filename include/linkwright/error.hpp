#pragma once
/// The one exception type for users' mistakes, and where they were made.

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace linkwright {

/// A place in a file. `line` 0 means "no line known"; an empty file means "built in code".
struct Source {
  std::string file;
  int line = 0;

  /// "arm.urdf:12", "arm.urdf" or "" — ready to stand in front of a message.
  [[nodiscard]] std::string text() const;
};

/// One thing that is wrong, and where.
struct Mistake {
  Source where;
  std::string message;
  /// "arm.urdf:12: message", or the message alone when no file is known.
  [[nodiscard]] std::string text() const;
};

/// Thrown for every mistake a user can make. The message names the thing (file:line, link, joint),
/// what was expected, what was found, and what to do. A file's mistakes come together, one per
/// line. Example:
///
///     try { auto model = linkwright::read_model("arm.urdf"); }
///     catch (const linkwright::Error& e) {
///       std::cerr << e.what() << '\n';                                       // all of them
///       for (const auto& mistake : e.mistakes()) mark(mistake.where.line);   // or one by one
///     }
class Error : public std::runtime_error {
 public:
  /// What went wrong: input that can be corrected, or a computation that has no answer.
  enum class Kind { bad_input, failed_computation };

  explicit Error(const std::string& message, Kind kind = Kind::bad_input);
  Error(const Source& where, const std::string& message, Kind kind = Kind::bad_input);
  /// Several at once; `rest` are lines that follow them, or empty: how many are not listed, how many
  /// a lenient reader repairs.
  Error(std::vector<Mistake> mistakes, const std::string& rest, Kind kind = Kind::bad_input);

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] const std::vector<Mistake>& mistakes() const noexcept { return told_->mistakes; }
  [[nodiscard]] const std::string& rest() const noexcept { return told_->rest; }

 private:
  struct Told {
    std::vector<Mistake> mistakes;
    std::string rest;
  };

  Kind kind_;
  std::shared_ptr<const Told> told_;  // shared: copying must not throw
};

}  // namespace linkwright
