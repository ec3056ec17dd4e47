#include "linkwright/simulate/motions.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/model/names.hpp"
#include "simulate/command/driven.hpp"
#include "simulate/command/plain_coordinate.hpp"
#include "simulate/command/spline.hpp"

namespace linkwright {
namespace {

/// Points of a move at which its closures are looked at.
constexpr int looks_per_move = 32;

}  // namespace

std::vector<std::string> CommandedMotion::names() const {
  std::vector<std::string> all;
  for (const Coordinate& coordinate : coordinates_) all.push_back(coordinate.name);
  return all;
}

void CommandedMotion::compute(double t, Reference& reference) const {
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    const GivenValue now = value(i, t);
    reference.q[coordinates_[i].q] = now.position;
    reference.v[coordinates_[i].v] = now.velocity;
    reference.a[coordinates_[i].v] = now.acceleration;
  }
}

ReferenceSource to_source(const std::shared_ptr<const CommandedMotion>& motion, double period) {
  return {.period = period,
          .break_times = period > 0 ? std::vector<double>{} : motion->break_times(),
          .compute = [motion](double t, Reference& reference) { motion->compute(t, reference); }};
}

std::vector<GivenMotion> to_given_motions(const std::shared_ptr<const CommandedMotion>& motion) {
  std::vector<GivenMotion> all;
  for (std::size_t i = 0; i < motion->coordinates().size(); ++i)
    all.push_back({motion->coordinates()[i].name,
                   [motion, i](double t) { return motion->value(i, t); }, motion->break_times()});
  return all;
}

int plain_position(const System& system, int velocity) {
  for (const JointPlace& joint : system.joints()) {
    if (velocity < joint.v || velocity >= joint.v + joint.nv) continue;
    if (joint.nq == joint.nv) return joint.q + velocity - joint.v;
    throw Error(
        fmt::format("joint {} cannot be moved so: its position is a quaternion and not plain "
                    "numbers. Write a controller for it",
                    in_quotes(joint.name)));
  }
  return -1;
}

PointToPoint::PointToPoint(const System& system, const ConstVectorRef& q, double start,
                           std::vector<Move> moves, const std::vector<std::string>& also)
    : moves_(std::move(moves)), starts_{start} {
  door::check_position(system, q);
  std::set<int> entries;
  const auto add = [&](const std::string& name) {
    for (const int entry : driven_entries(system, {name})) entries.insert(entry);
  };
  for (const Move& move : moves_) {
    if (!(move.duration > 0) || !std::isfinite(move.duration))
      throw Error(fmt::format("a move in {} s; expected a positive time", move.duration));
    for (const auto& [name, target] : move.targets) {
      add(name);
      if (!std::isfinite(target))
        throw Error(fmt::format("a move takes {} to {}; expected a finite number", in_quotes(name),
                                target));
    }
  }
  for (const std::string& name : also) add(name);
  for (const int entry : entries) {
    const int position = plain_position(system, entry);
    coordinates_.push_back(
        {system.velocity_names()[static_cast<std::size_t>(entry)], position, entry});
    positions_.push_back(q[position]);
  }
  const std::size_t count = coordinates_.size();
  for (const Move& move : moves_) {
    const double from = starts_.back();
    for (int k = 0; k < looks_per_move; ++k)
      check_times_.push_back(from + move.duration * k / looks_per_move);
    starts_.push_back(from + move.duration);
    positions_.insert(positions_.end(), positions_.end() - static_cast<std::ptrdiff_t>(count),
                      positions_.end());
    for (const auto& [name, target] : move.targets)
      for (const int entry : driven_entries(system, {name}))
        for (std::size_t i = 0; i < count; ++i)
          if (coordinates_[i].v == entry) positions_[positions_.size() - count + i] = target;
  }
  check_times_.push_back(starts_.back());
  break_times_ = starts_;
}

GivenValue PointToPoint::value(std::size_t which, double t) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), t);
  const auto k = static_cast<std::size_t>(after - starts_.begin());
  if (k == 0) return {position(which, 0), 0, 0};
  if (k == starts_.size()) return {position(which, moves_.size()), 0, 0};
  return spline::quintic({position(which, k - 1), 0, 0}, {position(which, k), 0, 0},
                         moves_[k - 1].duration, t - starts_[k - 1]);
}

}  // namespace linkwright
