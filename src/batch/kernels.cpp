// Compiled once per instruction set; LINKWRIGHT_ISA names the namespace of this copy. The sweeps
// are those of the single state, on packs; here are only the loops over lane groups around them.
#include <algorithm>
#include <limits>

#include "batch/batch_kernels.hpp"
#include "linkwright/dynamics/sweeps/forces.hpp"
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/dynamics/sweeps/mass_matrix.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

using spatial::lane_count;

/// Each column is a stream that advances by one cache line per group: too many for the hardware to
/// foresee, so the line of the group after next is asked for now. Beyond the end this is harmless.
template <class B>
LINKWRIGHT_INLINE void prefetch(const B* here) {
  __builtin_prefetch(here + 2 * lane_count<BatchPack<B>>);
}

/// Rows s … s + here − 1 of n columns; missing lanes repeat the last row.
template <class B>
LINKWRIGHT_INLINE void load(const Rows<const B>& rows, int n, int s, int here, BatchPack<B>* to) {
  using P = BatchPack<B>;
  for (int i = 0; i < n; ++i) {
    const B* from = rows.data + s + i * rows.stride;
    prefetch(from);
    if (here == lane_count<P>) {
      to[i] = P::load(from);
    } else {
      B lanes[lane_count<P>];
      for (int l = 0; l < lane_count<P>; ++l) lanes[l] = from[std::min(l, here - 1)];
      to[i] = P::load(lanes);
    }
  }
}
template <class B>
LINKWRIGHT_INLINE void store(const BatchPack<B>* from, const Rows<B>& rows, int n, int s,
                             int here) {
  using P = BatchPack<B>;
  for (int i = 0; i < n; ++i) {
    B* to = rows.data + s + i * rows.stride;
    __builtin_prefetch(to + 2 * lane_count<P>, 1);
    if (here == lane_count<P>) {
      from[i].store(to);
    } else {
      B lanes[lane_count<P>];
      from[i].store(lanes);
      for (int l = 0; l < here; ++l) to[l] = lanes[l];
    }
  }
}

/// 0 for finite numbers, NaN otherwise: added to every result of a lane it spreads a bad input to
/// all.
template <class P>
LINKWRIGHT_INLINE P poison(const P* x, int n) {
  P sum(0);
  for (int i = 0; i < n; ++i) sum += x[i] - x[i];
  return sum;
}
/// The same for quaternions more than 1e-3 from unit norm.
template <class B, class P>
LINKWRIGHT_INLINE P quaternion_poison(const Tree<B>& tree, const P* q) {
  P sum(0);
  for (const int at : tree.quaternions) {
    const P* r = q + at;
    const P off = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3] - B(1);
    const typename P::Bits bad = (off.x > B(2e-3)) | (off.x < B(-2e-3));
    sum += select(bad, P(std::numeric_limits<B>::quiet_NaN()), P(0));
  }
  return sum;
}
/// One group's q, v and x into w; returns their poison.
template <class B>
LINKWRIGHT_INLINE BatchPack<B> load_inputs(const Tree<B>& tree, BatchScratch<B>& w,
                                           const Rows<const B>& q, const Rows<const B>& v,
                                           const Rows<const B>& x, int s, int here) {
  load(q, tree.nq, s, here, w.q.data());
  load(v, tree.nv, s, here, w.v.data());
  load(x, tree.nv, s, here, w.x.data());
  return poison(w.q.data(), tree.nq) + poison(w.v.data(), tree.nv) + poison(w.x.data(), tree.nv) +
         quaternion_poison(tree, w.q.data());
}
/// Adds the poison and lists the lanes that end up without an answer.
template <class B>
LINKWRIGHT_INLINE void finish(BatchScratch<B>& w, BatchPack<B>* result, int n,
                              const BatchPack<B>& bad, int s, int here) {
  using P = BatchPack<B>;
  P check(0);
  for (int i = 0; i < n; ++i) {
    result[i] += bad;
    check += result[i] - result[i];
  }
  const typename P::Bits fails = check.x != check.x;
  typename P::Integer any = 0;
  for (int l = 0; l < here; ++l) any |= fails[l];
  if (any == 0) [[likely]]
    return;
  for (int l = 0; l < here; ++l) {
    if (fails[l] == 0) continue;
    w.bad[w.bad_count++] = s + l;
    for (int i = 0; i < n; ++i) result[i].x[l] = std::numeric_limits<B>::quiet_NaN();
  }
}

