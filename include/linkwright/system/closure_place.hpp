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
  gear,        ///< between joints of the tree: Σ ratio · q over its terms keeps to `offset`
  shaft        ///< turns by Σ ratio · q over its terms, and binds nothing
};
/// Whether it speaks of rates of joints, and not of two frames.
inline bool is_among_joints(PairKind kind) {
  return kind == PairKind::gear || kind == PairKind::shaft;
}

/// What acts on one freedom of a joint that closes a loop.
struct ClosingFreedom {
  double rotor = 0, damping = 0;  ///< its own and gear² times those of its motors
  double friction_forward = 0, friction_backward = 0, breakaway = 0;
  double load = 0;
  // Its springs together: they push with pull − stiffness · q and store ½ stiffness q² − pull q + stored.
  double stiffness = 0, pull = 0, stored = 0;
  bool passive = true;  ///< no motor
  Limits limits{};
};
/// A freedom of the tree that takes part in a gear or a shaft.
struct TreeTerm {
  int joint = 0;  ///< index into System::joints
  int node = 0;   ///< that carries the freedom
  int q = 0, v = 0;
  double ratio = 1;
};
/// A coordinate of the tree that turns a closing joint with it.
struct TurnedBy {
  int q = 0;
  double sign = 1;
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

  /// Pairs: the motions that remain. Lower pairs: what reads them off a relative velocity.
  int freedoms = 0;
  int closing = 0;              ///< where they start among those of all closing joints
  ClosingFreedom freedom[6]{};  ///< what acts on each
  bool acts = false;            ///< damping, friction, a load or a spring does
  bool has_springs = false;
  int rotors = 0;          ///< how many have one
  int rotor_freedom[6]{};  ///< which
  /// Where all joints between a and b turn about axes parallel to this one's, the angle is
  /// turned_from + Σ sign q: it tells full turns apart. Empty otherwise.
  std::vector<TurnedBy> turned_by{};
  double turned_from = 0;
  Motion mode[6]{};
  Force dual[6]{};
  /// Lower pairs: directions that complete the modes; W[i] reads complement[j] as 1 where i = j.
  Motion complement[6]{};
  bool commutes = true;  ///< the modes do, so that coordinates are plain numbers

  Vector3 axis{0, 0, 1};   ///< in a's axes; rolling: the plane's normal
  Vector3 axis2{0, 1, 0};  ///< in b's axes; rolling: the disc's axle
  bool disc = false;       ///< rolling: a disc, not a ball
  double length = 0;       ///< distance; rolling: radius

  /// A ball or a free joint: its position is a rotation (and a place), its springs act on these.
  [[nodiscard]] bool carries_pose() const {
    return kind == PairKind::lower_pair &&
           (joint == JointType::spherical || joint == JointType::free);
  }

  // gear, shaft; a gear has those of its leader, −ratio, and of its follower, 1.
  std::vector<TreeTerm> terms{};
  double offset = 0;  ///< gear: q(follower) = ratio · q(leader) + offset
};

}  // namespace linkwright
