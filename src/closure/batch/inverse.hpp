#pragma once
/// The efforts of the motors for eight states at a time: needed = tau + Jᵀ λ (+ Lᵀ tau of closing motors).
///
/// Given    what all freedoms need, by inverse dynamics of the tree; pose(k) of the closures' nodes
/// Computes J over the freedoms between the frames of every closure, tips → base; λ from the freedoms
///          without a motor, by L U in the order found at the reference; tau from the others
/// Cost     O(rows · depth) and the elimination's operations

#include "batch/columns.hpp"
#include "closure/batch/rows.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

/// Row of an unknown: the closure's own, or of a motor on its joint.
LINKWRIGHT_INLINE StateForce unknown_row(const ClosurePlace& c, const Meeting<States>& m, int row) {
  if (row < c.rows) return row_of(c, m, row).W;
  return closing_row(c, m, row - c.rows).W;
}

/// A closure's rows through one joint, as if nothing gave way.
template <class J>
LINKWRIGHT_INLINE void carry_rows(J joint, const BatchPlan& plan, ClosedBatchScratch& w,
                                  const UnknownRows& own, const Path& path, int at) {
  const Tree<double>& tree = plan.system.tree();
  const PathNode& here = plan.loops.path[index(at)];
  const Node<double>& n = tree.nodes[index(here.node)];
  const sweeps::Place<States>& place = w.sweep.place[index(here.node)];
  const StateForce* from = w.force.data() + 6 * index(at - path.begin);
  States* j = w.j.data() + plan.inverse.j_at[index(here.first)];
  for (int r = 0; r < own.count; ++r) {
    States x[J::most_freedoms];
    joint.project(tree, n, from[r], x);
    for (int i = 0; i < J::freedoms(n); ++i) j[i * own.count + r] = x[i];
    if (here.up < 0 || !plan.inverse.moves[index(here.up)]) continue;
    StateForce& to = w.force[6 * index(here.up - path.begin) + index(r)];
    to = shift(J::offset(n, place), StateForce{J::to_parent(n, place, from[r].moment),
                                               J::to_parent(n, place, from[r].force)});
  }
}

LINKWRIGHT_INLINE void carry_terms(const BatchPlan& plan, const Path& path, ClosedBatchScratch& w) {
  const auto slot = [&](int at, int freedom) LINKWRIGHT_INLINE_LAMBDA {
    return index(plan.inverse.j_at[index(plan.loops.path[index(at)].first + freedom)]);
  };
  const PathTerm* const terms = plan.loops.terms.data();
  for (int t = path.terms; t < path.term_end; ++t)
    for (int i = 0; i < plan.system.tree().nodes[index(plan.loops.path[index(terms[t].at)].node)].d;
         ++i)
      w.j[slot(terms[t].at, i)] = States(0.0);
  for (int t = path.terms; t < path.term_end; ++t)
    w.j[slot(terms[t].at, terms[t].slot)] += terms[t].ratio;
}

/// j of every unknown.
LINKWRIGHT_INLINE void find_jacobian(const BatchPlan& plan, ClosedBatchScratch& w) {
  const Scratch<States>& s = w.sweep;
  for (std::size_t i = 0; i < plan.closures.size(); ++i) {
    const UnknownRows& own = plan.inverse.closures[i];
    if (own.count == 0) continue;
    const ClosurePlace& c = plan.system.closures()[i];
    const Path& path = plan.loops.paths[i];
    if (is_among_joints(c.kind)) {
      carry_terms(plan, path, w);
      continue;
    }
    Meeting<States> m;
    m.X = relative_pose(c, s.pose[index(c.node_a)], s.pose[index(c.node_b)]);
    m.V = StateMotion{nothing().moment, nothing().force};
    for (int r = 0; r < own.count; ++r) {
      const StateForce W = unknown_row(c, m, own.row[r]);
      if (path.at_b >= 0)
        w.force[6 * index(path.at_b - path.begin) + index(r)] = to_parent(c.at_b, W);
      if (path.at_a >= 0)
        w.force[6 * index(path.at_a - path.begin) + index(r)] =
            -to_parent(c.at_a, to_parent(m.X, W));
    }
    for (int at = path.begin; at < path.end; ++at)
      if (plan.inverse.moves[index(at)])
        sweeps::dispatch(plan.loops.path[index(at)].kind, [&](auto joint) LINKWRIGHT_INLINE_LAMBDA {
          carry_rows(joint, plan, w, own, path, at);
        });
  }
}

/// The unknowns in the order of the pivots. Returns NaN in the lanes where a pivot vanishes.
LINKWRIGHT_INLINE States solve_unknowns(const FixedElimination& plan, const States* needed,
                                        ClosedBatchScratch& w) {
  States *A = w.A.data(), *x = w.unknown.data();
  for (int i = 0; i < plan.places; ++i) A[i] = States(0.0);
  for (const FixedElimination::Entry& entry : plan.entries)
    A[entry.place] = w.j[index(entry.source)];
  for (int k = 0; k < plan.size; ++k) x[k] = needed[plan.freedom[index(k)]];
  typename States::Bits fine = ~typename States::Bits{};
  for (int k = 0; k < plan.size; ++k) {
    const FixedElimination::Pivot& pivot = plan.pivots[index(k)];
    fine = fine & above(absolute(A[pivot.place]), States(pivot.least));
    const States inverse = States(1.0) / A[pivot.place];
    A[pivot.place] = inverse;
    for (int i = pivot.lower; i < pivot.end; ++i) {
      const FixedElimination::Lower& lower = plan.lowers[index(i)];
      const States l = inverse * A[lower.place];
      const int* target = plan.targets.data() + lower.first;
      for (int u = pivot.upper; u < pivot.upper_end; ++u)
        A[target[u - pivot.upper]] -= l * A[plan.uppers[index(u)].place];
      x[lower.row] -= l * x[k];
    }
  }
  for (int k = plan.size - 1; k >= 0; --k) {
    const FixedElimination::Pivot& pivot = plan.pivots[index(k)];
    States total = x[k];
    for (int u = pivot.upper; u < pivot.upper_end; ++u)
      total -= A[plan.uppers[index(u)].place] * x[plan.uppers[index(u)].column];
    x[k] = A[pivot.place] * total;
  }
  return sweeps::poison_where<States>(~fine);
}

/// Into `columns` columns, zero where no motor is.
LINKWRIGHT_INLINE void find_motor_efforts(const InversePlan& plan, const States* needed,
                                          const ClosedBatchScratch& w, int columns, States* tau) {
  const auto multiplier = [&](int unknown) LINKWRIGHT_INLINE_LAMBDA {
    return w.unknown[index(plan.elimination.column[index(unknown)])];
  };
  for (int i = 0; i < columns; ++i) tau[i] = States(0.0);
  for (const TreeMotor& motor : plan.tree_motors) {
    States total = needed[motor.entry];
    for (int i = motor.first; i < motor.end; ++i) {
      const MotorShare& share = plan.shares[index(i)];
      total -= w.j[index(share.source)] * multiplier(share.unknown);
    }
    tau[motor.entry] = total;
  }
  for (const JointMotor& motor : plan.joint_motors) tau[motor.entry] = multiplier(motor.unknown);
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