/// Springs and loads on bodies and the call's own forces; null when there are none.
template <class B>
LINKWRIGHT_INLINE const Force<BatchPack<B>>* push_bodies(const Tree<B>& tree, BatchScratch<B>& w,
                                                         const BatchJob<B>& job) {
  using P = BatchPack<B>;
  if (!tree.body_forces.any() && job.loads->empty()) return nullptr;
  Scratch<P>& s = w.sweep;
  poses<Origin::world>(tree, s);
  for (int k = 0; k < tree.count(); ++k)
    s.f_ext[k] = Force<P>{{P(0), P(0), P(0)}, {P(0), P(0), P(0)}};
  for (const auto& one : *job.loads)
    if (one.node != 0) s.f_ext[one.node] += load_force(s, one);
  if (tree.body_forces.any()) {
    velocities(tree, s, w.v.data());
    body_forces(tree, s);
  }
  return s.f_ext.data();
}

/// Calls step(s, here) for every lane group of the rows first … last − 1.
template <class B, class Step>
LINKWRIGHT_INLINE void each_group(int first, int last, Step&& step) {
  constexpr int lanes = lane_count<BatchPack<B>>;
  for (int s = first; s < last; s += lanes) step(s, std::min(lanes, last - s));
}

template <class B>
void batch_inverse_dynamics(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job,
                            int first, int last) {
  using P = BatchPack<B>;
  each_group<B>(first, last, [&](int s, int here) {
    const P bad = load_inputs(tree, w, job.q, job.v, job.x, s, here);
    place_joints(tree, w.sweep, w.q.data());
    inverse_dynamics(tree, w.sweep, w.v.data(), w.x.data(), push_bodies(tree, w, job), w.y.data());
    if (tree.joint_forces.any) {
      std::fill_n(w.x.data(), tree.nv, P(0));
      joint_forces(tree, w.q.data(), w.v.data(), w.x.data());
      for (int i = 0; i < tree.nv; ++i) w.y[i] -= w.x[i];
    }
    finish(w, w.y.data(), tree.nv, bad, s, here);
    store(w.y.data(), job.out, tree.nv, s, here);
  });
}

/// Accelerations of the group in w.q, w.v under the efforts in w.x, into w.y; w.x is used up.
template <class B>
LINKWRIGHT_INLINE void accelerate(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job) {
  place_joints(tree, w.sweep, w.q.data());
  if (tree.joint_forces.any) joint_forces(tree, w.q.data(), w.v.data(), w.x.data());
  forward_dynamics_filter(tree, w.sweep, w.v.data(), w.x.data(), push_bodies(tree, w, job));
  forward_dynamics_smoother(tree, w.sweep, w.y.data());
}

template <class B>
void batch_forward_dynamics(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job,
                            int first, int last) {
  using P = BatchPack<B>;
  each_group<B>(first, last, [&](int s, int here) {
    const P bad = load_inputs(tree, w, job.q, job.v, job.x, s, here);
    accelerate(tree, w, job);
    finish(w, w.y.data(), tree.nv, bad, s, here);
    store(w.y.data(), job.out, tree.nv, s, here);
  });
}

template <class B>
void batch_mass_matrix(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job, int first,
                       int last) {
  const int size = tree.nv * tree.nv;
  each_group<B>(first, last, [&](int s, int here) {
    load(job.q, tree.nq, s, here, w.q.data());
    const auto bad = poison(w.q.data(), tree.nq) + quaternion_poison(tree, w.q.data());
    place_joints(tree, w.sweep, w.q.data());
    mass_matrix(tree, w.sweep, w.wide.data(), tree.nv);
    finish(w, w.wide.data(), size, bad, s, here);
    store(w.wide.data(), job.out, size, s, here);
  });
}

