#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include "linkwright/model/loops.hpp"
#include "linkwright/model/validation.hpp"
#include "linkwright/system/system.hpp"
#include "spatial/index.hpp"
#include "system/bundles.hpp"
#include "system/closure_builder.hpp"
#include "system/force_resolver.hpp"
#include "system/node_builder.hpp"
#include "system/spanning_tree.hpp"
#include "system/tree_layout.hpp"

namespace linkwright {
namespace {

void add_names(std::vector<std::string>& names, const std::string& joint, int count) {
  for (int i = 0; i < count; ++i)
    names.push_back(count == 1 ? joint : joint + ":" + std::to_string(i));
}

/// Whether joints may turn inertias of a network that nobody has put into the mechanism yet.
bool has_loose_inertias(const NetworkModel& network) {
  return !network.is_reflected &&
         std::any_of(network.components.begin(), network.components.end(),
                     [](const NetworkComponent& component) {
                       return component.kind == NetworkComponent::Kind::inertia;
                     });
}

}  // namespace

/// Turns a Model without loops among its joints into a System; run() is the order of the work.
class Compiler {
 public:
  Compiler(Model tree, std::vector<Warning> judged)
      : shared_(std::make_shared<const Model>(std::move(tree))), model_(*shared_) {
    system_.warnings_ = model_.warnings;
    std::unordered_set<std::string> told;
    for (const Warning& warning : model_.warnings) told.insert(warning.text());
    for (Warning& warning : judged)  // unless someone judged the model before and kept it
      if (told.insert(warning.text()).second) system_.warnings_.push_back(std::move(warning));
  }

  System run(const CompileOptions& options) {
    system_.model_ = shared_;
    const ReflectedFreedoms reflected = to_reflected(model_);
    const SpanningTree bodies(model_);
    number_coordinates(bodies);
    mark_freedoms(reflected.joints);
    BundledTree& tree = system_.tree_;
    tree.gravity = model_.gravity;
    NodeBuilder nodes(model_, bodies, options, system_.rotor_inertia_, system_.joints_, tree);
    place_frames(bodies, nodes);
    make_runs(nodes.kinds, tree);
    order_freedoms(tree);
    bundle_equal_branches(nodes.kinds, tree);
    tree.joint_forces = resolve_joint_forces(system_, reflected.joints);
    tree.body_forces = resolve_body_forces(model_, bodies, nodes);
    system_.closures_ = place_closures(system_, bodies, nodes, reflected.closures);
    number_closing_freedoms();
    system_.node_body_ = std::move(nodes.body_of_node);
    system_.body_order_ = bodies.order;
    system_.joint_of_body_ = bodies.joint_of;
    return std::move(system_);
  }

 private:
  /// q and v follow the joints as the file lists them, whatever the tree looks like.
  void number_coordinates(const SpanningTree& bodies) {
    for (const Joint& joint : model_.joints) {
      JointPlace place{.name = joint.name, .type = joint.type};
      place.q = system_.tree_.nq, place.nq = position_count(joint);
      place.v = system_.tree_.nv, place.nv = velocity_count(joint);
      place.child = bodies.body(joint.child);
      place.parent = bodies.body(joint.parent);
      place.frame = place.child + 1;
      if (place.nq == 4 || place.nq == 7) {
        place.quaternion = place.q;
        system_.tree_.quaternions.push_back(place.q);
        system_.quaternion_joints_.push_back(static_cast<int>(system_.joints_.size()));
        const PoseGroup group = pose_group(joint);
        if (group.kind != PoseGroup::Kind::all)
          system_.tree_.bound_poses.push_back({place.q, group});
      }
      system_.tree_.nq += place.nq;
      system_.tree_.nv += place.nv;
      add_names(system_.position_names_, joint.name, place.nq);
      add_names(system_.velocity_names_, joint.name, place.nv);
      system_.joint_index_.emplace(joint.name, static_cast<int>(system_.joints_.size()));
      system_.joints_.push_back(std::move(place));
    }
  }

  /// What each entry of v carries besides the bodies.
  void mark_freedoms(const std::vector<std::vector<Reflected>>& reflected) {
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      for (const Reflected& felt : reflected[j])
        system_.rotor_inertia_.push_back(felt.rotor_inertia);
      const JointPlace& place = system_.joints_[j];
      for (int i = 0; i < place.nv; ++i)
        if (per_freedom(model_.joints[j].passive, i, false))
          system_.passive_freedoms_.push_back(place.v + i);
    }
  }

  void number_closing_freedoms() {
    for (std::size_t c = 0; c < system_.closures_.size(); ++c) {
      ClosurePlace& place = system_.closures_[c];
      place.closing = static_cast<int>(system_.closing_names_.size());
      add_names(system_.closing_names_, place.name, place.freedoms);
      for (int i = 0; i < place.freedoms; ++i)
        if (!place.freedom[i].passive) system_.closing_motors_.push_back({static_cast<int>(c), i});
    }
  }

  void place_frames(const SpanningTree& bodies, const NodeBuilder& nodes) {
    system_.frames_.push_back({std::string(world_name), 0, {}, -1});
    for (std::size_t b = 0; b < model_.bodies.size(); ++b)
      system_.frames_.push_back(
          {model_.bodies[b].name, nodes.node_of[b + 1], nodes.pose_of[b + 1], static_cast<int>(b)});
    for (const Frame& frame : model_.frames) {
      const std::size_t b = at(bodies.body(frame.body) + 1);
      system_.frames_.push_back(
          {frame.name, nodes.node_of[b], nodes.pose_of[b] * frame.pose, static_cast<int>(b) - 1});
    }
    for (std::size_t i = 0; i < system_.frames_.size(); ++i)
      system_.frame_index_.emplace(system_.frames_[i].name, static_cast<int>(i));
  }

  std::shared_ptr<const Model> shared_;
  const Model& model_;
  System system_;
};

System compile(const Model& model, const CompileOptions& options) {
  std::vector<Warning> judged = validate(model);
  if (has_loose_inertias(model.network))
    judged.push_back(
        {model.network.source,
         "the inertias of the network are not in the mechanism, also where joints turn "
         "them rigidly; compile network::reflect_inertias(model)",
         "network"});
  return Compiler(to_tree_with_closures(model), std::move(judged)).run(options);
}

}  // namespace linkwright
