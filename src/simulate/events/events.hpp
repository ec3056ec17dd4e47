#pragma once
/// Joint limits, contacts and users' events: functions of the state whose zeros are located within a step.

#include <cmath>
#include <limits>

#include "simulate/integrators/stepper.hpp"

namespace linkwright {

class Events {
 public:
  /// Limits that hold are contacts', which watch their own functions.
  Events(Rates& rates, LimitAction limits, Method method);

  /// Throws Error for a state beyond a joint's limits.
  void check_limits(const State& start) const;
  /// Answers its index.
  int add(Event event, const FullState& now);

  [[nodiscard]] bool empty() const { return count() == 0; }

  /// What the step that ended at `now` has passed through.
  struct Passed {
    Occurrence told;
    int index = 0;
  };
  struct Found {
    std::vector<Passed> passed;  ///< in order of time; nothing changes there
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
  /// Contacts have changed their minds: their functions are others now.
  void accept_contacts(const FullState& now);
  /// The function behind an index has jumped at `now`.
  void look_again(int index, const FullState& now);
  /// Counts an event; throws Error when it follows itself faster and faster without end.
  void note(int index, double time);

  [[nodiscard]] std::string name(int index) const;
  [[nodiscard]] bool stops(int index) const;
  /// The watch of Contacts behind an index, or −1.
  [[nodiscard]] int contact(int index) const;
  /// The user's event behind an index, or null for a limit or contact.
  [[nodiscard]] const Event* event(int index) const;

  [[nodiscard]] const std::vector<double>& values() const { return before_; }
  /// Answers whether the list fits.
  bool set_values(const std::vector<double>& values);

 private:
  struct LimitWatch {
    int q = 0;                   // −1: of a closing joint
    double bound = 0, side = 1;  // value: side · (bound − position), positive inside
    std::string name;
    int freedom = -1;  // of Contacts, where a joint closes a loop
    /// Nearer than this a joint is at its limit, whatever rounding a file's degrees and the steps
    /// went through: it has neither passed the limit nor left it.
    [[nodiscard]] double slack() const { return 1e-9 * (1 + std::abs(bound)); }
  };
  [[nodiscard]] double value(int index, const FullState& at);
  /// Below the negative of this a limit or contact is passed.
  [[nodiscard]] double slack(int index) const;
  [[nodiscard]] bool crosses(int index, double before, double after) const;
  [[nodiscard]] bool ends_step(int index) const;
  [[nodiscard]] int first_contact() const { return static_cast<int>(limits_.size()); }
  [[nodiscard]] int first_event() const {
    return first_contact() + (contacts_ == nullptr ? 0 : contacts_->watch_count());
  }
  [[nodiscard]] int count() const { return first_event() + static_cast<int>(events_.size()); }
  void watch_limits();
  void watch_closing_limits();
  [[nodiscard]] double position(const LimitWatch& limit, const State& at) const;
  /// Of a function that a contact watches, per second, at the state read last; 0 where it is not known.
  [[nodiscard]] double contact_slope(int index) const;
  /// What contacts watch at the state that they read last, into after_; whether something has happened.
  bool compare_contacts();
  /// The same at a time within the step.
  bool look_at_contacts(double t, Stepper& stepper, FullState& scratch);
  /// The first of several times within a long step at which some contact has happened, or its end: a joint
  /// may reach a stop and leave it, or come to rest and slide on, between two ends of steps.
  double first_contact_time(double start, const FullState& now, Stepper& stepper,
                            FullState& scratch);
  bool look_between(double t0, double t1, Stepper& stepper, FullState& scratch, double& time);
  double locate(int index, double start, double end, double before, Stepper& stepper,
                FullState& scratch);

  Rates* rates_;
  const System* system_;
  Contacts* contacts_;  // null: nothing to watch
  Contacts* all_;       // those of the equations, whether they act or not
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
  Eigen::VectorXd a_, extra_rates_;
  bool long_steps_;             // of a method that chooses them
  std::vector<double> slopes_;  // per watch of contacts, at the beginning of what is looked at
};

}  // namespace linkwright
