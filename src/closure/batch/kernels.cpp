// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy. The sweeps over the
// tree are those of the single state, on packs; closures go through it row by row.
#include "batch/columns.hpp"
#include "closure/batch/efforts.hpp"
#include "closure/batch/inverse.hpp"
#include "closure/batch/rows.hpp"
#include "closure/batch/solve.hpp"
#include "linkwright/closure/residual.hpp"
#include "linkwright/closure/sweeps/legs.hpp"
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"

namespace linkwright::closure {
inline namespace LINKWRIGHT_ISA {

/// One lane group of a tile: where its inputs and its results lie, and what pushes.
struct Group {
  States *q, *v, *x, *y;
  sweeps::GroupLoads<double> loads;
};

/// Loads q, v and x tile by tile, calls compute(group) for each lane group, which writes the results to
/// group.y and returns NaN for the lanes without an answer, and stores the results. A lane with a bad
/// input gets none.
template <class Compute>
LINKWRIGHT_INLINE void each_group(const BatchPlan& plan, ClosedBatchScratch& w,
                                  const ClosedJob& job, int first, int last, Compute&& compute) {
  const Tree<double>& tree = plan.system.tree();
  const int nq = tree.nq, nv = tree.nv, nx = job.x_columns, ny = job.out_columns;
  sweeps::each_tile<double>(first, last, w.tile, [&](const sweeps::Tile<double>& tile) {
    sweeps::load(job.q, nq, tile, w.q.data());
    sweeps::load(job.v, nv, tile, w.v.data());
    sweeps::load(job.x, nx, tile, w.x.data());
    for (int g = 0; g < tile.groups(); ++g) {
      const int row = tile.first + g * States::size, rows = tile.lanes_of(g);
      const Group here{w.q.data() + g * nq, w.v.data() + g * nv, w.x.data() + g * nx,
                       w.y.data() + g * ny, sweeps::GroupLoads<double>(job, row, rows)};
      States bad = sweeps::position_poison(tree, here.q) + sweeps::poison(here.v, nv) +
                   sweeps::poison(here.x, nx);
      here.loads.spoil(bad);
      const States worse = bad + compute(here);
      sweeps::judge(w, here.y, ny, worse, row, rows);
    }
    sweeps::store(w.y.data(), job.out, ny, tile);
  });
}

/// λ and the innovations with it, of a body on legs; false, and nothing is changed, where some leg of some
/// state could not give way alone.
bool close_legs(const BatchPlan& plan, ClosedBatchScratch& w, const States* v) {
  const Tree<double>& tree = plan.system.tree();
  Scratch<States>& s = w.sweep;
  const LegPlan& on = plan.on.plan;
  FreeHub<States> hub;
  find_hub(tree, s, on, v, hub);
  HubSum<States> sum;
  bool clear = true;
  for (std::size_t l = 0; l < plan.on.legs.size(); ++l)
    with_rows(plan.on.legs[l].rows, [&](auto rows) LINKWRIGHT_INLINE_LAMBDA {
      const auto fine = stand_leg<rows()>(tree, s, tree, on, plan.on.legs[l], hub, w.leg_forces,
                                          w.leg_rows[l], sum);
      clear = clear && !spatial::any(typename States::Bits(~fine));
    });
  if (!clear) return false;
  for (int i = 0; i < on.freedoms; ++i) {
    hub.t[i] = sum.t[i];
    for (int j = 0; j <= i; ++j) hub.D[i][j] += sum.S[i][j];
  }
  with_hub(on, [&](auto kind) LINKWRIGHT_INLINE_LAMBDA {
    solve_hub(kind, on, hub.D, hub.t);
    for (std::size_t l = 0; l < plan.on.legs.size(); ++l)
      with_rows(plan.on.legs[l].rows, [&](auto rows) LINKWRIGHT_INLINE_LAMBDA {
        close_leg<rows()>(kind, tree, s, on, plan.on.legs[l], hub.t, w.leg_rows[l]);
      });
  });
  close_hub(tree, s, on, hub.t);
  return true;
}

/// The same for every mechanism. NaN in the lanes whose rows depend on each other.
States close_rows(const BatchPlan& plan, ClosedBatchScratch& w) {
  closed_rows(plan, w);
  gather_omega(plan, w);
  const States bad = solve_omega(plan, w);
  add_closure_forces(plan, w);
  return bad;
}

void forward_dynamics(const BatchPlan& plan, ClosedBatchScratch& w, const ClosedJob& job, int first,
                      int last) {
  const Tree<double>& tree = plan.system.tree();
  Scratch<States>& s = w.sweep;
  each_group(plan, w, job, first, last, [&](const Group& g) {
    const StateForce* f_ext = sweeps::place_and_gather(tree, s, g.q, g.v, g.loads);
    move_nodes<States>(tree, s, plan.loops.moving, g.v);
    const States* motors = job.x_columns > tree.nv ? g.x + tree.nv : nullptr;
    if (plan.acts || motors != nullptr) {
      start_forces(tree, s, f_ext);
      add_closing_forces<Rotors::in_rows>(plan, w, g.q, motors);
      f_ext = s.f_ext.data();
    }
    if (plan.has_shafts) add_shaft_efforts(plan, g.v, nullptr, motors, g.x);
    const States* effort = sweeps::add_joint_forces(tree, g.q, g.v, g.x, g.x);
    sweeps::bias_sweep(tree, tree.runs, s, g.v, f_ext);
    sweeps::filter_sweep(tree, tree.runs, s, effort);
    States bad = sweeps::loose_poison<double>(tree, s);
    if (plan.on.legs.empty() || !close_legs(plan, w, g.v)) bad += close_rows(plan, w);
    sweeps::forward_dynamics_smoother(tree, s, g.y);
    return bad;
  });
}

void inverse_dynamics(const BatchPlan& plan, ClosedBatchScratch& w, const ClosedJob& job, int first,
                      int last) {
  const Tree<double>& tree = plan.system.tree();
  Scratch<States>& s = w.sweep;
  States* needed = w.lambda.data();
  each_group(plan, w, job, first, last, [&](const Group& g) {
    const StateForce* f_ext = sweeps::place_and_gather(tree, s, g.q, g.v, g.loads);
    move_nodes<States>(tree, s, plan.loops.moving, g.v);
    if (plan.acts || plan.rotates) {
      start_forces(tree, s, f_ext);
      if (plan.rotates) {
        sweeps::velocities(tree, s, g.v);
        sweeps::accelerations(tree, s, g.v, g.x);
      }
      add_closing_forces<Rotors::given>(plan, w, g.q, nullptr);
      f_ext = s.f_ext.data();
    }
    sweeps::inverse_dynamics(tree, s, g.v, g.x, f_ext, needed);
    if (plan.has_shafts) {
      for (int i = 0; i < tree.nv; ++i) g.y[i] = States(0.0);
      add_shaft_efforts(plan, g.v, g.x, nullptr, g.y);
      for (int i = 0; i < tree.nv; ++i) needed[i] -= g.y[i];
    }
    if (tree.joint_forces.any) {
      for (int i = 0; i < tree.nv; ++i) g.x[i] = States(0.0);
      sweeps::joint_forces(tree, g.q, g.v, g.x);
      for (int i = 0; i < tree.nv; ++i) needed[i] -= g.x[i];
    }
    find_jacobian(plan, w);
    const States bad = solve_unknowns(plan.inverse.elimination, needed, w);
    find_motor_efforts(plan.inverse, needed, w, job.out_columns, g.y);
    return bad;
  });
}

/// Gaps of one closure, and the rate at which it opens: the larger ones stay in `worst`.
LINKWRIGHT_INLINE void judge_closure(const Scratch<States>& s, const ClosurePlace& c,
                                     const Group& g, States* worst) {
  if (c.kind == PairKind::gear) {
    States gap(-c.offset);
    for (const TreeTerm& term : c.terms) gap += term.ratio * g.q[term.q];
    worst[1] = larger(worst[1], absolute(gap));
    worst[2] = larger(worst[2], absolute(along_shaft(c, g.v)));
    return;
  }
  if (c.rows == 0) return;
  const auto a = index(c.node_a), b = index(c.node_b);
  const Meeting<States> m = meet(c, s.pose[a], s.pose[b], s.V[a], s.V[b]);
  for (int i = 0; i < c.rows; ++i)
    worst[2] = larger(worst[2], absolute(dot(row_of(c, m, i).W, m.V)));
  for (int l = 0; l < States::size; ++l) {
    const Opening open = opening(c, pose_of_lane(m.X, l));
    if (!(open.distance <= worst[0].x[l])) worst[0].x[l] = open.distance;
    if (!(open.angle <= worst[1].x[l])) worst[1].x[l] = open.angle;
  }
}

void residual(const BatchPlan& plan, ClosedBatchScratch& w, const ClosedJob& job, int first,
              int last) {
  const Tree<double>& tree = plan.system.tree();
  each_group(plan, w, job, first, last, [&](const Group& g) {
    sweeps::place_joints(tree, w.sweep, g.q);
    move_nodes<States>(tree, w.sweep, plan.loops.moving, g.v);
    for (int i = 0; i < job.out_columns; ++i) g.y[i] = States(0.0);
    for (const ClosurePlace& c : plan.system.closures()) judge_closure(w.sweep, c, g, g.y);
    return States(0.0);
  });
}

}  // namespace LINKWRIGHT_ISA

#define LINKWRIGHT_TABLE_(isa) closed_batch_##isa
#define LINKWRIGHT_TABLE(isa) LINKWRIGHT_TABLE_(isa)
const ClosedBatchKernels LINKWRIGHT_TABLE(LINKWRIGHT_ISA) = {forward_dynamics, inverse_dynamics,
                                                             residual};

}  // namespace linkwright::closure
