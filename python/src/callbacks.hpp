#pragma once
/// Functions that a caller wrote in Python, as the library calls them: the interpreter's lock is taken for the call
/// alone, and what they raise travels on as it is.
///
///     StateFunction control(function, "control", true);
///     control.call(now, [&](nb::handle answer) { read(answer); });

#include <memory>
#include <string>

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "linkwright/simulate/channels.hpp"
#include "linkwright/simulate/simulation.hpp"

namespace linkwright::python {

/// A function that was handed in, with one reference to it however many copies there are: they may be made and dropped
/// without the lock, and Python's collector can be told of it.
using HeldFunction = std::shared_ptr<nb::object>;
HeldFunction hold(nb::object function);

/// Of (t, q, v), and of the extra states where it takes them.
class StateFunction {
 public:
  StateFunction(nb::object function, bool takes_extra)
      : function_(hold(std::move(function))), takes_extra_(takes_extra) {}
  [[nodiscard]] const HeldFunction& held() const { return function_; }

  /// Shows the answer to `read`, which runs under the lock.
  template <class Read>
  void call(const FullState& now, const Read& read) const {
    const nb::gil_scoped_acquire lock;
    const nb::object answer = ask(now);
    read(answer);
  }

 private:
  [[nodiscard]] nb::object ask(const FullState& now) const;

  HeldFunction function_;
  bool takes_extra_;
};

/// When something is asked: at every evaluation, or every `period` seconds and held in between.
struct Asked {
  std::string name;
  double period = 0;
};

/// fn(t, q, v) -> efforts (one per effort, or per input), or {input: number}. `inputs`: names of the equations' inputs;
/// `efforts`: how many of them are efforts.
Controller to_controller(const StateFunction& function, const Asked& asked,
                         std::vector<std::string> inputs, Eigen::Index efforts);
/// fn(t, q, v) -> [mx, my, mz, fx, fy, fz].
Load to_load(const StateFunction& function, const Asked& asked, FrameId frame, Axes axes);
/// fn(t, q, v) -> number; `action`(t, q, v) -> (q, v), or None where it changes nothing; none: no action.
Event to_event(const StateFunction& function, const std::string& name, std::string_view direction,
               std::string_view then, const StateFunction* action);
/// fn(t) -> (q, v, a).
ReferenceSource to_reference(const HeldFunction& function, double period);
UserChannel to_channel(const StateFunction& function, const std::string& name,
                       const std::string& unit);

}  // namespace linkwright::python
