// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy. The sweeps
// are those of the single state, on packs; here are only the loops over lane groups around them.
#include "batch/columns.hpp"
#include "batch/mass_matrices.hpp"
#include "linkwright/dynamics/sweeps/forces.hpp"
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// One lane group of a tile: where its inputs and its results lie, and what pushes.
template <class B>
struct Group {
  BatchPack<B>*q, *v, *x, *y;
  GroupLoads<B> loads;
};
/// NaN in the lanes with a bad input.
template <class B>
LINKWRIGHT_INLINE BatchPack<B> input_poison(const Tree<B>& tree, const Group<B>& g) {
  BatchPack<B> bad = position_poison(tree, g.q) + poison(g.v, tree.nv) + poison(g.x, tree.nv);
  g.loads.spoil(bad);
  return bad;
}
/// Loads q, v and x tile by tile, calls compute(group) for each lane group, which writes nv
/// results to group.y and returns NaN for the lanes without an answer, and stores the results. A
/// lane with a bad input gets none.
template <class B, class Compute>
LINKWRIGHT_INLINE void each_state(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job,
                                  int first, int last, Compute&& compute) {
  using P = BatchPack<B>;
  const int nq = tree.nq, nv = tree.nv;
  each_tile<B>(first, last, w.tile, [&](const Tile<B>& tile) {
    load(job.q, nq, tile, w.q.data());
    load(job.v, nv, tile, w.v.data());
    load(job.x, nv, tile, w.x.data());
    for (int g = 0; g < tile.groups(); ++g) {
      const int row = tile.first + g * P::size, rows = tile.lanes_of(g);
      const Group<B> here{w.q.data() + g * nq, w.v.data() + g * nv, w.x.data() + g * nv,
                          w.y.data() + g * nv, GroupLoads<B>(job, row, rows)};
      const P bad = input_poison(tree, here);
      const P worse = bad + compute(here);
      judge(w, here.y, nv, worse, row, rows);
    }
    store(w.y.data(), job.out, nv, tile);
  });
}
/// The same for functions of the position alone with many results per state, group by group:
/// compute() reads w.q and writes `columns` results to w.results.
template <class B, class Compute>
LINKWRIGHT_INLINE void each_position(const Tree<B>& tree, BatchScratch<B>& w,
                                     const BatchJob<B>& job, int first, int last, int columns,
                                     Compute&& compute) {
  using P = BatchPack<B>;
  each_tile<B>(first, last, 1, [&](const Tile<B>& tile) {
    load(job.q, tree.nq, tile, w.q.data());
    const P bad = position_poison(tree, w.q.data());
    place_joints(tree, w.sweep, w.q.data());
    compute();
    judge(w, w.results.data(), columns, bad, tile.first, tile.rows);
    store(w.results.data(), job.out, columns, tile);
  });
}

template <class B>
void batch_inverse_dynamics(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job,
                            int first, int last) {
  using P = BatchPack<B>;
  each_state(tree, w, job, first, last, [&](const Group<B>& g) {
    const auto* f_ext = place_and_gather(tree, w.sweep, g.q, g.v, g.loads);
    inverse_dynamics(tree, w.sweep, g.v, g.x, f_ext, g.y);
    if (tree.joint_forces.any) {
      std::fill_n(g.x, tree.nv, P(0));
      joint_forces(tree, g.q, g.v, g.x);
      for (int i = 0; i < tree.nv; ++i) g.y[i] -= g.x[i];
    }
    return P(B(0));
  });
}

/// Accelerations of a group under the efforts in x, into y; x is used up. NaN for lanes without an
/// answer.
template <class B>
LINKWRIGHT_INLINE BatchPack<B> accelerate(const Tree<B>& tree, Scratch<BatchPack<B>>& s,
                                          const Group<B>& g) {
  forward_dynamics_filter(tree, s, g.q, g.v, g.x, g.x, g.loads);
  const BatchPack<B> loose = loose_poison(tree, s);
  forward_dynamics_smoother(tree, s, g.y);
  return loose;
}

template <class B>
void batch_forward_dynamics(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job,
                            int first, int last) {
  each_state(tree, w, job, first, last,
             [&](const Group<B>& g) { return accelerate(tree, w.sweep, g); });
}

template <class B>
void batch_forward_kinematics(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job,
                              int first, int last) {
  using P = BatchPack<B>;
  each_position(tree, w, job, first, last, 12, [&] {
    poses<Origin::world>(tree, w.sweep);
    const Pose<P> X = w.sweep.pose[job.node] * job.frame;
    const Vector3<P>& p = X.translation;
    const Matrix3<P>& R = X.rotation;
    const P row[12] = {p.x, p.y, p.z, R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz};
    std::copy_n(row, 12, w.results.data());
  });
}

