#pragma once
/// How a commanded motion is followed where nothing more is said: who holds meanwhile, and how stiff the joints are.
///
///     const auto also = linkwright::find_holding_motors(system, start.q, moves);
///     auto motion = std::make_shared<linkwright::PointToPoint>(system, start.q, 0, moves, also);
///     simulation.set_reference(linkwright::to_source(motion));
///     simulation.add_controller(linkwright::make_controller(
///         system, linkwright::ControlLaw::computed_torque,
///         linkwright::complete_gains(system, start.q, linkwright::ControlLaw::computed_torque, motion->names(), {}, {})));

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/simulate/controllers.hpp"
#include "linkwright/simulate/motions.hpp"

namespace linkwright {

/// Motors that no move names and that hold: all but those of joints with a quaternion and, in a closed
/// system, those that follow from the others. `q` is where the moves begin.
std::vector<std::string> find_holding_motors(const System& system, const ConstVectorRef& q,
                                             const std::vector<Move>& moves);

/// The laws of simulate/controllers.hpp.
enum class ControlLaw { computed_torque, pd, pd_with_gravity };
/// "computed-torque", "pd", "pd-gravity"; throws Error with the known ones otherwise.
ControlLaw to_control_law(std::string_view name);

/// Gains for these joints. A kp that is not given lets errors fade at 20 per second (kp = 400 in 1/s²), a kd is critical
/// damping, 2 sqrt(kp); those of pd are multiplied by what the joint alone has to move at q. Empty lists: none is given.
ControlOptions complete_gains(const System& system, const ConstVectorRef& q, ControlLaw law,
                              std::vector<std::string> joints,
                              std::span<const std::optional<double>> kp,
                              std::span<const std::optional<double>> kd);

Controller make_controller(const System& system, ControlLaw law, const ControlOptions& options);

}  // namespace linkwright
