#pragma once
/// A compiled Model: immutable, shared between threads, ready for the sweeps.
///
///     linkwright::System system = linkwright::compile(linkwright::read_model("arm.urdf"));
///     int elbow = system.joint("elbow").v;      // where its velocity sits in v

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "linkwright/model/model.hpp"
#include "linkwright/system/bundle.hpp"
#include "linkwright/system/closure_place.hpp"

namespace linkwright {

/// A user's frame on the tree: a node of the tree and a constant offset.
struct FramePlace {
  std::string name;
  int node = 0;   ///< 0 = world
  Pose pose{};    ///< user frame in the node's canonical frame
  int body = -1;  ///< index into Model::bodies; −1 = world
};

/// Where a joint's coordinates live.
struct JointPlace {
  std::string name;
  JointType type = JointType::fixed;
  int q = 0, nq = 0;
  int v = 0, nv = 0;
  int node = 0;         ///< last node of the joint (the child body's node)
  int child = -1;       ///< index into Model::bodies
  int parent = -1;      ///< the same; −1 = world
  int frame = 0;        ///< the child body's frame
  int quaternion = -1;  ///< where its unit quaternion starts in q; −1: it has none
};

/// A freedom of a closing joint that takes an effort.
struct ClosingMotor {
  int closure = 0;  ///< index into System::closures
  int freedom = 0;
};

/// Handle of a frame. Bodies are frames too: the body's own frame has the body's name.
struct FrameId {
  int index = 0;
};

/// How `compile` chooses canonical frames. Results never depend on it; tests vary it.
struct CompileOptions {
  /// 0: the frames that make the sweeps cheapest. Otherwise: frames scattered along and about the
  /// joint axes by a random generator with this seed.
  unsigned scatter_frames = 0;
};

class System {
 public:
  /// The model with its loops cut: a joint that closes one is a closure of the same name.
  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const BundledTree& tree() const { return tree_; }

  [[nodiscard]] int nq() const { return tree_.nq; }
  [[nodiscard]] int nv() const { return tree_.nv; }
  /// Moving bodies after welding, counting the in-between bodies of multi-freedom joints.
  [[nodiscard]] int node_count() const { return tree_.count() - 1; }

  /// Joints in the order of the model; fixed ones have nv = 0.
  [[nodiscard]] const std::vector<JointPlace>& joints() const { return joints_; }
  /// The joint of that name; throws Error with the closest name otherwise.
  [[nodiscard]] const JointPlace& joint(std::string_view name) const;

  /// Bodies (indices into Model::bodies), parents before children.
  [[nodiscard]] const std::vector<int>& body_order() const { return body_order_; }
  /// Index into joints() of the joint that carries a body.
  [[nodiscard]] int joint_of_body(int body) const {
    return joint_of_body_[static_cast<std::size_t>(body)];
  }

  /// Closures, the joints that close loops, then grasps, each in the order of the model.
  [[nodiscard]] const std::vector<ClosurePlace>& closures() const { return closures_; }

  /// "knee" or "ball:2": a name for every freedom of the joints that close loops.
  [[nodiscard]] const std::vector<std::string>& closing_names() const { return closing_names_; }
  /// Those with a motor. Efforts of a closed system are nv numbers, or these as well behind them.
  [[nodiscard]] const std::vector<ClosingMotor>& closing_motors() const { return closing_motors_; }
  [[nodiscard]] int effort_count() const { return nv() + static_cast<int>(closing_motors_.size()); }
  /// "shoulder": a name for every effort, those of closing motors last.
  [[nodiscard]] std::vector<std::string> effort_names() const;

  /// Indices of the joints whose position holds a unit quaternion.
  [[nodiscard]] const std::vector<int>& quaternion_joints() const { return quaternion_joints_; }

  /// Frame 0 is the world, then bodies in the model's order, then the model's frames.
  [[nodiscard]] const std::vector<FramePlace>& frames() const { return frames_; }
  [[nodiscard]] const FramePlace& frame(FrameId id) const {
    return frames_[static_cast<std::size_t>(id.index)];
  }
  /// The frame or body of that name; throws Error with the closest name otherwise.
  [[nodiscard]] FrameId frame(std::string_view name) const;

  /// "shoulder" or "base:3": a name for every entry of v (q has its own where they differ).
  [[nodiscard]] const std::vector<std::string>& velocity_names() const { return velocity_names_; }
  [[nodiscard]] const std::vector<std::string>& position_names() const { return position_names_; }

  /// Per entry of v: rotor inertia as felt at the joint, its own and gear² times that of its motors.
  /// It stands on the diagonal of the mass matrix.
  [[nodiscard]] const std::vector<double>& rotor_inertia() const { return rotor_inertia_; }
  /// Entries of v without a motor, in order.
  [[nodiscard]] const std::vector<int>& passive_freedoms() const { return passive_freedoms_; }

  /// What the reader noticed and what `validate` found, in this order.
  [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }

  /// Total mass of what moves.
  [[nodiscard]] double moving_mass() const;

  /// The joint whose node is `node`, for messages: "joint 'elbow' (link 'forearm')".
  [[nodiscard]] std::string describe_node(int node) const;

 private:
  friend class Compiler;
  friend class LockableSystem;
  friend System leave_out_friction(const System& system);
  std::shared_ptr<const Model> model_;
  BundledTree tree_;
  std::vector<JointPlace> joints_;
  std::vector<FramePlace> frames_;
  std::vector<std::string> velocity_names_, position_names_;
  std::vector<double> rotor_inertia_;
  std::vector<int> passive_freedoms_;
  std::vector<Warning> warnings_;
  std::vector<int> quaternion_joints_;
  std::vector<ClosurePlace> closures_;
  std::vector<std::string> closing_names_;
  std::vector<ClosingMotor> closing_motors_;
  std::vector<int> body_order_, joint_of_body_;
  std::vector<int> node_body_;  // [N], the body whose joint made node k is node_body_[k − 1]
  std::unordered_map<std::string, int> joint_index_, frame_index_;
};

/// Validates the model (the only place that does) and builds its spanning tree. Throws Error for a
/// model that has no meaning; what is merely doubtful stands in System::warnings.
System compile(const Model& model, const CompileOptions& options = {});

/// The same system without dry friction, whose joints all take efforts, passive ones too: for those who
/// decide friction themselves and apply it as an effort. Indices and names are the same; model() still
/// speaks of the friction.
System leave_out_friction(const System& system);

}  // namespace linkwright
