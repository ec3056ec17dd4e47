#pragma once
/// Which bodies are hubs of Ω's elimination (sweeps/omega_pattern.hpp): decided once for a mechanism.

#include <vector>

#include "linkwright/closure/sweeps/loop_scratch.hpp"

namespace linkwright::closure {

/// Closures that make it worth while, with at least two rows per freedom of the hub.
inline constexpr std::size_t fewest_at_hub = 3;

/// Bodies on the world that so many closures share and nothing else; each closure without the hub must be able to give way in all its rows. `ways` has the paths
/// and rows of all closures.
std::vector<Hub> choose_hubs(const System& system, const LoopScratch& ways);

/// Whether the rows that a closure carries are independent on its way without one node, at a position like
/// any other. Only of rows that are constant on b, rotors aside.
bool gives_way_without(const System& system, const LoopScratch& ways, std::size_t closure,
                       int node);

}  // namespace linkwright::closure
