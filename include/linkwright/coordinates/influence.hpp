#pragma once
/// Influence coefficients: how parameters u of a mechanism move with its coordinates φ.
///
///     u̇ = [G] φ̇,    ü = [G] φ̈ + φ̇ᵀ [H] φ̇                                (Freeman, 2-7 and 2-27)
///     u⃛ = [G] φ⃛ + φ̈ᵀ (2 [H] + [H]ᵀ) φ̇ + (φ̇ᵀ [D] φ̇) φ̇                     (2-44)
///
///     linkwright::Workspace work(system);
///     Influence tip = compute_frame_influence(work, q, system.frame("tip"), linkwright::Axes::world);
///     Influence place = select(tip, {"tip:vx", "tip:vy"});      // u = two of the tip's six
///     Eigen::VectorXd velocity = place.G.view() * v;
///
/// Indices run from the coordinate that G belongs to, outwards: plane p of [H] at (j, k) is the rate of
/// G(p, j) while coordinate k alone moves at unit rate, and block p of [D] at (j, k, l) the rate of that while
/// l alone moves. (The paper writes them the other way round: h_kj, d_lkj.) φ̇ may be quasi-velocities (a ball
/// joint's ω): then two such rates depend on their order, and [H] and [D] are not symmetric, exactly by the
/// brackets of the joint's modes:
///     H(p, j, k) − H(p, k, j) = Σ_i c^i_kj G(p, i) for a point,   D(p, j, k, l) − D(p, j, l, k) = Σ_i c^i_lk H(p, j, i)
/// with [e_k, e_j] = Σ_i c^i_kj e_i. Numbers that are no rates of anything (ω of a body) have no symmetric
/// [H] in any coordinates.
/// Letters: [G], [H], [D] as in the paper; upper index = `of`, lower index = `by`.

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
  /// Of the motion of a frame or point: whose, and which of wx, wy, wz, vx, vy, vz (0 … 5).
  std::string frame{};
  int component = -1;  ///< −1: of no frame
  Axes axes = Axes::world;
};
using Parameters = std::vector<Parameter>;

/// How far coefficients are computed.
enum class Order {
  second = 2,  ///< [G] and [H]
  third = 3    ///< [D] too: n times as many numbers
};

/// [G^u_φ], [H^u_φφ], and [D^u_φφφ] where it was asked for: of u, by φ.
struct Influence {
  Parameters of, by;
  Matrix G;    ///< of × by
  Array H;     ///< of planes, by × by
  Array4 D{};  ///< of blocks, by × by × by; empty at Order::second

  [[nodiscard]] Order order() const {
    return D.size() == G.cols() && D.planes() == G.rows() ? Order::third : Order::second;
  }
};

/// All entries of v, by themselves: [I] and zeros (3-27), (3-28).
Influence joint_influence(const System& system, Order order = Order::second);
/// Some of them, in the order given: "elbow", "base:3", or "base" for all of a joint's freedoms.
/// Throws Error for a name that is not there.
Influence joint_influence(const System& system, const std::vector<std::string>& names,
                          Order order = Order::second);

/// A shaft that turns by Σ ratio · rate of the joints named: a motor behind gears, coupled or not.
struct Shaft {
  std::string name;
  std::vector<std::pair<std::string, double>> ratios;  ///< joint (or "base:3") and what it counts
};
/// The shafts' rates, by all entries of v. Throws Error for a joint that is not there or has several
/// freedoms, for one named twice, and for a shaft that no joint turns (all ratios zero).
Influence shaft_influence(const System& system, const std::vector<Shaft>& shafts,
                          Order order = Order::second);

/// The six numbers [ω; v] of a frame, "NAME:wx" … "NAME:vz", by all entries of v. Axes::own gives those
/// in the frame's own axes and, as accelerations, the rates of these numbers. O(depth²), third order
/// O(depth³).
Influence compute_frame_influence(Workspace& work, const ConstVectorRef& q, FrameId frame,
                                  Axes axes, Order order = Order::second);
/// ω alone, of the body or frame: "NAME:wx" … "NAME:wz" (tables 2-3 to 2-5, rotational).
Influence compute_orientation_influence(Workspace& work, const ConstVectorRef& q, FrameId frame,
                                        Axes axes, Order order = Order::second);
/// The velocity of a point that is fixed in a frame, at `point` in its axes: "NAME(x, y, z):vx" …
/// (tables 2-3 to 2-5, translational).
Influence compute_point_influence(Workspace& work, const ConstVectorRef& q, FrameId frame,
                                  const Vector3& point, Axes axes, Order order = Order::second);
/// The same for the cut tree of a closed system; compose with compute_joint_influence for the mechanism.
Influence compute_frame_influence(ClosedWorkspace& work, const ConstVectorRef& q, FrameId frame,
                                  Axes axes, Order order = Order::second);

/// All entries of v of a closed mechanism, by independent ones: those named, or the best
/// (choose_independent). Throws Error as require_independent does.
Influence compute_joint_influence(ClosedWorkspace& work, const ConstVectorRef& q,
                                  const std::vector<std::string>& independent = {},
                                  Order order = Order::second);

/// The rows of all closures, "NAME:0", "NAME:1", … by all entries of v: what must stay at rest.
Influence compute_closure_influence(ClosedWorkspace& work, const ConstVectorRef& q,
                                    Order order = Order::second);
/// The joints that close loops (System::closing_names), by all entries of v.
Influence compute_closing_influence(ClosedWorkspace& work, const ConstVectorRef& q,
                                    Order order = Order::second);

/// Some of the parameters, in the order given; throws Error for one that is not there.
Influence select(const Influence& influence, const std::vector<std::string>& names);
/// Parameters of one after those of the other; both by the same coordinates. To the lesser of their orders.
Influence stack(const Influence& first, const Influence& second);
/// u by q from u by φ and φ by q, to the lesser of their orders: [G^u_φ][G^φ_q] (3-22),
/// [G]ᵀ[H^u][G] + [G^u_φ] • [H^φ_qq] (3-26), and the third order by the same rule.
Influence compose(const Influence& u_by_phi, const Influence& phi_by_q);

/// ü = [G] φ̈ + φ̇ᵀ[H] φ̇ (2-27).
void compute_acceleration(const Influence& u, const ConstVectorRef& rates,
                          const ConstVectorRef& accelerations, VectorRef out);
/// u⃛ = [G] φ⃛ + φ̈ᵀ(2 [H] + [H]ᵀ) φ̇ + (φ̇ᵀ[D] φ̇) φ̇ (2-44). Throws Error where [D] was not asked for.
void compute_jerk(const Influence& u, const ConstVectorRef& rates,
                  const ConstVectorRef& accelerations, const ConstVectorRef& jerks, VectorRef out);

/// What loads at u do at φ: [G]ᵀ T^u, the effective loads of virtual work (2-125), (3-10).
void compute_effective_load(const Influence& u_by_phi, const ConstVectorRef& load, VectorRef out);

}  // namespace linkwright::coordinates
