#pragma once
/// Shafts and circuits of a mechanism's motors and gears, as edges of its system graph.
///
///     const ShaftPorts shafts = find_shafts(system);     // which freedoms turn a shaft
///     … add the joints …
///     add_shafts(system, shafts, add);

#include <map>
#include <string>
#include <string_view>

#include "network/graph_builder.hpp"

namespace linkwright::network {

/// Freedoms that something turns with.
struct ShaftPorts {
  /// Per joint or closure, by name, its freedoms; the terminal of each is filled in by add_shafts.
  std::map<std::string, std::map<int, int>, std::less<>> freedoms;

  [[nodiscard]] bool turns(std::string_view joint) const { return freedoms.contains(joint); }
};

/// By the model's actuators, by gears between joints and by the model's network.
ShaftPorts find_shafts(const System& system);
/// The joints that turn a shaft must be edges already.
void add_shafts(const System& system, ShaftPorts& ports, GraphBuilder& add);
/// The components of the model's network; add_shafts has made the joints' terminals.
void add_network(const System& system, const ShaftPorts& ports, GraphBuilder& add);

}  // namespace linkwright::network
