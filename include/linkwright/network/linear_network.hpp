#pragma once
/// The linear model of a mechanism together with the network that drives it: between any two of their ports.
///
///     const Model model = network::reflect_inertias(read_model("models/network_arm.yaml"));
///     const System system = compile(model);
///     const network::Circuit circuit{network::Network(model)};
///     ClosedWorkspace work(system);
///     network::NetworkPoint point(system, circuit);                     // the file's state, sources as given there
///     const linear::LinearModel whole = network::linearize(
///         work, circuit, point, {.inputs = {"voltage:battery"}, .outputs = {"q:elbow", "network:elbow_belt:torque"}});
///     const auto g = linear::make_transfer_function(whole, "voltage:battery", "q:elbow");
///
/// States are those of the mechanism (linear/linear_model.hpp), then those of the network (Circuit::states). Inputs
/// may be sources besides, outputs across and through variables of every component (Circuit::outputs); a
/// name without its last part means all of it: `network:elbow_belt`.

#include "linkwright/linear/equilibrium.hpp"
#include "linkwright/linear/linear_model.hpp"
#include "linkwright/network/circuit.hpp"

namespace linkwright::network {

/// Where a model is made: that of the mechanism, and the network's own.
struct NetworkPoint {
  /// The file's state; sources give what the circuit's do, states are those of a run's start.
  NetworkPoint(const System& system, const Circuit& circuit);
  ~NetworkPoint();

  linear::OperatingPoint mechanism;  ///< efforts beside those of the network
  std::vector<double> sources;       ///< Circuit::sources
  std::vector<double> source_rates;  ///< how fast these change there; the drift feels it
  /// Circuit::states; none: with which a run would begin.
  std::vector<double> states{};
};

/// States with which a run would begin at the point, under its sources and speeds.
std::vector<double> start_states(ClosedWorkspace& work, const Circuit& circuit,
                                 const NetworkPoint& point);

/// Moves the point to where mechanism and network are at rest together: velocities are zero, the network's states those
/// nearest to the given ones that do not change under its sources, and the mechanism stands where it balances
/// their torques (linear/equilibrium.hpp). What the network does not decide stays as it is: the torque of a
/// spring between a joint and the housing. Throws Error (failed_computation) naming the state where the network
/// has no rest: a coil across a battery. With Find::efforts the motors' efforts beside the network hold.
linear::Equilibrium find_equilibrium(ClosedWorkspace& work, const Circuit& circuit,
                                     NetworkPoint& point,
                                     const linear::EquilibriumOptions& options = {});

/// `options.inputs`, none: all sources, or `tau` where there is none; `options.outputs`, none: the displacements among
/// the states; `options.drives` must not be given: motors of `actuators` stand beside a network in `simulate` only.
/// The System must have the inertias that its joints turn (network::reflect_inertias). Components of users' own
/// are differentiated by central differences. Throws Error as linear::linearize does, where the answers depend on
/// rates of sources, and where an output depends on accelerations of a closing joint.
linear::LinearModel linearize(ClosedWorkspace& work, const Circuit& circuit,
                              const NetworkPoint& point, const linear::LinearOptions& options = {});

}  // namespace linkwright::network
