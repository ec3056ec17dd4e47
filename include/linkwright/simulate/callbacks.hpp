#pragma once
/// What a user hangs on a simulation: controllers, reference motions, loads, events.
///
///     linkwright::Controller hold{.name = "hold", .period = 0.001,
///         .compute = [](const linkwright::State& s, const linkwright::Reference& r,
///                       Eigen::VectorXd& tau) { tau = 50 * (r.q - s.q) - 5 * s.v; }};
///
/// Every function is shown the FullState: the mechanism's state and the extra states of the
/// equations (`extra_index` tells where one of them stands). One that needs the mechanism's state
/// only may take a `const State&` instead.
///
/// All three kinds are asked at every evaluation, or sampled and held in between: every `period`
/// seconds, or at the `sample_times`. What is asked at every evaluation may bend (its slope jumps) at
/// its `break_times`. Steps end at samples and breaks, and methods with a memory start afresh there.
/// Times rise. Ready controllers and motions from files: simulate/controllers.hpp, motions.hpp.

#include <functional>
#include <string>
#include <vector>

#include "linkwright/simulate/equations.hpp"

namespace linkwright {

/// The motion a controller is to follow.
struct Reference {
  Eigen::VectorXd q, v, a;
};

/// Where the reference comes from.
struct ReferenceSource {
  double period = 0;  ///< seconds between samples, held in between; 0: at every evaluation
  std::vector<double> sample_times{}, break_times{};
  std::function<void(double t, Reference& reference)> compute{};
};

/// The inputs as a function of state and reference. Several controllers add up.
struct Controller {
  std::string name = "controller";
  double period = 0;  ///< seconds between samples, held in between; 0: at every evaluation
  std::vector<double> sample_times{}, break_times{};
  /// Writes the inputs of the equations: for a tree, nv efforts. `input` arrives with zeros, one
  /// per input. NaN or another size ends the simulation with an Error.
  std::function<void(const FullState& now, const Reference& reference, Eigen::VectorXd& input)>
      compute{};
};

/// A force on a frame as a function of the state.
struct Load {
  std::string name = "load";
  FrameId frame{};
  Axes axes = Axes::world;
  double period = 0;  ///< as that of a controller
  std::vector<double> sample_times{}, break_times{};
  std::function<Force(const FullState& now)> compute{};
};

/// Something that happens when a function of the state passes through zero. A run that starts
/// exactly at a zero has not passed it.
struct Event {
  enum class Direction { either, rising, falling };
  enum class Then { go_on, stop };

  std::string name = "event";
  std::function<double(const FullState& now)> function{};
  Direction direction = Direction::either;
  Then then = Then::go_on;
  /// Changes the state at the event (an impact, a switch); empty: nothing changes.
  std::function<void(FullState& now)> action{};
};

/// An event that took place.
struct Occurrence {
  double time = 0;
  std::string name;
};

}  // namespace linkwright
