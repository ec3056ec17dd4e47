#pragma once
/// An arm by its number.
///
///     const Arm& arm = arm_at(robot, 0);

#include <fmt/format.h>

#include "linkwright/manipulator/manipulator.hpp"

namespace linkwright::manipulator {

/// Throws Error for a number that no arm has.
inline const Arm& arm_at(const Manipulator& robot, int arm) {
  if (arm < 0 || arm >= static_cast<int>(robot.arms().size()))
    throw Error(
        fmt::format("there is no arm {}: this manipulator has {}", arm, robot.arms().size()));
  return robot.arms()[static_cast<std::size_t>(arm)];
}

}  // namespace linkwright::manipulator
