#pragma once
/// What acts on closing joints, as forces on the bodies they join, for eight states at a time.
///
/// Given    pose(k), V(k) of the closures' nodes; efforts of closing motors
/// Computes f_ext(k) += forces of loads, damping, friction, springs and motors at closing joints; for given
///          accelerations also those of their rotors (in forward dynamics these are rows of Ω)
/// Cost     O(closing freedoms); springs lane by lane, since their coordinates are found by iteration

#include "closure/batch/rows.hpp"
#include "closure/closing_efforts.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

LINKWRIGHT_INLINE Pose pose_of_lane(const spatial::Pose<States>& X, int l) {
  const auto& R = X.rotation;
  const auto& p = X.translation;
  return {{R.xx.x[l], R.xy.x[l], R.xz.x[l], R.yx.x[l], R.yy.x[l], R.yz.x[l], R.zx.x[l], R.zy.x[l],
           R.zz.x[l]},
          {p.x.x[l], p.y.x[l], p.z.x[l]}};
}

/// effort += springs of a closing joint.
LINKWRIGHT_INLINE void add_springs(const BatchPlan& plan, const ClosurePlace& c,
                                   const spatial::Pose<States>& X, const States* q,
                                   ClosedBatchScratch& w, States* effort) {
  for (int l = 0; l < States::size; ++l) {
    for (int i = 0; i < plan.system.nq(); ++i) w.one_q[index(i)] = q[i].x[l];
    double efforts[6]{};
    add_spring_efforts(c, pose_of_lane(X, l), w.one_q.data(), efforts);
    for (int i = 0; i < c.freedoms; ++i) effort[i].x[l] += efforts[i];
  }
}

/// Of the motors on one closing joint; `given` are the efforts behind those of the tree, null: none.
LINKWRIGHT_INLINE void add_motors(const BatchPlan& plan, std::size_t closure, const States* given,
                                  States* effort) {
  if (given == nullptr) return;
  const auto& motors = plan.system.closing_motors();
  for (std::size_t i = 0; i < motors.size(); ++i)
    if (index(motors[i].closure) == closure) effort[motors[i].freedom] += given[i];
}

/// What the rotors of closing joints do.
enum class Rotors {
  in_rows,  // they are rows of Ω
  given     // Scratch::alpha has the bodies' true accelerations
};

template <Rotors rotors>
LINKWRIGHT_INLINE void add_closing_forces(const BatchPlan& plan, ClosedBatchScratch& w,
                                          const States* q, const States* given) {
  Scratch<States>& s = w.sweep;
  for (std::size_t i = 0; i < plan.closures.size(); ++i) {
    const ClosurePlace& c = plan.system.closures()[i];
    const bool turns = rotors == Rotors::given && c.rotors > 0;
    if (c.kind == PairKind::shaft) continue;  // it pushes on joints
    if (c.freedoms == 0 || (!c.acts && given == nullptr && !turns)) continue;
    const auto a = index(c.node_a), b = index(c.node_b);
    Meeting<States> m = meet(c, s.pose[a], s.pose[b], s.V[a], s.V[b]);
    if (turns) m.bias += to_child(c.at_b, s.alpha[b]) - to_child(m.X, to_child(c.at_a, s.alpha[a]));
    States effort[6];
    for (States& e : effort) e = States(0.0);
    add_motors(plan, i, given, effort);
    if (c.has_springs) add_springs(plan, c, m.X, q, w, effort);
    StateForce on_b = nothing();
    for (int k = 0; k < c.freedoms; ++k) {
      const ClosingFreedom& f = c.freedom[k];
      const Row<States> row = closing_row(c, m, k);
      const States rate = dot(row.W, m.V);
      effort[k] +=
          f.load - f.damping * rate - dry_friction(rate, f.friction_forward, f.friction_backward);
      if (turns && f.rotor > 0) effort[k] -= f.rotor * row_bias(row, m);
      on_b += effort[k] * row.W;
    }
    if (c.node_b != 0) s.f_ext[b] += to_parent(c.at_b, on_b);
    if (c.node_a != 0) s.f_ext[a] -= to_parent(c.at_a, to_parent(m.X, on_b));
  }
}

LINKWRIGHT_INLINE States along_shaft(const ClosurePlace& c, const States* rates) {
  States sum(0.0);
  for (const TreeTerm& term : c.terms) sum += term.ratio * rates[term.v];
  return sum;
}

/// effort += what shafts of coupled transmissions push on their joints with: motors, damping, friction,
/// and at given accelerations (null: not) their rotors.
LINKWRIGHT_INLINE void add_shaft_efforts(const BatchPlan& plan, const States* v, const States* a,
                                         const States* given, States* effort) {
  for (std::size_t i = 0; i < plan.closures.size(); ++i) {
    const ClosurePlace& c = plan.system.closures()[i];
    if (c.kind != PairKind::shaft) continue;
    const ClosingFreedom& f = c.freedom[0];
    const States rate = along_shaft(c, v);
    States torque = States(0.0) - f.damping * rate -
                    dry_friction(rate, f.friction_forward, f.friction_backward);
    add_motors(plan, i, given, &torque);
    if (a != nullptr) torque -= f.rotor * along_shaft(c, a);
    for (const TreeTerm& term : c.terms) effort[term.v] += term.ratio * torque;
  }
}

/// f_ext for the sweeps: what place_and_gather found, or zero where it found nothing.
LINKWRIGHT_INLINE void start_forces(const Tree<double>& tree, Scratch<States>& s,
                                    const StateForce* found) {
  if (found != nullptr) return;
  for (int k = 0; k < tree.count(); ++k) s.f_ext[index(k)] = nothing();
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
