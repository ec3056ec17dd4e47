#pragma once
/// A system some of whose freedoms can be locked: a locked one does not accelerate, and what holds it can be read
/// from what is left of its acceleration.
///
///     LockableSystem lockable(system, {elbow});
///     lockable.lock(std::vector{elbow});
///     // compute_forward_dynamics(work_of_lockable, state, tau, {}, a):
///     // a[elbow] is 0 but for rounding, and LockableSystem::force(a[elbow]) holds it
///
/// A rotor heavier than any inertia by more than the digits of a number resists as a wall would: the filter's gain
/// at the joint becomes zero, what is outboard is passed on as if welded, and the rotor's own share −R a is the
/// force that holds, as exact as an acceleration would be. R is a power of two: it takes no digits.

#include <span>
#include <vector>

#include "linkwright/system/system.hpp"

namespace linkwright {

class LockableSystem {
 public:
  /// `entries` of v may be locked, and are, until lock() says which: a workspace made meanwhile is for any of them.
  LockableSystem(const System& system, std::span<const int> entries);
  /// The same system, with the same indices; its sweeps read what lock() has changed.
  [[nodiscard]] const System& system() const { return system_; }
  /// These freedoms, and no others, are locked from now on.
  void lock(std::span<const int> entries);
  /// On a locked freedom, where forward dynamics gave this acceleration.
  [[nodiscard]] static double force(double acceleration) { return -wall * acceleration; }
  /// Whether a freedom with this rotor is locked.
  [[nodiscard]] static bool is_locked(double rotor) { return rotor >= wall; }

 private:
  static constexpr double wall = 0x1p100;
  void set_rotor(int entry, double inertia);
  System system_;
  std::vector<int> locked_;
  std::vector<double> free_;  // rotor inertia of all freedoms that are not locked
};

}  // namespace linkwright
