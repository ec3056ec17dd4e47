#pragma once
/// Forward kinematics, base → tip.
///
/// poses          given place(k);      computes pose(k) = pose(p) · [R | ℓ]
/// velocities     given place(k), v;   computes V(k) = [ω; v], own axes                   (2.25)
/// accelerations  given V(k), v, v̇;    computes α(k), own axes: the true acceleration of the
///                frame's origin and axes, not the time derivative of V's numbers         (2.26)
/// motion_columns given pose(k);       computes column(i), world axes: motion of the point at the
///                origin of the world (or of the tree's root) per unit of freedom i, φᵀ H*
/// Cost           O(N) each

#include "linkwright/dynamics/sweeps/scratch.hpp"

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// Where world-axes quantities have their origin. `root` sits at the first body of each branch from
/// the world, so that a robot far from the world's origin loses no digits.
enum class Origin { world, root };

/// Node n in the world, from where its parent is.
template <class J, class T, class B>
LINKWRIGHT_INLINE Matrix3<T> rotation_from(J joint, const Node<B>& n, const Place<T>& x,
                                           const Matrix3<T>& R) {
  // Rows of R are turned as vectors of the parent's axes: (R Rk)ᵀ = Rkᵀ Rᵀ.
  const Vector3<T> rx = joint.to_child(n, x, Vector3<T>{R.xx, R.xy, R.xz});
  const Vector3<T> ry = joint.to_child(n, x, Vector3<T>{R.yx, R.yy, R.yz});
  const Vector3<T> rz = joint.to_child(n, x, Vector3<T>{R.zx, R.zy, R.zz});
  return {rx.x, rx.y, rx.z, ry.x, ry.y, ry.z, rz.x, rz.y, rz.z};
}
template <class J, class T, class B>
LINKWRIGHT_INLINE Motion<T> velocity_from(J joint, const Tree<B>& tree, const Node<B>& n,
                                          const Place<T>& x, const Motion<T>& parent, const T* v) {
  const Motion<T> V = shift(joint.offset(n, x), parent);
  return Motion<T>{joint.to_child(n, x, V.angular), joint.to_child(n, x, V.linear)} +
         joint.rate(tree, n, v + n.v);
}

template <Origin origin, class T>
void poses(const Tree<Constant<T>>& tree, Scratch<T>& s) {
  const auto* nodes = tree.nodes.data();
  if (origin == Origin::world)
    s.stamp.add(Held::poses);
  else
    s.stamp.drop(Held::poses);
  s.pose[0] = {};
  outward(tree, [&](auto joint, int k) {
    const auto& n = nodes[k];
    const Place<T>& x = s.place[k];
    const Matrix3<T>& R = s.pose[n.parent].rotation;
    s.pose[k].rotation = rotation_from(joint, n, x, R);
    if (origin == Origin::root && n.parent == 0)
      s.pose[k].translation = {};
    else
      s.pose[k].translation = s.pose[n.parent].translation + R * joint.offset(n, x);
  });
}

template <class T>
void velocities(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* v) {
  const auto* nodes = tree.nodes.data();
  s.stamp.add(Held::velocities);
  s.V[0] = {};
  outward(tree, [&](auto joint, int k) {
    const auto& n = nodes[k];
    s.V[k] = velocity_from(joint, tree, n, s.place[k], s.V[n.parent], v);
  });
}

template <class T>
void accelerations(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* v, const T* a) {
  const auto* nodes = tree.nodes.data();
  s.stamp.add(Held::accelerations);
  s.alpha[0] = {};
  outward(tree, [&](auto joint, int k) {
    const auto& n = nodes[k];
    const int p = n.parent;
    const Place<T>& x = s.place[k];
    const Vector3<T>& wb = s.V[p].angular;
    const Vector3<T> wp = joint.to_child(n, x, wb);
    const auto l = joint.offset(n, x);
    Motion<T> alpha = joint.coriolis(wp, s.V[k].angular, joint.rate(tree, n, v + n.v));
    alpha.angular += joint.to_child(n, x, s.alpha[p].angular);
    alpha.linear += joint.to_child(
        n, x, s.alpha[p].linear + cross(s.alpha[p].angular, l) + cross(wb, cross(wb, l)));
    joint.accelerate(tree, n, a + n.v, alpha);
    s.alpha[k] = alpha;
  });
}

template <class T>
LINKWRIGHT_INLINE void write_column(T* columns, std::ptrdiff_t nv, int freedom,
                                    const Motion<T>& m) {
  T* c = columns + freedom;
  c[0] = m.angular.x, c[nv] = m.angular.y, c[2 * nv] = m.angular.z;
  c[3 * nv] = m.linear.x, c[4 * nv] = m.linear.y, c[5 * nv] = m.linear.z;
}

template <class T>
void motion_columns(const Tree<Constant<T>>& tree, Scratch<T>& s) {
  const auto* nodes = tree.nodes.data();
  T* columns = s.columns.data();
  outward(tree, [&](auto joint, int k) {
    using J = decltype(joint);
    const auto& n = nodes[k];
    const Matrix3<T>& R = s.pose[k].rotation;
    const Vector3<T>& p = s.pose[k].translation;
    if constexpr (J::slides) {
      write_column(columns, tree.nv, n.freedom, {{}, R.column_z()});
    } else if constexpr (J::revolute) {
      write_column(columns, tree.nv, n.freedom, {R.column_z(), cross(p, R.column_z())});
    } else {
      for (int i = 0; i < J::freedoms(n); ++i) {
        const auto& mode = J::modes(tree, n).column[i];
        const Vector3<T> angular = R * mode.angular;
        write_column(columns, tree.nv, n.freedom + i,
                     {angular, R * mode.linear + cross(p, angular)});
      }
    }
  });
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
