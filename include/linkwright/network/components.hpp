#pragma once
/// Components of circuits and shafts, one line each.
///
///     using namespace linkwright::network;
///     network.add(capacitor("filter", 1e-3, "plus"));                 // its other end is the ground
///     network.add(motor("m1", 0.05, {"plus", ""}, {"rotor", ""}));   // 0.05 N m/A
///     network.add(gear("g1", 100, {"rotor", ""}, {"joint:elbow", ""}));

#include <string>
#include <utility>
#include <vector>

#include "linkwright/model/network.hpp"

namespace linkwright::network {

using ComponentKind = NetworkComponent::Kind;

inline NetworkComponent one_port(ComponentKind kind, std::string name, double value,
                                 std::string from, std::string to) {
  return {.name = std::move(name),
          .kind = kind,
          .value = value,
          .wires = {{std::move(from), std::move(to)}}};
}
inline NetworkComponent resistor(std::string name, double ohm, std::string from,
                                 std::string to = {}) {
  return one_port(ComponentKind::resistor, std::move(name), ohm, std::move(from), std::move(to));
}
inline NetworkComponent inductor(std::string name, double henry, std::string from,
                                 std::string to = {}) {
  return one_port(ComponentKind::inductor, std::move(name), henry, std::move(from), std::move(to));
}
inline NetworkComponent capacitor(std::string name, double farad, std::string from,
                                  std::string to = {}) {
  return one_port(ComponentKind::capacitor, std::move(name), farad, std::move(from), std::move(to));
}
inline NetworkComponent voltage_source(std::string name, double volt, std::string from,
                                       std::string to = {}) {
  return one_port(ComponentKind::voltage_source, std::move(name), volt, std::move(from),
                  std::move(to));
}
inline NetworkComponent current_source(std::string name, double ampere, std::string from,
                                       std::string to = {}) {
  return one_port(ComponentKind::current_source, std::move(name), ampere, std::move(from),
                  std::move(to));
}
inline NetworkComponent inertia(std::string name, double inertia, std::string from,
                                std::string to = {}) {
  return one_port(ComponentKind::inertia, std::move(name), inertia, std::move(from), std::move(to));
}
inline NetworkComponent damper(std::string name, double damping, std::string from,
                               std::string to = {}) {
  return one_port(ComponentKind::damper, std::move(name), damping, std::move(from), std::move(to));
}
inline NetworkComponent spring(std::string name, double stiffness, std::string from,
                               std::string to = {}) {
  return one_port(ComponentKind::spring, std::move(name), stiffness, std::move(from),
                  std::move(to));
}
inline NetworkComponent speed_source(std::string name, double speed, std::string from,
                                     std::string to = {}) {
  return one_port(ComponentKind::speed_source, std::move(name), speed, std::move(from),
                  std::move(to));
}
inline NetworkComponent torque_source(std::string name, double torque, std::string from,
                                      std::string to = {}) {
  return one_port(ComponentKind::torque_source, std::move(name), torque, std::move(from),
                  std::move(to));
}
/// k: N m/A = V s/rad.
inline NetworkComponent motor(std::string name, double k, NetworkWire electrical,
                              NetworkWire shaft) {
  return {.name = std::move(name),
          .kind = ComponentKind::motor,
          .value = k,
          .wires = {std::move(electrical), std::move(shaft)}};
}
/// The driving shaft turns `ratio` times as fast as the driven one.
inline NetworkComponent gear(std::string name, double ratio, NetworkWire driving,
                             NetworkWire driven) {
  return {.name = std::move(name),
          .kind = ComponentKind::gear,
          .value = ratio,
          .wires = {std::move(driving), std::move(driven)}};
}
/// Σ ratio · across = 0 over ports of one domain.
inline NetworkComponent transformer(std::string name, std::vector<double> ratios,
                                    std::vector<NetworkWire> wires, bool electrical = false) {
  return {.name = std::move(name),
          .kind = ComponentKind::transformer,
          .ratios = std::move(ratios),
          .electrical = electrical,
          .wires = std::move(wires)};
}

}  // namespace linkwright::network
