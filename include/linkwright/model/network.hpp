#pragma once
/// Circuits and shafts around a mechanism, as a person describes them: components wired between named
/// nodes. The network room (network/network.hpp) gives them their equations.
///
///     using Kind = linkwright::NetworkComponent::Kind;
///     model.network.components.push_back(
///         {.name = "brake", .kind = Kind::damper, .value = 0.3, .wires = {{"joint:elbow", "housing"}}});
///
/// Nodes are named where they are used. Those of circuits are measured against "ground", those of shafts
/// against "housing"; a freedom of a joint is the shaft "joint:NAME", or "joint:NAME:K" where it has several.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/error.hpp"

namespace linkwright {

inline constexpr std::string_view ground_name = "ground", housing_name = "housing",
                                  joint_port_prefix = "joint:";

/// The two ends of a port. An empty end is the reference of its domain.
struct NetworkWire {
  std::string from{}, to{};
};

/// Of an end's first node relative to its second: voltage or speed (across); through it from the first to the
/// second: current or torque. Their product is the power that the component takes.
struct NetworkComponent {
  enum class Kind {
    resistor,
    inductor,
    capacitor,
    voltage_source,  ///< holds its first node at a voltage above its second
    current_source,  ///< drives a current out at its first node
    inertia,
    damper,
    spring,
    speed_source,   ///< holds its first node at a speed relative to its second
    torque_source,  ///< drives its first node forward by a torque
    motor,          ///< voltage = k · speed, and k · current drives the shaft forward
    gear,           ///< speed of its first port = ratio · speed of its second
    transformer     ///< Σ ratio · across = 0 over its ports, and no power is lost
  };
  std::string name{};
  Kind kind = Kind::resistor;
  double value = 0;              ///< resistance, …, torque, k or ratio, in SI units
  std::vector<double> ratios{};  ///< transformer: one per port
  bool electrical = false;       ///< transformer: its ports are those of a circuit, not of shafts
  /// Where a run begins: current, voltage, speed, or the twist of a spring. Nothing: whatever fits the others
  /// with least energy.
  std::optional<double> initial{};
  std::vector<NetworkWire> wires{};  ///< one per port
  Source source{};
};

struct NetworkModel {
  std::vector<NetworkComponent> components{};
  /// Whether inertias that joints turn rigidly have been put into the mechanism (network::reflect_inertias).
  bool is_reflected = false;
  Source source{};
};

}  // namespace linkwright
