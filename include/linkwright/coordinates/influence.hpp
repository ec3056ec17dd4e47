#pragma once
/// Influence coefficients: how parameters u of a mechanism move with its coordinates φ.
///
///     u̇ = [G] φ̇,    ü = [G] φ̈ + φ̇ᵀ [H] φ̇                                (Freeman, 2-7 and 2-27)
///
///     linkwright::Workspace work(system);
///     Influence tip = compute_frame_influence(work, q, system.frame("tip"), linkwright::Axes::world);
///     Influence place = select(tip, {"tip:vx", "tip:vy"});      // u = two of the tip's six
///     Eigen::VectorXd velocity = place.G.view() * v;
///
/// Plane p of [H] at (j, k) is the rate of G(p, j) while coordinate k alone moves at unit rate. φ̇ may
/// be quasi-velocities (a ball joint's ω): then [H] is not symmetric, and only its quadratic form,
/// which is all that accelerations see, has a meaning of its own.
/// Letters: [G], [H] as in the paper; upper index = `of`, lower index = `by`.

#include <span>
#include <string>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/coordinates/array.hpp"
#include "linkwright/dynamics/forces.hpp"

namespace linkwright::coordinates {

/// A number that describes the mechanism's motion: a coordinate, or what depends on them.
struct Parameter {
  std::string name;
  /// What counts as one: 1 for angles, the mechanism's own size for what is measured in metres. Rank
  /// and condition are those of numbers measured so.
  double unit = 1;
};
using Parameters = std::vector<Parameter>;

/// [G^u_φ] and [H^u_φφ]: of u, by φ.
struct Influence {
  Parameters of, by;
  Matrix G;  ///< of × by
  Array H;   ///< of planes, by × by
};

/// All entries of v, by themselves: [I] and [0] (3-27), (3-28).
Influence joint_influence(const System& system);
/// Some of them, in the order given: "elbow", "base:3", or "base" for all of a joint's freedoms.
/// Throws Error for a name that is not there.
Influence joint_influence(const System& system, const std::vector<std::string>& names);

/// The six numbers [ω; v] of a frame, "NAME:wx" … "NAME:vz", by all entries of v. Axes::own gives those
/// in the frame's own axes and, as accelerations, the rates of these numbers. O(depth²).
Influence compute_frame_influence(Workspace& work, const ConstVectorRef& q, FrameId frame,
                                  Axes axes);
/// The same for the cut tree of a closed system.
Influence compute_frame_influence(ClosedWorkspace& work, const ConstVectorRef& q, FrameId frame,
                                  Axes axes);

/// The rows of all closures, "NAME:0", "NAME:1", … by all entries of v: what must stay at rest. [H] is
/// the symmetric one with the right quadratic form.
Influence compute_closure_influence(ClosedWorkspace& work, const ConstVectorRef& q);
/// The joints that close loops (System::closing_names), by all entries of v.
Influence compute_closing_influence(ClosedWorkspace& work, const ConstVectorRef& q);

/// Some of the parameters, in the order given; throws Error for one that is not there.
Influence select(const Influence& influence, const std::vector<std::string>& names);
/// Parameters of one after those of the other; both by the same coordinates.
Influence stack(const Influence& first, const Influence& second);
/// u by q from u by φ and φ by q: [G^u_φ][G^φ_q] and [G]ᵀ[H^u][G] + [G^u_φ] • [H^φ_qq] (3-22), (3-26).
Influence compose(const Influence& u_by_phi, const Influence& phi_by_q);

}  // namespace linkwright::coordinates