template <class B>
void batch_jacobian(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job, int first,
                    int last) {
  using P = BatchPack<B>;
  const auto* nodes = tree.nodes.data();
  each_position(tree, w, job, first, last, 6 * tree.nv, [&] {
    poses<Origin::root>(tree, w.sweep);
    motion_columns(tree, w.sweep);
    const Pose<P> tip = w.sweep.pose[job.node] * job.frame;
    std::fill_n(w.results.data(), 6 * tree.nv, P(0));
    for (int k = job.node; k != 0; k = nodes[k].parent)
      for (int i = 0; i < nodes[k].d; ++i) {
        Motion<P> c = shift(tip.translation, w.sweep.column(nodes[k].freedom + i));
        if (job.axes == Axes::own)
          c = {transpose_times(tip.rotation, c.angular), transpose_times(tip.rotation, c.linear)};
        P* to = w.results.data() + 6 * (nodes[k].v + i);
        to[0] = c.angular.x, to[1] = c.angular.y, to[2] = c.angular.z;
        to[3] = c.linear.x, to[4] = c.linear.y, to[5] = c.linear.z;
      }
  });
}

/// q ⊕ v dt for a joint that carries a quaternion, and its position where it has one.
template <class P, class B>
LINKWRIGHT_INLINE void move_pose(const Modes<B>& modes, P* q, const P* v, B dt, bool has_position) {
  Motion<P> step = (dt * v[0]) * modes.column[0];
  for (int i = 1; i < modes.d; ++i) step += (dt * v[i]) * modes.column[i];
  const Vector3<P>& r = step.angular;
  // The least number keeps the quotients finite at rest; sin(a/2)/a and its kin are exact there.
  const P square = dot(r, r) + std::numeric_limits<B>::min();
  const P angle = square_root(square);
  const auto half = sin_cos(B(0.5) * angle);
  const P k = half.s / angle;
  const Quaternion<P> from = normalized(Quaternion<P>{q[0], q[1], q[2], q[3]});
  if (has_position) {
    // V(r) t = t + k₁ r × t + k₂ r × (r × t), k₁ = (1 − cos a)/a², k₂ = (1 − sin a / a)/a².
    const P k1 = B(2) * k * k;
    const P direct = (B(1) - B(2) * k * half.c) / square;
    const P k2 =
        select(square.x < B(spatial::small_angle2), spatial::small_turn_series(square), direct);
    const Vector3<P> rt = cross(r, step.linear);
    const Vector3<P> shift_by = to_matrix(from) * (step.linear + k1 * rt + k2 * cross(r, rt));
    q[4] += shift_by.x, q[5] += shift_by.y, q[6] += shift_by.z;
  }
  const Quaternion<P> to = normalized(from * Quaternion<P>{half.c, k * r.x, k * r.y, k * r.z});
  q[0] = to.w, q[1] = to.x, q[2] = to.y, q[3] = to.z;
}

template <class B>
LINKWRIGHT_INLINE void move(const Tree<B>& tree, BatchPack<B>* q, const BatchPack<B>* v, B dt) {
  const auto* nodes = tree.nodes.data();
  outward(tree, [&](auto joint, int k) {
    using J = decltype(joint);
    const auto& n = nodes[k];
    if constexpr (!J::revolute && !J::slides) {
      const Modes<B>& modes = J::modes(tree, n);
      if (!modes.plain)
        return move_pose(modes, q + n.q, v + n.v, dt, !std::is_same_v<J, Spherical>);
    }
    for (int i = 0; i < J::freedoms(n); ++i) q[n.q + i] += dt * v[n.v + i];
  });
}

template <class B>
void batch_rollout(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job, int first,
                   int last) {
  using P = BatchPack<B>;
  each_tile<B>(first, last, 1, [&](const Tile<B>& tile) {
    const Group<B> g{w.q.data(), w.v.data(), w.x.data(), w.y.data(),
                     GroupLoads<B>(job, tile.first, tile.rows)};
    load<B>({job.out.data, job.out.stride}, tree.nq, tile, g.q);
    load<B>({job.out_v.data, job.out_v.stride}, tree.nv, tile, g.v);
    load(job.x, tree.nv, tile, g.x);
    P bad = input_poison(tree, g);
    for (int step = 0; step < job.steps; ++step) {
      if (tree.joint_forces.any && step > 0) load(job.x, tree.nv, tile, g.x);
      bad += accelerate(tree, w.sweep, g);
      for (int i = 0; i < tree.nv; ++i) g.v[i] += job.dt * g.y[i];
      move(tree, g.q, g.v, job.dt);
    }
    // Both halves of a state fail together, and are listed once.
    bad += poison(g.q, tree.nq);
    judge(w, g.v, tree.nv, bad, tile.first, tile.rows);
    const P late = poison(g.v, tree.nv);
    for (int i = 0; i < tree.nq; ++i) g.q[i] += late;
    store(g.q, job.out, tree.nq, tile);
    store(g.v, job.out_v, tree.nv, tile);
  });
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA

#define LINKWRIGHT_TABLE_(type, isa) batch_##type##_##isa
#define LINKWRIGHT_TABLE(type, isa) LINKWRIGHT_TABLE_(type, isa)
#define LINKWRIGHT_KERNELS(type)                                                    \
  const BatchKernels<type> LINKWRIGHT_TABLE(type, LINKWRIGHT_ISA) = {               \
      sweeps::batch_inverse_dynamics<type>, sweeps::batch_forward_dynamics<type>,   \
      sweeps::batch_mass_matrix<type>,      sweeps::batch_forward_kinematics<type>, \
      sweeps::batch_jacobian<type>,         sweeps::batch_rollout<type>}

namespace linkwright {

LINKWRIGHT_KERNELS(double);
LINKWRIGHT_KERNELS(float);

}  // namespace linkwright
