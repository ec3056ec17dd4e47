#pragma once
/// Forward dynamics of a single state of a body on legs: those of one bundle side by side (legs.hpp).
///
/// Given    as legs.hpp, in the packs of the bundles
/// Computes λ and the innovations with it, or says that some leg is too near to singular on its own
/// Cost     that of one leg per bundle, and of the hub

#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/closure/sweeps/legs.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "linkwright/dynamics/sweeps/bundles.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

using LegLanes = Bundle::Number;

LINKWRIGHT_INLINE double sum_of(const LegLanes& x) { return (x.x[0] + x.x[1]) + (x.x[2] + x.x[3]); }

/// λ where other functions look for it, and the poses they need with it.
LINKWRIGHT_INLINE void leave_forces(const BundledTree& tree, BundledScratch& s, LoopScratch& loops,
                                    const BundledLegs& group, const LegRows<LegLanes>& r) {
  const Bundle& bundle = tree.bundles[group.bundle];
  const auto tip = static_cast<std::size_t>(group.leg.tip);
  for (int l = 0; l < bundle.lanes; ++l) {
    const auto lane = static_cast<std::size_t>(l);
    Rows& lambda = loops.lambda[static_cast<std::size_t>(group.closures[lane])];
    for (int i = 0; i < group.leg.rows; ++i) lambda.x[i] = r.z[i].x[l];
    sweeps::copy_lane(s.bundles[group.bundle].sweep.pose[tip], l,
                      s.pose[static_cast<std::size_t>(bundle.nodes[tip][lane])]);
  }
}

/// Some leg could not give way alone: false, and nothing is changed.
LINKWRIGHT_INLINE bool close_stand(const BundledTree& tree, BundledScratch& s, LoopScratch& loops,
                                   const double* v) {
  Stand& stand = *loops.stand;
  FreeHub<double> hub;
  find_hub(tree, s, stand.plan, v, hub);
  HubSum<LegLanes> sum;
  bool clear = true;
  for (std::size_t g = 0; g < stand.legs.size(); ++g) {
    const BundledLegs& group = stand.legs[g];
    const Bundle& bundle = tree.bundles[group.bundle];
    BundleScratch& packs = s.bundles[group.bundle];
    const Leg<LegLanes>& leg = group.leg;
    if (leg.on_hub) {
      put(packs.sweep.pose[1], spread<LegLanes>(hub.pose));
      put(packs.sweep.V[1], spread<LegLanes>(hub.V));
    } else {
      put(packs.sweep.pose[1], spatial::Pose<LegLanes>{});
      put(packs.sweep.V[1], spatial::Motion<LegLanes>{});
    }
    move_leg(bundle.branch, packs.sweep, leg, packs.v.data());
    with_rows(leg.rows, [&](auto rows) LINKWRIGHT_INLINE_LAMBDA {
      const auto fine = stand_leg<rows()>(bundle.branch, packs.sweep, tree, stand.plan, leg, hub,
                                          stand.forces, stand.rows[g], sum);
      clear = clear && !spatial::any(typename LegLanes::Bits(~fine));
    });
  }
  if (!clear) return false;
  for (int i = 0; i < stand.plan.freedoms; ++i) {
    hub.t[i] = sum_of(sum.t[i]);
    for (int j = 0; j <= i; ++j) hub.D[i][j] += sum_of(sum.S[i][j]);
  }
  with_hub(stand.plan,
           [&](auto kind) LINKWRIGHT_INLINE_LAMBDA { solve_hub(kind, stand.plan, hub.D, hub.t); });
  s.pose[0] = {};
  s.pose[static_cast<std::size_t>(stand.plan.hub)] = hub.pose;
  s.stamp.drop(Held::poses), s.stamp.drop(Held::velocities);
  for (std::size_t g = 0; g < stand.legs.size(); ++g) {
    const BundledLegs& group = stand.legs[g];
    const Bundle& bundle = tree.bundles[group.bundle];
    with_rows(group.leg.rows, [&](auto rows) LINKWRIGHT_INLINE_LAMBDA {
      with_hub(stand.plan, [&](auto kind) LINKWRIGHT_INLINE_LAMBDA {
        close_leg<rows()>(kind, bundle.branch, s.bundles[group.bundle].sweep, stand.plan, group.leg,
                          hub.t, stand.rows[g]);
      });
    });
    leave_forces(tree, s, loops, group, stand.rows[g]);
  }
  close_hub(tree, s, stand.plan, hub.t);
  loops.dropped = 0;
  loops.conflict = 0;
  return true;
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
