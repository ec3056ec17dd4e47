#pragma once
/// The numbers of a system graph at a state, in world axes: where terminals are, what bodies weigh, how joints
/// let them move. Filled from a System, or by hand.
///
///     Placement placement = make_placement(system, graph);
///     place(work, state, {}, placement);                       // allocates nothing
///
///     Placement two(2, 2);                                     // by hand: a planar pair of links
///     two.bodies[0] = {.parent = -1, .v = 0, .d = 1, .mass = 1, .B = {0, 0, 0}, .G = {0.5, 0, 0}};
///     …
///     move(two, v);                                            // twists and rates by (40)
///
/// B is the body's inboard terminal, fixed to it; A, the terminal of the parent that the joint meets, is the point
/// of the parent that lies at B at this moment. So x_B = x_A + H* v at all times, and rates follow from
/// positions: an arm from one terminal to another changes by the difference of their velocities.

#include <string>
#include <vector>

#include "linkwright/dynamics/forces.hpp"
#include "linkwright/network/system_graph.hpp"

namespace linkwright::network {

/// In whose axes a column of a joint map is constant.
enum class FixedIn : char { child, parent };

struct Placement {
  struct Body {
    int parent = -1;   ///< index into bodies, before the body itself; −1: the world
    int v = 0, d = 0;  ///< entries of v that its inboard joint has
    double mass = 0;
    Vector3 B{}, G{};  ///< from `root`
    Symmetric3 J_G{};  ///< about G
    Motion x_B{};      ///< twist at B
    /// From the parent's B to B and from B to G. Not as differences of positions: a needle at the end of a boom would
    /// lose the digits that the boom has more.
    Vector3 arm{}, arm_to_G{};
    Force load{};  ///< what pushes on it from outside, at B; not its weight
    /// Where positions are measured from: a place common to all bodies of a branch, so that a mechanism far from
    /// the origin of the world loses no digits.
    Vector3 root{};
  };
  /// Where the numbers of a system's body come from: its node, and B, G, J_G in the node's frame.
  struct Origin {
    int node = 0;
    Vector3 B{}, G{};
    Symmetric3 J_G{};
  };
  /// Of a system's freedom: the node that moves with it, and its mode in that node's axes, at B if it is the body's own
  /// node and at the node's origin if it is one in between.
  struct Freedom {
    int node = 0;
    Motion mode{};
  };

  Placement() = default;
  /// Bodies that are all to be filled, with as many freedoms.
  explicit Placement(int body_count, int freedom_count = 0)
      : bodies(static_cast<std::size_t>(body_count)),
        Hstar(static_cast<std::size_t>(freedom_count)),
        Hstar_rate(Hstar.size()),
        fixed_in(Hstar.size(), FixedIn::child),
        rotor(Hstar.size()) {}

  std::vector<Body> bodies{};  ///< parents before children
  /// Per entry of v: the column of the joint map H* (relative twist at B per unit), its rate, in whose axes it is
  /// constant (of a placement made by hand), and the inertia of a rotor on the joint's shaft.
  std::vector<Motion> Hstar{}, Hstar_rate{};
  std::vector<FixedIn> fixed_in{};
  std::vector<double> rotor{};
  Vector3 gravity{};
  // Of a placement that was made of a System; else empty.
  std::vector<Origin> origins{};
  std::vector<Freedom> freedoms{};
  std::vector<Vector3> steps{};  ///< per node: from its parent's origin to its own

  [[nodiscard]] int nv() const { return static_cast<int>(Hstar.size()); }
};

/// The twist at the mass centre.
inline Motion twist_at_G(const Placement::Body& body) {
  return spatial::shift(body.arm_to_G, body.x_B);
}

/// Tables of a system; numbers come with place().
Placement make_placement(const System& system, const SystemGraph& graph);

/// All numbers at a state: positions, inertias, joint maps and their rates, twists, and as loads `forces` and what
/// the model itself has pushing on its bodies. Checks the state; throws Error as forward dynamics does.
void place(Workspace& work, const State& state, ExternalForces forces, Placement& placement);

/// Of a placement filled by hand, with bodies, positions, inertias and joint maps: arms, twists by (40) and the
/// rates of the joint maps. Throws Error for tables that make no tree.
void move(Placement& placement, const ConstVectorRef& v);

}  // namespace linkwright::network
