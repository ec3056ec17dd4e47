#pragma once
/// A frame's motion to third order, tip → base along its own path alone.
///
/// Given    q, v, v̇, v̈ of the joints between a body and the frame
/// Computes the frame's pose in that body, its relative velocity V = [ω; v] in its own axes, and the first
///          two rates of these six numbers; of the first rate what velocities alone make, and its rate
/// Equations  with U the frame's velocity relative to the body behind a joint, the joint's modes ξ, constant
///          behind it, move in the frame's axes by ξ̇ = −[U, ξ], ξ̈ = −[U̇, ξ] − [U, ξ̇]; crossing the joint,
///          U += ξ v,    U̇ += ξ v̇ + ξ̇ v,    Ü += ξ v̈ + 2 ξ̇ v̇ + ξ̈ v
/// Cost     O(depth). Nothing is stored on the way, and no digit is lost far from the world's origin.

#include <algorithm>

#include "linkwright/dynamics/sweeps/joints.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

template <class T>
struct PathMotion {
  Pose<T> X{};                      // of the frame in the body
  Motion<T> V{}, rate{}, second{};  // numbers in the frame's axes, their rate, and its rate
  Motion<T> bias{}, bias_rate{};    // Σ ξ̇ v: the rate while v̇ = 0; and how it changes
};

/// q, v, v̇, v̈ of all joints.
template <class T>
struct JointNumbers {
  const T *q, *v, *a, *jerk;
};

/// The run that a node belongs to.
template <class B>
LINKWRIGHT_INLINE const Run& run_of(const Tree<B>& tree, int node) {
  const auto behind = std::upper_bound(tree.runs.begin(), tree.runs.end(), node,
                                       [](int k, const Run& run) { return k < run.first; });
  return *(behind - 1);
}

/// Mode i of a joint, in its child's frame.
template <class J, class B>
LINKWRIGHT_INLINE Motion<B> mode_of(J, const Tree<B>& tree, const Node<B>& n, int i) {
  if constexpr (J::slides)
    return {{B(0), B(0), B(0)}, {B(0), B(0), B(1)}};
  else if constexpr (J::revolute)
    return {{B(0), B(0), B(1)}, {B(0), B(0), B(0)}};
  else
    return J::modes(tree, n).column[i];
}

/// From the child's frame to the parent's, over one joint.
template <class J, class T, class B>
LINKWRIGHT_INLINE void cross_joint(J joint, const Tree<B>& tree, const Node<B>& n,
                                   const JointNumbers<T>& at, PathMotion<T>& m) {
  const Motion<T> U = m.V, U_rate = m.rate;
  for (int i = 0; i < J::freedoms(n); ++i) {
    const T v = at.v[n.v + i], a = at.a[n.v + i];
    const Motion<T> xi = to_child(m.X, mode_of(joint, tree, n, i));
    const Motion<T> xi_rate = -bracket(U, xi);
    const Motion<T> xi_second = -(bracket(U_rate, xi) + bracket(U, xi_rate));
    const Motion<T> bias = v * xi_rate, bias_rate = v * xi_second + a * xi_rate;
    m.V += v * xi;
    m.rate += a * xi + bias;
    m.second += at.jerk[n.v + i] * xi + a * xi_rate + bias_rate;
    m.bias += bias;
    m.bias_rate += bias_rate;
  }
  Place<T> x;
  if constexpr (J::revolute) {
    const auto [s, c] = sin_cos(at.q[n.q] + n.offset);
    x.c = c, x.s = s;
  } else {
    joint.place(tree, n, at.q + n.q, x);
  }
  const Matrix3<T>& R = m.X.rotation;
  const Vector3<T> cx = joint.to_parent(n, x, Vector3<T>{R.xx, R.yx, R.zx});
  const Vector3<T> cy = joint.to_parent(n, x, Vector3<T>{R.xy, R.yy, R.zy});
  const Vector3<T> cz = joint.to_parent(n, x, Vector3<T>{R.xz, R.yz, R.zz});
  m.X = {{cx.x, cy.x, cz.x, cx.y, cy.y, cz.y, cx.z, cy.z, cz.z},
         joint.to_parent(n, x, m.X.translation) + joint.offset(n, x)};
}

/// Of a frame at `place` on `node`, seen from the body `until`, which is inboard of it or the world.
template <class T>
PathMotion<T> path_motion(const Tree<Constant<T>>& tree, int node, int until,
                          const Pose<Constant<T>>& place, const JointNumbers<T>& at) {
  PathMotion<T> m;
  const auto& R = place.rotation;
  m.X = {{T(R.xx), T(R.xy), T(R.xz), T(R.yx), T(R.yy), T(R.yz), T(R.zx), T(R.zy), T(R.zz)},
         {T(place.translation.x), T(place.translation.y), T(place.translation.z)}};
  for (int k = node; k != until;) {
    const Run& run = run_of(tree, k);
    dispatch(run.kind, [&](auto joint) {
      while (k >= run.first && k != until) {
        const auto& n = tree.nodes[static_cast<std::size_t>(k)];
        cross_joint(joint, tree, n, at, m);
        k = n.parent;
      }
    });
  }
  return m;
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
