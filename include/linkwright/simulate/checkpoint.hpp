#pragma once
/// A moment of a simulation on paper: save it, go on from it.
///
///     write_checkpoint(simulation.save(), "half.json");
///     simulation.restore(linkwright::read_checkpoint("half.json"));

#include <string>

#include "linkwright/simulate/callbacks.hpp"
#include "linkwright/system/digest.hpp"

namespace linkwright {

struct Checkpoint {
  // What the simulation must agree with to go on from here.
  std::string method;
  double step = 0, relative_tolerance = 0, absolute_tolerance = 0;
  std::vector<std::string> coordinates;  ///< names of q, v and the extra states
  std::vector<PartDigest> parts;         ///< what the system was made of, part by part

  FullState now;
  std::vector<double> memory;        ///< of the method
  std::vector<double> equations;     ///< of the equations
  std::vector<double> held;          ///< efforts and references that samplers hold
  std::vector<long> counts;          ///< of steps and samples
  std::vector<double> event_values;  ///< last values of the event functions
  std::vector<double> watch;         ///< of the energy watch
  std::vector<double> contacts;      ///< what friction and stops hold
  std::vector<Occurrence> occurrences;
  bool stopped = false;
  // For whoever commands the motion, who sets them; not used by the simulation.
  std::vector<double> command_start{};  ///< the position from which the motion began
  std::vector<PartDigest> commands{};   ///< what commanded it, up to now
};

/// Text of a checkpoint, exact to the last bit.
std::string to_text(const Checkpoint& checkpoint);
/// Throws Error naming what is missing or malformed; `name` stands in front of the message.
Checkpoint to_checkpoint(const std::string& text, const std::string& name = "checkpoint");

/// Writes under a temporary name and moves it, so that a crash leaves no half file.
void write_checkpoint(const Checkpoint& checkpoint, const std::string& path);
Checkpoint read_checkpoint(const std::string& path);

}  // namespace linkwright
