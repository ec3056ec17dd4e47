#pragma once
/// External forces of a call for many states: the same on every state, each state's own, or some of both.
///
///     const linkwright::ExternalForce weight[] = {{tool, {{}, {0, 0, -5}}, linkwright::Axes::world}};
///     Eigen::MatrixXd gusts(4096, 6);    // row s: [moment; force] on state s
///     const linkwright::StateForce wind[] = {{tool, gusts, linkwright::Axes::world}};
///     batch.compute_forward_dynamics(q, v, tau, weight, a);
///     batch.compute_forward_dynamics(q, v, tau, wind, a);
///     batch.compute_forward_dynamics(q, v, tau, {weight, wind}, a);

#include <span>
#include <type_traits>
#include <vector>

#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

/// A moment and a force at a frame's origin, of every state its own: row s of `wrench` is [moment; force] on
/// state s. The matrix is not copied and must outlive the call. B as of the batch.
template <class B>
struct BasicStateForce {
  FrameId frame;
  Eigen::Ref<const Eigen::Matrix<B, Eigen::Dynamic, Eigen::Dynamic>> wrench;
  Axes axes = Axes::own;
};
using StateForce = BasicStateForce<double>;
using StateForceFloat = BasicStateForce<float>;

/// Two lists that own nothing; `{}` for no force at all.
template <class B>
class BasicBatchForces {
 public:
  using Alike = ExternalForces;
  using Own = std::span<const BasicStateForce<B>>;

  BasicBatchForces() = default;
  BasicBatchForces(Alike alike, Own own) : alike_(alike), own_(own) {}
  /// Any sequence of ExternalForce or of StateForce.
  template <class Forces>
  requires(std::is_convertible_v<const Forces&, Alike>) BasicBatchForces(const Forces& alike)
      : alike_(alike) {}
  template <class Forces>
  requires(std::is_convertible_v<const Forces&, Own>) BasicBatchForces(const Forces& own)
      : own_(own) {}

  [[nodiscard]] Alike alike() const { return alike_; }
  [[nodiscard]] Own own() const { return own_; }

  /// Those on state s, as the functions for one state take them; `room` may be where they stand.
  [[nodiscard]] ExternalForces on_state(Eigen::Index s, std::vector<ExternalForce>& room) const {
    if (own_.empty()) return alike_;
    room.assign(alike_.begin(), alike_.end());
    for (const BasicStateForce<B>& force : own_) {
      const auto at = [&](Eigen::Index i) { return static_cast<double>(force.wrench(s, i)); };
      room.push_back({force.frame, {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}}, force.axes});
    }
    return room;
  }

 private:
  Alike alike_;
  Own own_;
};
using BatchForces = BasicBatchForces<double>;
using BatchForcesFloat = BasicBatchForces<float>;

}  // namespace linkwright
