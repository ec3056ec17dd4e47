#pragma once
/// Joint limits and users' events: functions of the state whose zeros are located within a step.

#include <cmath>
#include <limits>

#include "simulate/integrators/stepper.hpp"

namespace linkwright {

class Events {
 public:
  Events(const System& system, LimitAction limits);

  /// Throws Error for a state beyond a joint's limits.
  void check_limits(const State& start) const;
  void add(Event event, const FullState& now);

  [[nodiscard]] bool empty() const { return limits_.empty() && events_.empty(); }

  /// What the step that ended at `now` has passed through.
  struct Found {
    std::vector<Occurrence> passed;  ///< in order of time; nothing changes there
    /// The first ones that end the step: indices of watched functions, and their common time.
    std::vector<int> ends;
    double time = std::numeric_limits<double>::infinity();
  };
  /// Looks at the step from `start` to `now`; the stepper interpolates in between. Allocates only
  /// when something happens.
  const Found& look(double start, const FullState& now, Stepper& stepper, FullState& scratch);
  /// The values with which a run begins: a joint at its limit counts as inside, and a user's
  /// function that is zero as being on neither side.
  void begin(const FullState& start);
  /// Accepts the step: the next one begins with these values.
  void accept(const FullState& now);
  /// The same after events that ended the step: each function counts as being on the side to which
  /// the motion leaves, whatever rounding makes of a value near zero.
  void accept_after(const std::vector<int>& fired, const FullState& now, FullState& scratch);
  /// Counts an event; throws Error when it follows itself faster and faster without end.
  void note(int index, double time);

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
    /// Nearer than this a joint is at its limit, whatever rounding a file's degrees and the steps
    /// went through: it has neither passed the limit nor left it.
    [[nodiscard]] double slack() const { return 1e-9 * (1 + std::abs(bound)); }
  };
  [[nodiscard]] double value(int index, const FullState& at) const;
  [[nodiscard]] bool crosses(int index, double before, double after) const;
  [[nodiscard]] bool ends_step(int index) const;
  [[nodiscard]] int count() const { return static_cast<int>(limits_.size() + events_.size()); }
  double locate(int index, double start, double end, double before, Stepper& stepper,
                FullState& scratch) const;

  const System* system_;
  LimitAction action_;
  std::vector<LimitWatch> limits_;
  std::vector<Event> events_;
  std::vector<double> before_, after_, times_;
  struct Pace {
    double last = -std::numeric_limits<double>::infinity();
    double interval = std::numeric_limits<double>::infinity();
    int quickening = 0;
  };
  std::vector<Pace> paces_;
  Found found_;
};

}  // namespace linkwright
