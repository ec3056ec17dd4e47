#pragma once
/// The mechanism as the drawing sees it: where bodies are, which are welded together, which matter.
/// Bodies are numbered as in Drawing: 0 is the world, then the model's order.

#include <vector>

#include "linkwright/dynamics/state.hpp"

namespace linkwright::viewer {

struct SkeletonBody {
  const Body* body = nullptr;    ///< none for the world
  const Joint* joint = nullptr;  ///< the joint that carries it; none for the world
  std::size_t parent = 0;
  std::vector<std::size_t> children{};
  std::vector<Vector3> frames{};    ///< origins of the frames on it
  std::vector<Vector3> closures{};  ///< where loops close on it; on the world, in bearings only
  Pose pose{};                      ///< in the world
  std::size_t group = 0;            ///< the first body of those it is welded to
  /// It has mass, or something below it has or moves. The others are mere names for places.
  bool matters = false;
  int depth = 0;

  [[nodiscard]] bool has_mass() const { return body != nullptr && body->mass > 0; }
};

struct Skeleton {
  std::vector<SkeletonBody> bodies;
  std::vector<std::size_t> order;  ///< parents before children, the world first
};

Skeleton make_skeleton(const System& system, const ConstVectorRef& q);

}  // namespace linkwright::viewer
