#pragma once
/// Networks and the mechanism they drive: what of a network belongs into the mechanism, and the motors of a
/// model as a network.
///
///     using namespace linkwright;
///     const System system = compile(network::reflect_inertias(read_model("arm.yaml")));   // ready to simulate
///     const network::Network motors = network::make_network(compile(read_model("models/puma560_motors.yaml")));

#include "linkwright/network/network.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::network {

/// Inertias that joints turn rigidly (a rotor behind a gear) act in the mass matrix: each becomes the rotor of its
/// joint, or of a shaft that several joints turn together. Whatever else the network does is left to simulations of
/// it. Throws Error for a network without equations, and where a closing joint is one of several that turn an
/// inertia together. A model without a network, or one that went through here before, stays as it is.
Model reflect_inertias(Model model);

/// How the shafts are called that reflect_inertias makes for inertias that several joints turn together.
inline constexpr std::string_view inertia_shaft_prefix = "network:inertia";

/// The motors of a model as components of its network, in place of `actuators`. Of motor NAME: voltage source
/// NAME, resistor NAME:Ra, inductor NAME:La, NAME:motor, inertia NAME:rotor, damper NAME:damping, gear
/// NAME:gear (a transformer for coupled ones), and NAME:spring and NAME:damper of an elastic gear. Motors
/// without an electrical side are left with rotor, damping and gear; dry friction goes to their joint. Throws
/// Error for what no component stands for: limits of voltage and current, dry friction of a shaft that several
/// joints turn, a shaft angle in `state`.
Model to_network(Model model);
/// The network of to_network(system.model()).
Network make_network(const System& system);

}  // namespace linkwright::network
