#include "callbacks.hpp"

#include <algorithm>

#include "linkwright/error.hpp"
#include "linkwright/model/names.hpp"
#include "results.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using Eigen::Index;

double to_number(nb::handle answer, const std::string& name) {
  double value = 0;
  if (!nb::try_cast(answer, value))
    throw Error("what '" + name + "' returned: expected a number; got " +
                nb::cast<std::string>(nb::repr(answer)));
  return value;
}

void add_named(nb::handle answer, const std::string& name, const std::vector<std::string>& inputs,
               Eigen::VectorXd& input) {
  for (const auto& [key, value] : nb::borrow<nb::dict>(answer)) {
    const auto wanted = nb::cast<std::string>(nb::str(key));
    const auto found = std::find(inputs.begin(), inputs.end(), wanted);
    if (found == inputs.end())
      throw Error("what '" + name + "' returned: there is no input " + in_quotes(wanted) +
                  did_you_mean(wanted, inputs));
    input[found - inputs.begin()] = to_number(value, name);
  }
}

/// The numbers of a pair or triple, in place of those there.
void take_vector(nb::handle given, const std::string& what, Eigen::VectorXd& out) {
  const Input numbers({given}, what.c_str(), out.size(), Input::Many::refused);
  out = numbers.vector();
}

nb::tuple to_parts(nb::handle answer, std::size_t count, const std::string& expected) {
  if (!nb::isinstance<nb::sequence>(answer) || nb::len(answer) != count)
    throw Error(expected + "; got " + nb::cast<std::string>(nb::repr(answer)));
  return nb::tuple(nb::borrow(answer));
}

}  // namespace

HeldFunction hold(nb::object function) {
  return {new nb::object(std::move(function)), [](nb::object* held) {
            const nb::gil_scoped_acquire lock;
            delete held;
          }};
}

nb::object StateFunction::ask(const FullState& now) const {
  const Array q = copy_of(now.state.q), v = copy_of(now.state.v);
  if (!takes_extra_) return (*function_)(now.state.t, q, v);
  return (*function_)(now.state.t, q, v, copy_of(now.extra));
}

Controller to_controller(const StateFunction& function, const Asked& asked,
                         std::vector<std::string> inputs, Index efforts) {
  const std::string label = "what '" + asked.name + "' returned";
  return {.name = asked.name,
          .period = asked.period,
          .compute = [function, label, name = asked.name, inputs = std::move(inputs), efforts](
                         const FullState& now, const Reference&, Eigen::VectorXd& input) {
            function.call(now, [&](nb::handle answer) {
              if (nb::isinstance<nb::dict>(answer)) return add_named(answer, name, inputs, input);
              const Input numbers({answer}, label.c_str(), efforts, Input::Many::refused,
                                  input.size());
              input.head(numbers.width()) = numbers.vector();
            });
          }};
}

Load to_load(const StateFunction& function, const Asked& asked, FrameId frame, Axes axes) {
  const std::string label = "what load '" + asked.name + "' returned";
  return {.name = asked.name,
          .frame = frame,
          .axes = axes,
          .period = asked.period,
          .compute = [function, label](const FullState& now) {
            Force force;
            function.call(now, [&](nb::handle answer) {
              const Input numbers({answer}, label.c_str(), 6, Input::Many::refused);
              const double* const f = numbers.state(0);
              force = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
            });
            return force;
          }};
}

Event to_event(const StateFunction& function, const std::string& name, std::string_view direction,
               std::string_view then, const StateFunction* action) {
  Event event{.name = name};
  event.function = [function, name](const FullState& now) {
    double value = 0;
    function.call(now, [&](nb::handle answer) { value = to_number(answer, name); });
    return value;
  };
  using Direction = Event::Direction;
  event.direction = choose<Direction>("event '" + name + "', direction", direction,
                                      {{"either", Direction::either},
                                       {"rising", Direction::rising},
                                       {"falling", Direction::falling}});
  event.then = choose<Event::Then>("event '" + name + "', then", then,
                                   {{"go_on", Event::Then::go_on}, {"stop", Event::Then::stop}});
  if (action == nullptr) return event;
  event.action = [change = *action, name](FullState& now) {
    change.call(now, [&](nb::handle answer) {
      if (answer.is_none()) return;
      const std::string what = "what the action of event '" + name + "' returned";
      const nb::tuple parts = to_parts(answer, 2, what + ": expected (q, v) or None");
      take_vector(parts[0], what + ", q", now.state.q);
      take_vector(parts[1], what + ", v", now.state.v);
    });
  };
  return event;
}

ReferenceSource to_reference(const HeldFunction& function, double period) {
  return {.period = period, .compute = [held = function](double t, Reference& reference) {
            const nb::gil_scoped_acquire lock;
            const std::string what = "what reference returned";
            const nb::tuple parts =
                to_parts((*held)(t), 3, what + ": expected (q, v, a) at that time");
            take_vector(parts[0], what + ", q", reference.q);
            take_vector(parts[1], what + ", v", reference.v);
            take_vector(parts[2], what + ", a", reference.a);
          }};
}

UserChannel to_channel(const StateFunction& function, const std::string& name,
                       const std::string& unit) {
  return {name, unit, [function, name](const FullState& now) {
            double value = 0;
            function.call(now, [&](nb::handle answer) { value = to_number(answer, name); });
            return value;
          }};
}

}  // namespace linkwright::python
