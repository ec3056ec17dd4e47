#pragma once
/// The compiled spanning tree as the sweeps read it: flat arrays in topological order, constants
/// only.
///
/// A node is one moving body with its inboard joint, in its canonical frame: a one-freedom joint's
/// axis is the local z axis. Node 0 is the world. parent[k] < k, so base → tip is k = 1…N and tip →
/// base is k = N…1 (the papers number the other way round; NOTATION.md). Bodies welded together are
/// one node. Joints with several plain freedoms (universal, cylindrical, planar) are chains of
/// one-freedom nodes with massless bodies in between.
///
///     const linkwright::Tree<double>& tree = system.tree();
///     for (int k = 1; k < tree.count(); ++k) mass += tree.nodes[k].M.mass;   // base → tip

#include <cstdint>
#include <vector>

#include "linkwright/model/pose_group.hpp"
#include "linkwright/spatial/articulated_inertia.hpp"
#include "linkwright/system/force_tables.hpp"

namespace linkwright {

/// What the sweeps distinguish. "twist": the constant part of the joint's rotation is a turn about
/// the local x axis only, as in a modified Denavit–Hartenberg table. "rotor": reflected rotor
/// inertia is present, so elimination leaves a remainder on the joint axis.
enum class NodeKind : std::uint8_t {
  revolute_twist,
  revolute,
  revolute_twist_rotor,
  revolute_rotor,
  prismatic,
  spherical,
  free,
  custom,  // one to six modes
};

/// A stretch of chain: nodes of one kind, each the only child of the one before. The sweeps branch
/// once per run, not once per node, and pass results along it without storing them.
struct Run {
  NodeKind kind;
  bool joins;       // inward: others have passed on to its parent before it
  int first, last;  // inclusive
  int parent;       // of the first
};

/// The constants of one node. B is `double` or `float`.
template <class B>
struct Node {
  spatial::Matrix3<B> R0;  // joint frame at q = 0 in the parent's canonical frame
  spatial::Vector3<B> p0;
  spatial::RotationX<B> twist;  // R0 again, where it is a turn about x
  spatial::Inertia<B> M;        // about the canonical frame's origin
  spatial::Symmetric3<B> J;     // ∫ r rᵀ dm: the second moments, for the Newton–Euler sweep
  B offset;                     // revolute: canonical angle = q + offset
  B rotor;                      // one-freedom joints: reflected rotor inertia
  int parent;
  int q, v;  // where its coordinates start
  int d;     // number of its freedoms
  // Freedoms counted in tree order, depth first: those outboard of a joint follow its own.
  int freedom;      // its first freedom in that order
  int end;          // one behind the last freedom outboard of it
  bool neighbours;  // freedoms `freedom` … end − 1 are entries v, v + 1, … of v
  int modes;        // joints of the kinds from spherical on: index into Tree::modes; else −1
};

/// Nothing hangs on it.
template <class B>
LINKWRIGHT_INLINE bool is_tip(const Node<B>& n) {
  return n.end == n.freedom + n.d;
}

/// H* (6×d, columns [ω; v]) of a joint with several freedoms, and its rotor inertias.
template <class B>
struct Modes {
  int d;
  spatial::Motion<B> column[6];
  B rotor[6];
  /// Custom joints whose modes commute take d plain numbers; the others a quaternion and a
  /// position.
  bool plain;
  // plain: column_i = [turn_i axis; turn_i moment + slide_i], one common axis for all.
  spatial::Vector3<B> axis, moment;
  B turn[6];
  spatial::Vector3<B> slide[6];
};

/// A revolute node's angle: q[q] + offset. Listed apart so that many sines are evaluated at once.
template <class B>
struct Turning {
  int node, q;
  B offset;
};

/// A pose [w x y z, px py pz] from q[q] on that its joint's modes keep in a group smaller than all.
struct BoundPose {
  int q;
  PoseGroup group;
};

template <class B>
struct Tree {
  std::vector<Node<B>> nodes;       // [N + 1], nodes[0] = world
  std::vector<Turning<B>> turning;  // the revolute nodes
  std::vector<Run> runs;            // cover 1…N in order
  std::vector<Modes<B>> modes;
  std::vector<int> velocity_of;  // the entry of v of each freedom in tree order
  bool outward = true;           // every joint's entries of v stand before those of joints outboard
  bool branches = false;         // some freedoms do not feel each other's inertia
  std::vector<int> quaternions;  // where unit quaternions start in q
  std::vector<BoundPose> bound_poses;
  JointForces<B> joint_forces;
  BodyForces<B> body_forces;
  spatial::Vector3<B> gravity;
  int nq = 0, nv = 0;

  [[nodiscard]] int count() const { return static_cast<int>(nodes.size()); }
};

}  // namespace linkwright
