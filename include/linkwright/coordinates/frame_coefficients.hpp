#pragma once
/// The influence coefficients of one frame, entry by entry, for any scalar.
///
///     FrameCoefficients<double> at(system.tree(), scratch, node, place, linkwright::Axes::world);
///     for (const auto& j : at.path())
///       for (const auto& k : at.path()) use(at.second(j, k));     // ∂_k of column j
///
/// Given    pose(k) and column(i) (poses, motion_columns)
/// Equations  in the frame's own axes columns are the twists ξ_j of loop_path.hpp, with the world for a:
///          g_j = ξ_j,   h_jk = ∂_k ξ_j,   d_jkl = ∂_l ∂_k ξ_j
///          in world axes numbers turn with the frame, ∂_k (R x) = R (∂_k x + ω_k × x):
///          h_jk = R (∂_k ξ_j + ω_k × ξ_j),
///          d_jkl = R (∂_l ∂_k ξ_j + ∂_l ω_k × ξ_j + ω_k × ∂_l ξ_j + ω_l × (∂_k ξ_j + ω_k × ξ_j))
/// Cost     O(1) each; they are zero for freedoms that are not on the path

#include "linkwright/closure/loop_path.hpp"
#include "linkwright/dynamics/forces.hpp"

namespace linkwright::coordinates {

template <class T>
class FrameCoefficients {
 public:
  using Freedom = closure::LoopFreedom<T>;
  using Motion = spatial::Motion<T>;

  /// `place`: the frame on its node.
  FrameCoefficients(const Tree<spatial::Constant<T>>& tree, const Scratch<T>& s, int node,
                    const Pose& place, Axes axes)
      : axes_(axes), tip_(s.pose[static_cast<std::size_t>(node)] * place) {
    path_ = closure::loop_path<T>(tree, s, 0, node, tip_);
  }

  /// The freedoms that move the frame.
  [[nodiscard]] const closure::LoopPath<T>& path() const { return path_; }

  [[nodiscard]] Motion first(const Freedom& j) const { return turned(j.twist); }
  [[nodiscard]] Motion second(const Freedom& j, const Freedom& k) const {
    Motion rate = twist_rate(k, j);
    if (axes_ == Axes::world) rate += with(k.twist.angular, j.twist);
    return turned(rate);
  }
  [[nodiscard]] Motion third(const Freedom& j, const Freedom& k, const Freedom& l) const {
    Motion rate = twist_second_rate(l, k, j);
    if (axes_ == Axes::world) {
      rate += with(twist_rate(l, k).angular, j.twist);
      rate += with(k.twist.angular, twist_rate(l, j));
      rate += with(l.twist.angular, twist_rate(k, j) + with(k.twist.angular, j.twist));
    }
    return turned(rate);
  }

 private:
  static Motion with(const spatial::Vector3<T>& w, const Motion& x) {
    return {cross(w, x.angular), cross(w, x.linear)};
  }
  [[nodiscard]] Motion turned(const Motion& x) const {
    if (axes_ == Axes::own) return x;
    return {tip_.rotation * x.angular, tip_.rotation * x.linear};
  }

  Axes axes_;
  spatial::Pose<T> tip_;
  closure::LoopPath<T> path_;
};

}  // namespace linkwright::coordinates
