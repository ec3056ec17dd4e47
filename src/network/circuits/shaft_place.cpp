#include "linkwright/network/shaft_place.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "linkwright/model/names.hpp"
#include "linkwright/model/network_words.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

ShaftPlace place_shaft(const System& system, const CircuitPort& port, bool closures) {
  const std::string thing = "network: port " + in_quotes(port.name);
  if (!port.is_joint)
    throw Error(thing + " leads outside, and nothing is there; wire it to a joint");
  const JointPort named = *to_joint_port(system.model(), port.name, {}, thing);
  const auto& motors = system.closing_motors();
  for (std::size_t i = 0; i < motors.size(); ++i) {
    const ClosurePlace& place = system.closures()[at(motors[i].closure)];
    if (place.name != named.joint || motors[i].freedom != named.freedom) continue;
    if (!closures)
      throw Error(
          fmt::format("{} is a joint that closes a loop, and closures are left out", thing));
    return {-1, place.closing + motors[i].freedom, system.nv() + static_cast<int>(i)};
  }
  for (const ClosurePlace& place : system.closures())
    if (place.name == named.joint)
      throw Error(fmt::format(
          "{} is a joint that closes a loop without a motor; write the network into the model "
          "before it is compiled",
          thing));
  const JointPlace& joint = system.joint(named.joint);
  const Eigen::Index v = joint.v + named.freedom;
  const auto& passive = system.passive_freedoms();
  if (std::binary_search(passive.begin(), passive.end(), static_cast<int>(v)))
    throw Error(fmt::format("{} is passive: nothing drives it", thing));
  return {v, -1, v};
}

}  // namespace

std::vector<ShaftPlace> place_shafts(const System& system, const Circuit& circuit, bool closures) {
  std::vector<ShaftPlace> places;
  for (const CircuitPort& port : circuit.ports())
    places.push_back(place_shaft(system, port, closures));
  return places;
}

bool has_closing_shaft(const std::vector<ShaftPlace>& places) {
  return std::any_of(places.begin(), places.end(),
                     [](const ShaftPlace& place) { return place.closing >= 0; });
}

void require_reflected(const System& system, const Circuit& circuit) {
  if (circuit.inertia().isZero(0)) return;
  const NetworkModel& known = system.model().network;
  std::vector<std::string> missing;
  for (const DependentStore& store : circuit.dependent()) {
    const auto is_it = [&](const NetworkComponent& c) { return c.name == store.component; };
    if (!known.is_reflected ||
        std::none_of(known.components.begin(), known.components.end(), is_it))
      missing.push_back(store.component);
  }
  if (!missing.empty())
    throw Error(
        fmt::format("network: joints turn {} rigidly, and the mechanism does not know; compile "
                    "network::reflect_inertias(model), all inertias being components of the model",
                    list_in_quotes(missing)));
}

const std::string& shaft_name(const System& system, const ShaftPlace& place) {
  return place.v >= 0 ? system.velocity_names()[at(place.v)]
                      : system.closing_names()[at(place.closing)];
}

}  // namespace linkwright::network
