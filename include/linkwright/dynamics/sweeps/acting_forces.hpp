#pragma once
/// Everything that acts on the mechanism in one state: joints placed, forces gathered. One road for a
/// single state, for packs of states and for the operators.
///
/// place_and_gather   given q, v, loads;    computes place(k), f_ext(k)
/// add_joint_forces   given q, v, T;        computes T plus springs, dampers, friction, joint loads
/// Cost               O(N); without forces on bodies that of placement alone
///
/// `loads`, the call's own forces, are any list with empty() and each(visit): ExternalLoads for one state,
/// GroupLoads (src/batch/loads.hpp) for a pack of them. A load has the force as constants or as packs.

#include "linkwright/dynamics/sweeps/forces.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"

namespace linkwright {

/// The call's own forces on bodies, one at a time: a list that owns nothing.
template <class B>
struct ExternalLoads {
  using Load = typename BodyForces<B>::Load;

  int count = 0;
  const void* source = nullptr;
  Load (*load)(const void* source, int i) = nullptr;

  [[nodiscard]] LINKWRIGHT_INLINE bool empty() const { return count == 0; }
  template <class Visit>
  LINKWRIGHT_INLINE void each(Visit&& visit) const {
    for (int i = 0; i < count; ++i) visit(load(source, i));
  }
};

}  // namespace linkwright

namespace linkwright::sweeps::inline LINKWRIGHT_ISA {

/// Null when nothing pushes on bodies; else f_ext. Poses, and velocities where springs ask for them,
/// are then held too.
template <class T, class Loads>
const Force<T>* place_and_gather(const Tree<Constant<T>>& tree, Scratch<T>& s, const T* q,
                                 const T* v, const Loads& loads) {
  place_joints(tree, s, q);
  if (loads.empty() && !tree.body_forces.any()) return nullptr;
  poses<Origin::world>(tree, s);
  for (int k = 0; k < tree.count(); ++k) s.f_ext[k] = {};
  loads.each([&](const auto& load) LINKWRIGHT_INLINE_LAMBDA {
    if (load.node != 0) s.f_ext[load.node] += load_force(s, load);
  });
  if (tree.body_forces.any()) {
    velocities(tree, s, v);
    body_forces(tree, s);
  }
  return s.f_ext.data();
}

/// tau itself where the model has no forces at its joints; else their sum in `room`, which may be tau.
template <class T>
const T* add_joint_forces(const Tree<Constant<T>>& tree, const T* q, const T* v, const T* tau,
                          T* room) {
  if (!tree.joint_forces.any) return tau;
  for (int i = 0; i < tree.nv; ++i) room[i] = tau[i];
  joint_forces(tree, q, v, room);
  return room;
}

}  // namespace linkwright::sweeps::inline LINKWRIGHT_ISA
