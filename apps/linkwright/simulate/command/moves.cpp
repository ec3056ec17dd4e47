#include "simulate/command/moves.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"
#include "shell/arguments.hpp"
#include "shell/output.hpp"
#include "shell/state/closed_start.hpp"
#include "shell/state/coordinates.hpp"
#include "simulate/command/freedoms.hpp"

namespace linkwright::app {
Move parse_move(const System& system, const std::string& targets, const std::string& duration) {
  Move move;
  move.duration = parse_real("--in", duration);
  if (!(move.duration > 0))
    throw Error(fmt::format("--in {}: expected seconds, a number above zero", in_quotes(duration)));
  const CoordinateNames known(system);
  for (const std::string& entry : split_names(targets)) {
    const std::size_t sign = entry.rfind('=');
    if (sign == std::string::npos)
      throw Error(fmt::format("--move: {} names no joint; write JOINT=number", in_quotes(entry)));
    const std::string name = entry.substr(0, sign);
    const auto place = known.find(Variable::v, name);
    if (!place)
      throw Error(fmt::format("--move: there is no {}{}", in_quotes(name),
                              known.suggestion(Variable::v, name)));
    const auto target = parse_number(entry.substr(sign + 1));
    if (!target)
      throw Error(fmt::format("--move: {}: {}", in_quotes(name),
                              explain_bad_number(entry.substr(sign + 1))));
    const std::string& own = system.velocity_names()[static_cast<std::size_t>(*place)];
    for (const auto& [other, value] : move.targets)
      if (other == own)
        throw Error(fmt::format("--move: {} is given twice; keep one", in_quotes(name)));
    move.targets.emplace_back(own, *target);
  }
  if (move.targets.empty()) throw Error("--move: no joint follows; write JOINT=number");
  return move;
}

void require_reference_in_limits(const System& system, const CommandedMotion& motion) {
  for (std::size_t i = 0; i < motion.coordinates().size(); ++i) {
    const std::string& name = motion.coordinates()[i].name;
    const Limits limits = limits_of(system, name);
    for (std::size_t k = 0; k < motion.check_times().size(); ++k) {
      const double t = motion.check_times()[k], q = motion.value(i, t).position;
      if (q >= limits.lower - 1e-6 && q <= limits.upper + 1e-6) continue;
      throw Error(
          fmt::format("{}: joint {} is to be at {:g} at t = {:g} s, beyond its limits {:g} … {:g}; "
                      "give a motion "
                      "between them, or add --limits ignore",
                      motion.where(k), in_quotes(name), q, t, limits.lower, limits.upper));
    }
  }
}

void require_targets_in_limits(const System& system, const std::vector<Move>& moves) {
  for (const Move& move : moves)
    for (const auto& [name, target] : move.targets) {
      const Limits limits = limits_of(system, name);
      if (target >= limits.lower - 1e-9 && target <= limits.upper + 1e-9) continue;
      throw Error(
          fmt::format("--move {}={:g}: the joint moves from {:g} to {:g} only; choose a target "
                      "between, or add --limits ignore",
                      name, target, limits.lower, limits.upper));
    }
}

void warn_of_fast_moves(const System& system, const PointToPoint& moves) {
  for (std::size_t m = 0; m < moves.moves().size(); ++m)
    for (std::size_t i = 0; i < moves.coordinates().size(); ++i) {
      const std::string& name = moves.coordinates()[i].name;
      const double way = std::abs(moves.position(i, m + 1) - moves.position(i, m));
      const double duration = moves.moves()[m].duration;
      const double fastest = PointToPoint::peak_velocity * way / duration;
      const double limit = limits_of(system, name).velocity;
      if (fastest <= limit * (1 + 1e-12)) continue;
      const std::string advice =
          limit > 0 ? fmt::format("--in {:.4g} would do",
                                  std::ceil(1e4 * PointToPoint::peak_velocity * way / limit) / 1e4)
                    : std::string("no time would do");
      report_warning(
          fmt::format("--in {:g}: the move takes joint {} to a velocity of {:.4g}, beyond its "
                      "limit {:g}; nothing "
                      "enforces it. {}",
                      duration, in_quotes(name), fastest, limit, advice));
    }
}

}  // namespace linkwright::app
