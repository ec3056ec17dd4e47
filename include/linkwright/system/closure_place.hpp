#pragma once
/// A closure, a grasp or a cut joint as `compile` leaves it: two frames on the tree, and the forces
/// that may pass between them.
///
///     for (const linkwright::ClosurePlace& loop : system.closures())
///       fmt::print("{}: {} rows\n", loop.name, loop.rows);
///
/// Speaks of b as seen from a. A row is a force on b (a feels its opposite): what it does on the
/// relative velocity is zero. Forces and motions stand at the origin of b's closure frame, in its
/// axes, unless it says otherwise.

#include <cstdint>
#include <string>
#include <vector>

#include "linkwright/model/model.hpp"

namespace linkwright {

enum class PairKind : std::uint8_t {
  lower_pair,  ///< constant modes: every joint type but universal
  universal,   ///< `axis` of a and `axis2` of b keep their angle, the origins meet
  point,       ///< b's origin keeps to a line or plane of a; rows are constant in a's axes
  distance,    ///< between the two origins
  rolling,     ///< a ball or disc on b rolls on a plane of a
  gear         ///< between two joints of the tree
};

struct ClosurePlace {
  std::string name{};
  Source source{};
  PairKind kind = PairKind::lower_pair;
  JointType joint = JointType::fixed;  ///< of a lower pair
  int node_a = 0, node_b = 0;          ///< 0 = world
  Pose at_a{}, at_b{};                 ///< closure frames in the nodes' canonical frames
  int body_a = -1, body_b = -1;        ///< indices into Model::bodies; −1 = world

  int row = 0;   ///< where its rows start among those of all closures
  int rows = 0;  ///< at most 6
  /// The first of them bind positions, the others velocities alone.
  int position_rows = 0;
  Force W[6]{};  ///< lower pair, point: the rows

  /// Lower pairs: the motions that remain, and what reads them off a relative velocity.
  int freedoms = 0;
  Motion mode[6]{};
  Force dual[6]{};
  /// Lower pairs: directions that complete the modes; W[i] reads complement[j] as 1 where i = j.
  Motion complement[6]{};
  bool commutes = true;  ///< the modes do, so that coordinates are plain numbers

  Vector3 axis{0, 0, 1};   ///< in a's axes; rolling: the plane's normal
  Vector3 axis2{0, 1, 0};  ///< in b's axes; rolling: the disc's axle
  bool disc = false;       ///< rolling: a disc, not a ball
  double length = 0;       ///< distance; rolling: radius

  // gear: q(follower) = ratio · q(leader) + offset
  int leader = -1, follower = -1;  ///< indices into System::joints
  double ratio = 1, offset = 0;
};

}  // namespace linkwright
