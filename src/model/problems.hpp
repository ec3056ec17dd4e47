#pragma once
/// Collects what is wrong with a model and what is doubtful, so that one run tells all of it. The
/// readers and `validate` work in steps; a step that throws an Error ends, and the next one begins.

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "linkwright/model/model.hpp"

namespace linkwright {

/// Thrown by a step that cannot go on because of a mistake that was told already.
struct Consequence {};

/// How a mistake may be passed over: the meaning taken, and the change that gives the model this
/// meaning (none where the reader itself leaves something out).
struct Repair {
  std::string meaning;
  std::function<void(Model&)> change{};
};

class Problems {
 public:
  enum class Strictness { strict, lenient };
  explicit Problems(Strictness strictness) : strictness_(strictness) {}

  /// Runs a step and keeps the mistake it throws; false when it did not come to its end.
  template <class Step>
  bool attempt(const Step& step) {
    if (is_full()) return false;
    try {
      step();
      return true;
    } catch (const Consequence&) {
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::bad_input) throw;
      for (const Mistake& mistake : error.mistakes()) refuse(mistake.where, mistake.message);
    }
    return false;
  }
  /// The same for a step whose mistakes a lenient reader repairs.
  template <class Step>
  void attempt_or_repair(const Step& step, const Repair& repair) {
    if (is_full()) return;
    try {
      step();
    } catch (const Consequence&) {
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::bad_input) throw;
      refuse(error.mistakes().front().where, error.mistakes().front().message, repair);
    }
  }

  // The same mistake at the same place is told once.

  /// A mistake that leaves no meaning.
  void refuse(const Source& where, const std::string& message);
  /// A mistake that a lenient reader repairs, with a warning.
  void refuse(const Source& where, const std::string& message, const Repair& repair);
  void warn(const Source& where, const std::string& message, std::string_view kind);
  std::vector<Warning>& warnings() { return warnings_; }

  /// Remembers a link or joint that could not be read, so that what refers to it is not told as a
  /// second mistake. Without a name, any reference may be to it.
  void set_unread(const std::string& name);
  /// Whether `name`, perhaps with the prefix of its model, may belong to something unread.
  [[nodiscard]] bool is_unread(std::string_view name) const;
  [[nodiscard]] bool has_unread() const { return unnamed_unread_ || !unread_.empty(); }

  [[nodiscard]] bool has_mistakes() const { return !refusals_.empty(); }
  [[nodiscard]] bool is_lenient() const { return strictness_ == Strictness::lenient; }
  /// Throws one Error with all mistakes in the order of their lines, if there are any; it says what
  /// a lenient reader would make of them.
  void throw_mistakes() const;
  /// Changes the model as the repairs say.
  void apply_repairs(Model& model) const;

 private:
  /// Suggesting names costs time for each mistake, so a file of nothing else is not read to its end.
  [[nodiscard]] bool is_full() const { return refusals_.size() >= most_collected; }

  struct Refusal {
    Mistake mistake;
    std::string repair;  ///< the meaning that a lenient reader takes; empty: none
  };
  void add(Refusal refusal);
  /// The line about --lenient; empty where it would not help.
  [[nodiscard]] std::string describe_repairs() const;

  static constexpr std::size_t most_collected = 100, most_listed = 20;
  Strictness strictness_;
  std::vector<Refusal> refusals_;
  std::vector<Warning> warnings_;
  std::vector<std::function<void(Model&)>> repairs_;
  std::unordered_set<std::string> unread_;
  bool unnamed_unread_ = false;
};

/// Appends those of `more` that are not in `warnings` yet, word for word and line for line.
void append_new(std::vector<Warning>& warnings, const std::vector<Warning>& more);

/// The last step of every reader: throws its mistakes or applies their repairs, and gives the model
/// its warnings. `compile` judges the model; here it is judged only where that must not wait: to tell
/// all mistakes of a file together, and to repair.
void finish_reading(Model& model, Problems& problems);

}  // namespace linkwright