template <class B>
void batch_forward_kinematics(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job,
                              int first, int last) {
  using P = BatchPack<B>;
  each_group<B>(first, last, [&](int s, int here) {
    load(job.q, tree.nq, s, here, w.q.data());
    const P bad = poison(w.q.data(), tree.nq) + quaternion_poison(tree, w.q.data());
    place_joints(tree, w.sweep, w.q.data());
    poses<Origin::world>(tree, w.sweep);
    const Pose<P> X = w.sweep.pose[job.node] * job.frame;
    const Vector3<P>& p = X.translation;
    const Matrix3<P>& R = X.rotation;
    const P row[12] = {p.x, p.y, p.z, R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz};
    std::copy_n(row, 12, w.wide.data());
    finish(w, w.wide.data(), 12, bad, s, here);
    store(w.wide.data(), job.out, 12, s, here);
  });
}

template <class B>
void batch_jacobian(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job, int first,
                    int last) {
  using P = BatchPack<B>;
  const auto* nodes = tree.nodes.data();
  each_group<B>(first, last, [&](int s, int here) {
    load(job.q, tree.nq, s, here, w.q.data());
    const P bad = poison(w.q.data(), tree.nq) + quaternion_poison(tree, w.q.data());
    place_joints(tree, w.sweep, w.q.data());
    poses<Origin::root>(tree, w.sweep);
    motion_columns(tree, w.sweep);
    const Pose<P> tip = w.sweep.pose[job.node] * job.frame;
    std::fill_n(w.wide.data(), 6 * tree.nv, P(0));
    for (int k = job.node; k != 0; k = nodes[k].parent)
      for (int i = 0; i < nodes[k].d; ++i) {
        Motion<P> c = shift(tip.translation, w.sweep.column(nodes[k].freedom + i));
        if (job.axes == Axes::own)
          c = {transpose_times(tip.rotation, c.angular), transpose_times(tip.rotation, c.linear)};
        P* to = w.wide.data() + 6 * (nodes[k].v + i);
        to[0] = c.angular.x, to[1] = c.angular.y, to[2] = c.angular.z;
        to[3] = c.linear.x, to[4] = c.linear.y, to[5] = c.linear.z;
      }
    finish(w, w.wide.data(), 6 * tree.nv, bad, s, here);
    store(w.wide.data(), job.out, 6 * tree.nv, s, here);
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
    const P small = (B(1.0 / 6) - square * B(1.0 / 120)) + square * square * B(1.0 / 5040);
    const P direct = (B(1) - B(2) * k * half.c) / square;
    const P k2 = select(square.x < B(1e-2), small, direct);
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
    if constexpr (std::is_base_of_v<Wide, J>) {
      const Modes<B>& modes = tree.modes[static_cast<std::size_t>(n.wide)];
      if (!modes.plain)
        return move_pose(modes, q + n.q, v + n.v, dt, !std::is_same_v<J, Spherical>);
    }
    for (int i = 0; i < J::freedoms; ++i) q[n.q + i] += dt * v[n.v + i];
  });
}

template <class B>
void batch_rollout(const Tree<B>& tree, BatchScratch<B>& w, const BatchJob<B>& job, int first,
                   int last) {
  using P = BatchPack<B>;
  each_group<B>(first, last, [&](int s, int here) {
    const P bad = load_inputs(tree, w, {job.out.data, job.out.stride},
                              {job.out_v.data, job.out_v.stride}, job.x, s, here);
    for (int step = 0; step < job.steps; ++step) {
      if (tree.joint_forces.any && step > 0) load(job.x, tree.nv, s, here, w.x.data());
      accelerate(tree, w, job);
      for (int i = 0; i < tree.nv; ++i) w.v[i] += job.dt * w.y[i];
      move(tree, w.q.data(), w.v.data(), job.dt);
    }
    // One list for both halves of the state: q takes over what made v fail.
    finish(w, w.v.data(), tree.nv, bad, s, here);
    const P late = bad + poison(w.v.data(), tree.nv);
    for (int i = 0; i < tree.nq; ++i) w.q[i] += late;
    store(w.q.data(), job.out, tree.nq, s, here);
    store(w.v.data(), job.out_v, tree.nv, s, here);
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
