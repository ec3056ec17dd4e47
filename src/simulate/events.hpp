#pragma once
/// Joint limits and users' events: functions of the state whose zeros are located within a step.

#include <limits>
#include <optional>

#include "simulate/stepper.hpp"

namespace linkwright {

class Events {
 public:
  Events(const System& system, LimitAction limits);

  /// Throws Error for a state beyond a joint's limits.
  void check_limits(const State& start) const;
  void add(Event event, const State& now);

  [[nodiscard]] bool empty() const { return limits_.empty() && events_.empty(); }

  /// What the step that ended at `now` has passed through.
  struct Found {
    std::vector<Occurrence> passed;  ///< in order of time; nothing changes there
    /// The first one that ends the step: index of a watched function, and its time.
    int ends = -1;
    double time = std::numeric_limits<double>::infinity();
  };
  /// Looks at the step from `start` to `now`; the stepper interpolates in between. Allocates only
  /// when something happens.
  const Found& look(double start, const State& now, Stepper& stepper, FullState& scratch);
  /// Accepts the step: the next one begins with these values. `fired` is zero there by definition.
  void accept(const State& now, int fired);

  [[nodiscard]] std::string name(int index) const;
  [[nodiscard]] bool stops(int index) const;
  /// The user's event behind an index, or null for a limit.
  [[nodiscard]] const Event* event(int index) const;

  [[nodiscard]] const std::vector<double>& values() const { return before_; }
  /// Answers whether the list fits.
  bool set_values(const std::vector<double>& values);

 private:
  struct LimitWatch {
    int q = 0;
    double bound = 0, side = 1;  // value: side · (bound − q), positive inside
    std::string name;
  };
  [[nodiscard]] double value(int index, const State& at) const;
  [[nodiscard]] bool crosses(int index, double before, double after) const;
  [[nodiscard]] bool ends_step(int index) const;
  [[nodiscard]] int count() const { return static_cast<int>(limits_.size() + events_.size()); }
  double locate(int index, double start, double end, double before, Stepper& stepper,
                FullState& scratch) const;

  const System* system_;
  LimitAction action_;
  std::vector<LimitWatch> limits_;
  std::vector<Event> events_;
  std::vector<double> before_, after_;
  Found found_;
};

}  // namespace linkwright
