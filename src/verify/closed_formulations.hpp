#pragma once
/// The formulations of systems whose loops are closed.

#include "linkwright/verify/formulations.hpp"

namespace linkwright::verify {

/// Whether a system is judged as a closed one.
inline bool is_closed(const System& system, Loops loops) {
  return loops == Loops::keep && !system.closures().empty();
}

/// Those that share the compiled tree and its closures.
void add_closed_formulations(const System& system, std::vector<Formulation>& all);
/// The reasons for those that do not fit the system.
void add_closed_left_out(const System& system, std::vector<std::string>& reasons);

}  // namespace linkwright::verify
