#pragma once
/// Forward dynamics by a way that shares nothing with the rest of the library but the Model: every body
/// has six freedoms in world axes, every joint is six constraint equations with its reaction as their
/// multipliers, a closure or grasp as many as it adds, and one dense system of linear equations gives all
/// accelerations and reactions at once. Equations that the others imply are left out: they change nothing.
/// For proof, not for speed: long double throughout, O(bodies²) memory.
///
///     linkwright::verify::AbsoluteCoordinates mechanism(model);
///     Eigen::VectorXd a(mechanism.nv());
///     mechanism.compute_forward_dynamics(q, v, tau, {{"tool", push}}, a);
///     linkwright::Motion tip = mechanism.frame_acceleration("tool");

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "linkwright/model/model.hpp"

namespace linkwright::verify {

/// A moment and a force at the origin of the body or frame of that name.
struct ForceOnFrame {
  std::string frame{};
  Force force{};
  bool in_world = false;  ///< axes of moment and force: the world's, or the frame's own
};

/// How far a closure or grasp is open.
struct ClosureGap {
  std::string closure{};
  double distance = 0;  ///< metres
  double angle = 0;     ///< radians; of a gear: units of the follower's coordinate
};

/// Whether closures and grasps hold, or are cut open.
enum class Loops { keep, leave_out };

class AbsoluteCoordinates {
 public:
  /// Larger models take more memory than a proof is worth.
  static constexpr int most_bodies = 200;

  /// The Model must be one that `validate` accepts, with at most `most_bodies` bodies; else throws Error.
  explicit AbsoluteCoordinates(const Model& model, Loops loops = Loops::keep);
  ~AbsoluteCoordinates();
  AbsoluteCoordinates(AbsoluteCoordinates&&) noexcept;
  AbsoluteCoordinates& operator=(AbsoluteCoordinates&&) noexcept;

  /// q and v follow Model::joints, as everywhere.
  [[nodiscard]] int nq() const;
  [[nodiscard]] int nv() const;

  /// v̇ under the efforts, these forces and all that the model declares. Position and velocity must keep
  /// every closure closed. Throws Error (failed_computation) that names the joint where the motion is not
  /// determined.
  void compute_forward_dynamics(const Eigen::Ref<const Eigen::VectorXd>& q,
                                const Eigen::Ref<const Eigen::VectorXd>& v,
                                const Eigen::Ref<const Eigen::VectorXd>& tau,
                                const std::vector<ForceOnFrame>& forces,
                                Eigen::Ref<Eigen::VectorXd> acceleration);

  /// Of the last computation: a body's or frame's pose in the world, and its true acceleration
  /// [ω̇; v̇] in its own axes. Throws Error when there was none, or it had no answer.
  [[nodiscard]] Pose frame_pose(std::string_view frame) const;
  [[nodiscard]] Motion frame_acceleration(std::string_view frame) const;
  /// Of the last computation: how far every closure was open, those of the model first, then joints that
  /// close loops, then grasps. A custom pair whose modes generate motions beyond their own span, which
  /// binds velocities, counts as closed.
  [[nodiscard]] std::vector<ClosureGap> closure_gaps() const;

 private:
  struct Mechanism;
  std::unique_ptr<Mechanism> mechanism_;
};

}  // namespace linkwright::verify
