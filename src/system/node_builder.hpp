#pragma once
/// The nodes of the tree with their canonical frames: z along the joint's axis, x along the common
/// normal to the next axis where that makes the constant rotation a turn about x only.

#include <random>
#include <vector>

#include "linkwright/system/system.hpp"
#include "system/canonical.hpp"
#include "system/joint_elements.hpp"
#include "system/spanning_tree.hpp"

namespace linkwright {

class NodeBuilder {
 public:
  /// Appends all nodes to `tree`, and writes to `places` on which of them each joint ends.
  /// `rotor_inertia` has one entry per entry of v.
  NodeBuilder(const Model& model, const SpanningTree& bodies, const CompileOptions& options,
              const std::vector<double>& rotor_inertia, std::vector<JointPlace>& places,
              Tree<double>& tree);

  // Per body, the world first (shifted by one).
  std::vector<int> node_of;
  std::vector<Pose> pose_of;  // body frame in its node's canonical frame
  // Per node, without the world.
  std::vector<NodeKind> kinds;
  std::vector<int> body_of_node;  // the body whose joint made it

 private:
  void place_body(int b);
  [[nodiscard]] canonical::Axis next_axis(int b) const;
  int add_node(const Joint& joint, const Element& element, int parent, Pose& user,
               const canonical::Axis& next, const JointPlace& place, int freedom);
  Pose choose_frame(const Element& element, const Pose& user, const canonical::Axis& next);
  void add_inertias();
  static double extent_of(const Model& model);

  const Model& model_;
  const SpanningTree& bodies_;
  const CompileOptions& options_;
  const std::vector<double>& rotor_inertia_;
  std::vector<JointPlace>& places_;
  Tree<double>& tree_;
  std::mt19937 random_;
  double extent_;
};

}  // namespace linkwright
