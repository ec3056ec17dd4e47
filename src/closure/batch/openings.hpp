#pragma once
/// How far closures are open, and how fast they open, for eight states at a time.
///
/// Given    the poses and velocities of the closures' nodes, q and v
/// Computes worst[0], worst[1], worst[2]: the largest distance in metres, the largest angle in radians (of a gear in units
///          of its follower), the largest |J v|
/// Cost     O(1) per closure that is nearly closed; the others are taken apart lane by lane

#include "closure/assembly/near_residual.hpp"
#include "closure/batch/rows.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

LINKWRIGHT_INLINE void keep_larger(States& worst, double gap, int lane) {
  if (!(gap <= worst.x[lane])) worst.x[lane] = gap;
}

/// Those lanes that say so, or all of them.
LINKWRIGHT_INLINE void judge_far(const ClosurePlace& c, const spatial::Pose<States>& X,
                                 const bool* is_far, States* worst) {
  for (int l = 0; l < States::size; ++l) {
    if (is_far != nullptr && !is_far[l]) continue;
    const Opening open = opening(c, pose_of_lane(X, l));
    keep_larger(worst[0], open.distance, l);
    keep_larger(worst[1], open.angle, l);
  }
}

LINKWRIGHT_INLINE void judge_near(const ClosurePlace& c, const spatial::Pose<States>& X,
                                  States* worst) {
  States distance, angle, facing;
  near_opening(c, X, distance, angle, facing);
  // Comparisons with what is no number fail.
  const typename States::Bits is_near = above(States(near_gap), distance) &
                                        above(States(near_gap), angle) & above(facing, States(0.0));
  worst[0] = select(is_near, larger(worst[0], distance), worst[0]);
  worst[1] = select(is_near, larger(worst[1], angle), worst[1]);
  if (!spatial::any(typename States::Bits(~is_near))) return;
  const States flag = select(is_near, States(0.0), States(1.0));
  bool is_far[States::size];
  for (int l = 0; l < States::size; ++l) is_far[l] = flag.x[l] != 0;
  judge_far(c, X, is_far, worst);
}

LINKWRIGHT_INLINE void judge_closure(const Scratch<States>& s, const ClosurePlace& c,
                                     const States* q, const States* v, States* worst) {
  if (c.kind == PairKind::gear) {
    States gap(-c.offset);
    for (const TreeTerm& term : c.terms) gap += term.ratio * q[term.q];
    worst[1] = larger(worst[1], absolute(gap));
    worst[2] = larger(worst[2], absolute(along_shaft(c, v)));
    return;
  }
  if (c.rows == 0) return;
  const auto a = index(c.node_a), b = index(c.node_b);
  const Meeting<States> m = meet(c, s.pose[a], s.pose[b], s.V[a], s.V[b]);
  for (int i = 0; i < c.rows; ++i)
    worst[2] = larger(worst[2], absolute(dot(row_of(c, m, i).W, m.V)));
  if (has_near_form(c))
    judge_near(c, m.X, worst);
  else
    judge_far(c, m.X, nullptr, worst);
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
